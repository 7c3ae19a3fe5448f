import Base
import Foundation
import XCTest

/// The sets of `Fixtures/redaction/outside`, and `Benchmarks/outside`, which made and
/// judges them.
package enum OutsideSets {
    /// Traps that no rule for texts can spring without taking what is nobody's; they are
    /// counted by `Benchmarks/outside/measure.py` and not demanded.
    package static let beyondReach = ["camel case", "JSON escapes"]

    /// The lines of a set, without its comments.
    package static func lines(_ name: String) throws -> [String] {
        let folder = try XCTUnwrap(Bundle.module.resourceURL)
        let bytes = try Data(
            contentsOf: folder.appending(path: "Fixtures/redaction/outside/\(name)"))
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") }
    }

    /// `US⇥Call ⟦phone|…⟧.`: the text, and what of it must go.
    package static func marked(_ line: String) -> (text: String, values: [(String, String)]) {
        let marked = line.split(separator: "\t", maxSplits: 1).last.map(String.init) ?? ""
        var text = ""
        var values: [(String, String)] = []
        for (index, piece) in marked.replacingOccurrences(of: "\\n", with: "\n")
            .components(separatedBy: "⟦").enumerated()
        {
            guard index > 0, let end = piece.firstIndex(of: "⟧") else {
                text += piece
                continue
            }
            let mark = piece[..<end].split(separator: "|", maxSplits: 1).map(String.init)
            values.append((mark[0], mark[1]))
            text += mark[1] + piece[piece.index(after: end)...]
        }
        return (text, values)
    }

    /// An address may leave a word of it but no number; everything else leaves nothing.
    package static func isSeen(_ kind: String, _ value: String, in text: String) -> Bool {
        if kind == "address" {
            let words = text.split { !($0.isLetter || $0.isNumber || "/-".contains($0)) }
            return value.split { !($0.isLetter || $0.isNumber || "/-".contains($0)) }
                .contains { $0.contains(where: \.isNumber) && words.contains($0) }
        }
        return text.contains(value)
            || value.count > 8
                && (text.contains(value.prefix(6)) || text.contains(value.suffix(6)))
    }

    /// What the texts still tell, a line for each, as that script of `Benchmarks/outside` prints it;
    /// of the résumés `seen`, `lost`, and the counts.
    package static func judged(
        _ texts: [JSONValue], by script: String = "measure.py"
    ) throws -> [String] {
        let folder = try TemporaryFolder()
        let lines = texts.map { String(decoding: JSONWriter.bytes($0), as: UTF8.self) + "\n" }
        try folder.write(Array(lines.joined().utf8), to: "texts.jsonl")
        let program =
            "import runpy, sys; sys.argv[0] = sys.argv.pop(1); "
            + "runpy.run_path(sys.argv[0], run_name='__main__')"
        return try Python.run(
            program, arguments: [benchmarks + script, "--judge", folder.path("texts.jsonl")]
        ).split(separator: "\n").map(String.init)
    }

    private static let benchmarks =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Benchmarks/outside").standardizedFileURL.path + "/"
}
