import AgentCore
import Base
import DateLanguage
import Glibc
import Outside
import Planner
import Sound
import TerminalKit

/// What holds for this run: a flag before the environment before `config.json`
/// before the default. Plain values; `Settings+Table` has their names.
///
/// Which provider and model are chosen in the end is the provider choice's
/// matter; here is only what the user said.
package struct Settings: Sendable, Equatable {
    /// Where and what a provider is asked.
    struct Server: Sendable, Equatable {
        var format = WireFormat.chat
        var baseURL: String
        /// Where none is chosen for the conversation.
        var model: String?
        /// Program and arguments; run without a shell.
        var keyCommand: [String]?
        /// The variable that holds its key.
        var keyVariable: String?
        /// Sent with each request; `${NAME}` stands for a variable.
        var headers: [String: String] = [:]
    }

    /// How a terminal is shown a picture.
    package enum Images: String, Sendable, CaseIterable {
        /// What the terminal says that it is decides.
        case auto
        case kitty, iterm, off
    }
    package enum Failover: String, Sendable, CaseIterable { case ask, auto, off }
    package enum Compaction: String, Sendable, CaseIterable { case auto, off }
    package enum Clipboard: String, Sendable, CaseIterable {
        /// `wl-copy` or `xclip`; the terminal's own (OSC 52) after a question.
        case auto
        /// OSC 52 without a question.
        case osc52
        case off
    }
    /// `auto` is everywhere but with a local model.
    package enum Titles: String, Sendable, CaseIterable { case auto, always, off }
    /// Whether the model's vendor may search the web.
    package enum Web: String, Sendable, CaseIterable { case off, ask, on }
    /// How the user learns that a long answer has ended.
    package enum Notify: String, Sendable, CaseIterable { case off, bell, terminal, desktop }

    /// US dollars for a million tokens.
    package struct Price: Sendable, Equatable {
        /// Below 0: not given.
        var input = -1.0
        var output = -1.0
        /// Read from the prompt cache; nil is the price of plain input.
        var cachedInput: Double?
        /// Written to it; nil is the price of plain input.
        var cacheWrite: Double?
    }

    /// US dollars that are not passed without a question.
    package struct Budget: Sendable, Equatable {
        var conversation: Double?
        var day: Double?
        var month: Double?
    }

    /// A system text with a name, and what goes with it.
    struct Role: Sendable, Equatable {
        var system = ""
        var model: String?
        var effort: Effort?
        var temperature: Double?
    }

    /// Nil lets the provider choice decide.
    package var provider: ProviderName?
    package var model: String?
    /// Those that are asked unless a command names another.
    package var usedModels: [String] {
        (model.map { [$0] } ?? [])
            + askable.compactMap { self[server: $0].model ?? $0.facts.defaultModel }
            + [voice.transcription.model, voice.speech.model]
    }
    var servers: [ProviderName: Server] = [:]
    var maxTokens: Int?
    package var temperature: Double?
    /// Seconds of silence after which an answer is given up. Long, for a model
    /// that reasons says nothing for a while.
    var idleLimit = 300.0
    package var keys = LineEditor.Keys.emacs
    /// Milliseconds without a byte after which an Esc stands by itself.
    var escape = Int(KeyDecoder.usualPatience * 1_000)
    package var routing = IntentRouter.Mode.auto
    package var failover = Failover.ask
    package var sendLocalTurns = true
    /// Folders of calendars, or calendars; our own where the file names none.
    package var calendars: [String] = []
    /// Where new reminders and events go.
    package var defaultList = "reminders"
    package var defaultCalendar = "calendar"
    /// A name such as `en_GB`; see `DateLocale`.
    var locale = "en_GB"
    var hours = PartsOfDay()
    package var alerts = AlertSettings()
    /// Hosts that may be spoken to over plain http.
    var allowHTTP: [String] = []
    package var thinking = ThinkingDisplay.summary
    package var effort: Effort?
    /// Answers are shown formatted, not as the Markdown they are.
    package var markdown = true
    /// Who breaks lines of prose on the screen.
    package var wrap = Wrap.words
    package var compaction = Compaction.auto
    /// Of a model whose size neither its server nor the built-in list tells.
    package var contextWindow: Int?
    package var clipboard = Clipboard.auto
    package var notify = Notify.off
    package var images = Images.auto
    /// The first launch of a day says what the day has.
    package var today = true
    /// The window's title is set to the conversation's.
    package var title = false
    /// A list opens while a command or an `@` is typed.
    package var completesWhileTyping = true
    /// A line below the prompt says how the conversation stands. Off: the prompt
    /// itself says what must not be missed, `/usage` the rest, and a screen
    /// reader would read the line after each key.
    package var statusLine = false
    package var theme = Theme.Choice()
    /// By model name, or its beginning followed by `*`. Only those of the file;
    /// the built-in ones are `PriceTable`'s.
    package var prices: [String: Price] = [:]
    package var budget = Budget()
    /// By name.
    var roles: [String: Role] = [:]
    var voice = VoiceSettings()
    package var conversationTitles = Titles.auto
    /// Personal data is kept out of what a new conversation sends.
    package var redact = false
    package var web = Web.ask
    /// Models get the notes about the user, and may add more.
    package var memory = true
    package var mcp = ExternalServers.Settings()
    /// The user's own rules for the model's tool calls.
    package var toolRules = ApprovalRules()

    /// Folders that the model may read from the start.
    var open: [String] = []

    /// By the names of the table; what is missing has its default.
    var sources: [String: Source] = [:]
    /// One sentence for each name in the file that is not known.
    package var warnings: [String] = []
    /// Why the file is not in use at all; only where a command mends it.
    package var error: ConfigurationError?
    /// Values that are not in use.
    package var broken: [BrokenSetting] = []
    /// Each key may go where the *file* says requests go, else to the vendor or
    /// to Ollama's own port: a variable that moves the base URL does not take
    /// the key along.
    package var keyCommands: [ProviderName: KeyCommand] = [:]

    package init() {}

    /// Where a value comes from.
    package enum Source: Sendable, Equatable {
        case flag(String)
        case environment(String)
        case configuration
        case standard

        /// For `chat config`.
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

    /// With an empty URL for `offline` and for a name that is not known.
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

    /// A longer file is not one of settings.
    private static let limitInBytes = 1 << 20

    /// The defaults, and what the file says; without a file the defaults. Values that
    /// cannot be used are in `broken`.
    package static func load(_ path: String) throws(ConfigurationError) -> Settings {
        guard let bytes = try bytes(of: path) else { return Settings() }
        return try read(bytes, path).settings
    }

    /// What stands in the file; nil without one.
    package static func bytes(of path: String) throws(ConfigurationError) -> [UInt8]? {
        do { return try WholeFile.read(path, limit: limitInBytes) } catch {
            switch error {
            case .system(ENOENT), .system(ENOTDIR): return nil
            case .tooLarge: throw ConfigurationError(reason: .tooLarge, file: path)
            case .notRegular: throw ConfigurationError(reason: .unreadable(EISDIR), file: path)
            case .system(let code):
                throw ConfigurationError(reason: .unreadable(code), file: path)
            }
        }
    }

    /// - Parameter changed: only errors of that setting are thrown; the others are in
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

    /// What a file that somebody else wrote would let the program do besides.
    /// - Throws: where the program would refuse the file.
    package static func widening(
        _ bytes: [UInt8], file: String
    ) throws(ConfigurationError) -> [WideningSetting] {
        if bytes.count > limitInBytes { throw ConfigurationError(reason: .tooLarge, file: file) }
        let reader = try read(bytes, file).reader
        if let error = reader.errors.first { throw error }
        return reader.widening
    }

    private static func read(
        _ bytes: [UInt8], _ file: String
    ) throws(ConfigurationError) -> (settings: Settings, reader: ConfigurationReader) {
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
