/// Going back and forth in the input history while a line is typed. Pure.
///
/// What was typed before the first step back, and every change of a recalled
/// entry, stays where it was made until the line is entered.
struct HistoryWalk {
    /// An entry as it stands in the line, or as text that never stood there.
    struct Entry {
        var text: String
        var units: [UInt32]?
    }

    private var entries: [Entry] = []
    /// `entries.count` is the line that is typed.
    private var position = 0
    private var changed: [Int: [UInt32]] = [:]
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// The same text further back is left out.
    mutating func add(_ text: String, units: [UInt32]? = nil) {
        entries.removeAll { $0.text == text }
        entries.append(Entry(text: text, units: units))
        if entries.count > limit { entries.removeFirst(entries.count - limit) }
        restart()
    }

    /// Those and no others, oldest first; what stood in the line stays known.
    mutating func replace(with texts: [String]) {
        let known = Dictionary(entries.map { ($0.text, $0.units) }) { $1 }
        entries = texts.suffix(limit).map { Entry(text: $0, units: known[$0] ?? nil) }
        restart()
    }

    /// A new line begins.
    mutating func restart() {
        position = entries.count
        changed = [:]
    }

    /// The entry before, given what stands in the line now; nil at the oldest.
    mutating func older(than units: [UInt32], _ table: inout LineUnits) -> [UInt32]? {
        guard position > 0 else { return nil }
        return step(to: position - 1, from: units, &table)
    }

    /// The entry after, at last the line that was typed; nil on that.
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
        // `next` is below `entries.count`: the typed line was kept on leaving.
        let entry = entries[next]
        return entry.units ?? table.known(entry.text, word: "recalled")
    }
}
