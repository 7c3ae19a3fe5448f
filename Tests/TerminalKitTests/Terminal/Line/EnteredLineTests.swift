import Base
import TestSupport
import XCTest

@testable import TerminalKit

/// A line that was entered is found by its weight; one that was not is left as it is.
final class EnteredLineTests: XCTestCase {
    private func written(_ last: Unicode.Scalar, usesColor: Bool) throws -> String {
        let rig = try EditorRig(columns: 10, lister: nil)
        rig.editor.style = Style(usesColor: usesColor, usesUnicode: true)
        var bytes: [UInt8] = []
        let write = rig.editor.write
        rig.editor.write = {
            bytes += $0
            write($0)
        }
        let text = "good morning".unicodeScalars.map { EditorRig.Step.key(.character($0)) }
        _ = rig.run(text + [.pause, .key(.character(last))])
        XCTAssertEqual(rig.screen.lines.prefix(2), ["> good mor", "ning"])
        return String(decoding: bytes, as: UTF8.self)
    }

    func testOnlyAnEnteredLineIsBoldInEachOfItsRowsAndNotItsMark() throws {
        let entered = try written("\n", usesColor: true)
        XCTAssertTrue(entered.contains("\u{1B}[1mgood mor\u{1B}[0m"), entered)
        XCTAssertTrue(entered.contains("\u{1B}[1mning\u{1B}[0m"), entered)
        XCTAssertFalse(entered.contains("\u{1B}[1m>"), entered)
        XCTAssertFalse(try written("\u{03}", usesColor: true).contains("\u{1B}[1m"))
        XCTAssertFalse(try written("\n", usesColor: false).contains("\u{1B}[1m"))
    }
}
