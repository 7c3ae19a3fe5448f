import TestSupport
import XCTest

@testable import Base
@testable import ChatKit
@testable import TerminalKit

/// The sentences of errors, one golden for each part of the program.
enum DiagnosticsGolden {
    /// - Parameter errors: with the name that each has in the golden.
    static func check(_ errors: [(String, any Error)], _ golden: String) throws {
        var text = ""
        let style = Style(usesColor: false, usesUnicode: true)
        for (name, error) in errors {
            let diagnostic = ErrorDescriber(packages: .apt).describe(error)
            let lines = diagnostic.lines.map { style.text($0) }
            text += "\(name) (exit \(diagnostic.exit.rawValue))\n"
            text += lines.joined(separator: "\n") + "\n\n"
            XCTAssertFalse(diagnostic.what.contains("\n"), "\(error)")
            XCTAssertLessThanOrEqual(
                (diagnostic.what + (diagnostic.todo ?? "")).count, 240, "\(error)")
            XCTAssertFalse(lines.joined().unicodeScalars.contains { $0.value < 0x20 }, "\(error)")
        }
        try GoldenFile.check(text, golden)
    }
}
