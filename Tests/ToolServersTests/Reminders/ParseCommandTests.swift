import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import DateLanguage
@testable import Planner

final class ParseCommandTests: XCTestCase {
    private func run(_ words: [String]) throws -> CommandOutput {
        let verb = Verb(
            "parse", "", [.phrase("WORDS", isOptional: true, repeats: true)],
            options: ParseCommand.options)
        return try command.run(CommandArguments(words, of: verb, name: "reminders parse"))
    }

    private var command: ParseCommand {
        let parse: @Sendable (String, DateContext) -> ParsedPhrase = { phrase, _ in
            ParsedPhrase(title: phrase.uppercased())
        }
        return ParseCommand(
            context: CalendarFolder.context(), parse: parse, judge: MessageJudge(parse: parse))
    }

    func testAFileOfPhrasesIsReadLineByLine() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("call mom\r\n\n  \nbuy milk".utf8, to: "phrases")
        let output = try run(["--file", file])
        XCTAssertEqual(
            output.json?.arrayValue?.map { $0["title"]?.stringValue }, ["CALL MOM", "BUY MILK"])
        XCTAssertEqual(output.lines.first?.text, "call mom")
        XCTAssertTrue(output.lines.contains { $0.text == "buy milk" })
    }

    func testAFileAndAPhraseAreOneTooMany() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("call mom".utf8, to: "phrases")
        for words in [["--file", file, "call mom"], ["--file"], []] {
            XCTAssertThrowsError(try run(words)) { XCTAssertTrue($0 is UsageError) }
        }
        XCTAssertThrowsError(try run(["--file", file + "-none"])) { error in
            XCTAssertEqual((error as? FileCallError)?.reason, .notFound)
        }
    }
}
