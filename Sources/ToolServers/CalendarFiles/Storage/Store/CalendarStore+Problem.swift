import Base
import Glibc
import ICalendar

/// Unreadable files, and the sentences with the reason.
extension CalendarStore {
    /// An unreadable file, or an item whose times cannot be followed, with the
    /// reason.
    ///
    /// Such a file is left unchanged; the caller decides whether to show it.
    package struct Problem: Sendable, Equatable {
        package var path: String
        /// The item's title; nil for an unreadable file.
        package var title: String?
        package var reason: String

        package init(path: String, title: String? = nil, reason: String) {
            self.path = path
            self.title = title
            self.reason = reason
        }

        package var sentence: String {
            guard let title else { return "cannot read \(path): \(reason)" }
            return title.isEmpty ? "\(path): \(reason)" : "\(path): \"\(title)\": \(reason)"
        }
    }
}

extension CalendarStore.Problem {
    /// The reason for a file that contains no calendar.
    static func noCalendar(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "it is empty" }
        return bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
            ? "it is in UTF-16; save it in UTF-8"
            : "it is not a calendar (there is no BEGIN:VCALENDAR line)"
    }

    static func reason(_ error: FileCallError) -> String {
        switch error.reason {
        case .invalidName: "an item cannot have this name"
        case .notFound: "it is gone"
        case .exists: "it already exists"
        case .conflict, .busy: "another program is changing it"
        case .symbolicLink: "it is a link that leads in a circle"
        case .notRegular: "it is a folder or a device, not a file"
        case .tooLarge: tooLarge
        case .system: Diagnostic.system(error.code)
        }
    }

    static func reason(_ error: ICalendarError) -> String {
        switch error.reason {
        case .tooLarge: tooLarge
        case .tooManyLines: "it has more than \(CalendarParser.lineLimit) lines"
        case .tooManyComponents:
            "it has more than \(CalendarParser.componentLimit) components; "
                + "a calendar folder has a file for each item"
        case .tooDeep:
            "line \(error.line): components are nested more than \(CalendarParser.depthLimit) deep"
        case .unterminated: "it is cut off, or an END line is misspelt; it is not changed"
        }
    }

    /// The problem of a file that is cut off; nil for a complete one.
    package static func ofEnding(_ file: CalendarStore.File) -> Self? {
        guard !file.content.isTerminated else { return nil }
        guard let line = file.content.misspeltEnd else {
            return Self(path: file.path, title: "", reason: reason(ICalendarError(.unterminated)))
        }
        let name = (String(line.value.prefix(valueLimit))).oneLine
        return Self(
            path: file.path, title: "",
            reason: "the line END:\(name) ends nothing that is open; the file is not changed")
    }

    /// The reason for a property whose value is not a time.
    package static func unreadable(_ line: ContentLine) -> String {
        let value = (String(line.value.prefix(valueLimit))).oneLine
        return "its \(line.name) cannot be understood (\(value))"
    }

    package static func unknownZone(_ zone: String) -> String {
        "unknown time zone \"\((String(zone.prefix(valueLimit))).oneLine)\"; its times are treated as local"
    }

    package static let noStart = "it has no DTSTART, so it has no date"

    /// Maximum number of characters shown of a value.
    static let valueLimit = 60

    package static func reason(_ error: RecurrenceError) -> String {
        switch error.reason {
        case .invalidRule:
            error.part.isEmpty
                ? "its RRULE cannot be understood"
                : "its RRULE cannot be understood (\((String(error.part.prefix(valueLimit))).oneLine))"
        case .tooExpensive: "its RRULE would take too long to work out"
        case .tooManyRules: "it has more than \(RecurrenceSet.ruleLimit) rules"
        case .tooLong:
            "one of its rules is longer than \(Quantities.bytes(RecurrenceSet.ruleBytes))"
        case .tooManyTimes:
            "its \(error.part) names more than \(Quantities.grouped(CalendarMoment.listLimit)) times"
        }
    }

    private static var tooLarge: String {
        "it is larger than \(CalendarParser.byteLimit >> 20) MB"
    }
}
