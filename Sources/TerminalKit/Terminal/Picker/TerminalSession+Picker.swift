import Base

/// Lets the user pick one of many items.
extension TerminalSession {
    /// The id of the picked item; nil for Esc, Ctrl-C, Ctrl-D and the end of the input.
    /// Without cursor keys there is a numbered list and a line for the answer. Waits while
    /// a prompt is open.
    package func pick(_ request: PickerRequest) async -> String? {
        let state = PickerState(request)
        let search = request.search.map { search in
            PickerSearch(search, wake: { [mailbox] in mailbox.wakeUp() })
        }
        async let served: Void? = search?.serve()
        let answer = await withCheckedContinuation { continuation in
            if !mailbox.post(.pick(state, search, continuation)) {
                continuation.resume(returning: .done(nil))
            }
        }
        search?.finish()
        _ = await served
        switch answer {
        case .done(let id): return id
        case .noCursor: return await pickByNumber(request)
        }
    }

    /// Maximum number of items listed at once; more would scroll away.
    private static let listed = 20

    /// A number picks, other words search, an empty line leaves.
    private func pickByNumber(_ request: PickerRequest) async -> String? {
        var matcher = PickerMatcher(request.items)
        var query = request.initialQuery
        while true {
            var items = matcher.hits(for: query).map { request.items[$0] }
            if let search = request.search, !SearchText.folded(query).isEmpty {
                // A failed search finds nothing; the user can type another.
                items = (try? await search(query)) ?? []
            }
            let shown = items.prefix(Self.listed)
            await write(PickerList.text(request.heading, Array(shown), of: items.count))
            let prompt = PickerList.prompt(shown.count)
            guard case .line(let line) = await readLine(prompt: prompt) else { return nil }
            let answer = line.trimmingSpace()
            if answer.isEmpty { return nil }
            if let number = Int(answer), number > 0 {
                guard number <= shown.count else { continue }
                return shown[number - 1].id
            }
            query = answer
        }
    }
}

/// A picker as lines, for a terminal that can only print.
enum PickerList {
    static func text(_ heading: String, _ items: [PickerItem], of count: Int) -> String {
        var text = "  \(HostileText.line(heading))\n"
        for (index, item) in items.enumerated() {
            let detail = item.detail.isEmpty ? "" : "  \(HostileText.line(item.detail))"
            text += "  \(index + 1)  \(HostileText.line(item.title))\(detail)\n"
        }
        if items.isEmpty { text += "  Nothing found.\n" }
        if count > items.count { text += "  … \(count - items.count) more\n" }
        return text
    }

    static func prompt(_ count: Int) -> String {
        count == 0
            ? "  Words to search, or Enter to leave: "
            : "  \(count == 1 ? "1" : "1–\(count)"), words to search, or Enter to leave: "
    }
}
