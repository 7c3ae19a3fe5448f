import Foundation
import XCTest

@testable import AgentCore

/// Dialogues of one message and one answer, each with what it claims: a row of tabs with the
/// language, the kind, the message, the successful calls and the answer.
struct ActClaimSet {
    enum Kind: String {
        case falseClaim = "false-claim"
        case trueClaim = "true-claim"
        case none
    }

    struct Row {
        var kind: Kind
        var line: String
        var turn: Turn

        /// What the program says below the answer.
        var undone: UndoneAct? { ActClaims(turn) { !ActClaimSet.onlyLooksUp($0) }.undone }
    }

    let rows: [Row]

    static func files() throws -> [URL] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/claims")
        return try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
    }

    init(_ file: URL) throws {
        rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
                .map { $0.replacingOccurrences(of: #"\n"#, with: "\n") }
            guard cells.count == 5, let kind = Kind(rawValue: cells[1]) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return Row(
                kind: kind, line: String(line),
                turn: Self.turn(
                    cells[2], calls: cells[3] == "-" ? [] : cells[3].components(separatedBy: ","),
                    answer: cells[4]))
        }
    }

    static func turn(
        _ message: String, calls: [String], isError: Bool = false, answer: String
    ) -> Turn {
        let results = calls.map {
            Part.toolResult(ToolResult(callID: $0, name: $0, text: "", isError: isError))
        }
        return Turn(
            status: .done,
            messages: [
                .user(message), Message(role: .tool, parts: results),
                Message(role: .assistant, parts: [.text(answer)]),
            ])
    }

    /// By the names of the tools in the sets.
    static func onlyLooksUp(_ name: String) -> Bool {
        ["list_", "search", "get", "find", "read", "fetch", "status", "generate", "story_cast"]
            .contains { name.contains($0) } && !name.contains("forget")
            || name.hasSuffix("_segments")
    }
}
