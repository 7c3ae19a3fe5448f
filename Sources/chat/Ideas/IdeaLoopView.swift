import AgentCore
import TerminalKit
import ToolServers

/// The picture of the loop of ideas: the idea, what happened last, and the keys
/// in the last line. Pure: the same for the same values.
struct IdeaLoopView: Sendable, Equatable {
    var loop = IdeaLoop()
    var tone: String?
    /// Of the loop's keys; what cannot work here is left out.
    var keys: [IdeaLoop.Key] = IdeaLoop.Key.allCases
    /// An idea that is saved and nearly the same: `i12`.
    var likeness: String?
    /// What a command said that a key has run, or what went wrong.
    var remarks: [StyledLine] = []
    /// The number of the idea that was saved last.
    var lastSaved: String?

    /// Never fewer, however wide the window is: so long lines are hard to read.
    private static let textColumns = 76

    func lines(columns: Int, rows: Int) -> [StyledLine] {
        // The last column stays free.
        let width = max(20, min(columns - 1, Self.textColumns + 2))
        let below = footer(columns: columns)
        var above: [StyledLine] = []
        if let tone { above.append(StyledLine("  \(tone)", .dim)) }
        let room = max(1, rows - 2 - above.count - below.count)
        return above + idea(width: width - 2, room: room) + below
    }

    // MARK: - The idea

    private func idea(width: Int, room: Int) -> [StyledLine] {
        let text = loop.text
        if text.isEmpty {
            guard case .writing = loop.phase else { return [] }
            return [StyledLine("  …", .dim)]
        }
        let all = Self.wrapped(text, width: width)
        guard all.count > room else { return all.map { StyledLine("  \($0)") } }
        // While it is written its end is what is read.
        if case .writing = loop.phase {
            return all.suffix(room).map { StyledLine("  \($0)") }
        }
        let hidden = all.count - room + 1
        return all.prefix(room - 1).map { StyledLine("  \($0)") } + [
            StyledLine("  … \(Quantities.count(hidden, "more line"))", .dim)
        ]
    }

    /// The paragraphs of a text broken between words; a word that is wider than
    /// the line is broken itself.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        {
            let words = paragraph.split(whereSeparator: \.isWhitespace).flatMap {
                broken(HostileText.line(String($0)), width: width)
            }
            lines += words.isEmpty ? [""] : WindowWidth.lines(words, width: width)
        }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    private static func broken(_ word: String, width: Int) -> [String] {
        guard DisplayWidth.of(word) > width else { return [word] }
        var pieces = [""]
        for character in word {
            let last = pieces.count - 1
            if DisplayWidth.of(pieces[last]) + DisplayWidth.of(character) > width {
                pieces.append(String(character))
            } else {
                pieces[last].append(character)
            }
        }
        return pieces
    }

    // MARK: - Below it

    private func footer(columns: Int) -> [StyledLine] {
        var lines: [StyledLine] = []
        if let likeness, case .ready = loop.phase {
            lines.append(StyledLine("  like \(likeness)", .warning))
        }
        if loop.isCutOff { lines.append(StyledLine("  It was cut off here.", .warning)) }
        if !lines.isEmpty || !loop.text.isEmpty { lines.append(StyledLine("")) }
        lines += remarks
        if let note { lines.append(note) }
        return lines + keyLines(columns: columns)
    }

    private var note: StyledLine? {
        switch loop.note {
        case nil: nil
        case .saved?: StyledLine("  ✓ \(lastSaved ?? "saved") is kept · u undoes", .success)
        case .discarded?: StyledLine("  Discarded · u brings it back", .dim)
        case .takenBack?: StyledLine("  Back again: s or d decides.", .dim)
        case .nothingToSave?, .nothingYet?: StyledLine("  There is nothing yet.", .dim)
        case .nothingToUndo?: StyledLine("  There is nothing to undo.", .dim)
        case .stillWriting(let key)?:
            StyledLine("  \(key.rawValue) works when the idea is there.", .dim)
        }
    }

    /// As many keys as have room in a line; `?` shows them all.
    private func keyLines(columns: Int) -> [StyledLine] {
        let width = columns - 3
        let all = keys.filter { $0 != .help }
        func line(_ keys: [IdeaLoop.Key]) -> StyledLine {
            StyledLine(
                [StyledLine.Span("  ")]
                    + keys.enumerated().flatMap { index, key in
                        [
                            StyledLine.Span(
                                (index > 0 ? "  " : "") + String(key.rawValue), .accent),
                            StyledLine.Span(" \(key.word)", .dim),
                        ]
                    })
        }
        func fits(_ keys: [IdeaLoop.Key]) -> Bool {
            DisplayWidth.of(line(keys).text) - 2 <= width
        }
        if fits(all) { return [line(all)] }
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
            return rows.map(line)
        }
        // What is needed most stays: the last words are always the same.
        let order: [IdeaLoop.Key] = [.save, .discard, .undo, .edit, .converse, .remind, .write]
        var shown = all.filter { [.save, .discard].contains($0) }
        for key in order where all.contains(key) && !shown.contains(key) {
            let more = all.filter { shown.contains($0) || $0 == key }
            if fits(more + [.help, .quit]) { shown = more }
        }
        return [line(shown + [.help, .quit])]
    }
}

extension IdeaLoop {
    /// What is shown is less than there should be, and no more will come.
    var isCutOff: Bool {
        switch phase {
        case .failed(let idea, _): !idea.text.isEmpty
        case .ready(let idea, _): idea.isPartial
        case .writing, .deciding, .undoing, .away, .over: false
        }
    }
}

extension IdeaLoop.Key {
    /// What it does, in one word.
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

    /// The key of a panel; space discards, Esc leaves.
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

    /// A line of letters-and-Enter: the letter or the word.
    init?(line: String) {
        let word = line.trimmingSpace().lowercased()
        let known = Self.allCases.first {
            word == String($0.rawValue) || word == $0.word
        }
        guard let known else { return nil }
        self = known
    }
}
