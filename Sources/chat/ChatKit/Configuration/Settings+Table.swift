import AgentCore
import Base
import DateLanguage
import Outside
import Planner
import Sound
import Stories
import StoryKit
import TerminalKit
import Transcription

/// The names of the settings, the values each accepts, and how they are listed. A
/// capability's object has its table beside its values and is only named here.
extension Settings {
    /// All settings with their sources, in the order of the manual.
    package var listing: [(name: String, value: String, source: Source)] {
        Self.table.lines(self).map { ($0.name, $0.text, source(of: $0.name)) }
    }

    /// The listed lines of one setting; if it is not in the list, those of its members.
    package func listing(of name: String) -> [(name: String, value: String, source: Source)] {
        func named(_ row: String) -> Bool { row == name || row.hasPrefix(name + ".") }
        let listed = listing.filter { named($0.name) }
        if !listed.isEmpty { return listed }
        return Self.table.members(self).filter { named($0.name) }
            .map { ($0.name, $0.text, source(of: $0.name)) }
    }

    /// The kind for languages in which dates can be parsed.
    private static let localeName = SettingKind<String>(
        "en_GB, en_US, de_DE or another of en and de"
    ) {
        guard let name = $0.stringValue else { return nil }
        let language = name.prefix { $0 != "_" && $0 != "-" && $0 != "." }.lowercased()
        return ["en", "de"].contains(language) ? name : nil
    }

    package static let table = SettingTable<Settings>(
        "an object: { … }",
        [
            .init("provider", \.provider, providerName, .plain, none: automatic),
            .init("model", \.model, .text, .plain, none: automatic),
        ]
            + ProviderName.named.map { name in
                .init(name.rawValue, \.[server: name], server)
            } + [
                .init(
                    "providers", \.ownProviders, "an object by name of the provider", .widens,
                    each: ownProvider, start: Server(baseURL: ""), fault: nameFault,
                    isWhole: { !$0.baseURL.isEmpty },
                    text: { $0.isEmpty ? "none" : $0.keys.sorted().joined(separator: ", ") }),
                .init(
                    "max_tokens", \.maxTokens, .whole(1...Int.max, "a whole number above 0"),
                    .plain, none: automatic),
                .init("temperature", \.temperature, .number(0...2), .plain, none: automatic),
                .init(
                    "idle_limit", \.idleLimit,
                    .number(
                        Double.leastNonzeroMagnitude...86_400, "seconds, above 0 and at most a day",
                        unit: " s"), .plain),
                .init("keys", \.keys, .word, .plain),
                .init(
                    "escape_ms", \.escape, .whole(5...2_000, "milliseconds, from 5 to 2000"), .plain
                ),
                .init("routing", \.routing, .word, .plain),
                .init("failover", \.failover, .word, .widens(if: { $0 == .auto })),
                .init("send_local_turns", \.sendLocalTurns, .flag, .plain, text: { "\($0)" }),
                .init("calendars", \.calendars, .folders, .widens),
                .init("default_list", \.defaultList, .folderName, .plain),
                .init("default_calendar", \.defaultCalendar, .folderName, .plain),
                .init("locale", \.locale, localeName, .plain),
                .init("hours", \.hours, PartsOfDay.settings),
                .init("alerts", \.alerts, AlertSettings.settings),
                .init("allow_http", \.allowHTTP, .hosts, .widens(if: { !$0.isEmpty })),
                .init("thinking", \.thinking, .word, .plain),
                .init("effort", \.effort, .word, .plain, none: automatic),
                .init("markdown", \.markdown, .onOff, .plain),
                .init("wrap", \.wrap, .word, .plain),
                .init("compaction", \.compaction, .word, .plain),
                .init(
                    "context_window", \.contextWindow,
                    .whole(1_024...Int.max, "a number of tokens, 1024 or more"), .plain,
                    none: automatic),
                .init("clipboard", \.clipboard, .word, .widens(if: { $0 == .osc52 })),
                .init("notify", \.notify, .word, .plain),
                .init("title", \.title, .flag, .plain),
                .init("complete_while_typing", \.completesWhileTyping, .onOff, .plain),
                .init("today", \.today, .onOff, .plain),
                .init("theme", \.theme, .word, .plain),
                // A model without a price would never reach a budget.
                .init(
                    "prices", \.prices, "an object by model name", .widens, each: price,
                    start: Price(),
                    isWhole: { $0.input >= 0 && $0.output >= 0 },
                    text: { $0.isEmpty ? "built in" : "\($0.count) of its own" }),
                .init("budget", \.budget, budget),
                .init("ledger", \.ledger, ledger),
                // A role replaces the library's prompt of the same name.
                .init(
                    "roles", \.roles, "an object by name of the role", .widens, each: role,
                    start: Role(),
                    short: { value in value.stringValue.map { Role(system: $0) } },
                    isWhole: { !$0.system.isEmpty },
                    text: { $0.isEmpty ? "none" : $0.keys.sorted().joined(separator: ", ") }),
                .init("transcription", \.voice.transcription, VoiceSettings.Transcription.settings),
                .init("recording", \.voice.recording, VoiceSettings.Recording.settings),
                .init("speech", \.voice.speech, VoiceSettings.Speech.settings),
                .init(
                    "voice_presets", \.voice.presets, "an object by name of the preset",
                    .plain, each: VoicePreset.settings, start: VoicePreset.own,
                    isWhole: { _ in true },
                    text: { $0.isEmpty ? "none" : $0.keys.sorted().joined(separator: ", ") }),
                .init("speak", \.voice.speaksAnswers, .onOff, .plain),
                .init("conversation_titles", \.conversationTitles, .word, .plain),
                .init("redact", \.redact, .flag, .plain),
                .init("web", \.web, .word, .widens(if: { $0 == .on })),
                .init("memory", \.memory, .onOff, .plain),
                .init("mcp", \.mcp, ExternalServers.Settings.settings),
                .init("tools", \.toolRules, ApprovalRules.settings),
                .init(
                    "open", \.open, .folders, .widens,
                    text: { $0.isEmpty ? "none" : $0.joined(separator: ", ") }),
            ])

    static let automatic = "automatic"

    private static let server = SettingTable<Server>(
        "an object with base_url, model or key_command",
        [
            .init("base_url", \.baseURL, .url, .widens, isOwn: true),
            .init("model", \.model, .text, .plain, none: automatic, isOwn: true),
            .init(
                silent: "key_command", \.keyCommand,
                .command("an array of words, such as [\"pass\", \"show\", \"openai\"]"), .widens),
        ])

    private static let price = SettingTable<Price>(
        "an object with input and output, dollars for a million tokens",
        [
            .init("input", \.input, .dollars, .plain),
            .init("output", \.output, .dollars, .plain),
            .init("cached_input", \.cachedInput, .dollars, .plain, none: nil),
            .init("cache_write", \.cacheWrite, .dollars, .plain, none: nil),
        ])

    private static let ledger = SettingTable<Ledger>(
        "an object such as { \"bodies\": 7 }",
        [
            .init(
                "bodies", \.bodies, .whole(0...3_650, "days, from 0 to 3650"),
                .widens(if: { $0 > 0 }))
        ])

    private static let budget = SettingTable<Budget>(
        "an object such as { \"day\": 2.50 }, in dollars",
        [
            .init("conversation", \.conversation, .dollars, .plain, none: nil),
            .init("day", \.day, .dollars, .plain, none: nil),
            .init("month", \.month, .dollars, .plain, none: nil),
        ])

    private static let role = SettingTable<Role>(
        "a text, or an object with system and maybe model, effort, temperature",
        [
            .init("system", \.system, .text, .plain),
            .init("model", \.model, .text, .plain, none: nil),
            .init("effort", \.effort, .word, .plain, none: nil),
            .init("temperature", \.temperature, .number(0...2), .plain, none: nil),
        ])
}
