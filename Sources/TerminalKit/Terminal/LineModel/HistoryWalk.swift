/// Steps back and forth in the input history while a line is being edited. Pure.
///
/// The text typed before the first step back, and every change of a recalled entry, stay at their
/// positions until the line is entered.
struct HistoryWalk {
    /// An entry as units of the line, or as a text that was never in the line.
    struct Entry {
        var text: String
        var units: [UInt32]?
    }

    private var entries: [Entry] = []
    /// `entries.count` is the line being typed.
    private var position = 0
    private var changed: [Int: [UInt32]] = [:]
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Adds an entry and removes an earlier equal one.
    mutating func add(_ text: String, units: [UInt32]? = nil) {
        entries.removeAll { $0.text == text }
        entries.append(Entry(text: text, units: units))
        if entries.count > limit { entries.removeFirst(entries.count - limit) }
        restart()
    }

    /// Replaces all entries, oldest first; known units are kept.
    mutating func replace(with texts: [String]) {
        let known = Dictionary(entries.map { ($0.text, $0.units) }) { $1 }
        entries = texts.suffix(limit).map { Entry(text: $0, units: known[$0] ?? nil) }
        restart()
    }

    /// Starts a new line.
    mutating func restart() {
        position = entries.count
        changed = [:]
    }

    /// The previous entry, given the line's contents; nil at the oldest.
    mutating func older(than units: [UInt32], _ table: inout LineUnits) -> [UInt32]? {
        guard position > 0 else { return nil }
        return step(to: position - 1, from: units, &table)
    }

    /// The next entry, and finally the line being typed; nil after that.
    mutating func newer(than units: [UInt32], _ table: inout LineUnits) -> [UInt32]? {
        guard position < entries.count else { return nil }
        return step(to: position + 1, from: units, &table)
    }

    private mutating func step(
        to next: Int, from units: [UInt32], _ table: inout LineUnits
    ) -> [UInt32] {
        changed[position] = units
        position = next
        if let kept = changed[next] { return kept }
        // `next` is below `entries.count`: the typed line was stored on leaving it.
        let entry = entries[next]
        return entry.units ?? table.known(entry.text, word: "recalled")
    }
}
