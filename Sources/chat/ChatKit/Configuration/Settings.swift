import AgentCore
import Base
import DateLanguage
import Glibc
import Outside
import Planner
import Sound
import TerminalKit

/// The settings of this run: flags override the environment, which overrides `config.json`,
/// which overrides the defaults. Plain values; `Settings+Table` has their names.
///
/// These are only the user's settings; the provider choice decides which provider and model
/// are used.
package struct Settings: Sendable, Equatable {
    /// Address and options of a provider.
    struct Server: Sendable, Equatable {
        var format = WireFormat.chat
        var baseURL: String
        /// Used if the conversation chooses none.
        var model: String?
        /// Program and arguments; run without a shell.
        var keyCommand: [String]?
        /// The variable that contains its key.
        var keyVariable: String?
        /// Sent with each request; `${NAME}` is replaced by a variable.
        var headers: [String: String] = [:]
    }

    package enum Failover: String, Sendable, CaseIterable { case ask, auto, off }
    package enum Compaction: String, Sendable, CaseIterable { case auto, off }
    package enum Clipboard: String, Sendable, CaseIterable {
        /// `wl-copy` or `xclip`; otherwise the terminal's own (OSC 52), after a question.
        case auto
        /// OSC 52 without a question.
        case osc52
        case off
    }
    /// `auto` is always except with a local model.
    package enum Titles: String, Sendable, CaseIterable { case auto, always, off }
    /// Whether the model's vendor may search the web.
    package enum Web: String, Sendable, CaseIterable { case off, ask, on }
    /// The way in which the user is notified that a long answer has ended.
    package enum Notify: String, Sendable, CaseIterable { case off, bell, terminal, desktop }

    /// US dollars per million tokens.
    package struct Price: Sendable, Equatable {
        /// Below 0 if not given.
        var input = -1.0
        var output = -1.0
        /// Price of reading from the prompt cache; nil means the input price.
        var cachedInput: Double?
        /// Price of writing to it; nil means the input price.
        var cacheWrite: Double?
    }

    /// The record of what was sent.
    package struct Ledger: Sendable, Equatable {
        /// Number of days for which the bodies of requests and responses are kept.
        package var bodies = 0
    }

    /// Caps in US dollars that are not exceeded without asking.
    package struct Budget: Sendable, Equatable {
        var conversation: Double?
        var day: Double?
        var month: Double?
    }

    /// A named system text and its settings.
    struct Role: Sendable, Equatable {
        var system = ""
        var model: String?
        var effort: Effort?
        var temperature: Double?
    }

    /// Nil if the provider choice decides.
    package var provider: ProviderName?
    package var model: String?
    /// The models used unless a command names another.
    package var usedModels: [String] {
        (model.map { [$0] } ?? [])
            + askable.compactMap { self[server: $0].model ?? $0.facts.defaultModel }
            + [voice.transcription.model, voice.speech.model]
    }
    var servers: [ProviderName: Server] = [:]
    var maxTokens: Int?
    package var temperature: Double?
    /// Seconds of silence after which a request is abandoned. Long, because a reasoning model sends
    /// nothing for a while.
    var idleLimit = 300.0
    package var keys = LineEditor.Keys.emacs
    /// Milliseconds without a byte after which an Esc is a key of its own.
    var escape = Int(KeyDecoder.usualPatience * 1_000)
    package var routing = IntentRouter.Mode.auto
    package var failover = Failover.ask
    package var sendLocalTurns = true
    /// Folders of calendars, or calendars; our own if the file names none.
    package var calendars: [String] = []
    /// Collections for new reminders and events.
    package var defaultList = "reminders"
    package var defaultCalendar = "calendar"
    /// A name such as `en_GB`; see `DateLocale`.
    var locale = "en_GB"
    var hours = PartsOfDay()
    package var alerts = AlertSettings()
    package var ledger = Ledger()
    /// Hosts allowed over plain http.
    var allowHTTP: [String] = []
    package var thinking = ThinkingDisplay.summary
    package var effort: Effort?
    /// Whether answers are shown formatted, not as Markdown source.
    package var markdown = true
    /// Whether the program or the terminal breaks lines of prose.
    package var wrap = Wrap.words
    package var compaction = Compaction.auto
    /// Window of a model whose size neither its server nor the built-in list gives.
    package var contextWindow: Int?
    package var clipboard = Clipboard.auto
    package var notify = Notify.off
    /// Whether the first launch of a day shows the day's summary.
    package var today = true
    /// Whether the window's title is set to the conversation's.
    package var title = false
    /// Whether a list opens while a command or an `@` is typed.
    package var completesWhileTyping = true
    package var theme = Theme.Choice.auto
    /// The prices in the file by model name, or its beginning followed by `*`; the built-in ones
    /// are in `PriceTable`.
    package var prices: [String: Price] = [:]
    package var budget = Budget()
    /// The roles by name.
    var roles: [String: Role] = [:]
    var voice = VoiceSettings()
    package var conversationTitles = Titles.auto
    /// Whether personal data is removed from requests of new conversations.
    package var redact = false
    package var web = Web.ask
    /// Whether models get the notes about the user, and may add more.
    package var memory = true
    package var mcp = ExternalServers.Settings()
    /// The user's own approval rules for tool calls.
    package var toolRules = ApprovalRules()

    /// Folders that the model may read from the start.
    var open: [String] = []

    /// The sources by setting name; a missing name has its default.
    var sources: [String: Source] = [:]
    /// One sentence for each unknown name in the file.
    package var warnings: [String] = []
    /// The reason why the whole file is not used; only where a command repairs it.
    package var error: ConfigurationError?
    /// Values that cannot be used.
    package var broken: [BrokenSetting] = []
    /// Each key may go to the address in the *file*, else to the vendor or to Ollama's own
    /// port: a variable that changes the base URL does not redirect the key.
    package var keyCommands: [ProviderName: KeyCommand] = [:]

    package init() {}

    /// The source of a value.
    package enum Source: Sendable, Equatable {
        case flag(String)
        case environment(String)
        case configuration
        case standard

        /// The description for `chat config`.
        package var description: String {
            switch self {
            case .flag(let name): "flag \(name)"
            case .environment(let name): "environment \(name)"
            case .configuration: "config.json"
            case .standard: "default"
            }
        }
    }

    package func source(of name: String) -> Source { sources[name] ?? .standard }

    /// Ollama's own default.
    static let ollamaURL = "http://127.0.0.1:11434/v1"

    /// The server of a provider, with an empty URL for `offline` and for an unknown name.
    subscript(server name: ProviderName) -> Server {
        get {
            servers[name]
                ?? Server(
                    format: name.facts.format,
                    baseURL: name.facts.vendorURL ?? (name == .local ? Self.ollamaURL : ""))
        }
        set { servers[name] = newValue }
    }

    // MARK: The file

    /// Maximum bytes: people write this file, in a few KB, and each start reads it.
    package static let limitInBytes = 1 << 20

    /// The defaults with the file's values; without a file the defaults. Unusable values
    /// are added to `broken`.
    package static func load(_ path: String) throws(ConfigurationError) -> Settings {
        guard let bytes = try bytes(of: path) else { return Settings() }
        return try read(bytes, path).settings
    }

    /// The file's contents; nil without a file.
    package static func bytes(of path: String) throws(ConfigurationError) -> [UInt8]? {
        do { return try WholeFile.read(path, limit: limitInBytes) } catch {
            switch error {
            case .system(ENOENT), .system(ENOTDIR): return nil
            case .tooLarge:
                throw ConfigurationError(reason: .tooLarge(limit: limitInBytes), file: path)
            case .notRegular: throw ConfigurationError(reason: .unreadable(EISDIR), file: path)
            case .system(let code):
                throw ConfigurationError(reason: .unreadable(code), file: path)
            }
        }
    }

    /// - Parameter changed: only errors of that setting are thrown; the others are added to
    ///   `broken`.
    package static func parse(
        _ bytes: [UInt8], file: String, changed: String? = nil
    ) throws(ConfigurationError) -> Settings {
        let (settings, reader) = try read(bytes, file)
        for error in reader.errors {
            guard let changed, case .wrongValue(let name, _) = error.reason,
                name != changed, !name.hasPrefix(changed + "."), !changed.hasPrefix(name + ".")
            else { throw error }
        }
        return settings
    }

    /// The extra permissions that an imported file would give the program.
    /// - Throws: if the program would refuse the file.
    package static func widening(
        _ bytes: [UInt8], file: String
    ) throws(ConfigurationError) -> [WideningSetting] {
        let reader = try read(bytes, file).reader
        if let error = reader.errors.first { throw error }
        return reader.widening
    }

    private static func read(
        _ bytes: [UInt8], _ file: String
    ) throws(ConfigurationError) -> (settings: Settings, reader: ConfigurationReader) {
        if bytes.count > limitInBytes {
            throw ConfigurationError(reason: .tooLarge(limit: limitInBytes), file: file)
        }
        let value: JSONValue
        do { value = try JSON5.parse(bytes) } catch {
            let (line, column) = JSON5.position(of: error.offset, in: bytes)
            throw ConfigurationError(
                reason: .syntax(error.reason), file: file, line: line, column: column)
        }
        var settings = Settings()
        var reader = ConfigurationReader(bytes: bytes, file: file)
        try reader.read(value, [], table, into: &settings)
        if let provider = settings.provider, settings.provider(named: provider.rawValue) == nil {
            reader.refuse(["provider"], providerName.accepted)
            settings.provider = nil
        }
        for name in reader.given { settings.sources[name] = .configuration }
        settings.warnings = reader.warnings
        settings.broken = reader.errors.compactMap { error in
            guard case .wrongValue(let name, _) = error.reason else { return nil }
            return BrokenSetting(error, part: name)
        }
        return (settings, reader)
    }
}
