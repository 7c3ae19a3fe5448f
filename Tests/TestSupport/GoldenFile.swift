import Foundation
import XCTest

/// Compares a text with the one kept in the test target's folder `Golden`. With
/// RECORD_GOLDEN=1 it is written instead, and the test fails once, so that the
/// difference is read.
package enum GoldenFile {
    package static func check(
        _ text: String, _ name: String, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let parts = "\(file)".split(separator: "/", omittingEmptySubsequences: false)
        let tests = try XCTUnwrap(parts.lastIndex(of: "Tests"), "not a test: \(file)")
        let target = parts[...(tests + 1)].joined(separator: "/")
        let url = URL(fileURLWithPath: "\(target)/Golden/\(name)")
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: url)
            XCTFail("recorded \(name); look at it and run again", file: file, line: line)
            return
        }
        let kept = try String(contentsOf: url, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let old = kept.split(separator: "\n", omittingEmptySubsequences: false)
        // A line that came or went moves all below it.
        let start = zip(lines, old).prefix { $0 == $1 }.count
        let end = zip(lines.dropFirst(start).reversed(), old.dropFirst(start).reversed())
            .prefix { $0 == $1 }.count
        for number in start..<lines.count - end {
            XCTFail("\(name):\(number + 1): \(lines[number])", file: file, line: line)
        }
        XCTAssertEqual(text.utf8.count, kept.utf8.count, name, file: file, line: line)
    }
}
