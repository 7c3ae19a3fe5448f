import Base

/// The display of the writing tools: the draft in its place, and below it the menu, the
/// progress, or the change to decide on and the keys. Pure; every line fits the width, and
/// all of it the window.
///
/// ```
/// > teh cat sat on teh mat
///   Proofread  Rewrite  Friendly  prOfessional  Concise · Esc leaves
///
/// > ▸teh→The cat sat on teh→the mat
///   Proofread · local · 1 of 2 · “teh” → “The”
///   y accept · n keep · a accept all · r reject all · e edit · Esc leave
/// ```
struct WritingView: Equatable {
    private struct Look: Hashable, Sendable {
        var style: StyledLine.Style
        /// Whether it is the change to decide, or the selected text.
        var isFocus = false
    }

    private typealias Piece = WordWrap.Piece<Look>

    var lines: [StyledLine]

    /// - Parameter prompt: the text before the draft.
    init(_ state: WritingState, prompt: StyledLine, size: ScreenSize, style: Style) {
        let width = max(8, size.columns - 1)
        let below = Self.below(state, width, style)
        let draft = Self.draft(state, prompt: prompt, width: width, style: style)
        let room = max(1, size.rows - 1 - below.count)
        // As much of a long draft as fits, around the focus.
        let first = max(0, min(draft.focus - room / 3, draft.rows.count - room))
        lines = Array(draft.rows[first..<min(draft.rows.count, first + room)]) + below
    }

    // MARK: The draft

    private static func draft(
        _ state: WritingState, prompt: StyledLine, width: Int, style: Style
    ) -> (rows: [StyledLine], focus: Int) {
        var pieces = prompt.spans.map { Piece(text: $0.text, look: Look(style: $0.style)) }
        func add(_ text: String, _ look: Look) { pieces.append(Piece(text: text, look: look)) }
        add(state.selection.before, Look(style: .plain))
        switch state.step {
        case .menu, .working:
            let style: StyledLine.Style = state.selection.isPart ? .selected : .plain
            add(state.selection.text, Look(style: style, isFocus: true))
        case .review(_, let review):
            var index = 0
            for piece in review.version.pieces {
                switch piece {
                case .same(let text): add(text, Look(style: .plain))
                case .change(let old, let new):
                    pieces += change(old: old, new: new, at: index, in: review, style)
                    index += 1
                }
            }
        }
        add(state.selection.after, Look(style: .plain))
        var rows: [StyledLine] = []
        var focus: Int?
        for line in Self.lines(pieces) {
            for row in WordWrap.rows(line, width: width) {
                if focus == nil, row.contains(where: \.look.isFocus) { focus = rows.count }
                rows.append(StyledLine(row.map { StyledLine.Span($0.text, $0.look.style) }))
            }
        }
        return (rows, focus ?? 0)
    }

    /// A decided change is shown as it will be; an undecided one shows both sides.
    private static func change(
        old: String, new: String, at index: Int, in review: ReviewState, _ style: Style
    ) -> [Piece] {
        if let isAccepted = review.decisions[index], index != review.current {
            return [
                Piece(
                    text: isAccepted ? new : old,
                    look: Look(style: isAccepted ? .success : .plain))
            ]
        }
        let isFocus = index == review.current
        var pieces: [Piece] = []
        if isFocus { pieces.append(Piece(text: "▸", look: Look(style: .accent, isFocus: true))) }
        // A deleted line break is shown by name, not as a line break.
        let gone = HostileText.line(old)
        if style.usesColor {
            pieces.append(Piece(text: gone, look: Look(style: .deleted, isFocus: isFocus)))
            if !old.isEmpty, !new.isEmpty {
                pieces.append(Piece(text: "→", look: Look(style: .dim, isFocus: isFocus)))
            }
            pieces.append(Piece(text: new, look: Look(style: .inserted, isFocus: isFocus)))
        } else {
            let look = Look(style: .plain, isFocus: isFocus)
            if !old.isEmpty { pieces.append(Piece(text: "[-\(gone)-]", look: look)) }
            if !new.isEmpty { pieces.append(Piece(text: "{+\(new)+}", look: look)) }
        }
        return pieces.filter { !$0.text.isEmpty }
    }

    /// The pieces of each line, with control characters escaped.
    private static func lines(_ pieces: [Piece]) -> [[Piece]] {
        var lines: [[Piece]] = [[]]
        for piece in pieces {
            let parts = piece.text.split(
                omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            for (index, part) in parts.enumerated() {
                if index > 0 { lines.append([]) }
                let text = HostileText.line(part.replacing("\t", with: "    "))
                lines[lines.count - 1].append(Piece(text: text, look: piece.look))
            }
        }
        return lines
    }

    // MARK: Below it

    private static func below(_ state: WritingState, _ width: Int, _ style: Style) -> [StyledLine] {
        switch state.step {
        case .menu: return menu(state.tools, width)
        case .working(let tool, let progress):
            let part = progress.part.isEmpty ? "" : " \(HostileText.line(progress.part))"
            let tail = progress.text.isEmpty ? "" : tail(of: progress.text, to: width - 4)
            let title = HostileText.line(tool.title)
            return (tail.isEmpty ? [] : [StyledLine("    " + tail, .dim)]) + [
                StyledLine(
                    "  " + DisplayWidth.cut("\(title) …\(part) · Esc stops", to: width - 2), .dim)
            ]
        case .review(let tool, let review):
            var lines = [heading(tool, review, width)]
            if let warning = review.version.warning {
                lines += WordWrap.rows(StyledLine("! \(warning)", .warning), width: width - 2)
                    .map(\.indented)
            }
            lines.append(StyledLine("  " + keys(review, width - 2), .dim))
            return lines
        }
    }

    /// The letter to press is the capital one: `prOfessional`.
    private static func menu(_ tools: [WritingAssistant.Tool], _ width: Int) -> [StyledLine] {
        let titles = tools.map(parts(of:))
        func line(_ titles: [(String, String, String)], _ gap: String, _ end: String) -> StyledLine
        {
            var spans: [StyledLine.Span] = []
            for (before, key, after) in titles {
                if !spans.isEmpty { spans.append(StyledLine.Span(gap)) }
                spans += [.init(before), .init(key, .accent), .init(after)]
            }
            return StyledLine((spans + [.init(end, .dim)]).filter { !$0.text.isEmpty })
        }
        let room = width - 2
        let forms = [
            line(titles, "  ", " · Esc leaves"), line(titles, "  ", ""), line(titles, " ", ""),
            line(cut(titles, to: room - max(0, titles.count - 1)), " ", ""),
        ]
        let form = forms.first { DisplayWidth.of($0.text) <= room } ?? forms[0]
        return WordWrap.rows(form, width: room).map(\.indented)
    }

    /// Cuts the widest first, and no more than necessary: `Proof.`, `prOf.`
    private static func cut(
        _ titles: [(String, String, String)], to width: Int
    ) -> [(String, String, String)] {
        func text(_ title: (String, String, String)) -> String { title.0 + title.1 + title.2 }
        var titles = titles
        var over = titles.reduce(0) { $0 + DisplayWidth.of(text($1)) } - width
        let widestFirst = titles.indices.sorted {
            DisplayWidth.of(text(titles[$0])) > DisplayWidth.of(text(titles[$1]))
        }
        for index in widestFirst where over > 0 {
            let (before, key, after) = titles[index]
            let old = DisplayWidth.of(text(titles[index]))
            // Show at least four letters, including the key.
            let front = DisplayWidth.of(before + key)
            let room = max(4, front, old - over - 1) - front
            let short = after.prefix(room).trimming { $0 == " " } + "."
            let new = front + DisplayWidth.of(String(short))
            guard new < old else { continue }
            titles[index] = (before, key, String(short))
            over -= old - new
        }
        return titles
    }

    /// The title around its key: `pr`, `O`, `fessional`; `1`, ` Shakespeare`.
    static func parts(of tool: WritingAssistant.Tool) -> (String, String, String) {
        let title = HostileText.line(tool.title)
        guard let key = tool.key else { return (title, "", "") }
        let letters = Array(title)
        guard
            let at = letters.firstIndex(where: {
                String($0).lowercased() == String(key).lowercased()
            })
        else { return ("", String(key), " \(title)") }
        // Capital letters of the title itself would point to another key.
        let before = at > 0 ? String(letters[..<at]).lowercased() : ""
        return (before, String(letters[at]).uppercased(), String(letters[(at + 1)...]))
    }

    private static func heading(
        _ tool: WritingAssistant.Tool, _ review: ReviewState, _ width: Int
    ) -> StyledLine {
        let fact = review.version.facts.contains(review.current) ? " · a fact" : ""
        let place = "\(review.current + 1) of \(review.decisions.count)\(fact)"
        let local = review.version.isLocal ? " · local" : ""
        let title = HostileText.line(tool.title)
        let facts = width >= 60 ? "\(title)\(local) · \(place)" : place + local
        let change = review.currentChange.map { old, new in
            let (before, after) = (HostileText.line(old), HostileText.line(new))
            return old.isEmpty
                ? "put in “\(after)”"
                : new.isEmpty ? "take out “\(before)”" : "“\(before)” → “\(after)”"
        }
        let room = width - 5 - DisplayWidth.of(facts)
        return StyledLine([
            StyledLine.Span("  "), StyledLine.Span(facts, .bold),
            StyledLine.Span(" · " + DisplayWidth.cut(change ?? "", to: max(1, room))),
        ])
    }

    private static func keys(_ review: ReviewState, _ width: Int) -> String {
        let which = review.hasDecided ? "rest" : "all"
        let forms = [
            "y accept · n keep · a accept \(which) · r reject \(which) · e edit · Esc leave",
            "y accept · n keep · a \(which) · r reject · e edit · Esc",
            "[y]es [n]o [a]ll [r]eject [e]dit Esc",
            "y n a r e Esc",
        ]
        return forms.first { DisplayWidth.of($0) <= width } ?? ""
    }

    /// The end of a text in one row.
    private static func tail(of text: String, to width: Int) -> String {
        PickerState.typed(
            text.split(whereSeparator: \.isWhitespace).suffix(60).joined(separator: " "),
            max(4, width))
    }
}
