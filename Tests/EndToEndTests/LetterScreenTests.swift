import AgentCore
import Foundation
import TestSupport
import XCTest

/// A letter in a terminal: what would leave is shown, nothing leaves before the yes,
/// and the words come restored.
final class LetterScreenTests: XCTestCase {
    func testWhatLeavesIsShownAndANoSendsNothing() throws {
        for columns in [80, 40] {
            let server = try ProviderServer(.messages, [.text(LetterDesk.answer(words: 250))])
            let desk = try LetterDesk(server)
            let no = try ChatTerminal(
                desk.chat, ["letter", "new", "--resume", desk.resume, "--job", desk.job],
                columns: columns)
            try no.answer("n", to: "Send it?", until: "othing was sent")
            no.assertEnd(3)
            XCTAssertEqual(server.allRequests.count, 0)
            XCTAssertTrue(no.transcript.contains { $0.contains("[NAME]") })
            let shown = no.transcript.joined(separator: "\n")
            XCTAssertEqual(PersonScan(literals: LetterDesk.literals).hits(in: shown), [])

            let yes = try ChatTerminal(
                desk.chat, ["letter", "new", "--resume", desk.resume, "--job", desk.job],
                columns: columns)
            try yes.answer("y", to: "Send it?", until: "I would bring the same care")
            yes.assertEnd(0)
            XCTAssertEqual(server.requests.count, 1)
            XCTAssertTrue(yes.transcript.contains { $0.contains("Dr. Zoë Ångström-Okafor") })
            for line in yes.transcript { XCTAssertLessThanOrEqual(line.count, columns) }
            LetterDesk.assertNothingTold(server)
            server.finish()
        }
    }

    /// The second letter of the same résumé to the same host asks no more.
    func testAYesHoldsForTheRevisionOfTheResume() throws {
        let answer = LetterDesk.answer(words: 250)
        let server = try ProviderServer(.messages, [.text(answer), .text(answer)])
        let desk = try LetterDesk(server)
        XCTAssertEqual(try desk.letter("--yes").exit, 0)
        XCTAssertEqual(try desk.letter("--tone", "warm").exit, 0)
        try LetterDesk.write(
            LetterDesk.basics + LetterDesk.body.replacing("38 %", with: "41 %"), to: desk.resume)
        try desk.letter("--tone", "warm").assertFailure(3, "--yes")
        XCTAssertEqual(server.requests.count, 2)
        server.finish()
    }

    /// At the prompt of a conversation; what the model is told of it later has
    /// placeholders.
    func testALetterAtThePromptStaysOutOfTheConversation() throws {
        let server = try ProviderServer(
            .messages, [.text(LetterDesk.answer(words: 250)), .text("Gladly.")])
        let desk = try LetterDesk(server)
        let repl = try ChatTerminal(desk.chat, columns: 80)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/letter new --resume \(desk.resume) --job \(desk.job)")
        try repl.answer("y", to: "Send it?", until: "I would bring the same care")
        try repl.waitFor("✓ l")
        try repl.waitForPrompt()
        try repl.enter("Thank you", until: "Gladly.")
        repl.leave()
        XCTAssertEqual(server.requests.count, 2)
        LetterDesk.assertNothingTold(server)
        server.finish()
    }

    /// The model asks for a letter: the user's word is needed, and what it gets has
    /// placeholders.
    func testALetterForTheModelHasPlaceholdersAlone() throws {
        let answer = "My name is [NAME]. " + LetterDesk.answer(words: 250)
        let server = try ProviderServer(
            .messages,
            [
                .text(answer),
                .toolCall(
                    "letter_create", #"{"job": "Novarum seeks a data engineer in Leeds."}"#),
                .text(answer), .text("It is written."),
            ])
        let desk = try LetterDesk(server)
        XCTAssertTrue([0, 6].contains(try desk.letter("--yes").exit))
        let repl = try ChatTerminal(desk.chat, columns: 100)
        try repl.waitForPrompt(after: "/help")
        repl.enter("write me a letter for Novarum")
        try repl.answer("send", to: "letter_create", until: "It is written.")
        repl.leave()
        XCTAssertEqual(server.requests.count, 4)
        LetterDesk.assertNothingTold(server)
        server.finish()
    }
}
