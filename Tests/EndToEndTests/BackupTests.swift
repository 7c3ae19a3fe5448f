import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// `chat backup` and `chat restore`, from one home to another.
final class BackupTests: XCTestCase {
    private static let key = "sk-ant-api03-Zq8vN2mXw5Rt7Yk1Lp4Bc6Df9Hj3Gs0"

    /// A home with something of everything, made by the commands.
    private func used(_ server: ProviderServer) throws -> ChatProgram {
        let chat = try ChatProgram(server)
        try chat.run(["-p", "where is the ferry?"]).assertAnswer("At the pier.\n")
        try chat.run(["-c", "-p", "and when?"]).assertAnswer("At 14.\n")
        XCTAssertEqual(try chat.run(["idea", "prompt", "set", "One idea"]).exit, 0)
        XCTAssertEqual(try chat.run(["idea", "new", "--save"]).exit, 0)
        XCTAssertEqual(try chat.run(["prompt", "new", "gentle", "Be kind: {{input}}"]).exit, 0)
        XCTAssertEqual(
            try chat.run(["reminders", "add", "buy milk", "--due", "2030-01-02T10:00"]).exit, 0)
        XCTAssertEqual(try chat.run(["calendar", "add", "dentist 3 Jan 2030 14:00"]).exit, 0)
        return chat
    }

    private func server() throws -> ProviderServer {
        try ProviderServer(
            .messages, [.text("At the pier."), .text("At 14."), .text("A boat that folds.")])
    }

    /// What the lists of everything say, but for where the files lie.
    private func lists(_ chat: ChatProgram) throws -> [String] {
        try [
            ["conversations", "list", "--json"], ["idea", "list", "--json"],
            ["prompt", "list", "--json"],
            ["reminders", "list", "--json"],
            ["calendar", "list", "--from", "2030-01-03", "--json"],
            ["usage", "--json"],
        ].map { command in
            JSONWriter.pretty(try chat.json(command))
                .split(separator: "\n").filter { !$0.contains("\"path\"") }
                .joined(separator: "\n")
        }
    }

    /// Acceptance check 34.
    func testEverythingIsTheSameInANewHomeAndTakingItInAgainChangesNothing() throws {
        let server = try server()
        let old = try used(server)
        let file = old.folder.path("b.zip")
        let made = try old.run(["backup", file])
        XCTAssertEqual(made.exit, 0, made.errorText)
        XCTAssertTrue(
            made.text.contains("1 conversation · 2 library items · 2 calendar"), made.text)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        XCTAssertEqual(mode as? Int, 0o600)

        let new = try ChatProgram()
        let dry = try new.run(["restore", file, "--dry-run"])
        XCTAssertEqual(dry.exit, 0, dry.errorText)
        XCTAssertTrue(dry.text.contains("where is the ferry?"), dry.text)
        XCTAssertTrue(dry.errorText.contains("Nothing was changed"))
        XCTAssertEqual(new.files, ["state/backup.lock"])

        XCTAssertEqual(try new.run(["restore", file]).exit, 0)
        XCTAssertEqual(try lists(new), try lists(old))
        for name in old.files where name.hasPrefix("calendars/") {
            XCTAssertEqual(try new.bytes(name), try old.bytes(name), name)
        }
        let before = try lists(new)
        let again = try new.run(["restore", file])
        XCTAssertEqual(again.exit, 0)
        XCTAssertTrue(again.text.contains("is already here"), again.text)
        XCTAssertEqual(try lists(new), before)
        try new.run(["undo"]).assertFailure(1, "Restoring b.zip cannot be undone.")
        XCTAssertTrue(try new.run(["undo", "list"]).text.contains("restored backup b.zip"))
        let outcomes = try new.json(["restore", file, "--json"]).arrayValue ?? []
        XCTAssertEqual(Set(outcomes.compactMap { $0["outcome"]?.stringValue }), ["unchanged"])
        server.finish()
    }

    func testNoKeyIsInABackup() throws {
        let server = try server()
        let chat = try used(server)
        try chat.prepare("config.json", "{ \"claude\": { \"key_command\": \"echo \(Self.key)\" } }")
        try chat.prepare("keys.json", "{ \"claude\": { \"key\": \"\(Self.key)\" } }")
        let file = chat.folder.path("b.zip")
        let made = try chat.run(["backup", file])
        XCTAssertEqual(made.exit, 0, made.errorText)
        XCTAssertTrue(made.errorText.contains("key_command"), made.errorText)
        let reader = try ZipReader(ArchiveSource(try OpenFile(file)))
        XCTAssertFalse(reader.members.contains { $0.name.contains("keys") })
        let scan = CanaryScan(Self.key)
        for member in reader.members {
            XCTAssertEqual(scan.hits(in: try reader.bytes(of: member)), [], member.name)
        }
        server.finish()
    }

    func testFilesThatAreNoBackupsSayWhatTheyAre() throws {
        let chat = try ChatProgram()
        try chat.folder.write(Array("text".utf8), to: "text.zip")
        try chat.run(["restore", chat.folder.path("text.zip")])
            .assertFailure(1, "is not a backup of chat")
        try chat.run(["restore", chat.folder.path("none.zip")])
            .assertFailure(1, "No such file")
        try chat.run(["restore", chat.folder.path]).assertFailure(1, "is not a file")
        try chat.run(["backup", chat.folder.path("text.zip")])
            .assertFailure(2, "already exists", "--force")
        try chat.run(["backup", chat.folder.path("no/where.zip")]).assertFailure(1, "No such file")
        try chat.run(["backup", "a", "b"]).assertFailure(2, "backup")
    }

    /// One that is answering: its turn is in the backup as far as it has come.
    func testABackupIsMadeWhileAnotherChatAnswers() throws {
        let sent = Gate()
        let server = try ProviderServer(.messages, [.stall(after: "Half an ans", sent: sent)])
        let chat = try ChatProgram(server)
        let answering = try chat.start(["-p", "a long one"])
        answering.endInput()
        try answering.waitFor(output: "Half an ans")
        try RunningProgram.waitUntilStored("Half an ans", in: chat.file("chat.db"))
        let file = chat.folder.path("b.zip")
        XCTAssertEqual(try chat.run(["backup", file]).exit, 0)
        answering.signal(SIGKILL)
        _ = try answering.finish()
        let new = try ChatProgram()
        XCTAssertEqual(try new.run(["restore", file]).exit, 0)
        let list = try new.json(["conversations", "list", "--json"]).arrayValue ?? []
        XCTAssertEqual(list.compactMap { $0["title"]?.stringValue }, ["a long one"])
    }

    // MARK: - Cut and full

    private func traced(
        _ chat: ChatProgram, _ arguments: [String], inject: String
    ) throws -> RunningProgram.Result {
        let strace = try TestMachine.find("strace", package: "strace")
        let program = try RunningProgram(
            strace,
            ["-f", "-qq", "-o", "/dev/null", "-e", "inject=" + inject, try ChatProgram.path()]
                + arguments, environment: chat.variables)
        program.endInput()
        return try program.finish()
    }

    /// Killed before each of its renames in turn: what the next command sees is
    /// nothing or everything.
    func testAKillAnywhereLeavesTheOldStateOrTheNewOne() throws {
        let server = try server()
        let old = try used(server)
        let file = old.folder.path("b.zip")
        XCTAssertEqual(try old.run(["backup", file]).exit, 0)
        let whole = try lists(old)
        let nothing = try lists(try ChatProgram())
        var seen: [Bool] = []
        for number in 1...20 {
            let new = try ChatProgram()
            let cut = try traced(
                new, ["restore", file],
                inject: "rename,renameat,renameat2:signal=KILL:when=\(number)")
            if cut.exit == 0 { break }
            if cut.errorText.contains("ptrace") { throw XCTSkip("no ptrace here") }
            XCTAssertEqual(cut.exit, -SIGKILL, cut.errorText)
            let found = try lists(new)
            XCTAssertTrue(found == whole || found == nothing, "rename \(number): \(found)")
            seen.append(found == whole)
            XCTAssertFalse(new.files.contains { $0.hasPrefix("state/restore/") })
            // And it can be done again.
            XCTAssertEqual(try new.run(["restore", file]).exit, 0)
            XCTAssertEqual(try lists(new), whole)
            XCTAssertFalse(new.files.contains { $0.hasPrefix("state/restore") })
        }
        XCTAssertTrue(seen.contains(true) && seen.contains(false), "\(seen)")
        server.finish()
    }

    func testAFullDiskLeavesNoHalfBackup() throws {
        let server = try server()
        let chat = try used(server)
        let file = chat.folder.path("b.zip")
        let full = try traced(chat, ["backup", file], inject: "fsync:error=ENOSPC")
        if full.errorText.contains("ptrace") { throw XCTSkip("no ptrace here") }
        full.assertFailure(1)
        let beside = try FileManager.default.contentsOfDirectory(atPath: chat.folder.path)
        XCTAssertFalse(beside.contains { $0.contains("b.zip") }, "\(beside)")
        XCTAssertFalse(chat.files.contains { $0.hasPrefix("state/restore") })
        server.finish()
    }

    func testAtThePromptTheWayBackIsNamedAsItIsTypedInTheShell() throws {
        let chat = try ChatProgram()
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/backup \(chat.folder.path("a.zip"))")
        try repl.waitFor("keys are not in it · chat restore a.zip")
        try repl.waitForPrompt()
        repl.leave()
    }
}
