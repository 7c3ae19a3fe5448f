import Base
import Synchronization

/// The state machine of a list: keys and the results of actions in, actions out. Pure; no
/// clock, no terminal, no store.
///
/// ```
/// list        keys move, letters act, Enter opens, / filters, q Esc Ctrl-C leave
/// filter      typing filters; Enter keeps the filter, Esc takes it away
/// document    keys scroll, letters act on what is shown, q Esc go back
/// ```
struct ItemListState: PanelScreen {
    enum Effect: Equatable, Sendable {
        case leave
        /// Show the item; the result goes to `show(_:of:)`.
        case open(String)
        /// Run the action; the result goes to `take(_:)`.
        case run(Character, id: String?)
    }

    enum Mode: Equatable, Sendable { case list, filter, document }

    let heading: String
    let emptyText: String
    /// The actions with their letters.
    let actions: [ItemList.Action]
    let opensRows: Bool
    private(set) var mode = Mode.list
    private var isRunning = false
    var message: StyledLine?
    /// Whether the running action takes long enough to be reported.
    private(set) var isSlow = false
    private(set) var query = ""
    /// The rows that match the filter.
    private(set) var rows: [ItemList.Row]
    private(set) var selected = 0
    private(set) var document: OpenDocument?
    private(set) var all: [ItemList.Row]
    /// Widths of the cells before the titles, over all rows, so that nothing moves while the list
    /// scrolls.
    private(set) var leadWidths: [Int]
    private var matcher: PickerMatcher
    /// The first visible row.
    private var top = 0
    /// The first visible line of the document.
    private var line = 0
    /// Without a cursor: the first row of the latest listing, and whether its rows were printed.
    var first = 0
    var isListed = false

    init(_ list: ItemList) {
        heading = list.heading
        emptyText = list.emptyText
        actions = list.actions
        opensRows = list.document != nil
        all = list.rows
        rows = list.rows
        leadWidths = Self.widths(list.rows)
        matcher = Self.matcher(list.rows)
    }

    private static func widths(_ rows: [ItemList.Row]) -> [Int] {
        rows.reduce(into: []) { widths, row in
            for (cell, span) in row.lead.enumerated() {
                if cell == widths.count { widths.append(0) }
                widths[cell] = max(widths[cell], DisplayWidth.of(HostileText.line(span.text)))
            }
        }
    }

    private static func matcher(_ rows: [ItemList.Row]) -> PickerMatcher {
        PickerMatcher(
            rows.map { row in
                let lead = row.lead.map(\.text).joined(separator: " ")
                return PickerItem(
                    id: row.id, title: row.title, searchText: "\(lead) \(row.searchText)")
            })
    }

    var selectedID: String? { rows.indices.contains(selected) ? rows[selected].id : nil }

    // MARK: Keys

    mutating func take(_ key: PanelKey, on size: ScreenSize) -> Effect? {
        if key == .interrupt { return .leave }
        switch mode {
        case .document: return takeInDocument(key, size)
        case .list, .filter:
            let effect = mode == .list ? takeInList(key, size) : takeInFilter(key)
            // The list scrolls only if the selection would be outside it.
            if mode != .document {
                _ = window(of: ItemListView.listRoom(self, size), outOf: rows.count)
            }
            return effect
        }
    }

    func lines(on size: ScreenSize) -> [StyledLine] { ItemListView(self, size).lines }

    private mutating func takeInList(_ key: PanelKey, _ size: ScreenSize) -> Effect? {
        let page = ItemListView.listRoom(self, size)
        switch key {
        case .down, .character("j"): move(to: selected + 1)
        case .up, .character("k"): move(to: selected - 1)
        case .pageDown, .character(" "): move(to: selected + page)
        case .pageUp, .character("b"): move(to: selected - page)
        case .home, .character("g"): move(to: 0)
        case .end, .character("G"): move(to: rows.count - 1)
        case .enter, .right:
            guard opensRows, let id = selectedID else { return nil }
            isRunning = true
            return .open(id)
        case .character("/"):
            (mode, message) = (.filter, nil)
        case .character("q"): return .leave
        case .escape:
            if query.isEmpty { return .leave }
            filter { $0 = "" }
        case .character(let letter): return act(letter, on: selectedID)
        default: break
        }
        return nil
    }

    private mutating func takeInFilter(_ key: PanelKey) -> Effect? {
        switch key {
        case .enter: mode = .list
        case .escape:
            mode = .list
            filter { $0 = "" }
        case .backspace:
            if query.isEmpty { mode = .list } else { filter { _ = $0.popLast() } }
        case .clear: filter { $0 = "" }
        case .down: move(to: selected + 1)
        case .up: move(to: selected - 1)
        case .character(let character): filter { $0.append(character) }
        default: break
        }
        return nil
    }

    private mutating func takeInDocument(_ key: PanelKey, _ size: ScreenSize) -> Effect? {
        let page = ItemListView.documentRoom(size)
        switch key {
        case .down, .enter, .character("j"): scroll(to: line + 1, size)
        case .up, .character("k"): scroll(to: line - 1, size)
        case .pageDown, .character(" "): scroll(to: line + page, size)
        case .pageUp, .character("b"): scroll(to: line - page, size)
        case .home, .character("g"): scroll(to: 0, size)
        case .end, .character("G"): scroll(to: .max, size)
        case .escape, .left, .character("q"):
            close()
        case .character(let letter): return act(letter, on: document?.id)
        default: break
        }
        return nil
    }

    private mutating func act(_ letter: Character, on id: String?) -> Effect? {
        guard let action = actions.first(where: { $0.key == letter }) else { return nil }
        if action.needsRow, id == nil { return nil }
        isRunning = true
        return .run(letter, id: id)
    }

    private mutating func move(to index: Int) {
        selected = max(0, min(index, rows.count - 1))
    }

    private mutating func scroll(to wanted: Int, _ size: ScreenSize) {
        let count = document?.rows(ItemListView.width(size)).count ?? 0
        line = max(0, min(wanted, count - ItemListView.documentRoom(size)))
    }

    mutating func filter(_ change: (inout String) -> Void) {
        let id = selectedID
        change(&query)
        showFiltered(selecting: id)
    }

    // MARK: Results

    /// Shows the document requested with `open`.
    mutating func show(_ document: ItemList.Document, of id: String) {
        (isRunning, isSlow) = (false, false)
        self.document = OpenDocument(id: id, document)
        (mode, line, message) = (.document, 0, nil)
    }

    /// Applies the result of an action requested with `run`. A document whose row still
    /// exists is shown again.
    mutating func take(_ update: ItemList.Update) -> Effect? {
        (isRunning, isSlow) = (false, false)
        message = update.message
        let (before, place) = (selectedID, selected)
        if let rows = update.rows {
            all = rows
            leadWidths = Self.widths(rows)
            matcher = Self.matcher(rows)
            // The numbers may refer to other rows now.
            isListed = false
        }
        showFiltered(selecting: update.selected ?? before, else: place)
        guard mode == .document, let id = document?.id else { return nil }
        if update.rows != nil, opensRows, all.contains(where: { $0.id == id }) {
            isRunning = true
            return .open(id)
        }
        if !all.contains(where: { $0.id == id }) { close() }
        return nil
    }

    mutating func noteSlow() { isSlow = isRunning }

    mutating func fail(_ message: StyledLine) {
        (isRunning, isSlow, self.message) = (false, false, message)
    }

    mutating func close() {
        (mode, document) = (.list, nil)
    }

    private mutating func showFiltered(selecting id: String?, else place: Int = 0) {
        rows =
            SearchText.folded(query).isEmpty
            ? all : matcher.hits(for: query).sorted().map { all[$0] }
        selected =
            id.flatMap { id in rows.firstIndex { $0.id == id } }
            ?? max(0, min(place, rows.count - 1))
    }

    // MARK: Visible rows

    /// The visible rows if `room` fit.
    mutating func window(of room: Int, outOf count: Int) -> Range<Int> {
        top = max(min(top, selected), selected - room + 1)
        top = max(0, min(top, count - room))
        return top..<min(count, top + room)
    }

    /// The visible lines of the document.
    func lines(of room: Int, outOf count: Int) -> Range<Int> {
        let first = max(0, min(line, count - room))
        return first..<min(count, first + room)
    }
}

/// A document on the screen: its rows for one width are computed once.
final class OpenDocument: Sendable {
    let id: String
    let document: ItemList.Document
    private let made = Mutex<(width: Int, rows: [StyledLine])>((0, []))

    init(id: String, _ document: ItemList.Document) {
        self.id = id
        self.document = document
    }

    func rows(_ width: Int) -> [StyledLine] {
        made.withLock { made in
            if made.width != width {
                made = (width, WordWrap.rows(document.text, width: max(1, width - 4)))
            }
            return made.rows
        }
    }
}
