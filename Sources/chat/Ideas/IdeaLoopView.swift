import Base
import TerminalKit
import Texts

/// The display of the loop of ideas: the idea, the last event, and the keys in the last line. Pure:
/// equal values give equal lines.
struct IdeaLoopView: Sendable, Equatable {
    var loop = IdeaLoop()
    var tone: String?
    /// The loop's keys, except those that cannot work here.
    var keys: [IdeaLoop.Key] = IdeaLoop.Key.allCases
    /// Saved ideas that are nearly the same (`i12`), by the number of the new one.
    var likes: [Int: String] = [:]
    /// The output of a command run by a key, or an error.
    var remarks: [StyledLine] = []
    /// Whether the keys are shown before the next answer; only without a cursor.
    var saysKeys = false
    var usesUnicode = true
    /// Seconds of silence during generation, if long enough to report.
    var silence: Int?

    var likeness: String? { loop.presentNumber.flatMap { likes[$0] } }

    /// Maximum width in any window: longer lines are hard to read.
    private static let textColumns = 76

    func lines(on size: ScreenSize) -> [StyledLine] {
        // The last column stays free.
        let width = max(20, min(size.columns - 1, Self.textColumns + 2))
        let below = footer(width: width - 2, columns: size.columns)
        var above = [StyledLine("")]
        if let tone { above.append(StyledLine("  tone: \(HostileText.line(tone))", .dim)) }
        // On a low window show only the idea and the keys.
        if size.rows < 10 { above = [] }
        let room = max(1, size.rows - 1 - above.count - below.count)
        return above + idea(width: width - 2, room: room) + below
    }

    // MARK: - The idea

    private func idea(width: Int, room: Int) -> [StyledLine] {
        let text = loop.text
        if text.isEmpty {
            guard case .writing = loop.phase else { return [] }
            return [StyledLine("  …" + silent, .dim)]
        }
        let all = MarkdownStream.lines(
            HostileText.text(text), columns: width, usesUnicode: usesUnicode
        ).flatMap { $0.rows(columns: width, .words) }.map { StyledLine($0).indented }
        guard all.count > room else { return all }
        // While the idea is being written, show its end.
        if case .writing = loop.phase { return all.suffix(room) }
        let hidden = all.count - room + 1
        return all.prefix(room - 1) + [
            StyledLine("  … \(Quantities.count(hidden, "more line"))", .dim)
        ]
    }

    private var silent: String { silence.map { " silent for \($0) s" } ?? "" }

    // MARK: - Below it

    private func footer(width: Int, columns: Int) -> [StyledLine] {
        var lines: [StyledLine] = []
        if let likeness, case .ready = loop.phase {
            lines.append(StyledLine("  like \(likeness)", .warning))
        }
        if loop.isCutOff { lines.append(StyledLine("  It was cut off here.", .warning)) }
        if !lines.isEmpty || !loop.text.isEmpty { lines.append(StyledLine("")) }
        lines += remarks.flatMap { line in
            // Notices already have the prompt's indent.
            let bare = line.text.hasPrefix("  ") ? 2 : 0
            var line = line
            if bare > 0 { line.spans[0].text.removeFirst(bare) }
            return WordWrap.rows(line, width: width).map(\.indented)
        }
        if let note { lines.append(note) }
        return lines + keyLines(columns: columns)
    }

    private var note: StyledLine? {
        switch loop.note {
        case nil: nil
        case .saved?: StyledLine("  Kept · u undoes", .dim)
        case .discarded?: StyledLine("  Discarded · u brings it back", .dim)
        case .takenBack?: StyledLine("  Back again: s or d decides.", .dim)
        case .nothingToSave?, .nothingYet?: StyledLine("  There is nothing yet.", .dim)
        case .nothingToUndo?: StyledLine("  There is nothing to undo.", .dim)
        case .stillWriting(let key)?:
            StyledLine("  \(key.rawValue) will be done once the idea is there.", .dim)
        }
    }

    private var isWriting: Bool {
        if case .writing = loop.phase { true } else { false }
    }

    /// Marks the last line if more text of the idea is still to come and there is room.
    private func marked(_ line: StyledLine, _ width: Int) -> StyledLine {
        guard isWriting, !loop.text.isEmpty else { return line }
        let mark = ["  writing …" + silent, "  writing …", "  …"].first {
            DisplayWidth.of(line.text + $0) - 2 <= width
        }
        return StyledLine(line.spans + (mark.map { [StyledLine.Span($0, .dim)] } ?? []))
    }

    /// The keys that fit in a line; `?` shows the others.
    private func keyLines(columns: Int) -> [StyledLine] {
        let width = columns - 3
        // During generation only the keys that work then.
        let all = keys.filter { $0 != .help && (!isWriting || !$0.needsWhole) }
        func line(_ keys: [IdeaLoop.Key], bare: IdeaLoop.Key? = nil) -> StyledLine {
            StyledLine(
                [StyledLine.Span("  ")]
                    + keys.enumerated().flatMap { index, key in
                        [
                            StyledLine.Span(
                                (index > 0 ? "  " : "") + String(key.rawValue), .accent),
                            StyledLine.Span(key == bare ? "" : " \(key.word)", .dim),
                        ]
                    })
        }
        func fits(_ keys: [IdeaLoop.Key]) -> Bool {
            DisplayWidth.of(line(keys).text) - 2 <= width
        }
        if fits(all) { return [marked(line(all), width)] }
        if loop.showsHelp {
            var rows: [[IdeaLoop.Key]] = [[]]
            for key in all {
                let last = rows.count - 1
                if rows[last].isEmpty || fits(rows[last] + [key]) {
                    rows[last].append(key)
                } else {
                    rows.append([key])
                }
            }
            return rows.map { line($0) }
        }
        // The most important keys stay, and the last ones never change.
        let order: [IdeaLoop.Key] = [.save, .discard, .undo, .edit, .converse, .remind, .write]
        var shown = all.filter { [.save, .discard].contains($0) }
        for key in order where all.contains(key) && !shown.contains(key) {
            let more = all.filter { shown.contains($0) || $0 == key }
            if fits(more + [.help, .quit]) { shown = more }
        }
        shown += [.help, .quit]
        if fits(shown) { return [marked(line(shown), width)] }
        let narrow = [line(shown, bare: .help), line(shown.filter { $0 != .help })]
        if let line = narrow.first(where: { DisplayWidth.of($0.text) - 2 <= width }) {
            return [line]
        }
        return [StyledLine("  " + shown.map { String($0.rawValue) }.joined(separator: " "), .dim)]
    }
}

extension IdeaLoop {
    /// Whether the idea is incomplete, and no more will come.
    var isCutOff: Bool {
        switch phase {
        case .failed(let idea, _): !idea.text.isEmpty
        case .ready(let idea, _): idea.isPartial
        case .writing, .deciding, .undoing, .away, .over: false
        }
    }
}

extension IdeaLoop.Key {
    /// The key's action in one word.
    var word: String {
        switch self {
        case .save: "save"
        case .discard: "discard"
        case .edit: "edit"
        case .converse: "chat"
        case .remind: "remind"
        case .write: "write"
        case .undo: "undo"
        case .prompt: "prompt"
        case .tone: "tone"
        case .copy: "copy"
        case .help: "keys"
        case .quit: "quit"
        }
    }

    /// Whether it needs a complete idea.
    var needsWhole: Bool {
        switch self {
        case .edit, .converse, .remind, .write, .copy: true
        case .save, .discard, .undo, .prompt, .tone, .help, .quit: false
        }
    }

    /// The key from a panel; space discards, Esc leaves.
    init?(_ key: PanelKey) {
        switch key {
        case .character(" "): self = .discard
        case .character(let character):
            guard let key = Self(rawValue: Character(character.lowercased())) else { return nil }
            self = key
        case .escape: self = .quit
        default: return nil
        }
    }

    /// The key from a line: the letter or the word.
    init?(line: String) {
        let word = line.trimmingSpace().lowercased()
        let known = Self.allCases.first {
            word == String($0.rawValue) || word == $0.word
        }
        guard let known else { return nil }
        self = known
    }
}
