import AgentCore
import Base
import ChatKit
import Glibc
import Synchronization
import TerminalKit

/// Runs the user's editor on a text. The terminal must have been released.
///
/// The editor takes over the terminal. Like every child it gets only the allow-listed variables,
/// and only absolute folders of PATH count.
struct ExternalEditor {
    enum Outcome: Equatable {
        case edited(String)
        case unchanged
        /// The editor failed. A changed text, or any if `keepsText`, is at `path`.
        case failed(program: String, code: Int32, path: String?)
        case notStarted(program: String, code: Int32)
        /// The file at `path` is not UTF-8: accepting it would lose characters.
        case notText(path: String)
        /// An API key was typed into the text, which is not accepted; it is at `path`.
        case holdsKey(path: String)
        /// `$VISUAL` and `$EDITOR` name no editor, and none was found.
        case none
        case noFile(code: Int32)

        /// The outcome as a sentence for the user; empty on success.
        var sentence: String {
            switch self {
            case .edited, .unchanged: ""
            case .failed(let program, let code, let path):
                "\(program.split(separator: "/").last ?? "") ended with \(code)"
                    + (path.map { "; the text is in \($0)" } ?? "")
            case .notStarted(let program, let code):
                "\(program) could not be started: \(Diagnostic.system(code)); "
                    + "$VISUAL or $EDITOR names the editor"
            case .notText(let path):
                "the edited text is not valid UTF-8; it is in \(path)"
            case .holdsKey(let path):
                "the text contains what looks like an API key; it is in \(path)"
            case .none: "no editor was found; set $VISUAL or $EDITOR to yours"
            case .noFile(let code):
                "could not create a file for the editor: \(Diagnostic.system(code))"
            }
        }
    }

    let variables: [String: String]
    /// Folder of the text while it is edited.
    let folder: String
    let name: String
    /// Whether even an unchanged text is kept after a failure.
    var keepsText = false
    /// Whether a text is refused if the user has added an API key to it.
    var refusesKeys = false

    /// The command of `$VISUAL`, `$EDITOR`, or of an installed editor.
    var command: [String]? {
        for variable in ["VISUAL", "EDITOR"] {
            if let words = variables[variable].flatMap(ShellTokenizer.words(of:)), !words.isEmpty {
                return words
            }
        }
        // An editor that the user did not choose would only draw into a pipe and wait for keys
        // there.
        guard isatty(0) == 1, isatty(1) == 1 else { return nil }
        return ["nano", "vi"].first { program in
            // Only whether it exists matters.
            (try? Subprocess.find(program, in: variables)) != nil
        }.map { [$0] }
    }

    func edit(_ text: String) async -> Outcome {
        guard let command, let program = command.first else { return .none }
        let path = "\(folder)/\(name)"
        let before = text.isEmpty ? "" : text + "\n"
        let code = Self.write(before, to: path, in: folder)
        guard code == 0 else { return .noFile(code: code) }
        let status = await Self.run(program, command.dropFirst() + [path], variables)
        let left = Self.read(path)
        guard status >= 0 else {
            unlink(path)
            return .notStarted(program: program, code: -status)
        }
        if let left, String(validating: left, as: UTF8.self) == nil { return .notText(path: path) }
        let after = left.map { KeyDecoder.cleanPaste($0[...]) }
        guard status == 0 else {
            let isKept = after != nil && (keepsText || after != before)
            if !isKept { unlink(path) }
            return .failed(program: program, code: status, path: isKept ? path : nil)
        }
        if refusesKeys, let after, KeyShape.isFound(in: after), !KeyShape.isFound(in: before) {
            return .holdsKey(path: path)
        }
        unlink(path)
        guard let after, after != before else { return .unchanged }
        // Editors add a line end after the last line.
        return .edited(after.hasSuffix("\n") ? String(after.dropLast()) : after)
    }

    /// Variables that editors need in addition to those of every child process: for the terminal
    /// and for their own settings.
    private static let extraVariables: Set<String> = [
        "TERM", "COLORTERM", "TERMINFO", "TERMINFO_DIRS", "LANGUAGE", "LOGNAME", "SHELL", "TZ",
        "XAUTHORITY", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
        "VIMINIT", "NVIM_APPNAME", "ALTERNATE_EDITOR",
    ]

    /// The exit code, 128 and more for a signal; below 0 if it could not be started.
    private static func run(
        _ program: String, _ arguments: [String], _ variables: [String: String]
    ) async -> Int32 {
        do throws(SubprocessError) {
            let process = Subprocess(
                program: try Subprocess.find(program, in: variables), arguments: arguments,
                environment: Subprocess.baseEnvironment(from: variables, adding: extraVariables))
            switch try await process.runOnTerminal() {
            case .exited(let code): return code
            case .signalled(let signal): return 128 + signal
            }
        } catch {
            return -error.code
        }
    }

    // MARK: For commands

    /// - Parameter lend: gives the terminal to the editor while the body runs.
    func edit(
        _ text: String, lend: @Sendable (_ body: @Sendable () async -> Void) async -> Void
    ) async -> Outcome {
        let outcome = Mutex(Outcome.unchanged)
        await lend {
            let edited = await edit(text)
            outcome.withLock { $0 = edited }
        }
        return outcome.withLock { $0 }
    }

    /// `Interaction.edit`: the terminal is lent to the editor for as long as it runs.
    static func forCommands(
        _ services: Services,
        lend: @escaping @Sendable (_ body: @Sendable () async -> Void) async -> Void
    ) -> @Sendable (_ text: String, _ name: String) async -> EditedText {
        { text, name in
            let stem = FilePath.stem(name)
            let editor = ExternalEditor(
                variables: services.variables, folder: services.paths.stateFolder,
                name: "\(stem)-\(getpid())\(name.dropFirst(stem.count))", keepsText: true,
                refusesKeys: true)
            let result = await editor.edit(text, lend: lend)
            switch result {
            case .edited(let new): return .changed(new)
            case .unchanged: return .unchanged
            case .holdsKey(let path): return .holdsKey(path: path)
            case .failed, .notStarted, .notText, .none, .noFile: return .failed(result.sentence)
            }
        }
    }

    // MARK: The file

    /// 0 or the `errno`.
    private static func write(_ text: String, to path: String, in folder: String) -> Int32 {
        let made = PrivateFolder.make(folder)
        if made != 0 { return made }
        unlink(path)
        return WholeFile.create(text.utf8, at: path, syncs: false)
    }

    private static func read(_ path: String) -> [UInt8]? {
        // The editor may have removed the file: then there is no new text.
        try? WholeFile.read(path)
    }
}
