import Base

/// A list where there is no cursor to move (`TERM=dumb`, screen readers, no
/// terminal): numbered rows, and a line for the answer.
///
/// ```
///   Library · 2
///   1  i12  idea   A clock that rings tomorrow  2 days ago
///   2  i11  draft  Letter to the landlord  3 days ago
///   Number shows, e1 edit, d1 delete, u undo, /words filter, q quit:
/// ```
struct ItemListPrompt: Sendable {
    enum Answer: Equatable {
        case show(Int)
        case act(Character, Int?)
        case filter(String)
        case more
        case leave
        /// What was wrong with it, and what is right.
        case unclear(String)
    }

    let list: ItemList
    let style: Style

    /// Rows at once; more would scroll away.
    static let listed = 20

    func run(on terminal: TerminalSession) async -> ItemList.Ending {
        var state = ItemListState(list)
        var first = 0
        var isListed = false
        while true {
            if !isListed { await write(lines(state, from: first), terminal) }
            isListed = true
            guard case .line(let line) = await terminal.readLine(prompt: prompt(state, first))
            else { return .left }
            switch Self.answer(line, state, first..<min(first + Self.listed, state.rows.count)) {
            case .leave: return .left
            case .unclear(let words): await write([StyledLine("  \(words)", .warning)], terminal)
            case .more:
                first = first + Self.listed < state.rows.count ? first + Self.listed : 0
                isListed = false
            case .filter(let words):
                state.filter(by: words)
                (first, isListed) = (0, false)
            case .show(let index):
                guard let document = list.document else { continue }
                let id = state.rows[index].id
                switch await ItemListPanel.result({ try await document(id) }) {
                case .success(let document): await write(Self.lines(document), terminal)
                case .failure(let error):
                    await write([ItemListPanel.words(error).indented], terminal)
                }
            case .act(let key, let index):
                guard let action = list.actions.first(where: { $0.key == key }) else { continue }
                let id = index.map { state.rows[$0].id }
                if case .leaves = action.kind { return .chosen(key: key, id: id) }
                switch await ItemListPanel.result({ try await action.run(id) }) {
                case .success(let update):
                    _ = state.take(update)
                    if let message = update.message {
                        await write([message.indented], terminal)
                    }
                    // The numbers may mean others now.
                    if update.rows != nil { isListed = false }
                case .failure(let error):
                    await write([ItemListPanel.words(error).indented], terminal)
                }
                if first >= state.rows.count { first = 0 }
            }
        }
    }

    private func write(_ lines: [StyledLine], _ terminal: TerminalSession) async {
        await terminal.write(lines.flatMap { style.bytes($0) })
    }

    // MARK: Lines

    func lines(_ state: ItemListState, from first: Int) -> [StyledLine] {
        let filter = state.query.isEmpty ? "" : " with “\(state.query)”"
        var lines = [
            StyledLine("  \(state.heading)\(filter) · \(Quantities.grouped(state.rows.count))")
        ]
        guard !state.rows.isEmpty else {
            return lines + [
                StyledLine(state.all.isEmpty ? "  \(state.emptyText)" : "  Nothing found.")
            ]
        }
        let last = min(first + Self.listed, state.rows.count)
        for index in first..<last {
            let row = state.rows[index]
            let lead = row.lead.map { $0.text + "  " }.joined()
            let detail = row.detail.isEmpty ? "" : "  \(row.detail)"
            lines.append(StyledLine("  \(index + 1)  \(lead)\(row.title)\(detail)"))
        }
        if last < state.rows.count {
            lines.append(StyledLine("  … \(state.rows.count - last) more, m lists them"))
        }
        return lines
    }

    func prompt(_ state: ItemListState, _ first: Int) -> String {
        let number = first + 1
        var parts = state.opensRows && !state.rows.isEmpty ? ["number show"] : []
        for action in list.actions {
            if action.needsRow, state.rows.isEmpty { continue }
            parts.append("\(action.key)\(action.needsRow ? "\(number)" : "") \(action.verb)")
        }
        return "  " + (parts + ["/words filter", "q quit"]).joined(separator: ", ") + ": "
    }

    private static func lines(_ document: ItemList.Document) -> [StyledLine] {
        var lines = [StyledLine("  \(document.title)", .bold)]
        if !document.facts.isEmpty { lines.append(StyledLine("  \(document.facts)", .dim)) }
        // Whole lines: a screen reader reads them in one go, and the terminal folds.
        return lines
            + document.text.split(separator: "\n", omittingEmptySubsequences: false).map {
                StyledLine("  \($0)")
            }
    }

    // MARK: Answers

    /// - Parameter shown: the rows that have been listed; others cannot be meant
    ///   by a number that was never seen.
    static func answer(_ line: String, _ state: ItemListState, _ shown: Range<Int>) -> Answer {
        let text = line.trimmingSpace()
        guard let letter = text.first, text.lowercased() != "q" else { return .leave }
        if letter == "/" { return .filter(String(text.dropFirst()).trimmingSpace()) }
        func index(_ number: Int) -> Int? { shown.contains(number - 1) ? number - 1 : nil }
        if let number = Int(text) {
            guard let index = index(number) else { return .unclear(range(shown)) }
            return .show(index)
        }
        if text == "m" { return .more }
        let rest = String(text.dropFirst()).trimmingSpace()
        guard let action = state.actions.first(where: { $0.key == letter }),
            rest.isEmpty || Int(rest) != nil
        else { return .unclear("“\(text)” is not one of these.") }
        guard action.needsRow else { return .act(letter, nil) }
        guard let number = Int(rest) else {
            return .unclear(
                "Which one? \(letter) and its number, such as \(letter)\(shown.lowerBound + 1).")
        }
        guard let index = index(number) else { return .unclear(range(shown)) }
        return .act(letter, index)
    }

    private static func range(_ shown: Range<Int>) -> String {
        switch shown.count {
        case 0: "There is nothing to choose from."
        case 1: "The only number is \(shown.lowerBound + 1)."
        default: "The numbers are \(shown.lowerBound + 1) to \(shown.upperBound)."
        }
    }
}
