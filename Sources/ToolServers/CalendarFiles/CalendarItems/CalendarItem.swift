import Base
import DateLanguage
import FoundationEssentials
import ICalendar

/// The common face of a VTODO and a VEVENT (RFC 5545 §3.6.1, §3.6.2). The
/// shared fields can be used as if they were the item's own: `reminder.title`.
///
/// A snapshot for display and selection. Changes go to the file, through
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

    /// The title, or a placeholder: other programs allow it to be missing.
    package var name: String { fields.title.isEmpty ? "(no title)" : fields.title }

    package var itemProblems: [CalendarStore.Problem] {
        fields.problems.map {
            CalendarStore.Problem(path: fields.path, title: name, reason: $0)
        }
    }
}

/// The fields that both kinds share, read in one place.
package struct ItemFields: Sendable, Equatable {
    package var uid: String
    package var title: String
    package var notes: String?
    package var location: String?
    package var categories: [String] = []
    /// The RRULE as written (for a task without one, the RDATE).
    package var recurrence: String?
    package var isRecurring = false
    package var alarms: [ItemAlarm] = []
    /// CREATED, if the file has it.
    package var created: Date?
    /// Whether the user wants no alarm, not even the default one.
    package var isSilent = false
    /// The display name of the list or calendar.
    package var list = ""
    /// The name of its folder, which refers to it.
    package var folder = ""
    package var path = ""
    /// An unknown TZID; its times are read as the reader's own.
    package var unknownZone: String?
    /// Problems with its times, as text.
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
        created = component.first("CREATED").flatMap(CalendarMoment.init)
            .map { zones.time($0).time.instant(in: zones.local) }
        isSilent = component.isSilent
        problems =
            CalendarStore.Problem.ofLines(component)
            + CalendarStore.Problem.ofAlarms(component, zones)
    }

    package mutating func place(in file: CalendarStore.File) {
        (list, folder, path) = (file.collection.displayName, file.collection.name, file.path)
    }

    /// Reads the time of a property, recording an unknown zone.
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

    /// Reads the duration, recording a problem if it differs from the written one.
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
    /// The resolver for the zones of a calendar.
    package func resolver(_ calendar: Component? = nil) -> ZoneResolver {
        ZoneResolver(calendar: calendar, local: local, zones: zones)
    }
}
