import Base
import Glibc
import Library

/// Locations of all files: the XDG base directories, or one folder if `CHAT_HOME` is set. A
/// value; nothing is created or looked up later.
///
/// The working directory is not used: relative values are ignored, as the XDG Base
/// Directory Specification asks.
package struct Paths: Sendable, Equatable {
    /// Holds `config.json` and `keys.json`.
    package let configurationFolder: String
    /// Holds the database, the calendars and the trash.
    package let dataFolder: String
    /// Input history, fired alerts, locks, recordings and the log.
    package let stateFolder: String
    package let home: String

    /// Our private folders: no tool reads them, and attached folders skip them.
    package var own: [String] { [configurationFolder, dataFolder, stateFolder] }

    package var configuration: String { configurationFolder + "/config.json" }
    /// The user's instructions for every conversation.
    package var instructions: String { configurationFolder + "/instructions.md" }
    /// Words that proofreading accepts, one per line.
    var words: String { configurationFolder + "/words" }
    package var keys: String { configurationFolder + "/keys.json" }
    package var database: String { dataFolder + "/chat.db" }
    var calendars: String { dataFolder + "/calendars" }
    package var trash: String { dataFolder + "/trash" }
    package var routines: String { dataFolder + "/routines" }
    /// The prompt for ideas, and the discarded ideas.
    package var ideas: String { dataFolder + "/ideas.json" }
    /// Input for the next letter.
    package var letterInputs: String { stateFolder + "/letter.json" }
    /// The external tool servers, with the user's approvals.
    package var servers: String { configurationFolder + "/mcp.json" }
    package var serverPins: String { dataFolder + "/mcp-pins.json" }
    /// The user's approvals of configured providers.
    package var providerPins: String { dataFolder + "/provider-pins.json" }
    /// External servers offered to each conversation.
    package var serverOffers: String { stateFolder + "/mcp-offers.json" }
    /// Tools offered to each conversation.
    package var modelLists: String { stateFolder + "/models.json" }
    package var toolOffers: String { stateFolder + "/tool-offers.json" }
    /// The user's profile; see `ProfileFile`.
    package var profile: String { dataFolder + "/" + ProfileFile.name }
    package var history: String { stateFolder + "/history" }
    package var draft: String { stateFolder + "/draft" }
    /// The last day whose summary line was shown, as `2026-11-23`.
    package var today: String { stateFolder + "/today" }
    package var locks: String { stateFolder + "/locks" }
    package var log: String { stateFolder + "/log" }
    /// The answer to the question of `/copy`.
    package var clipboard: String { stateFolder + "/clipboard" }
    var voices: String { stateFolder + "/voices.json" }
    /// Cached sound of stories.
    package var sound: String { stateFolder + "/sound" }
    /// The last playback speed of stories.
    var storyRate: String { stateFolder + "/story-rate" }
    /// Cached model answers about stories.
    package var answers: String { stateFolder + "/answers" }
    /// Lock of the process that is playing sound.
    var soundLock: String { stateFolder + "/sound.lock" }
    package var recordings: String { stateFolder + "/recordings" }
    var transcriptions: String { stateFolder + "/transcriptions" }

    /// - Parameter account: the home folder in the user database; read only without HOME. A
    ///   HOME that names no folder is an error: the account's folder holds other data.
    /// - Throws: `noHome` or `unusableHome` when a home is needed.
    package init(
        variables: [String: String], account: () -> String? = Paths.accountHome
    ) throws(ConfigurationError) {
        func absolute(_ name: String) -> String? {
            guard let path = variables[name], path.hasPrefix("/") else { return nil }
            return Self.trimmed(path)
        }
        let own = absolute("CHAT_HOME")
        if own == nil, variables["CHAT_HOME"]?.isEmpty == false {
            throw ConfigurationError(
                reason: .wrongVariable(name: "CHAT_HOME", accepted: "an absolute path"))
        }
        let xdg = [
            absolute("XDG_CONFIG_HOME"), absolute("XDG_DATA_HOME"), absolute("XDG_STATE_HOME"),
        ]
        let given = variables["HOME"].flatMap { $0.isEmpty ? nil : $0 }
        let home = (given == nil ? account() : absolute("HOME")).flatMap {
            $0.hasPrefix("/") && Self.isFolder($0) ? $0 : nil
        }
        if home == nil, own == nil, xdg.contains(nil) {
            throw ConfigurationError(reason: given.map { .unusableHome($0) } ?? .noHome)
        }
        // Without a home all other variables are set, and "~" is not expanded.
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

    /// Expands `~` and `~/…` to the home folder.
    package func expanded(_ path: String) -> String { FilePath.expanding(path, home: home) }

    /// The path with `~/…` for the home folder.
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
