import AgentCore
import TerminalKit
import ToolServers

/// The names of the settings, what each accepts and how it is listed: the only
/// place where one is added, besides its value in `Settings`.
extension Settings {
    /// All settings with their sources, in the order of the manual.
    var listing: [(name: String, value: String, source: Source)] {
        Self.table.lines(self).map { ($0.name, $0.text, source(of: $0.name)) }
    }

    static let table = SettingTable<Settings>(
        "an object: { … }",
        [
            .init("provider", \.provider, .word, none: automatic),
            .init("model", \.model, .text, none: automatic),
        ]
            + ProviderName.named.map { name in
                .init(name.rawValue, \.[server: name], server)
            } + [
                .init(
                    "max_tokens", \.maxTokens, .whole(1...Int.max, "a whole number above 0"),
                    none: automatic),
                .init("temperature", \.temperature, .number(0...2), none: automatic),
                .init(
                    "idle_limit", \.idleLimit,
                    .number(
                        Double.leastNonzeroMagnitude...86_400, "seconds, above 0 and at most a day",
                        unit: " s")),
                .init("keys", \.keys, .word),
                .init("escape_ms", \.escape, .whole(5...2_000, "milliseconds, from 5 to 2000")),
                .init("routing", \.routing, .word),
                .init("failover", \.failover, .word),
                .init("send_local_turns", \.sendLocalTurns, .flag, text: { "\($0)" }),
                .init("calendars", \.calendars, .folders),
                .init("default_list", \.defaultList, .folderName),
                .init("default_calendar", \.defaultCalendar, .folderName),
                .init("locale", \.locale, .text),
                .init("hours", \.hours, hours),
                .init("alerts", \.alerts, alerts),
                .init("allow_http", \.allowHTTP, .hosts),
                .init("thinking", \.thinking, .word),
                .init("effort", \.effort, .word, none: automatic),
                .init("markdown", \.markdown, .onOff),
                .init("compaction", \.compaction, .word),
                .init(
                    "context_window", \.contextWindow,
                    .whole(1_024...Int.max, "a number of tokens, 1024 or more"), none: automatic),
                .init("clipboard", \.clipboard, .word),
                .init("notify", \.notify, .word),
                .init("title", \.title, .flag),
                .init(
                    "theme", \.theme, theme,
                    short: { value in
                        Theme.Choice.Base(rawValue: value.stringValue ?? "").map { .init(base: $0) }
                    },
                    text: { theme in
                        theme.base.rawValue
                            + (theme.looks.isEmpty ? "" : ", \(theme.looks.count) looks of its own")
                    }),
                .init(
                    "prices", \.prices, "an object by model name", each: price, start: Price(),
                    isWhole: { $0.input >= 0 && $0.output >= 0 },
                    text: { $0.isEmpty ? "built in" : "\($0.count) of its own" }),
                .init("budget", \.budget, budget),
                .init(
                    "roles", \.roles, "an object by name of the role", each: role, start: Role(),
                    short: { value in value.stringValue.map { Role(system: $0) } },
                    isWhole: { !$0.system.isEmpty },
                    text: { $0.isEmpty ? "none" : $0.keys.sorted().joined(separator: ", ") }),
                .init("transcription", \.voice.transcription, transcription),
                .init("recording", \.voice.recording, recording),
                .init("speech", \.voice.speech, speech),
                .init("speak", \.voice.speaksAnswers, .onOff),
                .init("conversation_titles", \.conversationTitles, .word),
            ])

    private static let automatic = "automatic"
    private static let vendor = "OpenAI's"
    private static let installed = "the first that is installed"

    private static let server = SettingTable<Server>(
        "an object with base_url, model or key_command",
        [
            .init("base_url", \.baseURL, .url, isOwn: true),
            .init("model", \.model, .text, none: automatic, isOwn: true),
            .init(
                silent: "key_command", \.keyCommand,
                .command("an array of words, such as [\"pass\", \"show\", \"openai\"]")),
        ])

    private static let hours = SettingTable<PartsOfDay>(
        "an object such as { \"morning\": 8 }",
        [
            .init("morning", \.morning, .hour),
            .init("noon", \.noon, .hour),
            .init("afternoon", \.afternoon, .hour),
            .init("evening", \.evening, .hour),
            .init("night", \.night, .hour),
            .init("end_of_day", \.endOfDay, .hour),
        ])

    private static let alerts = SettingTable<AlertSettings>(
        "an object such as { \"bell\": false }",
        [
            .init("terminal", \.terminal, .flag),
            .init("bell", \.bell, .flag),
            .init("desktop", \.desktop, .flag),
            .init("hook", \.hook, .hook, none: "none", isSecret: true),
            .init("snooze_minutes", \.snoozeMinutes, .whole(1...10_080)),
            .init("all_day_hour", \.allDayHour, .whole(0...23), none: "none"),
            .init("late_hours", \.lateHours, .whole(0...720)),
        ])

    private static let theme = SettingTable<Theme.Choice>(
        "auto, light or dark, or an object such as { \"heading\": \"bold blue\" }",
        [.init("base", \.base, .word)]
            + RichLine.Color.allCases.map { color in
                .init(color.rawValue, \.looks[color], .look, none: nil)
            })

    private static let price = SettingTable<Price>(
        "an object with input and output, dollars for a million tokens",
        [
            .init("input", \.input, .dollars),
            .init("output", \.output, .dollars),
            .init("cached_input", \.cachedInput, .dollars, none: nil),
            .init("cache_write", \.cacheWrite, .dollars, none: nil),
        ])

    private static let budget = SettingTable<Budget>(
        "an object such as { \"day\": 2.50 }, in dollars",
        [
            .init("conversation", \.conversation, .dollars, none: nil),
            .init("day", \.day, .dollars, none: nil),
            .init("month", \.month, .dollars, none: nil),
        ])

    private static let role = SettingTable<Role>(
        "a text, or an object with system and maybe model, effort, temperature",
        [
            .init("system", \.system, .text),
            .init("model", \.model, .text, none: nil),
            .init("effort", \.effort, .word, none: nil),
            .init("temperature", \.temperature, .number(0...2), none: nil),
        ])

    private static let transcription = SettingTable<VoiceSettings.Transcription>(
        "an object such as { \"model\": \"whisper-1\" }",
        [
            .init("base_url", \.baseURL, .url, none: vendor),
            .init(silent: "key_command", \.keyCommand, .program("pass")),
            .init("model", \.model, .text),
            .init("language", \.language, .language, none: automatic),
            .init("prompt", \.prompt, .text, none: "none", isSecret: true),
            // Less is half a minute of sound, cut in the middle of what is
            // said; more no request carries.
            .init("limit_bytes", \.limitInBytes, .whole(1_000_000...2_000_000_000)),
        ])

    private static let recording = SettingTable<VoiceSettings.Recording>(
        "an object such as { \"cap_minutes\": 60 }",
        [
            .init("command", \.command, .program("arecord"), none: installed, isOwn: true),
            .init("cap_minutes", \.capInMinutes, .whole(1...1_440)),
            .init(
                "stop_after_silence", \.stopAfterSilence, .number(0.5...600, unit: " s"),
                none: "never"),
        ])

    private static let speech = SettingTable<VoiceSettings.Speech>(
        "an object such as { \"voice\": \"en-gb+f3\" }",
        [
            .init("engine", \.engine, .word),
            .init("base_url", \.baseURL, .url, none: vendor),
            .init(silent: "key_command", \.keyCommand, .program("pass")),
            .init("model", \.model, .text),
            .init("voice", \.voice, .text, none: automatic),
            .init("rate", \.rate, .number(0...1)),
            .init("pitch", \.pitch, .number(0.5...2)),
            .init("volume", \.volume, .number(0...1)),
            .init("player", \.playerCommand, .program("aplay"), none: installed, isOwn: true),
        ])
}
