import Base

/// The state machine of a picker: keys, lines and search results in. Pure; no clock, no
/// terminal.
///
/// ```
/// choosing            keys move and type; Enter takes the marked item
/// asking (query n)    a search runs; results of earlier queries are dropped;
///                     Enter takes the first result as soon as it is there
/// asking, slow        as asking, and the view says so
/// ```
package struct PickerState: PanelScreen, Equatable {
    package enum Effect: Equatable, Sendable {
        /// Start a search; the result goes to `take(found:for:)`.
        case search(number: Int, query: String)
        /// The item is in `picked`.
        case done
    }

    package let heading: String
    package private(set) var query: String
    /// The current items.
    package private(set) var items: [PickerItem]
    package private(set) var selected = 0
    package private(set) var picked: String?
    private(set) var isSlow = false
    private(set) var failure: String?
    /// All items, for an empty query.
    private let all: [PickerItem]
    private let asks: Bool
    private var matcher: PickerMatcher?
    private var number = 0
    private var isAsking = false
    private var takesFirst = false
    /// The first visible item.
    private(set) var top = 0

    /// - Parameter selected: index of the item that is marked first.
    package init(_ request: PickerRequest, selected: Int = 0) {
        heading = request.heading
        query = request.initialQuery
        all = request.items
        items = request.items
        asks = request.search != nil
        guard !asks else { return }
        matcher = PickerMatcher(request.items)
        _ = search()
        move(to: selected)
    }

    var count: Int { all.count }
    /// Whether there are results for the current query.
    var isSettled: Bool { !isAsking }

    /// Call it once, before the first key.
    mutating func begin() -> Effect? { search() }

    // MARK: Events

    package mutating func take(_ key: PanelKey, on size: ScreenSize) -> Effect? {
        if key != .enter { takesFirst = false }
        defer { top = window(on: size).lowerBound }
        switch key {
        case .enter:
            if isAsking { takesFirst = true } else { return pick(selected) }
        case .escape, .interrupt, .control("\u{04}"), .control("\u{07}"): return .done
        case .up: move(to: selected - 1)
        case .down, .control("\t"), .control("\u{12}"): move(to: selected + 1)
        case .pageUp: move(to: selected - window(on: size).count)
        case .pageDown: move(to: selected + window(on: size).count)
        case .home: move(to: 0)
        case .end: move(to: items.count - 1)
        case .backspace: return edit { _ = $0.popLast() }
        case .clear: return edit { $0 = "" }
        case .control("\u{17}"):
            return edit { query in
                while query.last?.isWhitespace == true { query.removeLast() }
                while let last = query.last, !last.isWhitespace { query.removeLast() }
            }
        case .character(let character): return edit { $0.append(character) }
        case .paste(let text):
            return edit { $0 += text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        default: break
        }
        return nil
    }

    /// Takes a search result; a result for an earlier query is ignored.
    /// - Parameter found: nil if the search failed.
    /// - Returns: whether Enter was pressed in the meantime and picks the first item.
    mutating func take(found: [PickerItem]?, for number: Int) -> Bool {
        guard isAsking, number == self.number else { return false }
        (isAsking, isSlow) = (false, false)
        failure = found == nil ? "The search failed." : nil
        show(found ?? [])
        defer { takesFirst = false }
        return takesFirst && !items.isEmpty
    }

    /// Records that the search takes long enough to be shown as running.
    mutating func noteSlow(_ number: Int) {
        if isAsking, number == self.number { isSlow = true }
    }

    // MARK: Changes

    private mutating func pick(_ index: Int) -> Effect? {
        guard items.indices.contains(index) else { return nil }
        picked = items[index].id
        return .done
    }

    private mutating func move(to index: Int) { selected = max(0, min(index, items.count - 1)) }

    private mutating func edit(_ change: (inout String) -> Void) -> Effect? {
        let before = query
        change(&query)
        return query == before ? nil : search()
    }

    private mutating func search() -> Effect? {
        failure = nil
        if asks, !SearchText.folded(query).isEmpty {
            number += 1
            (isAsking, isSlow) = (true, isSlow && isAsking)
            return .search(number: number, query: query)
        }
        // A running search is for an earlier query.
        (isAsking, isSlow) = (false, false)
        show(matcher?.hits(for: query).map { all[$0] } ?? all)
        return nil
    }

    private mutating func show(_ found: [PickerItem]) {
        items = found
        (selected, top) = (0, 0)
    }

    // MARK: Without a cursor

    /// Maximum number of items listed at once; more would scroll away.
    private static let listed = 20
    private var shown: ArraySlice<PickerItem> { items.prefix(Self.listed) }

    package func listing(width: Int) -> [StyledLine] {
        var lines = ["  \(heading)"]
        for (index, item) in shown.enumerated() {
            let number = DisplayWidth.padLeft("\(index + 1)", to: "\(shown.count)".count)
            lines.append(
                "  \(number)  \(item.title)" + (item.detail.isEmpty ? "" : "  \(item.detail)"))
        }
        if items.isEmpty { lines.append("  \(failure ?? "Nothing found.")") }
        if items.count > shown.count { lines.append("  … \(items.count - shown.count) more") }
        return lines.map { StyledLine(HostileText.line($0)) }
    }

    package var question: String {
        shown.isEmpty
            ? "  Words to search, or Enter to leave: "
            : "  \(shown.count == 1 ? "1" : "1–\(shown.count)"), words to search, or Enter to leave: "
    }

    /// A number picks, other words search, an empty line leaves.
    package mutating func take(line: String) -> Effect? {
        let answer = line.trimmingSpace()
        if answer.isEmpty { return .done }
        if let number = Int(answer), number > 0 {
            return number <= shown.count ? pick(number - 1) : nil
        }
        query = answer
        return search()
    }
}
