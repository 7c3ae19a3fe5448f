import Base

/// The state machine of a picker: keys and search results in, actions out. Pure; no clock,
/// no terminal.
///
/// ```
/// choosing            keys move and type; Enter takes the marked item
/// asking (query n)    a search runs; results of earlier queries are dropped;
///                     Enter takes the first result as soon as it is there
/// asking, slow        as asking, and the view says so
/// ```
struct PickerState: Sendable {
    enum Action: Equatable, Sendable {
        case none
        case draw
        /// Start a search; the result goes to `take(found:for:)`.
        case search(number: Int, query: String)
        case done(id: String?)
    }

    let heading: String
    private(set) var query: String
    /// The current items.
    private(set) var items: [PickerItem]
    private(set) var selected = 0
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
    private var top = 0

    init(_ request: PickerRequest) {
        heading = request.heading
        query = request.initialQuery
        all = request.items
        items = request.items
        asks = request.search != nil
        if !asks { matcher = PickerMatcher(request.items) }
    }

    var count: Int { all.count }
    /// Whether there are results for the current query.
    var isSettled: Bool { !isAsking }

    /// Call it once, before the first key.
    mutating func begin() -> Action { query.isEmpty ? .draw : search() }

    // MARK: Events

    mutating func take(_ key: Key) -> Action {
        if key != .character("\n") { takesFirst = false }
        switch key {
        case .character("\n"): return enter()
        case .escape, .character("\u{03}"), .character("\u{04}"), .character("\u{07}"):
            return .done(id: nil)
        case .up, .character("\u{10}"): return move(to: selected - 1)
        case .down, .character("\u{0E}"), .character("\u{09}"), .character("\u{12}"):
            return move(to: selected + 1)
        case .home: return move(to: 0)
        case .end: return move(to: items.count - 1)
        case .character("\u{08}"), .character("\u{7F}"): return edit { _ = $0.popLast() }
        case .character("\u{15}"): return edit { $0 = "" }
        case .character("\u{17}"):
            return edit { query in
                while query.last?.isWhitespace == true { query.removeLast() }
                while let last = query.last, !last.isWhitespace { query.removeLast() }
            }
        case .character(let scalar) where scalar.value >= 0x20:
            return edit { $0.unicodeScalars.append(scalar) }
        case .paste(let text):
            return edit { $0 += text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        default: return .none
        }
    }

    /// Takes a search result; one for an earlier query changes nothing.
    mutating func take(found: [PickerItem], for number: Int) -> Action {
        guard isAsking, number == self.number else { return .none }
        (isAsking, isSlow, failure) = (false, false, nil)
        show(found)
        guard takesFirst, let first = items.first else {
            takesFirst = false
            return .draw
        }
        return .done(id: first.id)
    }

    mutating func take(failure: String, for number: Int) -> Action {
        guard isAsking, number == self.number else { return .none }
        (isAsking, isSlow, takesFirst) = (false, false, false)
        self.failure = failure
        show([])
        return .draw
    }

    /// Records that the search takes long enough to be reported.
    mutating func noteSlow(_ number: Int) -> Action {
        guard isAsking, number == self.number, !isSlow else { return .none }
        isSlow = true
        return .draw
    }

    // MARK: Changes

    private mutating func enter() -> Action {
        if isAsking {
            takesFirst = true
            return .none
        }
        return items.indices.contains(selected) ? .done(id: items[selected].id) : .none
    }

    private mutating func move(to index: Int) -> Action {
        let next = max(0, min(index, items.count - 1))
        guard next != selected else { return .none }
        selected = next
        return .draw
    }

    private mutating func edit(_ change: (inout String) -> Void) -> Action {
        let before = query
        change(&query)
        return query == before ? .none : search()
    }

    private mutating func search() -> Action {
        failure = nil
        if asks, !SearchText.folded(query).isEmpty {
            number += 1
            (isAsking, isSlow) = (true, isSlow && isAsking)
            return .search(number: number, query: query)
        }
        // A running search is for an earlier query.
        (isAsking, isSlow) = (false, false)
        show(matcher?.hits(for: query).map { all[$0] } ?? all)
        return .draw
    }

    private mutating func show(_ found: [PickerItem]) {
        items = found
        (selected, top) = (0, 0)
    }

    /// The items visible in `count` rows, including the marked one.
    mutating func window(of count: Int) -> Range<Int> {
        top = min(top, selected)
        top = max(top, selected - count + 1)
        top = max(0, min(top, items.count - count))
        return top..<min(items.count, top + count)
    }
}
