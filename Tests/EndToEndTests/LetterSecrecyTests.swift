import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// What tells who somebody is, in every other place it could go to: the files that are
/// left, the history of the prompt, tools, whole conversations, and many résumés.
final class LetterSecrecyTests: XCTestCase {
    /// Check 38: one of each layout and format, all countries, as a server got them.
    func testResumesOfManyCountriesAndLayoutsTellNothing() throws {
        let frozen = try InventedResume.frozen()
        let chosen = frozen.enumerated().filter { $0.offset % 8 == $0.offset / 8 % 8 }.map(
            \.element)
        XCTAssertGreaterThanOrEqual(Set(chosen.map(\.country)).count, 8)
        XCTAssertEqual(Set(chosen.map { "\($0.layout) \($0.format)" }).count, 9)
        for resume in chosen {
            let server = try ProviderServer(
                .messages, [.text(LetterRig.answer(words: 250))], repeats: true)
            let chat = try ChatProgram(server)
            try tell(resume.profile, to: chat)
            let (file, job) = try files(of: resume, in: chat)
            let done = try chat.run([
                "letter", "new", "--resume", file, "--job", job, "--yes",
            ])
            XCTAssertTrue([0, 6].contains(done.exit), "\(resume.id): \(done.errorText)")
            let scan = PersonScan(resume, withUnknown: false)
            XCTAssertGreaterThan(server.requests.count, 0, resume.id)
            for request in server.allRequests {
                let head = request.headers.map { "\($0.name): \($0.value)" }
                XCTAssertEqual(scan.hits(in: request.body), [], resume.id)
                XCTAssertEqual(scan.hits(in: request.path + head.joined()), [], resume.id)
            }
            server.finish()
        }
    }

    /// PII7: after the trash is emptied the profile alone knows.
    func testAfterTheTrashIsEmptiedNoFileKnowsAnything() throws {
        let answer = LetterRig.answer(words: 150)
        let server = try ProviderServer(.messages, [.text(answer), .text(answer)])
        let rig = try LetterRig(server)
        XCTAssertEqual(try rig.letter("--length", "short", "--yes").exit, 0)
        let list = try rig.chat.json(["library", "list", "--json"]).arrayValue ?? []
        XCTAssertEqual(
            Set(list.compactMap { $0["kind"]?.stringValue }), ["letter", "resume", "job"])
        let letter = try XCTUnwrap(
            list.first { $0["kind"]?.stringValue == "letter" }?["id"]?.stringValue)
        try rig.must(["letter", "again", letter, "--tone", "warm", "--yes"])
        let secrets = LetterRig.literals + LetterRig.strangers
        XCTAssertGreaterThan(try rig.files(with: secrets).count, 1)
        let all = try rig.chat.json(["library", "list", "--json"]).arrayValue ?? []
        for item in all {
            try rig.must(["library", "delete", try XCTUnwrap(item["id"]?.stringValue), "--yes"])
        }
        try rig.must(["library", "empty-trash", "--yes"])
        let left = try rig.files(with: secrets)
        XCTAssertEqual(left.count, 1, "\(left)")
        let profile = try XCTUnwrap(left.first)
        XCTAssertTrue(profile.contains("profile"), profile)
        for name in rig.chat.files where name != profile {
            let hits = PersonScan(literals: LetterRig.literals).hits(in: try rig.chat.bytes(name))
                .filter { $0.contains("(raw)") }
            XCTAssertEqual(hits, [], name)
        }
        server.finish()
    }

    /// `/redact on`: what is typed goes out with placeholders and comes back restored.
    func testAWholeConversationPassesTheSameLayer() throws {
        let server = try ProviderServer(
            .messages,
            [
                .text("Dear [NA", "ME], I wrote to [EMAIL]."), .text("You are [NAME]."),
            ], titles: .text("A letter to [NAME]"))
        let rig = try LetterRig(server)
        let repl = try ChatTerminal(rig.chat, columns: 100)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/redact on")
        try repl.waitFor("redact")
        repl.enter("I am Dr. Zoë Ångström-Okafor, write to zoe.angstrom@mail.example.org please")
        try repl.waitFor(
            "Dear Dr. Zoë Ångström-Okafor, I wrote to zoe.angstrom@mail.example.org.")
        repl.enter("Who am I?")
        try repl.waitFor("You are Dr. Zoë Ångström-Okafor.")
        repl.terminal.type("\u{04}")
        repl.assertEnd(0)
        XCTAssertGreaterThanOrEqual(server.requests.count, 2)
        LetterRig.assertNothingTold(server)
        server.finish()
    }

    // MARK: -

    private func tell(_ profile: [(kind: String, value: String)], to chat: ChatProgram) throws {
        for (kind, value) in profile {
            let done = try chat.run([
                "profile", "add", kind == "birthdate" ? "birth-date" : kind, value,
            ])
            XCTAssertEqual(done.exit, 0, done.errorText)
        }
    }

    private func files(of resume: InventedResume, in chat: ChatProgram) throws -> (String, String) {
        let file = chat.folder.path(
            resume.file.isEmpty ? "resume.\(resume.format)" : resume.file)
        let job = chat.folder.path("job.txt")
        try LetterRig.write(resume.text, to: file)
        try LetterRig.write(resume.job, to: job)
        return (file, job)
    }
}
