import AgentCore
import Dispatch
import Glibc
import ToolServers

/// Runs the user's editor on a text. The terminal must have been released.
///
/// The editor belongs to our process group, which is the terminal's: Ctrl-C
/// and Ctrl-Z reach it as if the shell had started it, and we, who only note
/// them, go on after it.
struct ExternalEditor {
    enum Outcome: Equatable {
        case edited(String)
        case unchanged
        /// It said no. A text it has changed is kept at `path`.
        case failed(program: String, code: Int32, path: String?)
        case notStarted(program: String, code: Int32)
        /// `$VISUAL` and `$EDITOR` name none, and none was found.
        case none
        case noFile(code: Int32)

        /// What happened, for the user; empty for what went well.
        var sentence: String {
            switch self {
            case .edited, .unchanged: ""
            case .failed(let program, let code, let path):
                "\(program.split(separator: "/").last ?? "") ended with \(code)"
                    + (path.map { "; what it wrote is in \($0)" } ?? "")
            case .notStarted(let program, let code):
                "\(program) could not be started: \(Self.reason(code)); "
                    + "$VISUAL or $EDITOR names the editor"
            case .none: "no editor was found; set $VISUAL or $EDITOR to yours"
            case .noFile(let code): "no file could be made for the editor: \(Self.reason(code))"
            }
        }

        private static func reason(_ code: Int32) -> String {
            strerror(code).map { String(cString: $0) } ?? "error \(code)"
        }
    }

    let variables: [String: String]
    /// Where the text is while it is edited.
    let folder: String
    let name: String

    /// The words of `$VISUAL`, `$EDITOR`, or of an editor that is there.
    var command: [String]? {
        for variable in ["VISUAL", "EDITOR"] {
            if let words = variables[variable].flatMap(CommandWords.split), !words.isEmpty {
                return words
            }
        }
        return ["nano", "vi"].first { program in
            // Whether it is there is all that counts.
            (try? Subprocess.find(program, in: variables)) != nil
        }.map { [$0] }
    }

    func edit(_ text: String) async -> Outcome {
        guard let command, let program = command.first else { return .none }
        let path = "\(folder)/\(name)"
        let before = text.isEmpty ? "" : text + "\n"
        let code = Self.write(before, to: path, in: folder)
        guard code == 0 else { return .noFile(code: code) }
        let status = await Self.run(command + [path], variables)
        let after = Self.read(path)
        guard status >= 0 else {
            unlink(path)
            return .notStarted(program: program, code: -status)
        }
        guard status == 0 else {
            let isChanged = after != nil && after != before
            if !isChanged { unlink(path) }
            return .failed(program: program, code: status, path: isChanged ? path : nil)
        }
        unlink(path)
        guard let after, after != before else { return .unchanged }
        // The line end that editors put behind the last line.
        return .edited(after.hasSuffix("\n") ? String(after.dropLast()) : after)
    }

    /// The exit code, 128 and more for a signal; below 0 is what kept it from
    /// starting.
    private static func run(_ words: [String], _ variables: [String: String]) async -> Int32 {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "editor").async {
                continuation.resume(returning: spawnAndWait(words, variables))
            }
        }
    }

    private static func spawnAndWait(_ words: [String], _ variables: [String: String]) -> Int32 {
        let texts = variables.map { "\($0.key)=\($0.value)" }
        if (words + texts).contains(where: { $0.utf8.contains(0) }) { return -EINVAL }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        let arguments = words.map { strdup($0) } + [nil]
        let environment = texts.map { strdup($0) } + [nil]
        defer { for pointer in arguments + environment { free(pointer) } }
        var child: pid_t = 0
        let error = posix_spawnp(&child, words[0], nil, &attributes, arguments, environment)
        if error != 0 { return -error }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            if errno != EINTR { return 127 }
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    // MARK: The file

    /// 0 or the `errno`.
    private static func write(_ text: String, to path: String, in folder: String) -> Int32 {
        let made = PrivateFolder.make(folder)
        if made != 0 { return made }
        unlink(path)
        return WholeFile.create(text.utf8, at: path, syncs: false)
    }

    private static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return KeyDecoder.cleanPaste(bytes[...])
    }
}
