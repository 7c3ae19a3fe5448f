import AgentCore
import TerminalKit
import ToolServers

/// A value with the place it comes from.
struct Setting<Value: Sendable & Equatable>: Sendable, Equatable {
    var value: Value
    var source: SettingSource
}

enum SettingSource: Sendable, Equatable {
    case flag(String)
    case environment(String)
    case configuration
    case standard

    /// For `chat config`.
    var description: String {
        switch self {
        case .flag(let name): "flag \(name)"
        case .environment(let name): "environment \(name)"
        case .configuration: "config.json"
        case .standard: "default"
        }
    }
}

/// What holds for this run: flag before environment before configuration
/// before default.
///
/// Which provider and model are chosen in the end is the provider choice's
/// matter; here is only what the user said.
struct Settings: Sendable, Equatable {
    /// What the command line said.
    struct Flags: Sendable, Equatable {
        var provider: ProviderName?
        var model: String?
    }

    struct Server: Sendable, Equatable {
        var url: Setting<String>
        /// Where none is chosen for the conversation.
        var model: Setting<String?>
    }

    var provider: Setting<ProviderName?>
    var model: Setting<String?>
    private var servers: [ProviderName: Server] = [:]
    var maxTokens: Setting<Int?>
    var temperature: Setting<Double?>
    /// Seconds of silence after which an answer is given up. Long, for a model
    /// that reasons says nothing for a while.
    var idleLimit: Setting<Double>
    var keys: Setting<LineEditor.Keys>
    /// Milliseconds.
    var escape: Setting<Int>
    var routing: Setting<Configuration.Routing>
    var failover: Setting<Configuration.Failover>
    var sendLocalTurns: Setting<Bool>
    var calendars: Setting<[String]>
    var defaultList: Setting<String>
    var defaultCalendar: Setting<String>
    /// A name such as `en_GB`; see `DateLocale`.
    var locale: Setting<String>
    var hours: Setting<PartsOfDay>
    var alerts: Setting<AlertSettings>
    var allowHTTP: Setting<[String]>
    var thinking: Setting<ThinkingDisplay>
    var effort: Setting<Effort?>
    var markdown: Setting<Configuration.Markdown>
    var compaction: Setting<Configuration.Compaction>
    var conversationTitles: Setting<Configuration.Titles>
    /// Of a model whose size neither its server nor the built-in list tells.
    var contextWindow: Setting<Int?>
    var clipboard: Setting<Configuration.Clipboard>
    var notify: Setting<Configuration.Notify>
    var title: Setting<Bool>
    var theme: Setting<Theme.Choice>
    /// Only those of the file; the built-in ones are `PriceTable`'s.
    var prices: Setting<[String: Configuration.Price]>
    var budget: Setting<Configuration.Budget>
    var roles: Setting<[String: Configuration.Role]>
    var transcription: Setting<VoiceSettings.Transcription>
    var recording: Setting<VoiceSettings.Recording>
    /// nil takes the first program that is installed; so does `player`.
    var recorder: Setting<[String]?>
    var speech: Setting<VoiceSettings.Speech>
    var player: Setting<[String]?>
    var speak: Setting<Configuration.Speak>

    /// - Throws: `wrongVariable` for a base URL or a program that is none.
    init(
        flags: Flags, variables: [String: String], configuration file: Configuration, paths: Paths
    ) throws(ConfigurationError) {
        func pick<Value>(_ configured: Value?, else standard: Value) -> Setting<Value> {
            configured.map { Setting(value: $0, source: .configuration) }
                ?? Setting(value: standard, source: .standard)
        }
        func optional<Value>(_ configured: Value?) -> Setting<Value?> {
            Setting(value: configured, source: configured == nil ? .standard : .configuration)
        }
        /// An empty variable is an unset one.
        func variable(_ name: String) -> String? {
            variables[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        func url(_ names: [String]) throws(ConfigurationError) -> Setting<String>? {
            for name in names {
                guard let text = variable(name) else { continue }
                guard KeyOrigin(text) != nil else {
                    throw ConfigurationError(
                        reason: .wrongVariable(
                            name: name, accepted: "a URL that begins with https:// or http://"))
                }
                return Setting(value: text, source: .environment(name))
            }
            return nil
        }

        provider =
            flags.provider.map { Setting(value: $0, source: .flag("--provider")) }
            ?? optional(file.provider)
        if let name = flags.model {
            model = Setting(value: name, source: .flag("--model"))
        } else if let name = variable("CHAT_MODEL") {
            model = Setting(value: name, source: .environment("CHAT_MODEL"))
        } else {
            model = optional(file.model)
        }
        for name in ProviderName.hosted {
            let (server, facts) = (file.servers[name], name.facts)
            let named = try url([facts.variables?.baseURL].compactMap(\.self))
            servers[name] = Server(
                url: named ?? pick(server?.baseURL, else: facts.vendorURL ?? ""),
                model: optional(server?.model))
        }
        let localURL: Setting<String>
        // For `local` the configured URL is the more specific one: the
        // variable may well be meant for OpenAI.
        if let configured = file.servers[.local]?.baseURL {
            localURL = Setting(value: configured, source: .configuration)
        } else if let named = try url(["OPENAI_BASE_URL"]) {
            localURL = named
        } else if let host = variable("OLLAMA_HOST") {
            guard let address = Self.ollama(host) else {
                throw ConfigurationError(
                    reason: .wrongVariable(name: "OLLAMA_HOST", accepted: "HOST:PORT or a URL"))
            }
            localURL = Setting(value: address, source: .environment("OLLAMA_HOST"))
        } else {
            localURL = Setting(value: Self.ollamaURL, source: .standard)
        }
        servers[.local] = Server(url: localURL, model: optional(file.servers[.local]?.model))
        maxTokens = optional(file.maxTokens)
        temperature = optional(file.temperature)
        idleLimit = pick(file.idleLimit, else: 300)
        keys = pick(file.keys, else: .emacs)
        escape = pick(file.escape, else: Int(KeyDecoder.usualPatience * 1_000))
        routing = pick(file.routing, else: .auto)
        failover = pick(file.failover, else: .ask)
        sendLocalTurns = pick(file.sendLocalTurns, else: true)
        calendars = pick(file.calendars?.map(paths.expanded), else: [paths.calendars])
        defaultList = pick(file.defaultList, else: "reminders")
        defaultCalendar = pick(file.defaultCalendar, else: "calendar")
        // The order of POSIX for the way times are written.
        let named = ["LC_ALL", "LC_TIME", "LANG"].first { variable($0) != nil }
        locale =
            file.locale.map { Setting(value: $0, source: .configuration) }
            ?? named.flatMap { name in
                variable(name).map { Setting(value: $0, source: .environment(name)) }
            } ?? Setting(value: "en_GB", source: .standard)
        hours = Setting(
            value: Self.hours(file.hours), source: file.hours.isEmpty ? .standard : .configuration)
        alerts = pick(file.alerts, else: AlertSettings())
        allowHTTP = pick(file.allowHTTP, else: [])
        thinking = pick(file.thinking, else: .summary)
        effort = optional(file.effort)
        markdown = pick(file.markdown, else: .on)
        compaction = pick(file.compaction, else: .auto)
        conversationTitles = pick(file.conversationTitles, else: .auto)
        contextWindow = optional(file.contextWindow)
        clipboard = pick(file.clipboard, else: .auto)
        notify = pick(file.notify, else: .off)
        title = pick(file.title, else: false)
        theme = pick(file.theme, else: Theme.Choice())
        prices = pick(file.prices, else: [:])
        budget = pick(file.budget, else: Configuration.Budget())
        roles = pick(file.roles, else: [:])
        transcription = pick(file.transcription, else: VoiceSettings.Transcription())
        recording = pick(file.recording, else: VoiceSettings.Recording())
        recorder = try Self.program("CHAT_RECORDER", variables, else: file.recording?.command)
        speech = pick(file.speech, else: VoiceSettings.Speech())
        player = try Self.program("CHAT_PLAYER", variables, else: file.speech?.playerCommand)
        speak = pick(file.speak, else: .off)
    }

    private static func text(_ alerts: AlertSettings) -> String {
        func word(_ flag: Bool) -> String { flag ? "on" : "off" }
        let hour = alerts.allDayHour.map(String.init) ?? "none"
        return "terminal \(word(alerts.terminal)), bell \(word(alerts.bell)), desktop "
            + "\(word(alerts.desktop)), hook \(alerts.hook == nil ? "none" : "set"), "
            + "snooze_minutes \(alerts.snoozeMinutes), all_day_hour \(hour), "
            + "late_hours \(alerts.lateHours)"
    }

    private static func text(_ budget: Configuration.Budget) -> String {
        let parts = [
            ("conversation", budget.conversation), ("day", budget.day), ("month", budget.month),
        ].compactMap { name, dollars in dollars.map { "\(name) $\($0)" } }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }

    private static func hours(_ changed: [Configuration.HourName: Int]) -> PartsOfDay {
        var hours = PartsOfDay()
        for (name, hour) in changed { hours[keyPath: name.path] = hour }
        return hours
    }

    /// Seconds after which an Esc stands by itself.
    var escapeTime: Double { Double(escape.value) / 1_000 }

    /// Where Ollama listens unless it is told otherwise.
    static let ollamaURL = "http://127.0.0.1:11434/v1"

    /// The base URL of an `OLLAMA_HOST`; nil for one that is none. Whether
    /// plain http may be used there is decided where it is asked.
    static func ollama(_ host: String) -> String? {
        // What is wrong with it is of no interest: the right forms are told.
        try? BaseURL.ollama(host: host, allowsPlainHTTP: true).text
    }

    /// Where and what a provider is asked; with an empty URL for none.
    func server(_ name: ProviderName) -> Server {
        servers[name]
            ?? Server(
                url: Setting(value: "", source: .standard),
                model: Setting(value: nil, source: .standard))
    }

    /// Where requests for that name go; nil only for a URL that is none.
    func origin(_ name: ProviderName) -> KeyOrigin? { KeyOrigin(server(name).url.value) }

    /// All settings with their sources, in the order of the manual.
    var listing: [(name: String, value: String, source: SettingSource)] {
        func row<Value>(
            _ name: String, _ setting: Setting<Value>, _ text: (Value) -> String
        ) -> (name: String, value: String, source: SettingSource) {
            (name, text(setting.value), setting.source)
        }
        let automatic = "automatic"
        var rows = [
            row("provider", provider) { $0?.rawValue ?? automatic },
            row("model", model) { $0 ?? automatic },
        ]
        for name in ProviderName.allCases where name != .offline {
            let server = server(name)
            rows.append(row("\(name.rawValue).base_url", server.url) { $0 })
            rows.append(row("\(name.rawValue).model", server.model) { $0 ?? automatic })
        }
        return rows + [
            row("max_tokens", maxTokens) { $0.map(String.init) ?? automatic },
            row("temperature", temperature) { $0.map { "\($0)" } ?? automatic },
            row("idle_limit", idleLimit) { "\($0) s" },
            row("keys", keys) { $0.rawValue },
            row("escape_ms", escape) { "\($0)" },
            row("routing", routing) { $0.rawValue },
            row("failover", failover) { $0.rawValue },
            row("send_local_turns", sendLocalTurns) { "\($0)" },
            row("calendars", calendars) { $0.joined(separator: ", ") },
            row("default_list", defaultList) { $0 },
            row("default_calendar", defaultCalendar) { $0 },
            row("locale", locale) { $0 },
            row("hours", hours) { hours in
                Configuration.HourName.allCases.map { "\($0.rawValue) \(hours[keyPath: $0.path])" }
                    .joined(separator: ", ")
            },
            row("alerts", alerts, Self.text),
            row("allow_http", allowHTTP) { $0.isEmpty ? "none" : $0.joined(separator: ", ") },
            row("thinking", thinking) { $0.rawValue },
            row("effort", effort) { $0?.rawValue ?? automatic },
            row("markdown", markdown) { $0.rawValue },
            row("compaction", compaction) { $0.rawValue },
            row("conversation_titles", conversationTitles) { $0.rawValue },
            row("context_window", contextWindow) { $0.map(String.init) ?? automatic },
            row("clipboard", clipboard) { $0.rawValue },
            row("notify", notify) { $0.rawValue },
            row("title", title) { $0 ? "on" : "off" },
            row("theme", theme) { theme in
                theme.base.rawValue
                    + (theme.looks.isEmpty ? "" : ", \(theme.looks.count) looks of its own")
            },
            row("prices", prices) { $0.isEmpty ? "built in" : "\($0.count) of its own" },
            row("budget", budget, Self.text),
            row("roles", roles) {
                $0.isEmpty ? "none" : $0.keys.sorted().joined(separator: ", ")
            },
            row("transcription", transcription, Self.text),
            row("recording", recording, Self.text),
            row("recording.command", recorder, Self.text(program:)),
            row("speech", speech, Self.text),
            row("speech.player", player, Self.text(program:)),
            row("speak", speak) { $0.rawValue },
        ]
    }
}
