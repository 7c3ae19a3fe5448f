import AgentCore
import Foundation
import TestSupport
import XCTest

@testable import DateLanguage

/// Corrections, changes and "it" after something was stored or shown, without a
/// model. The numbered sets were written by somebody who had not seen the code.
final class MessageDialogueGrade: XCTestCase {
    func testCorrectionsHitWhatIsMeant() async throws {
        for (name, least, sure) in [
            ("dialogues-6.tsv", 0.95, 1), ("dialogues-7.tsv", 0.95, 1), ("dialogues-8.tsv", 0.9, 1),
            // Half of each was not developed by.
            ("dialogues-9.tsv", 0.6, 0.95), ("dialogues-10.tsv", 0.7, 0.95),
            ("dialogues-11.tsv", 0.73, 0.95),
            ("kinds-dialogues.tsv", 0.95, 1),
        ] {
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
                of: cases.count, atLeast: sure, wrong.joined(separator: "\n"))
            Grade.check(
                "\(name): right", right: cases.count - wrong.count - left.count,
                of: cases.count, atLeast: least, left.joined(separator: "\n"))
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
        let wanted = Wanted(row)
        var before: [String: String] = [:]
        var said: CommandOutput?
        for message in row[1].components(separatedBy: " || ") {
            // A question about an earlier message is answered with its first choice.
            if !wanted.isAsked, let choice = said?.choices.first {
                _ = try await rig.run(choice.command)
            }
            before = try await rig.items()
            said = try await rig.offline(message)
        }
        let after = try await rig.items()
        let lines = after.values.sorted().joined(separator: ", ")
        let asks = said == nil || said?.choices.isEmpty == false
        let isUnchanged = after == before
        if isUnchanged, wanted.isAsked || asks && wanted.mayAsk { return .right }
        if wanted.fits(after.values.map(\.self), before: before.values.map(\.self)) {
            return .right
        }
        return isUnchanged && asks ? .left(lines) : .wrong(lines)
    }

    /// The items that a row expects in the end.
    private struct Wanted {
        let starts: [String]
        let titles: [String]
        private var notes: [String: [String]] = [:]
        let isAsked: Bool
        let mayAsk: Bool

        init(_ row: [String]) {
            starts = row[2].components(separatedBy: "|")
            isAsked = starts.contains("ask")
            let said = row.count > 4 ? row[4].components(separatedBy: "; ") : []
            for note in said {
                let sides = note.split(separator: ":", maxSplits: 1).map(String.init)
                if sides.count == 2 { notes[sides[0]] = sides[1].components(separatedBy: "|") }
            }
            titles = [row[3]] + (notes["alttitle"] ?? [])
            mayAsk = said.contains { $0.contains("asked is as good") }
        }

        func fits(_ after: [String], before: [String]) -> Bool {
            let left = notes["left"] ?? []
            return starts.contains { start in
                start == "-"
                    ? after.filter(isOpen).count < max(1, before.filter(isOpen).count)
                    : after.contains { isThen($0, start) && $0.hasAll(of: notes) }
            }
                && ((notes["more"] ?? []) + left).allSatisfy { time in
                    after.contains { isThen($0, time) }
                }
        }

        private func isOpen(_ line: String) -> Bool { !line.hasSuffix(" x") && isNamed(line) }

        private func isNamed(_ line: String) -> Bool {
            titles.contains { $0 == "-" || line.lowercased().contains($0.lowercased()) }
        }

        private func isThen(_ line: String, _ time: String) -> Bool {
            if time == "none" { return isOpen(line) && !line.contains(where: \.isNumber) }
            return isNamed(line)
                && line.contains(" " + time.replacingOccurrences(of: "2026-", with: ""))
        }
    }
}

extension String {
    /// Whether the line of an item has the end, rule, alarm and place that a row names.
    fileprivate func hasAll(of notes: [String: [String]]) -> Bool {
        for (note, mark) in [("end", "/"), ("rule", " "), ("alarm", " !"), ("place", " @ ")] {
            guard let values = notes[note] else { continue }
            let isThere = values.contains { value in
                let day = value.prefix { $0 != "T" }.dropFirst(5)
                let end = String(value.drop { $0 != "T" }.dropFirst())
                return note == "end"
                    ? contains(mark + end) || contains("\(mark)\(day)T\(end)")
                    : contains(mark + value)
            }
            if !isThere { return false }
        }
        return true
    }
}
