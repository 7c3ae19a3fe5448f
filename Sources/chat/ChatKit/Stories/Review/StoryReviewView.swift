import Base
import ICalendar
import Stories
import TerminalKit

/// The display of a review: the quotation between the sentences around it, the candidates
/// with reasons, the last decision, and the keys. Pure: the same for the same values.
struct StoryReviewView: Sendable {
    var review: StoryReview
    /// `s3 Alice in Wonderland`
    let title: String
    /// Whether a user reads the lines, so that they have to be wrapped.
    var isInteractive = true
    /// The question that has been printed, if there is no cursor.
    var listed: StoryReview.Question?

    /// Maximum width in any window: longer lines are hard to read.
    private static let textColumns = 76

    func lines(on size: ScreenSize) -> [StyledLine] {
        guard let question = review.question else { return [StyledLine("  …", .dim)] }
        // The last column stays free.
        let width = max(16, min(size.columns - 1, Self.textColumns + 2) - 2)
        let below = candidates(question, width) + last(width) + [keys(question, width)]
        let above = size.rows < 14 ? [] : [StyledLine(""), heading(width), StyledLine("")]
        let room = max(1, size.rows - 1 - above.count - below.count - 1)
        return above + scene(question, width, room: room).map(\.indented) + [StyledLine("")] + below
    }

    private func heading(_ width: Int) -> StyledLine {
        let left = " · \(Quantities.count(review.left, "quotation")) to go"
        let room = max(8, width - DisplayWidth.of(left))
        return StyledLine([
            .init("  " + DisplayWidth.cut(title, to: room), .bold), .init(left, .dim),
        ])
    }

    // MARK: - The scene

    /// The scene. In a low window the quotation has priority, and of that its beginning.
    private func scene(
        _ question: StoryReview.Question, _ width: Int, room: Int
    ) -> [StyledLine] {
        var text = WordWrap.rows(question.text, width: width).map { StyledLine($0.text, .bold) }
        if text.count > room {
            text = text.prefix(room - 1) + [StyledLine("…", .dim)]
        }
        func around(_ sentence: String) -> [StyledLine] {
            WordWrap.rows(sentence, width: width).map { StyledLine($0.text, .dim) }
        }
        let told = around(question.before)
        var before = told.suffix(max(0, min(3, room - text.count)))
        if before.count < told.count, let first = before.first {
            before[before.startIndex] = StyledLine(
                DisplayWidth.cut("… " + first.text, to: width), .dim)
        }
        let next = around(question.after)
        var after = next.prefix(max(0, min(3, room - text.count - before.count)))
        if after.count < next.count, let last = after.popLast() {
            after.append(StyledLine(DisplayWidth.cut(last.text, to: width - 2) + " …", .dim))
        }
        return before + text + after
    }

    // MARK: - Candidates

    /// `1  the Hatter  62 %  takes turns with Alice`
    private func candidates(_ question: StoryReview.Question, _ width: Int) -> [StyledLine] {
        let names = question.candidates.map(\.name)
        let nameWidth = min(max(8, width / 3), names.map(DisplayWidth.of).max() ?? 0)
        return question.candidates.enumerated().map { index, candidate in
            let share = candidate.share.map { "\(DisplayWidth.padLeft("\($0)", to: 3)) %" } ?? ""
            let lead =
                "  "
                + DisplayWidth.pad(DisplayWidth.cut(candidate.name, to: nameWidth), to: nameWidth)
                + "  " + share
            let room = width - DisplayWidth.of(lead) - 3
            return StyledLine([
                .init("  \(index + 1)", .accent), .init(lead),
                .init(room < 8 ? "" : "  " + DisplayWidth.cut(candidate.evidence, to: room), .dim),
            ])
        }
    }

    // MARK: - Below it

    private func last(_ width: Int) -> [StyledLine] {
        guard let note = Self.note(review.note) else { return [StyledLine("")] }
        return [StyledLine("")] + WordWrap.rows(note, width: width).map(\.indented)
    }

    /// `✓ 12: the Hatter · also changed: 3`
    static func note(_ note: StoryReview.Note?) -> StyledLine? {
        switch note {
        case nil: return nil
        case .decided(let span, let name, let changed):
            let speaker = name.map { $0.oneLine } ?? "none of the cast"
            return StyledLine([
                .init("✓ \(span + 1): \(DisplayWidth.cut(speaker, to: 40))", .success),
                .init(changed > 0 ? " · also changed: \(changed)" : "", .dim),
            ])
        case .takenBack: return StyledLine("Taken back; here it is again.", .dim)
        case .nothingToTakeBack: return StyledLine("There is nothing to take back.", .dim)
        case .problem(let words): return StyledLine(words.oneLine, .warning)
        }
    }

    /// The keys that fit.
    private func keys(_ question: StoryReview.Question, _ width: Int) -> StyledLine {
        let keys = Self.keys(question.candidates.count)
        let bare: Set<String> = ["n", "u", "/"]
        let forms: [[(key: String, word: String)]] = [
            keys, keys.map { ($0.key, bare.contains($0.key) ? "" : $0.word) },
            keys.map { ($0.key, $0.key == "q" ? $0.word : "") }, keys.map { ($0.key, "") },
        ]
        let lines = forms.map { form in
            StyledLine(
                form.enumerated().flatMap { index, key in
                    [
                        StyledLine.Span((index > 0 ? "  " : "  ") + key.key, .accent),
                        StyledLine.Span(key.word.isEmpty ? "" : " " + key.word, .dim),
                    ]
                })
        }
        return lines.first { DisplayWidth.of($0.text) - 2 <= width } ?? lines[lines.count - 1]
    }

    static func keys(_ candidates: Int) -> [(key: String, word: String)] {
        let digits = candidates > 1 ? "1-\(candidates)" : "1"
        return (candidates > 0 ? [(digits, "says it")] : []) + [
            ("n", "nobody"), ("/", "other"), ("s", "skip"), ("u", "back"), ("q", "quit"),
        ]
    }
}

extension StoryReview.Key {
    /// The key from a panel, or a line of one letter; space skips, Esc leaves.
    init?(_ character: Character) {
        switch character {
        case "1"..."9":
            guard let number = character.wholeNumberValue else { return nil }
            self = .candidate(number)
        case "n": self = .nobody
        case "/": self = .other
        case "s", " ": self = .skip
        case "u": self = .takeBack
        case "q": self = .quit
        default: return nil
        }
    }

    init?(_ key: PanelKey) {
        switch key {
        case .character(let character):
            guard let letter = character.lowercased().first else { return nil }
            self.init(letter)
        case .escape: self = .quit
        default: return nil
        }
    }
}
