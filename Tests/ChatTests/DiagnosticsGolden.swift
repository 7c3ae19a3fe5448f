import TestSupport
import XCTest

@testable import Base
@testable import ChatKit
@testable import TerminalKit

/// The sentences of errors: every one is visited. A golden has the first of each kind and
/// exit code, and the exit codes of all, one golden for each part of the program.
enum DiagnosticsGolden {
    /// - Parameter errors: with the name of their kind.
    static func check(_ errors: [(String, any Error)], _ golden: String) throws {
        try GoldenFile.check(text(errors), golden)
    }

    static func text(_ errors: [(String, any Error)], limit: Int = 240) -> String {
        var text = ""
        var exits: [String: [String]] = [:]
        let style = Style(usesColor: false, usesUnicode: true)
        for (kind, error) in errors {
            let diagnostic = ErrorDescriber(packages: .apt).describe(error)
            let lines = diagnostic.lines.map { style.text($0) }
            let exit = "\(diagnostic.exit.rawValue)"
            if exits[kind]?.contains(exit) != true {
                text += "\(kind) (exit \(exit))\n" + lines.joined(separator: "\n") + "\n\n"
            }
            exits[kind, default: []].append(exit)
            XCTAssertNotEqual(diagnostic.exit, .ok, "\(error)")
            XCTAssertFalse(diagnostic.what.isEmpty, "\(error)")
            // One without a sentence of its own would be shown as Swift prints it.
            XCTAssertFalse(diagnostic.what.contains("Error("), "\(error)")
            XCTAssertFalse(diagnostic.what.contains("\n"), "\(error)")
            XCTAssertFalse(diagnostic.todo?.contains("\n") ?? false, "\(error)")
            // Three lines of eighty columns hold it, with what comes before.
            XCTAssertLessThanOrEqual(
                (diagnostic.what + (diagnostic.todo ?? "")).count, limit, "\(error)")
            XCTAssertFalse(lines.joined().unicodeScalars.contains { $0.value < 0x20 }, "\(error)")
        }
        for (kind, codes) in exits.sorted(by: { $0.key < $1.key }) where codes.count > 1 {
            text += "\(kind): exits \(codes.joined(separator: " "))\n"
        }
        return text
    }
}
