import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// A letter in a terminal: what would leave is shown, nothing leaves before the yes,
/// and the words come restored.
final class LetterScreenTests: XCTestCase {
    func testWhatLeavesIsShownAndANoSendsNothing() throws {
        for columns in [80, 40] {
            let server = try ProviderServer(.messages, [.text(LetterRig.answer(words: 250))])
            let rig = try LetterRig(server)
            let no = try ChatTerminal(
                rig.chat, ["letter", "new", "--resume", rig.resume, "--job", rig.job],
                columns: columns)
            try no.answer("n", to: "Send it?", until: "othing was sent")
            no.assertEnd(3)
            XCTAssertEqual(server.allRequests.count, 0)
            XCTAssertTrue(no.transcript.contains { $0.contains("[NAME]") })
            let shown = no.transcript.joined(separator: "\n")
            XCTAssertEqual(PersonScan(literals: LetterRig.literals).hits(in: shown), [])

            let yes = try ChatTerminal(
                rig.chat, ["letter", "new", "--resume", rig.resume, "--job", rig.job],
                columns: columns)
            try yes.answer("y", to: "Send it?", until: "I would bring the same care")
            yes.assertEnd(0)
            XCTAssertEqual(server.requests.count, 1)
            XCTAssertTrue(yes.transcript.contains { $0.contains("Zoë Ångström-Okafor") })
            for line in yes.transcript { XCTAssertLessThanOrEqual(line.count, columns) }
            LetterRig.assertNothingTold(server)
            server.finish()
        }
    }

    /// The second letter of the same résumé to the same host asks no more.
    func testAYesHoldsForTheRevisionOfTheResume() throws {
        let answer = LetterRig.answer(words: 250)
        let server = try ProviderServer(.messages, [.text(answer), .text(answer)])
        let rig = try LetterRig(server)
        XCTAssertEqual(try rig.letter("--yes").exit, 0)
        XCTAssertEqual(try rig.letter("--tone", "warm").exit, 0)
        try LetterRig.write(
            LetterRig.basics + LetterRig.body.replacing("38 %", with: "41 %"), to: rig.resume)
        try rig.letter("--tone", "warm").assertFailure(3, "--yes")
        XCTAssertEqual(server.requests.count, 2)
        server.finish()
    }

    /// At the prompt of a conversation; what the model is told of it later has
    /// placeholders.
    func testALetterAtThePromptStaysOutOfTheConversation() throws {
        let server = try ProviderServer(
            .messages, [.text(LetterRig.answer(words: 250)), .text("Gladly.")])
        let rig = try LetterRig(server)
        let repl = try ChatTerminal(rig.chat, columns: 80)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/letter new --resume \(rig.resume) --job \(rig.job)")
        try repl.answer("y", to: "Send it?", until: "I would bring the same care")
        try repl.waitFor("✓ l")
        try repl.waitForPrompt()
        try repl.enter("Thank you", until: "Gladly.")
        repl.leave()
        XCTAssertEqual(server.requests.count, 2)
        LetterRig.assertNothingTold(server)
        server.finish()
    }

    /// The model asks for a letter: the user's word is needed, and what it gets has
    /// placeholders.
    func testALetterForTheModelHasPlaceholdersAlone() throws {
        let answer = "My name is [NAME]. " + LetterRig.answer(words: 250)
        let server = try ProviderServer(
            .messages,
            [
                .text(answer),
                .toolCall(
                    "letter_create", #"{"job": "Novarum seeks a data engineer in Leeds."}"#),
                .text(answer), .text("It is written."),
            ])
        let rig = try LetterRig(server)
        XCTAssertTrue([0, 6].contains(try rig.letter("--yes").exit))
        let repl = try ChatTerminal(rig.chat, columns: 100)
        try repl.waitForPrompt(after: "/help")
        repl.enter("write me a letter for Novarum")
        try repl.answer("send", to: "letter_create", until: "It is written.")
        repl.leave()
        XCTAssertEqual(server.requests.count, 4)
        LetterRig.assertNothingTold(server)
        server.finish()
    }

    /// The question before a call does not show the bytes, so it is no yes to them.
    func testTheModelSendsNoResumeThatTheUserHasNotSeen() throws {
        let call = ProviderServer.Reply.toolCall(
            "letter_create", #"{"job": "Novarum seeks a data engineer in Leeds."}"#)
        let answer = LetterRig.answer(words: 250)
        let server = try ProviderServer(
            .messages, [call, .text("Look at it first."), .text(answer), call, .text("Changed.")])
        let rig = try LetterRig(server)
        try rig.must(["library", "save", "--kind", "resume", rig.resume])
        let first = try ChatTerminal(rig.chat, columns: 100)
        try first.waitForPrompt(after: "/help")
        try first.enter("write me a letter for Novarum", until: "Look at it first.")
        first.leave()
        XCTAssertEqual(server.requests.count, 2)
        XCTAssertTrue(try XCTUnwrap(server.requests.last).bodyText.contains("/letter new"))
        let listed = try rig.chat.json(["library", "list", "--json"]).arrayValue ?? []
        XCTAssertEqual(listed.count, 1, "no advert is kept of a call that did not run")
        // A yes holds for the revision that was seen.
        XCTAssertEqual(try rig.letter("--yes").exit, 0)
        try LetterRig.write(
            LetterRig.basics + LetterRig.body.replacing("38 %", with: "41 %"), to: rig.resume)
        try rig.must(["library", "save", "--kind", "resume", rig.resume])
        let second = try ChatTerminal(rig.chat, columns: 100)
        try second.waitForPrompt(after: "/help")
        try second.enter("write me a letter for Novarum", until: "Changed.")
        second.leave()
        XCTAssertEqual(server.requests.count, 5)
        LetterRig.assertNothingTold(server)
        server.finish()
    }
}
