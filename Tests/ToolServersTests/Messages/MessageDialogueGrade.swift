import AgentCore
import Foundation
import TestSupport
import XCTest

@testable import DateLanguage

/// Corrections, changes and "it" after something was stored or shown, without a
/// model. The numbered sets were written by somebody who had not seen the code.
final class MessageDialogueGrade: XCTestCase {
    func testCorrectionsHitWhatIsMeant() async throws {
        for name in ["dialogues-6.tsv", "dialogues-7.tsv", "kinds-dialogues.tsv"] {
            let rows = try MessageRig.lines(name).dropFirst().map {
                $0.components(separatedBy: "\t")
            }
            XCTAssertGreaterThan(rows.count, 30, name)
            let cases = Grade.sample(Array(rows))
            var wrong: [String] = []
            var left: [String] = []
            for row in cases {
                switch try await verdict(row) {
                case .right: break
                case .wrong(let what): wrong.append("\(row[1]) ⇒ \(what) ≠ \(row[2])")
                case .left(let what): left.append("\(row[1]) ⇒ \(what) ≠ \(row[2])")
                }
            }
            Grade.check(
                "\(name): no wrong one changed", right: cases.count - wrong.count,
                of: cases.count, atLeast: 1, wrong.joined(separator: "\n"))
            Grade.check(
                "\(name): right", right: cases.count - wrong.count - left.count,
                of: cases.count, atLeast: 0.95, left.joined(separator: "\n"))
        }
    }

    private enum Outcome {
        case right
        case wrong(String)
        /// Nothing was changed, though it could have been.
        case left(String)
    }

    private func verdict(_ row: [String]) async throws -> Outcome {
        let rig = try MessageRig(locale: row[0] == "de" ? .german : .british)
        var before = try await rig.items()
        var said: CommandOutput?
        for message in row[1].components(separatedBy: " || ") {
            before = try await rig.items()
            said = try await rig.offline(message)
        }
        let after = try await rig.items()
        let lines = after.values.sorted().joined(separator: ", ")
        let asks = said == nil || said?.choices.isEmpty == false
        let isUnchanged = after == before
        let titles = [row[3]] + Self.others(row.count > 4 ? row[4] : "")
        let accepted = row[2].components(separatedBy: "|")
        if accepted.contains("ask"), isUnchanged { return .right }
        let isHit = accepted.contains { start in
            if start == "-" {
                return !after.values.contains { line in
                    !line.hasSuffix(" x") && titles.contains { Self.holds(line, $0) }
                }
            }
            let time = start.hasPrefix("2026-") ? String(start.dropFirst(5)) : start
            return after.values.contains { line in
                line.contains(" \(time)") && titles.contains { Self.holds(line, $0) }
            }
        }
        if isHit { return .right }
        return isUnchanged && asks ? .left(lines) : .wrong(lines)
    }

    private static func holds(_ line: String, _ title: String) -> Bool {
        title == "-" || line.lowercased().contains(title.lowercased())
    }

    private static func others(_ notes: String) -> [String] {
        notes.components(separatedBy: "; ").filter { $0.hasPrefix("alttitle:") }
            .flatMap { $0.dropFirst(9).components(separatedBy: "|") }
    }
}
