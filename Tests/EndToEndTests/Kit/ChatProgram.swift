import Base
import Foundation
import TestSupport
import XCTest

/// The real program with a home of its own: nothing of the machine's
/// environment or of anybody's files reaches it.
///
/// The binary is the one built beside the tests; CHAT_BINARY names another,
/// so that the installed one can be tested as well.
final class ChatProgram {
    let folder: TemporaryFolder
    /// False for a server that counts only a part of what was sent: it cuts an upload.
    var isLedgerCompared = true
    var variables: [String: String]

    /// - Parameter variables: what is added to PATH, LANG, HOME and CHAT_HOME.
    init(_ variables: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("account"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        self.variables = [
            "PATH": TestMachine.path, "LANG": "C.UTF-8", "TERM": "xterm",
            "HOME": folder.path("account"), "CHAT_HOME": folder.path("home"),
            // Nobody listens there: a model server of this machine is not asked.
            "OLLAMA_HOST": "127.0.0.1:1", "NO_COLOR": "1", "TZ": "UTC",
        ]
        // How a build with the address sanitizer behaves is the runner's choice.
        self.variables["ASAN_OPTIONS"] = ProcessInfo.processInfo.environment["ASAN_OPTIONS"]
        self.variables.merge(variables) { $1 }
        LedgerCheck.begin()
    }

    deinit { LedgerCheck.end(ledger: isLedgerCompared ? variables : nil) }

    /// For a server: its address and key.
    convenience init(_ server: ProviderServer) throws {
        try self.init(server.variables)
    }

    var home: String { folder.path("home") }

    func file(_ name: String) -> String { "\(home)/\(name)" }

    /// All files below the home, by their path in it.
    var files: [String] {
        (FileManager.default.enumerator(atPath: home)?.allObjects as? [String] ?? []).filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: file($0), isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name))))
    }

    /// Writes a file of the home before the program runs.
    func prepare(_ name: String, _ text: String) throws {
        let path = file(name)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    // MARK: - Running

    func start(_ arguments: [String], closesOutput: Bool = false) throws -> RunningProgram {
        try RunningProgram(
            try Self.path(), arguments, environment: variables, closesOutput: closesOutput)
    }

    /// Runs it to its end with these bytes as standard input.
    @discardableResult
    func run(_ arguments: [String], input: String = "") throws -> RunningProgram.Result {
        let program = try start(arguments)
        program.write(Array(input.utf8))
        program.endInput()
        return try program.finish()
    }

    /// The JSON that a command prints.
    func json(_ arguments: [String]) throws -> JSONValue {
        let result = try run(arguments)
        guard result.exit == 0 else {
            throw RunningProgram.Failure(description: "\(arguments): \(result)")
        }
        return try JSONParser.parse(result.output)
    }

    /// The messages of the latest conversation: `role: text (status)`.
    func conversation() throws -> [String] {
        let shown = try json(["conversations", "show", "--json"])
        return (shown["messages"]?.arrayValue ?? []).map { message in
            let role = message["role"]?.stringValue ?? ""
            let status = message["status"]?.stringValue ?? ""
            return "\(role): \(message["text"]?.stringValue ?? "") (\(status))"
        }
    }

    static func path() throws -> String {
        if let named = ProcessInfo.processInfo.environment["CHAT_BINARY"] { return named }
        var places = [Bundle(for: ChatProgram.self).bundlePath, Bundle.main.bundlePath]
        places.append(CommandLine.arguments.first ?? "")
        for place in places {
            var folder = URL(fileURLWithPath: place)
            for _ in 0..<4 {
                let candidate = folder.appendingPathComponent("chat").path
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder),
                    !isFolder.boolValue, FileManager.default.isExecutableFile(atPath: candidate)
                {
                    return candidate
                }
                folder.deleteLastPathComponent()
            }
        }
        throw RunningProgram.Failure(description: "no program `chat` beside the tests")
    }
}

extension RunningProgram.Result {
    /// What every failure has to look like: nothing on stdout, at most three
    /// lines on stderr, the exit code of the table, no escape sequence.
    func assertFailure(
        _ exit: Int32, _ words: String..., output: String = "", file: StaticString = #filePath,
        line: UInt = #line
    ) {
        XCTAssertEqual(self.exit, exit, errorText, file: file, line: line)
        XCTAssertEqual(text, output, file: file, line: line)
        XCTAssert(
            (1...3).contains(errorLines.count), "not one to three lines: \(errorText)",
            file: file, line: line)
        XCTAssertFalse((self.output + errors).contains(0x1B), file: file, line: line)
        for word in words {
            XCTAssert(
                errorText.contains(word), "“\(word)” is missing in: \(errorText)", file: file,
                line: line)
        }
    }

    func assertAnswer(_ answer: String, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertEqual(
            self, RunningProgram.Result(output: Array(answer.utf8), errors: [], exit: 0),
            "\(text)\(errorText)", file: file, line: line)
    }
}
