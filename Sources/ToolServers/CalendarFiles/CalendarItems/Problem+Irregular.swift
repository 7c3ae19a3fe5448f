import Base
import ICalendar

/// Irregular or unsupported contents of a file, counted and named. They are
/// left unchanged unless edited.
extension CalendarStore.Problem {
    // MARK: - Files

    /// Problems of a file as a whole: its encoding, lines that are not properties,
    /// misplaced items.
    package static func ofFile(_ file: CalendarStore.File) -> [Self] {
        var lines = Lines()
        lines.read(file.content, isInCalendar: false)
        return [
            lines.latin1.sentence("in Latin-1, not in UTF-8"),
            lines.quotedPrintable.sentence("quoted-printable, as in vCalendar 1.0"),
            lines.unknown.sentence("in a character set that chat cannot read"),
            lines.broken.sentence("not understood"),
            lines.misplaced.sentence("outside of a calendar and not shown", "item"),
        ].compactMap { $0.map { Self(path: file.path, title: "", reason: $0) } }
    }

    /// Kinds of components that are kept but not shown, such as VJOURNAL.
    package static func ofComponents(_ file: CalendarStore.File) -> Self? {
        var names = Names()
        for calendar in file.content.components() {
            if calendar.name != "VCALENDAR" { names.add(calendar.name) }
            for item in calendar.components() {
                if !["VEVENT", "VTODO", "VTIMEZONE"].contains(item.name) { names.add(item.name) }
                if item.name == "VTIMEZONE" { continue }
                for inner in item.components() where inner.name != "VALARM" {
                    names.add(inner.name)
                }
            }
        }
        return names.sentence("kept and not shown", "component").map {
            Self(path: file.path, title: "", reason: $0)
        }
    }

    /// Two files have an item with the same UID, which RFC 7986 §5.3 requires to
    /// be unique.
    package init(path: String, uid: String, isIn other: String) {
        self.init(
            path: path, title: "",
            reason: "its UID \(String(uid.prefix(Self.valueLimit)).oneLine) is in \(other) too")
    }

    /// Names of one kind: their number, and the first ones.
    private struct Names {
        var count = 0
        var shown: [String] = []

        mutating func add(_ name: @autoclosure () -> String) {
            count += 1
            guard shown.count <= 3 else { return }
            let name = String(name().prefix(CalendarStore.Problem.valueLimit)).oneLine
            if !shown.contains(name) { shown.append(name) }
        }

        func sentence(_ what: String, _ noun: String = "line") -> String? {
            if count == 0 { return nil }
            let names = shown.prefix(3).joined(separator: ", ") + (shown.count > 3 ? ", …" : "")
            return count == 1
                ? "1 \(noun) is \(what) (\(names))" : "\(count) \(noun)s are \(what) (\(names))"
        }
    }

    private struct Lines {
        var (latin1, quotedPrintable, unknown) = (Names(), Names(), Names())
        var (broken, misplaced) = (Names(), Names())

        mutating func read(_ component: Component, isInCalendar: Bool) {
            for item in component.items {
                switch item {
                case .component(let inner):
                    if !isInCalendar, ["VEVENT", "VTODO"].contains(inner.name) {
                        misplaced.add(inner.name)
                    }
                    read(inner, isInCalendar: inner.name == "VCALENDAR")
                case .line(let line):
                    // An END in an unclosed component has a message of its own.
                    if line.isBroken || line.isNamed("END") && component.end != nil {
                        broken.add(String(decoding: line.content, as: UTF8.self))
                        continue
                    }
                    switch line.textForm {
                    case .utf8: break
                    case .latin1: latin1.add(line.name)
                    case .quotedPrintable: quotedPrintable.add(line.name)
                    case .unknown: unknown.add(line.name)
                    }
                }
            }
        }
    }

    // MARK: - Items

    /// Maximum number of lines examined per item.
    private static let lineLimit = 100
    /// Maximum bytes of a line's value.
    private static let byteLimit = 10_000

    /// Problems with an item's lines: unreadable times, readable ones that are not
    /// in the standard's form, and other values that are not used.
    static func ofLines(_ component: Component) -> [String] {
        var reasons: [String] = []
        for case .line(let line) in component.items {
            if isTime(line) {
                reasons += ofTimes(line)
            } else if line.isNamed("RRULE") {
                let until = RRuleLine(line.value(upTo: byteLimit))["UNTIL"]
                if let until, !CalendarMoment.isStandard(until),
                    let moment = CalendarMoment(value: until)
                {
                    reasons.append(irregular("UNTIL", until, moment))
                }
            } else if !isUsed(line) {
                reasons.append(unreadable(line))
            }
            if reasons.count >= lineLimit { break }
        }
        return reasons
    }

    private static func isTime(_ line: ContentLine) -> Bool {
        line.isNamed("DTSTART") || line.isNamed("DTEND") || line.isNamed("DUE")
            || line.isNamed("RECURRENCE-ID") || line.isNamed("COMPLETED") || isList(line)
    }

    private static func isList(_ line: ContentLine) -> Bool {
        line.isNamed("RDATE") || line.isNamed("EXDATE")
    }

    private static func ofTimes(_ line: ContentLine) -> [String] {
        let text = line.value(upTo: byteLimit)
        var values = isList(line) ? text.split(separator: ",") : [text[...]]
        // The last one may be truncated.
        if text.utf8.count >= byteLimit - 4, values.count > 1 { values.removeLast() }
        var unread: [Substring] = []
        var irregular: (value: String, moment: CalendarMoment)?
        var first: CalendarMoment?
        for value in values {
            let halves = isList(line) ? value.split(separator: "/", maxSplits: 1) : [value]
            for (place, half) in halves.enumerated() {
                if place == 1, CalendarDuration(String(half)) != nil { continue }
                guard let moment = CalendarMoment(value: String(half), zone: line.parameter("TZID"))
                else {
                    unread.append(value)
                    break
                }
                first = first ?? moment
                if irregular == nil, !CalendarMoment.isStandard(half) {
                    irregular = (String(half), moment)
                }
            }
        }
        var reasons: [String] = []
        if unread.count == values.count, !values.isEmpty {
            reasons.append(unreadable(line))
        } else if !unread.isEmpty {
            let shown = unread.prefix(3).joined(separator: ", ")
            reasons.append(
                "\(unread.count) of \(values.count) times in its \(line.name) cannot be understood "
                    + "(\(String(shown.prefix(valueLimit)).oneLine))")
        }
        if let irregular {
            reasons.append(self.irregular(line.name, irregular.value, irregular.moment))
        } else if let first {
            let isOfOtherKind =
                switch line.parameter("VALUE")?.uppercased() {
                case "DATE": !first.isDate
                case "DATE-TIME": first.isDate
                default: false
                }
            if !line.isPlain || isOfOtherKind {
                let moment = isList(line) ? first : CalendarMoment(line) ?? first
                reasons.append(self.irregular(line.name, line.parameterText, moment))
            }
        }
        return reasons
    }

    private static func irregular(
        _ name: String, _ value: String, _ moment: CalendarMoment
    ) -> String {
        "its \(name) is not in the standard's form (\(String(value.prefix(valueLimit)).oneLine)); "
            + "it is read as \(moment.text)\(moment.zone.map { " \($0.oneLine)" } ?? "")"
    }

    static func reason(_ fault: OccurrenceLength.Fault, of component: Component) -> String {
        let end = component.name == "VTODO" ? "DUE" : "DTEND"
        return switch fault {
        case .endsBeforeStart: "its \(end) is before its DTSTART"
        case .negative: "its DURATION is negative"
        case .mixed: "of its DTSTART and \(end) one is a day and the other a time"
        }
    }

    /// Whether a value that chat uses is valid; true for all others.
    private static func isUsed(_ line: ContentLine) -> Bool {
        if line.isNamed("DURATION") { return CalendarDuration(line.value) != nil }
        if line.isNamed("PRIORITY") { return isNumber(line, in: 0...9) }
        if line.isNamed("PERCENT-COMPLETE") { return isNumber(line, in: 0...100) }
        if line.isNamed("SEQUENCE") { return isNumber(line, in: 0...Int.max) }
        if line.isNamed("STATUS") { return statuses.contains(line.value.uppercased()) }
        return true
    }

    private static func isNumber(_ line: ContentLine, in range: ClosedRange<Int>) -> Bool {
        let value = line.value(upTo: 100)
        return value.isEmpty || Int(value).map(range.contains) == true
    }

    /// RFC 5545 §3.8.1.11, and empty.
    private static let statuses: Set = [
        "", "TENTATIVE", "CONFIRMED", "CANCELLED", "NEEDS-ACTION", "COMPLETED", "IN-PROCESS",
        "DRAFT", "FINAL",
    ]
}
