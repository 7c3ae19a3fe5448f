import Base
import Foundation
import XCTest

/// The texts of `Fixtures/writing`; its README says what they are.
enum WritingSets {
    private static func text(_ name: String) throws -> String {
        let url = try XCTUnwrap(Bundle.module.resourceURL)
            .appendingPathComponent("Fixtures/writing/\(name)")
        return try String(contentsOf: url, encoding: .utf8)
    }

    /// The rows of a table without its heading.
    static func rows(_ name: String) throws -> [[String]] {
        let lines = try text(name).split(separator: "\n").dropFirst()
        XCTAssertGreaterThan(lines.count, 5, name)
        return lines.map { line in
            line.components(separatedBy: "\t").map { $0.replacing("\\n", with: "\n") }
        }
    }

    /// Class and text of each part below a line `=== class`.
    static func blocks(_ name: String) throws -> [(kind: String, text: String)] {
        var blocks: [(kind: String, text: String)] = []
        for line in try text(name).components(separatedBy: "\n") {
            if line.hasPrefix("=== ") {
                blocks.append((String(line.dropFirst(4)), ""))
            } else if let last = blocks.indices.last {
                blocks[last].text += (blocks[last].text.isEmpty ? "" : "\n") + line
            }
        }
        XCTAssertGreaterThan(blocks.count, 5, name)
        return blocks
    }
}
