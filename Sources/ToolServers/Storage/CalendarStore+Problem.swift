import Glibc

extension CalendarStore {
    /// A file that cannot be read, and why, in words for the person: what
    /// follows "cannot read X: ".
    ///
    /// Such a file is left alone; showing it is the caller's business.
    package struct Problem: Sendable, Equatable {
        package var path: String
        package var reason: String

        package init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
    }
}

extension CalendarStore.Problem {
    static let noCalendar = "it is no calendar (no line says BEGIN:VCALENDAR)"
    static let empty = "it is empty"

    static func reason(_ error: VDirectoryError) -> String {
        switch error.reason {
        case .invalidName: "an item cannot have this name"
        case .notFound: "it is gone"
        case .exists: "it exists already"
        case .conflict, .busy: "another program is changing it"
        case .symbolicLink: "it is a link that leads in a circle"
        case .notRegular: "it is a folder or a device, not a file"
        case .tooLarge: tooLarge
        case .system: String(cString: strerror(error.code))
        }
    }

    static func reason(_ error: ICalendarError) -> String {
        switch error.reason {
        case .tooLarge: tooLarge
        case .tooManyLines: "it has more than \(CalendarParser.lineLimit) lines"
        case .tooManyComponents:
            "it holds more than \(CalendarParser.componentLimit) components; "
                + "a calendar folder has a file for each item"
        case .tooDeep:
            "line \(error.line): components are nested more than \(CalendarParser.depthLimit) deep"
        case .unterminated: "it is cut off"
        }
    }

    static func reason(_ error: RecurrenceError) -> String {
        switch error.reason {
        case .invalidRule:
            error.part.isEmpty
                ? "its RRULE cannot be understood"
                : "its RRULE cannot be understood (\(error.part.prefix(60)))"
        case .tooExpensive: "its RRULE would take too long to work out"
        }
    }

    private static var tooLarge: String {
        "it is larger than \(CalendarParser.byteLimit >> 20) MB"
    }
}
