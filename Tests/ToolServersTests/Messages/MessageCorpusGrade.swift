import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import CalendarFiles

/// Plain messages by the hundred: what is meant for a model reaches it and
/// changes nothing, and what is a command is done, and done right.
final class MessageCorpusGrade: XCTestCase {
    func testOrdinaryMessagesReachTheModelAndChangeNothing() async throws {
        let messages = try ordinary()
        let rig = try await MessageRig.furnished()
        // Several things were shown last, so that "this" is none of them.
        rig.referent.note(["one", "another"], at: CalendarRig.now.addingTimeInterval(1))
        let before = try await rig.items()
        var written: [String] = []
        var answered: [String] = []
        for message in messages {
            guard let output = try await rig.answer(message) else { continue }
            answered.append("\(message) → \(output.lines.first?.text ?? "")")
            let after = try await rig.items()
            let difference = MessageRig.difference(before, after)
            guard !difference.isEmpty else { continue }
            written.append("\(message) → \(difference.joined(separator: ", "))")
            _ = try await rig.run(["undo", "step"])
        }
        XCTAssertEqual(written, [], "changed without a model having been asked")
        Grade.check(
            "ordinary messages: left to the model", right: messages.count - answered.count,
            of: messages.count, atLeast: 0.995, "\(answered)")
    }

    private func ordinary() throws -> [String] {
        let messages = try MessageRig.lines("ordinary.txt")
        XCTAssertGreaterThanOrEqual(messages.count, 500)
        return Grade.sample(messages)
    }

    func testMessagesAreNotTakenForKeys() throws {
        let names = ["ordinary.txt", "commands.tsv", "commands-1.tsv", "commands-de-1.tsv"]
        let messages = try names.flatMap { try MessageRig.lines($0) }
        XCTAssertGreaterThanOrEqual(messages.count, 1_000)
        XCTAssertEqual(messages.filter(KeyShape.isFound), [])
    }

    func testWithoutAModelOrdinaryMessagesAreSeldomAskedAbout() async throws {
        let messages = try ordinary()
        let rig = try await MessageRig.furnished()
        rig.referent.note(["one", "another"], at: CalendarRig.now.addingTimeInterval(1))
        let before = try await rig.items()
        var asked: [String] = []
        var offered: [String] = []
        for message in messages {
            guard let output = try await rig.offline(message) else { continue }
            // A day by itself gets its agenda, which is an answer.
            if output.outcome == .ok, output.choices.isEmpty { continue }
            let line = output.lines.first?.text ?? ""
            if line.hasPrefix("No model is connected.") {
                offered.append(message)
            } else {
                asked.append("\(message) → \(line)")
            }
        }
        let after = try await rig.items()
        XCTAssertEqual(after, before)
        Grade.check(
            "ordinary messages: not asked about without a model",
            right: messages.count - asked.count, of: messages.count, atLeast: 0.935, "\(asked)")
        Grade.check(
            "ordinary messages: not offered as an item without a model",
            right: messages.count - offered.count, of: messages.count, atLeast: 0.8,
            "\(offered)")
    }

    /// With a model at hand, what is not done is left to it; nothing is done
    /// wrong.
    func testNoCommandIsDoneWrongWithAModelAtHand() async throws {
        try await grade("with a model", atLeast: 2.0 / 3) { try await $0.answer($1) }
    }

    /// Without one, what is not done is asked.
    func testCommandsAreDoneOrAskedWithoutAModel() async throws {
        try await grade("without a model", atLeast: 0.9) { try await $0.offline($1) }
    }

    /// Nothing may be done wrong; the gate is for what is done.
    private func grade(
        _ how: String, atLeast least: Double,
        _ answer: (MessageRig, String) async throws -> CommandOutput?
    ) async throws {
        let all = try MessageRig.lines("commands.tsv")
        XCTAssertGreaterThanOrEqual(all.count, 300)
        let cases = Grade.sample(all)
        let rig = try await MessageRig.furnished()
        let before = try await rig.items()
        let files = try rig.files()
        try rig.keep()
        var wrong: [String] = []
        var left: [String] = []
        for line in cases {
            let columns = line.components(separatedBy: "\t")
            let expected = columns.count > 1 ? columns[1] : ""
            try rig.restore()
            var last: CommandOutput?
            for message in columns[0].components(separatedBy: " || ") {
                do {
                    last = try await answer(rig, message)
                } catch {
                    last = CommandOutput(lines: [StyledLine("threw \(error)")])
                }
                if last == nil { break }
            }
            let said = last.map { $0.lines.map(\.text) + $0.choices.map { "· \($0.label)" } }
            let after = try rig.files() == files ? before : try await rig.items()
            let difference = MessageRig.difference(before, after)
            if last == nil || last?.choices.isEmpty == false, difference.isEmpty {
                left.append(columns[0] + (said.map { " «\($0.joined(separator: " | "))»" } ?? ""))
            } else if !Self.fits(difference, said, expected, before) {
                wrong.append(
                    "\(columns[0]) ⇒ \(difference.joined(separator: ", "))"
                        + (said.map { " «\($0.joined(separator: " | "))»" } ?? " (model)")
                        + " ≠ \(expected)")
            }
        }
        Grade.check(
            "commands \(how): none done wrong", right: cases.count - wrong.count,
            of: cases.count, atLeast: 1, wrong.joined(separator: "\n"))
        Grade.check(
            "commands \(how): done", right: cases.count - left.count, of: cases.count,
            atLeast: least, left.joined(separator: "\n"))
    }

    /// `+t …` new, `x …` done, `o …` open again, `z …` put off, `-e …` gone,
    /// `=e …` changed, `? …` only said, nothing: all as before. `*` is any
    /// title or time.
    private static func fits(
        _ difference: [String], _ said: [String]?, _ expected: String, _ before: [String: String]
    ) -> Bool {
        guard let said else { return false }
        if expected.isEmpty { return difference.isEmpty }
        if expected.hasPrefix("?") {
            let part = expected.dropFirst(1).trimmingCharacters(in: .whitespaces)
            return difference.isEmpty
                && (part.isEmpty || said.joined(separator: "\n").contains(part))
        }
        guard difference.count == 1, let line = difference.first else { return false }
        if expected == "*" { return true }
        let rest = String(expected.dropFirst(2))
        switch expected.prefix(2) {
        case "x ":
            return line.hasPrefix("=t \(rest)") && line.hasSuffix(" x")
        case "o ":
            return line.hasPrefix("=t \(rest)") && !line.hasSuffix(" x")
        case "z ":
            let parts = rest.components(separatedBy: " ")
            return line.hasPrefix("=t \(parts.dropLast().joined(separator: " "))")
                && line.hasSuffix("z \(parts.last ?? "")")
        case "-t", "-e":
            return line.hasPrefix(expected)
        default:
            let parts = expected.components(separatedBy: " * ")
            if expected.hasSuffix(" *") { return line.hasPrefix(String(expected.dropLast(2))) }
            if parts.count == 2 {
                return line.hasPrefix(parts[0]) && line.hasSuffix(parts[1])
            }
            return line == expected
        }
    }
}
