import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// A database or a home that cannot be used: nothing is sent, nothing is
/// touched, and the error says where and what to do.
final class BadStoreTests: XCTestCase {
    /// A home with one conversation in it.
    private func used(_ server: ProviderServer) throws -> ChatProgram {
        let chat = try ChatProgram(server)
        try chat.run(["-p", "first"]).assertAnswer("one\n")
        return chat
    }

    /// Runs lines of Python; it prints a line when it is ready and goes on
    /// when its input ends.
    private func python(_ script: String, _ arguments: String...) throws -> RunningProgram {
        try RunningProgram("/usr/bin/python3", ["-c", script] + arguments, environment: [:])
    }

    func testALockedDatabaseSendsNothing() throws {
        let server = try ProviderServer(.messages, [.text("one"), .text("two")])
        let chat = try used(server)
        let holder = try python(
            """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute("BEGIN IMMEDIATE")
            print("held", flush=True)
            sys.stdin.read()
            """, chat.file("chat.db"))
        try holder.waitFor(output: "held")
        let result = try chat.run(["-p", "second"])
        result.assertFailure(
            1, "Another chat is using", chat.file("chat.db"),
            "What cannot be saved is not sent")
        XCTAssertEqual(server.requests.count, 1)
        holder.endInput()
        XCTAssertEqual(try holder.finish().exit, 0)
        try chat.run(["-p", "third"]).assertAnswer("two\n")
        server.finish()
    }

    func testADamagedDatabaseIsLeftAsItIs() throws {
        for damage in ["not a database at all, but long enough to be one", ""] {
            let server = try ProviderServer(.messages, [.text("one")])
            let chat = try used(server)
            let path = chat.file("chat.db")
            var bytes = try chat.bytes("chat.db")
            if damage.isEmpty {
                // Behind the header, so that it opens and fails later.
                for index in 100..<min(bytes.count, 8192) { bytes[index] = 0xA5 }
            } else {
                bytes = Array(String(repeating: damage, count: 100).utf8)
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
            try chat.run(["-p", "x"]).assertFailure(1, path, "mv ")
            XCTAssertEqual(try chat.bytes("chat.db"), bytes)
            XCTAssertEqual(server.requests.count, 1)
            server.finish()
        }
    }

    /// As another user, since the superuser may write everywhere.
    func testAReadOnlyHomeSendsNothing() throws {
        let server = try ProviderServer(.messages, [.text("one")])
        let chat = try used(server)
        for path in [chat.home, chat.folder.path("account")] {
            XCTAssertEqual(chmod(path, 0o755), 0)
        }
        for name in chat.files { XCTAssertEqual(chmod(chat.file(name), 0o444), 0) }
        try run(chat, asUser: 65534, ["-p", "x"]).assertFailure(1, chat.file("chat.db"))
        XCTAssertEqual(server.requests.count, 1)
        server.finish()
    }

    private func run(
        _ chat: ChatProgram, asUser user: Int, _ arguments: [String]
    ) throws -> RunningProgram.Result {
        guard getuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
        else { throw XCTSkip("needs to be root, to become a user with fewer rights") }
        XCTAssertEqual(chmod(chat.folder.path, 0o755), 0)
        // The program itself may lie in a folder of the superuser.
        let copy = chat.folder.path("program")
        try FileManager.default.copyItem(atPath: try ChatProgram.path(), toPath: copy)
        chmod(copy, 0o755)
        let program = try RunningProgram(
            "/usr/bin/setpriv",
            ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", copy] + arguments,
            environment: chat.variables)
        program.endInput()
        return try program.finish()
    }

    func testAHomeThatDoesNotExistYetIsMadePrivate() throws {
        let server = try ProviderServer(.messages, [.text("one")])
        let chat = try ChatProgram(server)
        chat.variables["CHAT_HOME"] = chat.folder.path("home/deep/er")
        try chat.run(["-p", "x"]).assertAnswer("one\n")
        try chat.run(["reminders", "add", "buy milk"])
        for name in try FileManager.default.subpathsOfDirectory(atPath: chat.home) {
            let type = try FileManager.default.attributesOfItem(atPath: chat.file(name))
            let mode = (type[.posixPermissions] as? NSNumber)?.intValue ?? 0
            XCTAssertEqual(mode & 0o077, 0, "\(name) has mode \(String(mode, radix: 8))")
        }
        server.finish()
    }

    func testAHomeThatIsAFileIsSaid() throws {
        let server = try ProviderServer(.messages, [])
        let chat = try ChatProgram(server)
        try Data("x".utf8).write(to: URL(fileURLWithPath: chat.home))
        try chat.run(["-p", "x"]).assertFailure(1, chat.home)
        XCTAssertEqual(server.requests.count, 0)
        server.finish()
    }

    func testTheDoctorSaysThatTheDiskIsFull() throws {
        let unshare = try TestMachine.find("unshare", package: "util-linux")
        let chat = try ChatProgram()
        try FileManager.default.createDirectory(
            atPath: chat.home, withIntermediateDirectories: false)
        let script = """
            mount -t tmpfs -o size=64k,mode=700 tmpfs "$CHAT_HOME" || exit 77
            head -c 100000 /dev/zero > "$CHAT_HOME/filler" 2>&1
            exec "$0" doctor
            """
        let doctor = try RunningProgram(
            unshare, ["-rm", "/bin/sh", "-c", script, try ChatProgram.path()],
            environment: chat.variables)
        doctor.endInput()
        let result = try doctor.finish()
        // Some containers have no namespaces for a user.
        if result.exit == 77 || result.text.isEmpty { throw XCTSkip(result.errorText) }
        XCTAssertEqual(result.exit, 1, result.text)
        XCTAssert(result.text.contains("the disk is full"), result.text)
    }

    func testWithoutALocaleTheAnswerIsWhole() throws {
        for language in [nil, "C", "POSIX", "nonsense"] {
            let server = try ProviderServer(.messages, [.text("wörld 🌍")])
            let chat = try ChatProgram(server)
            chat.variables["LANG"] = language
            try chat.run(["-p", "grüße"]).assertAnswer("wörld 🌍\n")
            XCTAssertEqual(try server.messages(0), ["user: grüße"])
            XCTAssertEqual(
                try chat.conversation(), ["user: grüße (done)", "assistant: wörld 🌍 (done)"])
            server.finish()
        }
    }

    func testManyAtOnceLoseNothing() throws {
        let server = try ProviderServer(.chat, [.text("ok")], repeats: true)
        let chat = try ChatProgram(server)
        let programs = try (0..<8).map { number in
            let program = try chat.start(["--provider", "local", "-p", "message \(number)"])
            program.endInput()
            return program
        }
        for program in programs { try program.finish().assertAnswer("ok\n") }
        let list = try chat.json(["conversations", "list", "--json"]).arrayValue ?? []
        XCTAssertEqual(
            list.compactMap { $0["title"]?.stringValue }.sorted(),
            (0..<8).map { "message \($0)" })
        XCTAssertEqual(list.map { $0["messages"] }, Array(repeating: 2, count: 8))
        server.finish()
    }
}
