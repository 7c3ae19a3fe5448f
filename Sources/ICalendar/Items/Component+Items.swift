import AgentCore
import FoundationEssentials

/// The items of a file, distinguished by their UID: a file may hold several, and
/// an item several components (a series and its exceptions, or older revisions
/// of it).
extension Component {
    /// What names the item that this is (a part of): its UID. One without,
    /// which the standard forbids and others write, is an item by itself; its
    /// name is made of its bytes and becomes its UID when it is changed.
    package var itemID: String {
        let uid = first("UID").map { TextValue.unescape($0.value) } ?? ""
        if !uid.isEmpty { return uid }
        // FNV-1a.
        let hash = CalendarWriter.bytes(self).reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        let digits = String(hash, radix: 16)
        return "no-uid-" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Writes down the name of an item that had no UID.
    package mutating func keepID() {
        let id = itemID
        if first("UID")?.value.isEmpty ?? true { set("UID", value: TextValue.escape(id)) }
    }

    /// Without the components of that item, or those with that RECURRENCE-ID;
    /// everything else stays as it is. nil where there is no such item.
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

    /// Whether the file has anything but time zones.
    package var holdsItems: Bool {
        components("VCALENDAR").contains { $0.components().contains(where: \.isItem) }
    }

    /// Whether this is (a part of) an item, and not a time zone.
    package var isItem: Bool { name != "VTIMEZONE" }

    /// Whether a VTODO is done or cancelled: programs leave out STATUS or
    /// COMPLETED.
    package var isDone: Bool {
        switch first("STATUS")?.value.uppercased() {
        case "COMPLETED", "CANCELLED": true
        case "NEEDS-ACTION", "IN-PROCESS": false
        default: first("COMPLETED").flatMap(CalendarMoment.init) != nil
        }
    }
}

/// Which of several components that say the same thing holds (RFC 5546
/// §2.1.5): that with the highest SEQUENCE, then the latest DTSTAMP, then the
/// last in the file.
package struct ItemRevision: Comparable {
    package let sequence: Int
    private let stamp: Double
    private let place: Int

    package init(_ component: Component, at place: Int) {
        sequence = component.first("SEQUENCE").flatMap { Int($0.value) } ?? 0
        stamp =
            switch component.first("DTSTAMP").flatMap(CalendarMoment.init) {
            case .utc(let instant)?: instant.timeIntervalSince1970
            case .floating(let clock)?, .zoned(let clock, _)?: Double(clock.secondsAsUTC)
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
    /// Of the components of one item, the places of those that describe it as a
    /// whole and hold: one; of tasks one that is open and one that is done,
    /// since some programs keep the record of a repetition under its UID. An
    /// open one that is only older than the one that is done holds no more.
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
