import TestSupport
import XCTest

@testable import TerminalKit

/// Random keys at a line editor with the list and at one without: the list
/// changes nothing but what its own keys are for, and leaves nothing behind.
final class CompletionListRandomTests: XCTestCase {
    private static let names = [
        "/model", "/models", "/mock", "/new", "@alpha", "@album/", "@beta file", "@日本",
    ]

    private static let lister: CompletionLister = { before, after in
        guard after.isEmpty || after.hasPrefix(" ") || after.hasPrefix("\n") else { return nil }
        let word =
            before.split(
                omittingEmptySubsequences: false, whereSeparator: \.isWhitespace
            ).last.map(String.init) ?? ""
        guard word.hasPrefix("@") || word.hasPrefix("/") && word == before else { return nil }
        let fitting = names.filter { $0.first == word.first }
            .ranked(by: FuzzyName.query(String(word.dropFirst()))) {
                FuzzyName(String($0.dropFirst()))
            }
        return CompletionOffer(
            replacing: word,
            candidates: fitting.map {
                TabCompletion.Candidate($0.element, isComplete: !$0.element.hasSuffix("/"))
            }, suggestsFirst: word.hasPrefix("/"))
    }

    private static let keys: [Key] =
        "/@mnoalb e".unicodeScalars.map { .character($0) } + [
            .character("\u{7F}"), .character("\u{17}"), .character("\u{15}"),
            .character("\u{0B}"), .character("\u{19}"), .character("\u{14}"), .left, .right,
            .home, .end, .delete, .wordLeft, .wordRight, .lineBreak, .paste("/mo"),
            .paste("one @a"),
        ]
    /// The list's own keys; all others reach the line.
    private static let own: [Key] = [
        .up, .down, .escape, .character("\t"), .character("\n"), .character("\u{10}"),
        .character("\u{0E}"), .character("\u{07}"),
    ]

    private func steps(
        _ random: inout SplitMix, keys: [Key], start: [Unicode.Scalar]
    ) -> [EditorRig.Step] {
        // A list is what this is about, so the line often begins with one.
        var steps: [EditorRig.Step] = []
        if !random.once(in: 3), let first = start.randomElement(using: &random) {
            steps.append(.key(.character(first)))
        }
        for _ in 0..<Int.random(in: 3...24, using: &random) {
            // Between two pauses everything is typed ahead.
            if !random.once(in: 4) { steps.append(.pause) }
            if random.once(in: 12) { steps.append(.alert("⏰ tea")) }
            let keys = random.once(in: 3) ? Self.own : keys
            steps.append(.key(keys[Int.random(in: 0..<keys.count, using: &random)]))
        }
        return steps
    }

    /// - Returns: how often the list has taken a key.
    private func compare(_ editing: LineEditor.Keys, seed: UInt64, rounds: Int) throws -> Int {
        var random = SplitMix(seed: seed)
        let history = ["/model", "older", "two\nlines"]
        let listing = try EditorRig(rows: 60, keys: editing, history: history, lister: Self.lister)
        let plain = try EditorRig(rows: 60, keys: editing, history: history, lister: nil)
        var taken = 0
        for round in 0..<rounds {
            // A slash opens a search of vi's, which takes all keys.
            let steps = steps(
                &random, keys: Self.keys.filter { editing == .emacs || $0 != .character("/") },
                start: editing == .emacs ? ["/", "@"] : ["@"])
            // What the editor without a list gets to do the same.
            var translated: [EditorRig.Step] = []
            func take(_ key: Key, _ editor: LineEditor) {
                var list = editor.list
                switch list.take(key, isVi: editing == .vi) {
                case .pass: translated.append(.key(key))
                case .redraw: taken += 1
                case .accept(let candidate, let replacing):
                    taken += 1
                    let (content, cursor) = editor.line.content
                    let hasSpace = cursor < content.count && content[cursor] == LineUnits.space
                    translated += replacing.map { _ in .key(.character("\u{7F}")) }
                    translated.append(
                        .key(
                            .paste(
                                candidate.text + (candidate.isComplete && !hasSpace ? " " : ""))))
                }
                if list != editor.list, !Self.own.contains(key) {
                    XCTFail("\(key) is not the list's, seed \(seed), round \(round)")
                }
            }
            listing.onKey = { take($1, $0) }
            // The last Esc closes a list that is open; vi's ends typing as well.
            let closed = steps + [.pause, .key(.escape), .pause]
            let line = listing.run(closed)
            // Above the line they stand in their order, wherever it was.
            let wanted = plain.run(listing.alerts.map { .alert($0) } + translated)
            XCTAssertEqual(line, wanted, "seed \(seed), round \(round)")
            XCTAssertEqual(
                listing.screen.lines, plain.screen.lines, "seed \(seed), round \(round)")
            XCTAssertEqual(listing.screen.unknown, [])
        }
        return taken
    }

    func testTheLineAndTheScreenAreThoseWithoutTheList() throws {
        let taken = try compare(.emacs, seed: 18, rounds: 200)
        // The keys have been the list's often enough for this to mean anything.
        XCTAssertGreaterThan(taken, 60)
        let others = try compare(.vi, seed: 19, rounds: 60)
        XCTAssertGreaterThan(others, 10)
    }
}
