import Base
import Sound
import Stories
import StoryKit
import TerminalKit

/// The screen of a playing story: the text with its speakers around the current sentence,
/// the progress, and the keys. Pure: the same for the same values; every line fits.
///
/// ```
///   Alice's Adventures in Wonderland · 2 of 12: The Pool of Tears
///
///   Alice        ▸ “Curiouser and curiouser!”
///                  cried Alice (she was so much surprised, that for the moment …
///
///   ━━━━━━━━──────────────────────────────────────────────  23 % · 1:12:40 left
///   ▶ Alice · 11 of 240
///   Space pauses · ← → segment · ? keys · Esc goes on behind · s stops
/// ```
struct StoryPlayView: PanelScreen, Equatable {
    /// One speaker's words, or a piece of narration. Untrusted text.
    struct Passage: Sendable, Equatable {
        /// Nil for narration.
        var speaker: String?
        /// Index in the cast; nil if the speaker is unknown.
        var party: Int?
        var sentences: [String]
        /// Index of the sentence being played.
        var current: Int?
        /// Whether it has been played.
        var isOver = false
    }

    var state: StoryPlayer.State
    /// The passages around the current one.
    var passages: [Passage] = []
    var keys = StoryScreenKeys()
    /// The result of a key, or its error.
    var note: StyledLine?
    var glyphs: VoiceGlyphs

    /// Maximum width in any window: longer lines are hard to read.
    private static let textColumns = 72
    private static let textRows = 16
    private static let nameColumns = 16
    private static let listRows = 8

    private enum Look: Sendable, Equatable { case plain, over, current }

    mutating func take(_ key: PanelKey, on size: ScreenSize) -> StoryScreenKeys.Action? {
        note = nil
        let action = keys.take(key)
        return action == .none ? nil : action
    }

    func lines(on size: ScreenSize) -> [StyledLine] {
        // The last column stays free.
        let width = max(20, size.columns - 1)
        let total = max(4, size.rows - 1)
        var above = [heading(width)]
        var below = footer(width)
        if total >= 14 {
            above.append(StyledLine(""))
            below.insert(StyledLine(""), at: 0)
        } else if total < 8 {
            above = []
        }
        let room = min(Self.textRows, max(1, total - above.count - below.count))
        return above + middle(width, room) + below.suffix(max(1, total - above.count - 1))
    }

    private func middle(_ width: Int, _ room: Int) -> [StyledLine] {
        var rows: [StyledLine] = []
        switch keys.mode {
        case .help: rows = Array(help(width, room).prefix(room))
        case .choosing(_, let picker):
            let below = list(picker, width, min(room - 1, Self.listRows + 1))
            rows = text(width, room - below.count) + below
        case .listening, .typing: rows = text(width, room)
        }
        // Always the same number, so that nothing below moves.
        while rows.count < room { rows.append(StyledLine("")) }
        return rows
    }

    // MARK: - Above

    private func heading(_ width: Int) -> StyledLine {
        var title = HostileText.line(state.title)
        guard let chapter = state.chapter, chapter.count > 1 else {
            return StyledLine([.init("  "), .init(glyphs.cut(title, to: width - 2), .bold)])
        }
        let number =
            width >= 60
            ? "\(chapter.number) of \(chapter.count)" : "\(chapter.number)/\(chapter.count)"
        let name = HostileText.line(chapter.name)
        var place = glyphs.dot + number + (name.isEmpty ? "" : ": " + name)
        // The chapter gets up to half of the row, if it needs it.
        let half = min(DisplayWidth.of(place), width / 2)
        title = glyphs.cut(title, to: width - 2 - half)
        place = glyphs.cut(place, to: width - 2 - DisplayWidth.of(title))
        return StyledLine([.init("  "), .init(title, .bold), .init(place, .dim)])
    }

    // MARK: - The text

    /// The rows around the current sentence, a third of them before it.
    private func text(_ width: Int, _ room: Int) -> [StyledLine] {
        guard room > 0 else { return [] }
        if passages.isEmpty {
            guard state.phase == .preparing else { return [] }
            let what = state.trial.map { "Trying voices \($0.text)" } ?? "Finding out who speaks"
            return Array(StyledLine("  \(what) …", .dim).folded(to: width).prefix(room))
        }
        var rows: [StyledLine] = []
        var current: Range<Int>?
        for passage in passages {
            for (row, isCurrent) in self.rows(passage, width) {
                if isCurrent {
                    current = (current?.lowerBound ?? rows.count)..<(rows.count + 1)
                }
                rows.append(row)
            }
        }
        let heard = current ?? 0..<1
        var top = heard.lowerBound - room / 3
        if heard.upperBound > top + room { top = heard.lowerBound }
        top = min(max(0, top), max(0, rows.count - room))
        return Array(rows[top..<min(rows.count, top + room)])
    }

    private func rows(_ passage: Passage, _ width: Int) -> [(StyledLine, isCurrent: Bool)] {
        let hasNames = width >= 59
        let indent = hasNames ? Self.nameColumns + 5 : 4
        let columns = max(8, min(width - indent, Self.textColumns))
        var pieces: [WordWrap.Piece<Look>] = []
        for (index, sentence) in passage.sentences.enumerated() {
            let isOver = passage.isOver || passage.current.map { index < $0 } ?? false
            if index > 0 { pieces.append(.init(text: " ", look: .plain)) }
            pieces.append(
                .init(
                    text: HostileText.line(sentence),
                    look: index == passage.current ? .current : isOver ? .over : .plain))
        }
        var rows: [(StyledLine, isCurrent: Bool)] = []
        if !hasNames, let name = passage.speaker {
            rows.append(
                (
                    StyledLine([
                        .init("    "),
                        .init(
                            glyphs.cut(HostileText.line(name), to: columns),
                            Self.style(passage.party)),
                    ]), false
                ))
        }
        for (number, row) in WordWrap.rows(pieces, width: columns).enumerated() {
            let isCurrent = row.contains { $0.look == .current }
            let mark = isCurrent ? (glyphs.usesUnicode ? "▸ " : "> ") : "  "
            var spans: [StyledLine.Span] = [.init("  ")]
            if hasNames {
                let name = number == 0 ? passage.speaker ?? "" : ""
                let shown = glyphs.cut(HostileText.line(name), to: Self.nameColumns)
                spans.append(
                    .init(
                        DisplayWidth.pad(shown, to: Self.nameColumns) + " ",
                        Self.style(passage.party)))
            }
            spans.append(.init(mark, .accent))
            spans += row.map { .init($0.text, Self.style($0.look)) }
            rows.append((StyledLine(spans), isCurrent))
        }
        return rows
    }

    private static func style(_ look: Look) -> StyledLine.Style {
        switch look {
        case .plain: .plain
        case .over: .dim
        case .current: .bold
        }
    }

    private static func style(_ party: Int?) -> StyledLine.Style {
        party.map { .party($0) } ?? .dim
    }

    // MARK: - Help

    private func help(_ width: Int, _ room: Int) -> [StyledLine] {
        let shown = StoryScreenKeys.help.filter { keys.hasBackground || $0.key != "&" }
        let names = shown.map { $0.key == "← →" && !glyphs.usesUnicode ? "Left Right" : $0.key }
        let longest = names.map(DisplayWidth.of).max() ?? 0
        // In two columns if they do not fit in one.
        let columns = shown.count > room ? 2 : 1
        let room = (width - 2) / columns - longest - 3
        let isShort = shown.contains { DisplayWidth.of($0.does) > room }
        let cells = zip(names, shown).map { name, row in
            let text = glyphs.cut(isShort ? row.word : row.does, to: max(4, room))
            return [
                StyledLine.Span(DisplayWidth.pad(name, to: longest) + " ", .accent),
                StyledLine.Span(DisplayWidth.pad(text, to: max(4, room)) + "  "),
            ]
        }
        let rows = (cells.count + columns - 1) / columns
        return (0..<rows).map { row in
            let right = columns == 2 && row + rows < cells.count ? cells[row + rows] : []
            return StyledLine([.init("  ")] + cells[row] + right)
        }
    }

    private func list(_ picker: PickerState, _ width: Int, _ room: Int) -> [StyledLine] {
        let items = picker.items
        let visible = max(1, room - 1)
        let top = min(max(0, picker.selected - visible / 2), max(0, items.count - visible))
        let title = HostileText.line("\(picker.heading) \(picker.query)")
        var rows = [StyledLine("  " + glyphs.cut(title, to: width - 2), .bold)]
        if items.isEmpty { rows.append(StyledLine("    nothing like that", .dim)) }
        let labels = items.map { HostileText.line($0.title) }
        let longest = min(max(10, width / 2), labels.map(DisplayWidth.of).max() ?? 0)
        for place in items.indices.dropFirst(top).prefix(visible) {
            let isChosen = place == picker.selected
            let mark = isChosen ? (glyphs.usesUnicode ? "▸ " : "> ") : "  "
            let label = DisplayWidth.pad(glyphs.cut(labels[place], to: longest), to: longest)
            let detail = glyphs.cut(
                HostileText.line(items[place].detail), to: max(0, width - longest - 6))
            rows.append(
                StyledLine([
                    .init("  " + mark, .accent), .init(label, isChosen ? .bold : .plain),
                    .init(detail.isEmpty ? "" : "  " + detail, .dim),
                ]))
        }
        return rows
    }

    // MARK: - Below

    private func footer(_ width: Int) -> [StyledLine] {
        var rows: [StyledLine] = []
        let problem = state.problems.last.map { StyledLine("! " + $0, .warning) }
        if let note = note ?? problem {
            rows += WordWrap.rows(
                [WordWrap.Piece(text: HostileText.line(note.text), look: false)],
                width: width - 2
            ).prefix(2).map { row in
                StyledLine(
                    "  " + row.map(\.text).joined(), note.spans.first?.style ?? .plain)
            }
        }
        return rows + [progress(width), now(width), keyLine(width)]
    }

    private func progress(_ width: Int) -> StyledLine {
        var text = "  \(Int(state.fraction * 100)) %"
        if state.secondsLeft > 0, state.phase != .ended {
            text += glyphs.dot + VoiceGlyphs.clock(state.secondsLeft) + (width >= 50 ? " left" : "")
        }
        let room = min(Self.textColumns + Self.nameColumns, width - 2 - DisplayWidth.of(text))
        let bar = glyphs.bar(state.fraction, columns: max(4, room))
        return StyledLine([
            .init("  "), .init(bar.done, .accent), .init(bar.rest, .dim), .init(text, .dim),
        ])
    }

    /// The current speaker, or the reason why there is no sound.
    private func now(_ width: Int) -> StyledLine {
        var isPaused = false
        if case .paused = state.phase { isPaused = true }
        var facts: [String] = []
        var total = ""
        switch state.phase {
        case .paused(let why): facts.append("Paused" + why.text)
        case .preparing: facts.append("Preparing")
        case .ended: facts.append("Ended")
        case .playing, .waiting: break
        }
        if state.segment > 0 {
            facts.append(HostileText.line(state.speakerName))
            facts.append(Quantities.grouped(state.segment))
            total = " of \(Quantities.grouped(state.segments))"
        }
        let place = facts.count - 1
        if !isPaused {
            if state.phase == .waiting { facts.append("waiting for sound") }
            if state.tier == .guess { facts.append("guessed") }
        }
        if state.rate != 1 { facts.append("\(state.rate)×") }
        if let seconds = state.sleepsIn {
            facts.append("sleeps in \(Int((seconds / 60).rounded(.up))) min")
        }
        // On a narrow screen the last facts are left out.
        var ways = facts.indices.reversed().map {
            facts[...$0].joined(separator: glyphs.dot)
        }
        if place >= 0 { facts[place] += total }
        ways.insert(facts.joined(separator: glyphs.dot), at: 0)
        let text = VoiceGlyphs.fitting(ways, width - 4)
        return StyledLine([
            .init("  "), .init(isPaused ? glyphs.paused : glyphs.playing, .accent),
            .init(" " + glyphs.cut(text.isEmpty ? facts.first ?? "" : text, to: width - 4)),
        ])
    }

    private func keyLine(_ width: Int) -> StyledLine {
        let dot = glyphs.dot
        let arrows = glyphs.usesUnicode ? "← →" : "Left/Right"
        let ways: [String]
        switch keys.mode {
        case .typing(let entry, let text):
            let label =
                switch entry {
                case .place: "Go to segment, or 40 %: "
                case .text: "Find: "
                case .sleep: "Sleep after 20m, or off: "
                }
            let cursor = glyphs.usesUnicode ? "▏" : "_"
            let typed = HostileText.line(text)
            let room = width - 3 - DisplayWidth.of(label)
            return StyledLine([
                .init("  " + label, .accent),
                .init(Self.end(of: typed, columns: max(1, room)) + cursor),
            ])
        case .help: ways = ["Any key goes back"]
        case .choosing(let choice, _):
            let hears = choice == .voice ? "\(dot)Space plays it" : ""
            let up = glyphs.usesUnicode ? "↑ ↓" : "Up/Down"
            ways = [
                "\(up)\(hears)\(dot)letters search\(dot)Enter picks it\(dot)Esc goes back",
                "\(up)\(hears)\(dot)Enter\(dot)Esc", "\(up)\(dot)Enter\(dot)Esc", "Enter\(dot)Esc",
            ]
        case .listening:
            if state.phase == .preparing {
                let leave = keys.hasBackground ? "\(dot)Esc to the prompt" : ""
                ways = ["? keys\(leave)\(dot)s stops", "?\(dot)s stops"]
                break
            }
            var space = "Space pauses"
            if case .paused = state.phase { space = "Space resumes" }
            let leave = keys.hasBackground ? "Esc to the prompt" : ""
            let stop = keys.hasBackground ? "\(dot)s stops" : "s stops"
            ways = [
                "\(space)\(dot)\(arrows) segment\(dot)[ ] chapter\(dot)? keys\(dot)\(leave)\(stop)",
                "\(space)\(dot)\(arrows) segment\(dot)? keys\(dot)\(leave)\(stop)",
                "\(space)\(dot)? keys\(dot)\(leave)\(stop)",
                "Space\(dot)\(arrows)\(dot)? keys\(dot)\(leave.isEmpty ? "" : "Esc\(dot)")s stops",
                "Space\(dot)?\(dot)s stops",
            ]
        }
        return StyledLine("  " + VoiceGlyphs.fitting(ways, width - 2), .dim)
    }

    /// The end of a long entry, where the user is typing.
    private static func end(of text: String, columns: Int) -> String {
        var text = text
        while DisplayWidth.of(text) > columns, !text.isEmpty { text.removeFirst() }
        return text
    }
}
