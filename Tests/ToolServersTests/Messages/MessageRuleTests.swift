import AgentCore
import Base
import Foundation
import XCTest

@testable import DateLanguage

/// The ten lines of `docs/manual/reminders.md` that say what happens to a message, each with
/// messages that show it: with a model at hand and without one. Wed 4 Mar 2026, 10:15 in Berlin.
final class MessageRuleTests: XCTestCase {
    private enum Outcome: Equatable {
        /// `MessageRig.difference`.
        case changed(String)
        case asked, said
        /// The model's; without one it is said that there is none.
        case left
    }

    private struct Line {
        /// What the manual says, as far as it is shown here.
        var words: String
        /// The messages, said one after the other; what the last one does online and offline.
        var shown: [(messages: [String], online: Outcome, offline: Outcome)]
    }

    private static let mom = Outcome.changed("+t call mom 03-05T17:00")
    private static let lines = [
        Line(
            words: "is understood word for word is handled locally",
            shown: [
                (["remind me to call mom tomorrow at 5pm"], mom, mom),
                (
                    ["5 minute timer"], .changed("+t timer 03-04T10:20"),
                    .changed("+t timer 03-04T10:20")
                ),
                (["what's on friday"], .said, .said),
                (["explain the rules of chess"], .left, .left),
                // A command, not a list without a reminder.
                (["/model"], .left, .left),
            ]),
        Line(
            words: "if they give a time to ring",
            shown: [
                (["todo: call mom tomorrow at 5pm"], mom, mom),
                (["call mom tomorrow at 5pm"], mom, mom),
                (["todo: buy bread"], .left, .changed("+t buy bread")),
                (["task: sort by 2 keys"], .left, .asked),
            ]),
        Line(
            words: "Requests to make or explain something go to the model",
            shown: [
                (["create a reminder app"], .left, .left),
                (["remind me of the plot of Hamlet"], .left, .asked),
                (
                    ["remind me of the plot of Hamlet tomorrow at 9"],
                    .changed("+t the plot of Hamlet 03-05T09:00"),
                    .changed("+t the plot of Hamlet 03-05T09:00")
                ),
            ]),
        Line(
            words: "A negation creates nothing",
            shown: [
                (["no dentist on friday at 2"], .left, .asked),
                (["don't wake me at 7"], .left, .left),
            ]),
        Line(
            words: "If words are left over",
            shown: [
                (["remind me to call mom later"], .left, .asked),
                (["call mom tomorrow at 5 if it rains"], .left, .asked),
            ]),
        Line(
            words: "without a time or a duration is never stored",
            shown: [
                (["set an alarm"], .left, .asked), (["set a timer for the eggs"], .left, .asked),
            ]),
        Line(
            words: "A title alone asks",
            shown: [
                (
                    ["cancel my dentist appointment"], .changed("-e dentist 03-06T14:00/15:00"),
                    .changed("-e dentist 03-06T14:00/15:00")
                ), (["delete call mom"], .left, .changed("-t call mom 03-05T17:00")),
                (["delete mom"], .left, .asked),
            ]),
        Line(
            words: "the one item of the last local answer or act",
            shown: [
                (
                    ["remind me to walk the dog at 7pm", "make it 8"],
                    .changed("=t walk the dog 03-04T20:00"), .changed("=t walk the dog 03-04T20:00")
                ), (["list my reminders", "move it to 4"], .asked, .asked),
            ]),
        Line(
            words: "If several items have the name, they are listed",
            shown: [
                (["delete the reminder call"], .asked, .asked),
                (["cancel the yoga on friday"], .left, .asked),
            ]),
        Line(
            words: "one numbered question that names what was not",
            shown: [
                (["dentist on friday at 2 or so"], .left, .asked),
                // What nothing else claims is offered, unless it asks for words.
                (["buy oat milk"], .left, .asked), (["move boxes to the attic"], .left, .asked),
                (["write me a poem"], .left, .left), (["good morning"], .left, .left),
                (
                    ["clean the car at 5 tomorrow"], .changed("+t clean the car 03-05T17:00"),
                    .changed("+t clean the car 03-05T17:00")
                ),
            ]),
    ]

    func testTheTenLinesOfTheManualAreKept() async throws {
        let manual = try String(
            contentsOfFile: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../docs/manual/reminders.md").path, encoding: .utf8)
        let text = manual.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let rig = try await MessageRig.furnished()
        try rig.keep()
        let before = try await rig.items()
        for (index, line) in Self.lines.enumerated() {
            XCTAssertTrue(text.contains(line.words), "\(index + 1): \(line.words)")
            for (messages, online, offline) in line.shown {
                for isOnline in [true, false] {
                    try rig.restore()
                    var last: [String: String] = before
                    var output: CommandOutput?
                    for message in messages {
                        last = try await rig.items()
                        output =
                            isOnline
                            ? try await rig.answer(message) : try await rig.offline(message)
                    }
                    let changed = MessageRig.difference(last, try await rig.items())
                    let outcome: Outcome =
                        if let first = changed.first { .changed(first) } else {
                            output.map { $0.choices.isEmpty ? .said : .asked } ?? .left
                        }
                    XCTAssertEqual(
                        outcome, isOnline ? online : offline,
                        "\(index + 1), \(isOnline ? "with" : "without") a model: \(messages)")
                }
            }
        }
        XCTAssertEqual(Self.lines.count, 10)
    }
}
