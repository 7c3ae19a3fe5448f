import Base
import TerminalKit
import XCTest

@testable import ChatKit
@testable import Texts
@testable import chat

/// What the line editor is shown of a writing tool's result.
final class WritingAssemblyTests: XCTestCase {
    private typealias Piece = WritingAssistant.Version.Piece

    func testTheChangesAreThoseOfTheWordsInTheirOrder() {
        var result = WritingResult(
            original: "teh cat sat  on teh mat", text: "The cat sat on the mat.", isLocal: true)
        let version = WritingAssembly.version(result)
        XCTAssertTrue(version.isLocal)
        XCTAssertNil(version.warning)
        var (old, new) = ("", "")
        for piece in version.pieces {
            switch piece {
            case .same(let text):
                old += text
                new += text
            case .change(let before, let after):
                old += before
                new += after
                XCTAssertNotEqual(before, after)
            }
        }
        XCTAssertEqual(old, result.original)
        XCTAssertEqual(new, result.text)

        result.isRewrite = true
        XCTAssertEqual(
            WritingAssembly.version(result).warning,
            "More than a third of the words change: this is a rewrite.")
        result.leftOut = ["it is empty"]
        XCTAssertEqual(
            WritingAssembly.version(result).warning, "One part was left unchanged: it is empty.")
        result.failure = Diagnostic("The line is down.")
        XCTAssertEqual(
            WritingAssembly.version(result).warning, "It is not complete. The line is down.")
    }

    func testATextThatIsAsItWasHasNoChanges() {
        let version = WritingAssembly.version(WritingResult(original: "One.", text: "One."))
        XCTAssertEqual(version.pieces, [.same("One.")])
    }
}
