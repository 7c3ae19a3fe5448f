import AgentCore
import XCTest

@testable import chat

final class CommandLineWordsTests: XCTestCase {
    private let command = Command(
        name: "reminders", summary: "",
        verbs: [.init("list", summary: ""), .init("add", summary: ""), .init("done", summary: "")]
    ) { _ in CommandOutput() }

    private func read(_ words: [String]) throws -> CommandInvocation {
        try CommandLineWords.invocation(of: command, words: words)
    }

    func testTheVerbAndWhatFollowsIt() throws {
        XCTAssertEqual(try read([]), CommandInvocation(verb: "list", arguments: []))
        XCTAssertEqual(
            try read(["--json"]), CommandInvocation(verb: "list", arguments: [], wantsJSON: true))
        XCTAssertEqual(
            try read(["add", "buy milk", "--due", "2026-11-22", "--json", "--yes"]),
            CommandInvocation(
                verb: "add", arguments: ["buy milk", "--due", "2026-11-22"], wantsJSON: true,
                isConfirmed: true))
    }

    func testWordsWithoutAVerbBelongToTheFirstWhereTheCommandTakesThem() throws {
        var undo = command
        undo.takesWordsWithoutVerb = true
        XCTAssertEqual(
            try CommandLineWords.invocation(of: undo, words: ["buy", "milk", "--json"]),
            CommandInvocation(verb: "list", arguments: ["buy", "milk"], wantsJSON: true))
        XCTAssertEqual(
            try CommandLineWords.invocation(of: undo, words: ["done", "milk"]),
            CommandInvocation(verb: "done", arguments: ["milk"]))
    }

    func testAfterTwoDashesEverythingIsText() throws {
        XCTAssertEqual(
            try read(["add", "--", "--json", "--yes"]),
            CommandInvocation(verb: "add", arguments: ["--", "--json", "--yes"]))
    }

    func testAnUnknownVerbNamesTheNearest() {
        XCTAssertThrowsError(try read(["ad", "x"])) {
            XCTAssertEqual(
                $0 as? UsageError,
                UsageError("reminders has no \"ad\".", hint: "Did you mean chat reminders add?"))
        }
        XCTAssertThrowsError(try read(["quux"])) {
            XCTAssertEqual(
                $0 as? UsageError,
                UsageError("reminders has no \"quux\".", hint: "It has list, add, done."))
        }
    }
}
