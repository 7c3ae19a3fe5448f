import Base
import DateLanguage
import FoundationEssentials
import ICalendar

/// What a VTODO and a VEVENT have in common (RFC 5545 §3.6.1, §3.6.2), whose
/// fields can be used as if they were the item's own: `reminder.title`.
///
/// A snapshot for showing and choosing. Changes go to the file, through
/// `ReminderActions` and `EventBook`.
@dynamicMemberLookup
package protocol CalendarItem: ItemInFile, Sendable, Equatable {
    var fields: ItemFields { get set }
}

extension CalendarItem {
    package subscript<Value>(dynamicMember path: WritableKeyPath<ItemFields, Value>) -> Value {
        get { fields[keyPath: path] }
        set { fields[keyPath: path] = newValue }
    }

    package var uid: String {
        get { fields.uid }
        set { fields.uid = newValue }
    }

    package var path: String {
        get { fields.path }
        set { fields.path = newValue }
    }

    /// The title, or words for none: other programs allow it to be missing.
    package var name: String { fields.title.isEmpty ? "(no title)" : fields.title }

    package var itemProblems: [CalendarStore.Problem] {
        fields.problems.map {
            CalendarStore.Problem(path: fields.path, title: name, reason: $0)
        }
    }
}

/// The fields that both kinds have, read in one place.
package struct ItemFields: Sendable, Equatable {
    package var uid: String
    package var title: String
    package var notes: String?
    package var location: String?
    package var categories: [String] = []
    /// The RRULE (of a task without one the RDATE) as it is written.
    package var recurrence: String?
    package var isRecurring = false
    package var alarms: [ItemAlarm] = []
    /// The user wants no alarm, not even the one it would have without asking.
    package var isSilent = false
    /// The list or calendar as it is shown.
    package var list = ""
    /// Its folder, by which it is referred to.
    package var folder = ""
    package var path = ""
    /// A TZID that is not known; its times are read as the reader's own.
    package var unknownZone: String?
    /// What of its times cannot be followed, in words.
    package var problems: [String] = []

    package init(uid: String, title: String) {
        self.uid = uid
        self.title = title
    }

    package init(_ component: Component, _ zones: ZoneResolver) {
        self.init(uid: component.itemID, title: component.title)
        notes = component.text("DESCRIPTION", upTo: Component.notesLimit)
        location = component.text("LOCATION").map(\.oneLine)
        categories = component.categories
        let dates = component.first("RDATE")
        recurrence =
            (component.first("RRULE") ?? (component.name == "VTODO" ? dates : nil))?.value
        isRecurring = recurrence != nil || dates != nil
        alarms = component.components("VALARM").compactMap {
            ItemAlarm($0, of: component, zones)
        }
        isSilent = component.isSilent
        problems =
            CalendarStore.Problem.ofLines(component)
            + CalendarStore.Problem.ofAlarms(component, zones)
    }

    package mutating func place(in file: CalendarStore.File) {
        (list, folder, path) = (file.collection.displayName, file.collection.name, file.path)
    }

    /// The time of a property, noting a zone that is not known.
    @discardableResult
    package mutating func time(
        _ name: StaticString, of component: Component, _ zones: ZoneResolver
    ) -> ItemTime? {
        guard let moment = component.first(name).flatMap(CalendarMoment.init) else { return nil }
        let (time, isGuess) = zones.time(moment)
        if isGuess, let zone = moment.zone {
            if unknownZone != zone { problems.append(CalendarStore.Problem.unknownZone(zone)) }
            unknownZone = zone
        }
        return time
    }

    /// How long it lasts, noting where it cannot be as long as it says.
    package mutating func length(
        of component: Component, from start: ItemTime, _ zones: ZoneResolver
    ) -> OccurrenceLength {
        let length = OccurrenceLength(component, start: start, resolver: zones)
        if let fault = length.fault {
            problems.append(CalendarStore.Problem.reason(fault, of: component))
        }
        return length
    }
}

extension DateContext {
    /// What the zones of a calendar mean here.
    package func resolver(_ calendar: Component? = nil) -> ZoneResolver {
        ZoneResolver(calendar: calendar, local: local, zones: zones)
    }
}
