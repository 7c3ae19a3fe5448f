import AgentCore
import Base
import DateLanguage
import Planner
import Sound
import Stories
import StoryKit
import TerminalKit
import Transcription

/// The names of the settings, what each accepts and how it is listed. An object
/// of a capability has its table beside its values and is only named here.
extension Settings {
    /// All settings with their sources, in the order of the manual.
    package var listing: [(name: String, value: String, source: Source)] {
        Self.table.lines(self).map { ($0.name, $0.text, source(of: $0.name)) }
    }

    package static let table = SettingTable<Settings>(
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
                .init("hours", \.hours, PartsOfDay.settings),
                .init("alerts", \.alerts, AlertSettings.settings),
                .init("allow_http", \.allowHTTP, .hosts),
                .init("thinking", \.thinking, .word),
                .init("effort", \.effort, .word, none: automatic),
                .init("markdown", \.markdown, .onOff),
                .init("wrap", \.wrap, .word),
                .init("compaction", \.compaction, .word),
                .init(
                    "context_window", \.contextWindow,
                    .whole(1_024...Int.max, "a number of tokens, 1024 or more"), none: automatic),
                .init("clipboard", \.clipboard, .word),
                .init("notify", \.notify, .word),
                .init("images", \.images, .word),
                .init("title", \.title, .flag),
                .init("complete_while_typing", \.completesWhileTyping, .onOff),
                .init("status_line", \.statusLine, .onOff),
                .init("today", \.today, .onOff),
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
                .init("transcription", \.voice.transcription, VoiceSettings.Transcription.settings),
                .init("recording", \.voice.recording, VoiceSettings.Recording.settings),
                .init("speech", \.voice.speech, VoiceSettings.Speech.settings),
                .init(
                    "voice_presets", \.voice.presets, "an object by name of the preset",
                    each: VoicePreset.settings, start: VoicePreset.own, isWhole: { _ in true },
                    text: { $0.isEmpty ? "none" : $0.keys.sorted().joined(separator: ", ") }),
                .init("speak", \.voice.speaksAnswers, .onOff),
                .init("conversation_titles", \.conversationTitles, .word),
                .init("redact", \.redact, .flag),
                .init("web", \.web, .word),
                .init("memory", \.memory, .onOff),
                .init("tools", \.toolRules, ApprovalRules.settings),
                .init(
                    "open", \.open, .folders,
                    text: { $0.isEmpty ? "none" : $0.joined(separator: ", ") }),
            ])

    private static let automatic = "automatic"

    private static let server = SettingTable<Server>(
        "an object with base_url, model or key_command",
        [
            .init("base_url", \.baseURL, .url, isOwn: true),
            .init("model", \.model, .text, none: automatic, isOwn: true),
            .init(
                silent: "key_command", \.keyCommand,
                .command("an array of words, such as [\"pass\", \"show\", \"openai\"]")),
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
}

extension SettingKind<String> {
    /// Colours and traits of a theme.
    fileprivate static var look: Self {
        Self(LookWords.accepted) { value in
            value.stringValue.flatMap { LookWords($0) == nil ? nil : $0 }
        }
    }
}
