import AgentCore
import Base
import TerminalKit

/// The question before tool calls that change, destroy or send, as lines to show. Pure.
///
/// Every argument is shown, escaped, whole or folded: the user cannot agree to anything that is not
/// on the screen, and a folded text shows its size and the key that unfolds it. Calls that delete
/// or send are never folded and come first; a question longer than the screen has several pages.
/// The answer line counts the effects. The text is untrusted: it passes the allow-list line by line
/// and is wrapped here, not by the terminal, with a bar before continuation rows, so that none of
/// it can be mistaken for our own line.
package struct ApprovalQuestion {
    let request: ApprovalRequest
    /// Whether nothing is folded.
    package var isWhole = false
    let columns: Int
    /// Rows of the window.
    private let height: Int

    /// Longest call shown on one line, in code points.
    private static let lineLength = 300
    /// Size of a folded text.
    private static let foldedLines = 10
    private static let foldedLength = 800

    package init(_ request: ApprovalRequest, columns: Int, rows: Int = ScreenSize().rows) {
        self.request = request
        // A narrower window wraps the lines itself.
        self.columns = max(40, columns)
        height = columns < 40 ? rows * columns / 40 : rows
    }

    /// The lines in pages that fit the screen, with the prompt below.
    package var pages: [[StyledLine]] {
        let lines = lines
        // The prompt is wrapped between words, and the answer is typed after it.
        let prompts = DisplayWidth.of(prompt) / max(1, columns - 10) + 2
        let room = max(3, height - prompts)
        return stride(from: 0, to: lines.count, by: room).map {
            Array(lines[$0..<min($0 + room, lines.count)])
        }
    }

    /// The lines before the question itself.
    package var lines: [StyledLine] {
        var lines: [StyledLine] = []
        for group in groups {
            let times = group.count > 1 ? " × \(group.count)" : ""
            // `groups` makes no empty group.
            lines.append(head(of: group[0], times))
            for item in group { lines += shown(item) }
        }
        if !request.deletedBefore.isEmpty {
            lines.append(StyledLine("    Already deleted since your message:"))
            lines += request.deletedBefore.flatMap { rows(folded(Self.details($0)), .plain) }
        }
        if request.isEdited {
            lines.append(StyledLine("    These arguments are yours; nothing has run yet.", .dim))
        }
        if request.hasUntrustedText {
            lines.append(
                StyledLine("    This conversation contains untrusted text: do you want this?", .dim)
            )
        }
        if request.isPrivate {
            lines.append(
                StyledLine("    ! It contains your personal data, or a key.", .warning))
        }
        if let draft = request.draft {
            lines += rows("Not what you edited: \(draft.problem)", .warning, after: "    ! ")
        }
        return lines
            + WindowWidth.lines(keys, joinedBy: " · ", width: columns - 4).map {
                StyledLine("    \($0)", .dim)
            }
    }

    /// The prompt, without a newline.
    package var prompt: String {
        switch request.confirmation {
        case .yes: return "  \(counts) · y to do it, Enter for no\(trash): "
        case .word(let word):
            return "  \(counts) · Type \(word) to do it, Enter for no\(trash): "
        }
    }

    /// The prompt below a page that is not the last.
    package func prompt(ofPage number: Int, of count: Int) -> String {
        "  \(counts) · page \(number) of \(count) · Space for the next, Enter for no: "
    }

    /// "1 deletion, 20 additions": the worst first.
    private var counts: String {
        CallEffect.Kind.allCases.reversed().compactMap { kind in
            let count = request.kinds.count { $0 == kind }
            return count == 0 ? nil : Quantities.count(count, kind.noun)
        }.joined(separator: ", ")
    }

    private var trash: String {
        let kinds = request.kinds
        let deletions = kinds.count { $0 == .deletion }
        if deletions == 0 || kinds.contains(.overwrite) { return "" }
        if deletions < kinds.count { return " (what is deleted goes to the trash)" }
        return deletions > 1 ? " (they go to the trash)" : " (it goes to the trash)"
    }

    package var mode: Question.Mode {
        // Always both: pressing a letter that does nothing must not count as a no.
        let letters = "ev"
        switch request.confirmation {
        case .yes:
            return .approval(word: nil, canGrant: request.canGrant, letters: letters)
        case .word(let word):
            return .approval(word: word, canGrant: request.canGrant, letters: letters)
        }
    }

    /// The other possible answers.
    private var keys: [String] {
        var keys: [String] = []
        if request.canGrant {
            switch request.confirmation {
            case .yes: keys.append("a: yes, in this whole conversation")
            case .word(let word): keys.append("\(word) always: in this whole conversation")
            }
        }
        if request.canEdit { keys.append("e: edit it first") }
        if isFolded { keys.append("v: view all of it") }
        return keys + ["other text: no, and why"]
    }

    /// Whether any part is folded.
    package var isFolded: Bool {
        !isWhole
            && request.items.contains { item in
                !isWhole(item) && !Self.isShort(item)
                    && (item.arguments.members.map { Self.text($0.value) }
                        + [item.preview ?? ""]).contains { Self.fold($0) != nil }
            }
    }

    private func isWhole(_ item: ApprovalRequest.Item) -> Bool {
        isWhole || item.effects.worst.toolClass.deletesOrSends
    }

    /// The calls of one tool with the same effect, the worst first.
    private var groups: [[ApprovalRequest.Item]] {
        var groups: [[ApprovalRequest.Item]] = []
        for kind in CallEffect.Kind.allCases.reversed() {
            let items = request.items.filter { $0.effects.worst == kind }
            var names: [String] = []
            for item in items where !names.contains(item.tool.name) { names.append(item.tool.name) }
            groups += names.map { name in items.filter { $0.tool.name == name } }
        }
        return groups
    }

    // MARK: - A call

    /// `⚙ name (Title) asks to delete:` on one row, whatever the title of an external tool.
    private func head(of item: ApprovalRequest.Item, _ times: String) -> StyledLine {
        let tool = item.tool
        let verb = " asks to \(item.effects.worst.word):"
        let name = DisplayWidth.cut(
            HostileText.line(tool.name), to: columns - times.count - verb.count - 4)
        let room = columns - DisplayWidth.of(name) - times.count - verb.count - 8
        let title = tool.title == tool.name || room < 4 ? "" : HostileText.line(tool.title)
        return StyledLine([
            StyledLine.Span("  ⚙ \(name)\(times)", .accent),
            StyledLine.Span(title.isEmpty ? "" : " (\(DisplayWidth.cut(title, to: room)))", .dim),
            StyledLine.Span(verb, .plain),
        ])
    }

    private func shown(_ item: ApprovalRequest.Item) -> [StyledLine] {
        if Self.isShort(item) { return rows(Self.details(item), .bold) }
        let isWhole = isWhole(item)
        var lines = item.preview.map { rows(isWhole ? $0 : folded($0), .bold) } ?? []
        for member in item.arguments.members {
            let text = Self.text(member.value)
            let isLine = text.unicodeScalars.count <= 100 && !text.unicodeScalars.contains("\n")
            if isLine {
                lines += rows("\(member.name) \(JSONWriter.string(member.value))", .bold)
                continue
            }
            let size = Quantities.bytes(text.utf8.count)
            lines += rows("\(member.name), \(size):", .bold)
            let fold = isWhole ? nil : Self.fold(text)
            for line in (fold?.shown ?? text).split(
                omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
            { lines += rows(String(line), .plain, after: Self.bar) }
            if let fold {
                lines.append(
                    StyledLine(
                        "      … \(Quantities.bytes(fold.hidden)) more not shown",
                        .warning))
            }
        }
        return lines
    }

    private static let bar = "      │ "

    /// An untrusted line in rows of the window: the first one indented, the others behind a
    /// bar.
    private func rows(
        _ text: String, _ style: StyledLine.Style, after first: String = "      "
    ) -> [StyledLine] {
        let text = HostileText.line(text)
        // Leading blanks might disguise the text.
        let first = text.hasPrefix(" ") ? Self.bar : first
        var rows: [(head: String, text: String)] = [(first, "")]
        var room = columns - first.count
        for character in text {
            // An upper bound of its width: the terminal must not wrap the row.
            let width = character.unicodeScalars.reduce(0) { $0 + max(1, DisplayWidth.of($1)) }
            if width > room, room < columns - first.count {
                rows.append((Self.bar, ""))
                room = columns - Self.bar.count
            }
            rows[rows.count - 1].text.append(character)
            room -= width
        }
        return rows.map { head, text in
            head == Self.bar
                ? StyledLine([.init(head, .dim), .init(text, style)])
                : StyledLine(head + text, style)
        }
    }

    /// Folds the text: a call's effects can be of any length.
    private func folded(_ text: String) -> String {
        guard !isWhole, let fold = Self.fold(text) else { return text }
        return "\(fold.shown) … \(Quantities.bytes(fold.hidden)) more not shown"
    }

    /// The beginning of a long text, and the number of bytes left; nil if it is short.
    private static func fold(_ text: String) -> (shown: String, hidden: Int)? {
        var lines = 1
        var end = text.startIndex
        for (count, index) in text.unicodeScalars.indices.enumerated() {
            if text.unicodeScalars[index] == "\n" { lines += 1 }
            if count >= foldedLength || lines > foldedLines {
                return (String(text[..<end]), text.utf8.distance(from: end, to: text.endIndex))
            }
            end = text.unicodeScalars.index(after: index)
        }
        return nil
    }

    /// Whether the call is shown on one line.
    private static func isShort(_ item: ApprovalRequest.Item) -> Bool {
        details(item).unicodeScalars.count <= lineLength
            && !item.arguments.members.contains { text($0.value).unicodeScalars.contains("\n") }
    }

    /// The value as text; a string without its quotes.
    private static func text(_ value: JSONValue) -> String {
        value.stringValue ?? JSONWriter.string(value)
    }

    private static func details(_ item: ApprovalRequest.Item) -> String {
        let arguments = ToolCallLine.arguments(item.arguments)
        guard let preview = item.preview else {
            return arguments.isEmpty ? "no arguments" : arguments
        }
        return arguments.isEmpty ? preview : "\(preview)   ← \(arguments)"
    }
}

/// Arguments of a call on one line: `title "buy milk" · priority 1`.
package enum ToolCallLine {
    package static func arguments(_ arguments: JSONObject) -> String {
        arguments.members.map { member in
            "\(member.name) \(JSONWriter.string(member.value))"
        }.joined(separator: " · ")
    }

    /// The line for a call as the model wrote it, valid or not.
    static func arguments(_ call: ToolCall) -> String {
        // Invalid JSON is shown unchanged.
        guard let value = try? JSONParser.parse(call.arguments), let object = value.objectValue
        else {
            return call.arguments
        }
        return arguments(object)
    }
}
