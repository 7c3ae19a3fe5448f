import Foundation
import XCTest

/// Compares a whole session's screen with the file that was reviewed. With
/// RECORD_GOLDEN=1 the file is written anew and the test fails once, so that
/// the difference is read.
enum Golden {
    static func assertEqual(
        _ screen: [String], _ name: String, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Golden/\(name).txt")
        let text = screen.map(normalized).joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: path)
            XCTFail("recorded \(path.path): read it", file: file, line: line)
            return
        }
        let expected = String(decoding: try Data(contentsOf: path), as: UTF8.self)
        XCTAssertEqual(text, expected, "RECORD_GOLDEN=1 records it", file: file, line: line)
    }

    /// What differs from run to run, in the same number of columns where it
    /// has a fixed number of them.
    private static func normalized(_ line: String) -> String {
        line.replacing(#/\b[0-9a-f]{8}\b/#, with: "########")
            .replacing(#/\d+\.\d s\b/#, with: "N.N s")
            .replacing(#/127\.0\.0\.1:\d+/#, with: "127.0.0.1:PORT")
            .replacing(#/(  next: .*) \d\d:\d\d$/#) { "\($0.output.1) NN:NN" }
            .replacing(#/ in \d+ years/#) { _ in " in N years" }
            .replacing(#/(\d+ (s|min) ago|just now)/#, with: "just now")
    }
}
