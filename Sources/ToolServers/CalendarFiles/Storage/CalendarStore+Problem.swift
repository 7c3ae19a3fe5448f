import Base
import Glibc
import ICalendar

/// Files that cannot be read, and the sentences that say why.
extension CalendarStore {
    /// A file that cannot be read, or an item in one whose times cannot be
    /// followed, and why.
    ///
    /// Such a file is left alone; showing it is the caller's business.
    package struct Problem: Sendable, Equatable {
        package var path: String
        /// Of the item it is about; nil for a file that cannot be read.
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
    static let noCalendar = "it is not a calendar (there is no BEGIN:VCALENDAR line)"
    static let empty = "it is empty"

    static func reason(_ error: FileCallError) -> String {
        switch error.reason {
        case .invalidName: "an item cannot have this name"
        case .notFound: "it is gone"
        case .exists: "it already exists"
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
            "it has more than \(CalendarParser.componentLimit) components; "
                + "a calendar folder has a file for each item"
        case .tooDeep:
            "line \(error.line): components are nested more than \(CalendarParser.depthLimit) deep"
        case .unterminated: "it is cut off, or an END line is misspelt; it is not changed"
        }
    }

    /// nil for a file that is whole.
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

    /// Of a property whose value is not a time.
    package static func unreadable(_ line: ContentLine) -> String {
        let value = (String(line.value.prefix(valueLimit))).oneLine
        return "its \(line.name) cannot be understood (\(value))"
    }

    /// Of the lines beside the start and the end: lists that begin with
    /// something other than a time, and a length that cannot be read.
    static func unreadableLines(_ component: Component) -> [String] {
        let lists = (component.all("RDATE") + component.all("EXDATE")).prefix(100).filter { line in
            let first = line.value(upTo: 100).prefix { $0 != "," && $0 != "/" }.drop { $0 == " " }
            return !first.isEmpty && CalendarMoment(value: String(first)) == nil
        }
        let length = component.first("DURATION").flatMap {
            CalendarDuration($0.value) == nil ? $0 : nil
        }
        return (lists + [length].compactMap(\.self)).map(unreadable)
    }

    package static func unknownZone(_ zone: String) -> String {
        "unknown time zone \"\((String(zone.prefix(valueLimit))).oneLine)\"; its times are treated as local"
    }

    package static let noStart = "it has no DTSTART, so it has no date"

    /// What is shown of a value.
    static let valueLimit = 60

    package static func reason(_ error: RecurrenceError) -> String {
        switch error.reason {
        case .invalidRule:
            error.part.isEmpty
                ? "its RRULE cannot be understood"
                : "its RRULE cannot be understood (\((String(error.part.prefix(valueLimit))).oneLine))"
        case .tooExpensive:
            error.part.isEmpty
                ? "its RRULE would take too long to work out"
                : "its \(error.part) names more times than chat reads"
        }
    }

    private static var tooLarge: String {
        "it is larger than \(CalendarParser.byteLimit >> 20) MB"
    }
}
