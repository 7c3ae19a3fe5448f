import Base
import Glibc
import Library

/// Where everything lives: the XDG base directories, or one folder when
/// `CHAT_HOME` is set. A value; nothing is made or looked up later.
///
/// The working directory plays no part: relative values are ignored, as the
/// XDG Base Directory Specification asks.
package struct Paths: Sendable, Equatable {
    /// Holds `config.json` and `keys.json`.
    package let configurationFolder: String
    /// Holds the database, the calendars and the trash.
    package let dataFolder: String
    /// Input history, fired alerts, locks, recordings and the log.
    package let stateFolder: String
    package let home: String

    /// What is ours alone: no tool reads it, and no folder that is attached brings it.
    package var own: [String] { [configurationFolder, dataFolder, stateFolder] }

    package var configuration: String { configurationFolder + "/config.json" }
    /// What the user wants every conversation to follow.
    package var instructions: String { configurationFolder + "/instructions.md" }
    /// The words that proofreading takes as right, one on a line.
    var words: String { configurationFolder + "/words" }
    package var keys: String { configurationFolder + "/keys.json" }
    package var database: String { dataFolder + "/chat.db" }
    var calendars: String { dataFolder + "/calendars" }
    package var trash: String { dataFolder + "/trash" }
    /// The prompt for ideas, and which were discarded.
    package var ideas: String { dataFolder + "/ideas.json" }
    /// What the next letter is made from.
    package var letterInputs: String { stateFolder + "/letter.json" }
    /// The external tool servers, and what the user has approved of them.
    package var servers: String { configurationFolder + "/mcp.json" }
    package var serverPins: String { dataFolder + "/mcp-pins.json" }
    /// What the user has approved of the providers that the configuration names.
    package var providerPins: String { dataFolder + "/provider-pins.json" }
    /// Which of them each conversation was offered.
    package var serverOffers: String { stateFolder + "/mcp-offers.json" }
    /// Which tools each conversation was offered.
    package var toolOffers: String { stateFolder + "/tool-offers.json" }
    /// Who the user is; see `ProfileFile`.
    package var profile: String { dataFolder + "/" + ProfileFile.name }
    package var history: String { stateFolder + "/history" }
    package var draft: String { stateFolder + "/draft" }
    /// The day whose line has been shown, as `2026-11-23`.
    package var today: String { stateFolder + "/today" }
    package var locks: String { stateFolder + "/locks" }
    package var log: String { stateFolder + "/log" }
    /// What a host of `chat mcp serve --http` has to send.
    package var hostToken: String { stateFolder + "/mcp-token" }
    /// The answer to the question of `/copy`.
    package var clipboard: String { stateFolder + "/clipboard" }
    var voices: String { stateFolder + "/voices.json" }
    /// The sound of stories, as far as it is kept.
    package var sound: String { stateFolder + "/sound" }
    /// The speed at which stories were heard last.
    var storyRate: String { stateFolder + "/story-rate" }
    /// What models answered about stories, as far as it is kept.
    package var answers: String { stateFolder + "/answers" }
    /// Which program of the user is heard now.
    var soundLock: String { stateFolder + "/sound.lock" }
    package var recordings: String { stateFolder + "/recordings" }
    var transcriptions: String { stateFolder + "/transcriptions" }

    /// - Parameter account: the home folder of the user database; asked only
    ///   when HOME does not name a folder.
    /// - Throws: `noHome` when a home is needed and missing.
    package init(
        variables: [String: String], account: () -> String? = Paths.accountHome
    ) throws(ConfigurationError) {
        func absolute(_ name: String) -> String? {
            guard let path = variables[name], path.hasPrefix("/") else { return nil }
            return Self.trimmed(path)
        }
        let own = absolute("CHAT_HOME")
        let xdg = [
            absolute("XDG_CONFIG_HOME"), absolute("XDG_DATA_HOME"), absolute("XDG_STATE_HOME"),
        ]
        var home = absolute("HOME")
        if home.map({ !Self.isFolder($0) }) ?? true {
            home = account().flatMap { $0.hasPrefix("/") && Self.isFolder($0) ? $0 : nil }
        }
        if home == nil, own == nil, xdg.contains(nil) {
            throw ConfigurationError(reason: .noHome)
        }
        // Without a home everything else is set, and "~" means nothing.
        let base = home ?? "/"
        self.home = base
        func folder(_ index: Int, _ fallback: String) -> String {
            // `xdg` has three elements; `index` is 0, 1 or 2.
            (xdg[index] ?? "\(base)/\(fallback)") + "/chat"
        }
        configurationFolder = own ?? folder(0, ".config")
        dataFolder = own ?? folder(1, ".local/share")
        stateFolder = own.map { $0 + "/state" } ?? folder(2, ".local/state")
    }

    /// `~` and `~/…` become the home folder.
    package func expanded(_ path: String) -> String { FilePath.expanding(path, home: home) }

    /// Absolute and without links; nil where there is nothing.
    package static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// As people write it: `~/…` below the home folder.
    package func shortened(_ path: String) -> String {
        guard home != "/", path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.utf8.count)
    }

    /// The home folder in the user database.
    static func accountHome() -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let folder = entry.pw_dir
        else { return nil }
        return String(cString: folder)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func trimmed(_ path: String) -> String {
        var path = Substring(path)
        while path.count > 1, path.last == "/" { path = path.dropLast() }
        return String(path)
    }
}
