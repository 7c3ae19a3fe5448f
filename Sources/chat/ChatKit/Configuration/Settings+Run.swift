import AgentCore
import Base
import DateLanguage
import Sound

/// The settings of one run: flags and variables applied over the file, and values derived
/// from several settings.
extension Settings {
    /// Values from the command line.
    package struct Flags: Sendable, Equatable {
        package var provider: ProviderName?
        package var model: String?

        package init(provider: ProviderName? = nil, model: String? = nil) {
            self.provider = provider
            self.model = model
        }
    }

    /// A malformed base URL or program in a variable is added to `broken`.
    package func applying(
        flags: Flags = Flags(), variables: [String: String], paths: Paths
    ) -> Settings {
        var settings = self
        settings.apply(flags, variables, paths)
        return settings
    }

    private mutating func apply(_ flags: Flags, _ variables: [String: String], _ paths: Paths) {
        for name in askable {
            guard let words = self[server: name].keyCommand, let origin = origin(name) else {
                continue
            }
            keyCommands[name] = KeyCommand(words: words, origin: origin)
        }
        if let provider = flags.provider {
            self.provider = provider
            sources["provider"] = .flag("--provider")
        }
        // An empty variable counts as unset.
        let variables = variables.filter { !$0.value.isEmpty }
        if let name = variables["CHAT_MODEL"] {
            set("model", \.model, from: "CHAT_MODEL", to: name)
        }
        if let model = flags.model {
            self.model = model
            sources["model"] = .flag("--model")
        }
        for name in ProviderName.hosted {
            guard let variable = name.facts.variables?.baseURL else { continue }
            setBaseURL(of: name, from: variable, in: variables)
        }
        // For `local` the configured URL takes precedence: the variable may well be meant for
        // OpenAI.
        if source(of: "local.base_url") == .standard {
            if variables["OPENAI_BASE_URL"] != nil {
                setBaseURL(of: .local, from: "OPENAI_BASE_URL", in: variables)
            } else if let host = variables["OLLAMA_HOST"] {
                if let address = Self.ollama(host) {
                    set(
                        "local.base_url", \.[server: .local].baseURL, from: "OLLAMA_HOST",
                        to: address)
                } else {
                    note("local.base_url", "OLLAMA_HOST", "HOST:PORT or a URL")
                }
            }
        }
        calendars = calendars.isEmpty ? [paths.calendars] : calendars.map(paths.expanded)
        // The POSIX order of variables for the time format.
        let named = ["LC_ALL", "LC_TIME", "LANG"].first { variables[$0] != nil }
        if source(of: "locale") == .standard, let named, let locale = variables[named] {
            set("locale", \.locale, from: named, to: locale)
        }
        let program = SettingKind<[String]>.command("a program and its arguments")
        for (name, path, variable) in [
            ("recording.command", \Settings.voice.recording.command, "CHAT_RECORDER"),
            ("speech.player", \.voice.speech.playerCommand, "CHAT_PLAYER"),
        ] {
            guard let line = variables[variable] else { continue }
            if let words = program.read(.string(line)) {
                set(name, path, from: variable, to: words)
            } else {
                note(name, variable, program.accepted)
            }
        }
    }

    private mutating func set<Value>(
        _ name: String, _ path: WritableKeyPath<Settings, Value>, from variable: String,
        to value: Value
    ) {
        self[keyPath: path] = value
        sources[name] = .environment(variable)
    }

    private mutating func setBaseURL(
        of name: ProviderName, from variable: String, in variables: [String: String]
    ) {
        guard let text = variables[variable] else { return }
        let setting = "\(name.rawValue).base_url"
        if KeyOrigin(text) == nil {
            note(setting, variable, SettingKind<String>.url.accepted)
        } else {
            set(setting, \.[server: name].baseURL, from: variable, to: text)
        }
    }

    private mutating func note(_ name: String, _ variable: String, _ accepted: String) {
        broken.append(
            BrokenSetting(
                ConfigurationError(reason: .wrongVariable(name: variable, accepted: accepted)),
                part: name))
    }

    /// The base URL of an `OLLAMA_HOST`; nil for a malformed one. Whether plain http is
    /// allowed is decided by the caller.
    static func ollama(_ host: String) -> String? {
        // The error itself does not matter: the message names the correct forms.
        try? BaseURL.ollama(host: host, allowsPlainHTTP: true).text
    }

    // MARK: Derived values

    /// The origin of requests for that name; nil only for a malformed URL.
    package func origin(_ name: ProviderName) -> KeyOrigin? {
        KeyOrigin(self[server: name].baseURL)
    }

    /// Seconds after which an Esc is a key of its own.
    package var escapeTime: Double { Double(escape) / 1_000 }

    /// The smallest of the setting, the model's maximum, and 32,000: longer answers are not read,
    /// and some servers reserve the space.
    package func maxTokens(for model: String) -> Int {
        let limit = ModelCatalog.info(model)?.maxOutput ?? 32_000
        return min(maxTokens ?? 32_000, limit)
    }

    /// The context for parsing dates; zone and clock are read each time, since the machine
    /// may travel.
    package func dates(_ environment: Environment, zones: TimeZoneDatabase) -> DateContext {
        DateContext(
            now: environment.now(), local: LocalTime(), zones: zones,
            locale: DateLocale(named: locale), hours: hours)
    }
}
