import AgentCore
import Glibc
import TerminalKit
import ToolServers

/// What `config.json` says: every setting as written, nil where it is silent.
///
/// Only the file: flags, variables and defaults are joined in `Settings`.
struct Configuration: Sendable, Equatable {
    struct Server: Sendable, Equatable {
        var baseURL: String?
        var model: String?
        /// Program and arguments; run without a shell.
        var keyCommand: [String]?
    }

    enum Routing: String, Sendable, CaseIterable { case auto, local, model }
    enum Failover: String, Sendable, CaseIterable { case ask, auto, off }
    enum Compaction: String, Sendable, CaseIterable { case auto, off }
    /// `auto` is everywhere but with a local model.
    enum Titles: String, Sendable, CaseIterable { case auto, always, off }
    /// Whether answers are shown formatted, or as the Markdown they are.
    enum Markdown: String, Sendable, CaseIterable { case on, off }
    enum Clipboard: String, Sendable, CaseIterable {
        /// `wl-copy` or `xclip`; the terminal's own (OSC 52) after a question.
        case auto
        /// OSC 52 without a question.
        case osc52
        case off
    }
    /// What tells the user that a long answer has ended.
    enum Notify: String, Sendable, CaseIterable { case off, bell, terminal, desktop }
    /// Whether answers are read aloud.
    enum Speak: String, Sendable, CaseIterable { case on, off }

    /// Words for a part of the day.
    enum HourName: String, Sendable, CaseIterable {
        case morning, noon, afternoon, evening, night
        case endOfDay = "end_of_day"
    }

    var provider: ProviderName?
    var model: String?
    var servers: [ProviderName: Server] = [:]
    var maxTokens: Int?
    var temperature: Double?
    /// Seconds of silence after which an answer is given up.
    var idleLimit: Double?
    var keys: LineEditor.Keys?
    /// Milliseconds without a byte after which an Esc stands by itself.
    var escape: Int?
    var routing: Routing?
    var failover: Failover?
    var sendLocalTurns: Bool?
    /// Folders of calendars, or calendars, to use instead of our own, as
    /// written (may begin with `~/`).
    var calendars: [String]?
    /// Where new reminders and events go.
    var defaultList: String?
    var defaultCalendar: String?
    /// `en_GB`, `en_US` or `de_DE`.
    var locale: String?
    var thinking: ThinkingDisplay?
    var effort: Effort?
    var markdown: Markdown?
    var compaction: Compaction?
    var conversationTitles: Titles?
    var contextWindow: Int?
    var clipboard: Clipboard?
    var notify: Notify?
    /// The window's title is set to the conversation's.
    var title: Bool?
    var theme: Theme.Choice?
    /// By model name, or its beginning followed by `*`.
    var prices: [String: Price]?
    var budget: Budget?
    /// By name.
    var roles: [String: Role]?
    /// Only the hours that differ from the usual ones.
    var hours: [HourName: Int] = [:]
    /// The usual settings where the file is silent.
    var alerts: AlertSettings?
    var transcription: VoiceSettings.Transcription?
    var recording: VoiceSettings.Recording?
    var speech: VoiceSettings.Speech?
    var speak: Speak?
    /// Hosts that may be spoken to over plain http.
    var allowHTTP: [String]?
    /// One sentence per unknown name; the file is used all the same.
    var warnings: [String] = []

    /// Reads the file; none is an empty configuration.
    static func load(_ path: String) throws(ConfigurationError) -> Configuration {
        guard let bytes = try bytes(of: path) else { return Configuration() }
        return try parse(bytes, file: path)
    }

    /// What stands in the file; nil where there is none.
    static func bytes(of path: String) throws(ConfigurationError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw ConfigurationError(reason: .unreadable(errno), file: path)
        }
        defer { close(descriptor) }
        do {
            return try WholeFile.read(descriptor, limit: 1 << 20)
        } catch .system(let code) {
            throw ConfigurationError(reason: .unreadable(code), file: path)
        } catch {
            throw ConfigurationError(reason: .tooLarge, file: path)
        }
    }

    static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> Configuration {
        let value: JSONValue
        do { value = try JSON5.parse(bytes) } catch {
            let (line, column) = JSON5.position(of: error.offset, in: bytes)
            throw ConfigurationError(
                reason: .syntax(error.reason), file: file, line: line, column: column)
        }
        var reader = ConfigurationReader(bytes: bytes, file: file)
        return try reader.read(value)
    }
}
