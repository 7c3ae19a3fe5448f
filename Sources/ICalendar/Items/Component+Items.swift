import Base
import FoundationEssentials

/// The items of a file, distinguished by their UID: a file may contain several, and an item several
/// components (a series and its exceptions, or older revisions of it).
extension Component {
    /// The id of the item that this is (a part of): its UID. A component
    /// without one, which the standard forbids but other programs write, is an
    /// item by itself; its id is computed from its bytes and becomes its UID
    /// when it is changed.
    package var itemID: String {
        let uid = first("UID").map { TextValue.unescape($0.value) } ?? ""
        if !uid.isEmpty { return uid }
        // FNV-1a.
        let hash = CalendarWriter.bytes(self).reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return "no-uid-" + hash.padded(to: 16, radix: 16)
    }

    /// Stores the id of an item that had no UID.
    package mutating func keepID() {
        let id = itemID
        if first("UID")?.value.isEmpty ?? true { set("UID", value: TextValue.escape(id)) }
    }

    /// A copy without the components of that item, or those with that RECURRENCE-ID; everything
    /// else is unchanged. nil if there is no such item.
    package func removing(uid: String, recurrenceID: String? = nil) -> Component? {
        var rest = self
        var isFound = false
        rest.items = items.map { item in
            guard case .component(var calendar) = item, calendar.name == "VCALENDAR" else {
                return item
            }
            calendar.items.removeAll { item in
                guard case .component(let component) = item, component.isItem,
                    component.itemID == uid,
                    recurrenceID == nil
                        || component.first("RECURRENCE-ID")?.value == recurrenceID
                else { return false }
                isFound = true
                return true
            }
            return .component(calendar)
        }
        return isFound ? rest : nil
    }

    /// The ids of the items in a file: a vdir file holds one, but other
    /// programs put more into it.
    package var itemIDs: Set<String> {
        Set(
            components("VCALENDAR").flatMap { $0.components() }.filter(\.isItem).map(\.itemID))
    }

    /// The UIDs of the events of a file, including repeated ones.
    package var eventIDs: [String] {
        components("VCALENDAR").flatMap { $0.components("VEVENT").map(\.itemID) }
    }

    /// Whether this is (a part of) an item, and not a time zone.
    package var isItem: Bool { name != "VTIMEZONE" }

    /// The component at that index of the items; nil for a line.
    package subscript(component place: Int) -> Component? {
        get { if case .component(let inner) = items[place] { inner } else { nil } }
        set { if let newValue { items[place] = .component(newValue) } }
    }

    /// Adds a line before the components inside.
    package mutating func add(_ line: ContentLine) {
        let place = items.firstIndex { if case .component = $0 { true } else { false } }
        items.insert(.line(line), at: place ?? items.endIndex)
    }

    /// Changes each of the components inside with that name.
    package mutating func editComponents(_ name: String, _ edit: (inout Component) -> Void) {
        for (index, item) in items.enumerated() {
            guard case .component(var inner) = item, inner.name == name else { continue }
            edit(&inner)
            items[index] = .component(inner)
        }
    }

    package mutating func removeAlarms(where isUnwanted: (Component) -> Bool) {
        items.removeAll { item in
            guard case .component(let inner) = item, inner.name == "VALARM" else { return false }
            return isUnwanted(inner)
        }
    }

    // MARK: - What an item says

    /// Limits for untrusted text and names that are shown, in bytes. The file
    /// keeps everything.
    package static let lineLimit = 10_000
    package static let notesLimit = 1 << 20
    private static let categoryLimit = 200

    /// nil if the text is empty or missing.
    package func text(_ name: StaticString, upTo limit: Int = lineLimit) -> String? {
        first(name).map { TextValue.unescape($0.value(upTo: limit)) }
            .flatMap { $0.isEmpty ? nil : $0 }
    }

    package var title: String { (text("SUMMARY") ?? "").oneLine }

    package var categories: [String] {
        let names = all("CATEGORIES").prefix(Self.categoryLimit).flatMap {
            TextValue.list($0.value(upTo: Self.lineLimit))
        }
        return names.prefix(Self.categoryLimit).map(\.oneLine)
    }

    /// Whether a task is done or cancelled.
    package var isDone: Bool {
        switch first("STATUS")?.value.uppercased() {
        case "COMPLETED", "CANCELLED": true
        case "NEEDS-ACTION", "IN-PROCESS": false
        default: first("COMPLETED").flatMap(CalendarMoment.init) != nil
        }
    }
}

/// Ranks components that describe the same thing (RFC 5546 §2.1.5): the highest
/// SEQUENCE is current, then the latest DTSTAMP, then the last in the file.
package struct ItemRevision: Comparable {
    package let sequence: Int
    private let stamp: Double
    private let place: Int

    package init(_ component: Component, at place: Int) {
        sequence = component.first("SEQUENCE").flatMap { Int($0.value) } ?? 0
        stamp =
            switch component.first("DTSTAMP").flatMap(CalendarMoment.init) {
            case .utc(let instant)?: instant.timeIntervalSince1970
            case .floating(let clock)?, .zoned(let clock, _, _)?: Double(clock.secondsAsUTC)
            case .date(let date)?: Double(date.dayNumber * 86_400)
            case nil: -.infinity
            }
        self.place = place
    }

    package static func < (left: ItemRevision, right: ItemRevision) -> Bool {
        (left.sequence, left.stamp, left.place) < (right.sequence, right.stamp, right.place)
    }
}

extension [Component] {
    /// Among the components of one item, the indexes of the current ones that
    /// describe it as a whole: one; for tasks, one open and one done, since
    /// some programs keep the record of a recurrence under its UID. An open one
    /// that is merely older than the done one is outdated.
    package var mainPlaces: [Int] {
        if count == 1 { return self[0].first("RECURRENCE-ID") == nil ? [0] : [] }
        var newest: [Bool: (place: Int, revision: ItemRevision)] = [:]
        for (place, component) in enumerated()
        where component.first("RECURRENCE-ID") == nil {
            let isDone = component.name == "VTODO" && component.isDone
            let revision = ItemRevision(component, at: place)
            if newest[isDone].map({ $0.revision < revision }) ?? true {
                newest[isDone] = (place, revision)
            }
        }
        if let done = newest[true], let open = newest[false],
            open.revision.sequence < done.revision.sequence,
            self[open.place].first("RRULE") == nil, self[open.place].first("RDATE") == nil
        {
            newest[false] = nil
        }
        return newest.values.map(\.place).sorted()
    }
}
