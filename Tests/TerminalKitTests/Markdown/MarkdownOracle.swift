import Foundation
import TestSupport
import XCTest

@testable import TerminalKit

/// What other programs make of the same Markdown.
enum MarkdownOracle {
    struct Example: Decodable {
        var markdown: String
        var html: String
        var example: Int
        var section: String
    }

    /// The examples of the CommonMark specification, version 0.31.2.
    static func specification() throws -> [Example] {
        let file = try XCTUnwrap(Bundle.module.resourceURL)
            .appendingPathComponent("Fixtures/commonmark-0.31.2.json")
        return try JSONDecoder().decode([Example].self, from: Data(contentsOf: file))
    }

    /// The HTML a program makes of each text.
    static func html(
        of texts: [String], by program: String, _ arguments: String = ""
    ) throws -> [String] {
        _ = try TestMachine.find(program, package: program)
        let folder = try TemporaryFolder()
        for (index, text) in texts.enumerated() {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(index)"))
        }
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.arguments = [
            "-c", "for file in *; do \(program) --unsafe \(arguments) <$file >$file.html; done",
        ]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0)
        return try texts.indices.map { index in
            normalized(
                try String(contentsOfFile: "\(folder.path)/\(index).html", encoding: .utf8))
        }
    }

    /// Ours, with the HTML we show as text as the HTML it was.
    static func ours(_ markdown: String) -> String {
        var html = MarkdownDocument(markdown).html()
        for (open, close) in [
            ("<code class=\"html\">", "</code>"), ("<pre class=\"html\">", "</pre>"),
        ] {
            let parts = html.components(separatedBy: open)
            html =
                parts[0]
                + parts.dropFirst().map { part in
                    guard let end = part.range(of: close) else { return part }
                    return unescaped(String(part[..<end.lowerBound])) + part[end.upperBound...]
                }.joined()
        }
        return normalized(html)
    }

    /// Ways to write the same.
    static func normalized(_ html: String) -> String {
        html.replacingOccurrences(of: "&#x27;", with: "'")
            .replacingOccurrences(
                of: " checked=\"\" disabled=\"\"", with: " disabled=\"\" checked=\"\"")
    }

    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")].reduce(text) {
            $0.replacingOccurrences(of: $1.0, with: $1.1)
        }
    }
}
