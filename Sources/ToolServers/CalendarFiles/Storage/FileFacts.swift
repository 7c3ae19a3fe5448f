import Base
import FoundationEssentials
import ICalendar

/// The cached facts about a calendar file: enough to decide that it need not be
/// read. Pure.
///
/// Every bound errs on the side of reading: two days allow for zones and the
/// reader's own, and a rule has no end unless it is obvious. Only the
/// components have the actual times.
struct FileFacts: Sendable, Equatable {
    struct Kinds: OptionSet, Sendable {
        let rawValue: Int64
        static let todo = Kinds(rawValue: 1)
        static let event = Kinds(rawValue: 2)
        static let other = Kinds(rawValue: 4)
        /// A VTODO that is neither completed nor cancelled.
        static let openTodo = Kinds(rawValue: 8)
    }

    var kinds: Kinds
    /// Seconds since 1970. An item without a time has no bounds.
    var earliest: Int64
    var latest: Int64

    private static let margin: Int64 = 2 * 86_400

    init(kinds: Kinds, earliest: Int64, latest: Int64) {
        self.kinds = kinds
        self.earliest = earliest
        self.latest = latest
    }

    init(_ content: Component) {
        self.init(kinds: [], earliest: .max, latest: .min)
        for calendar in content.components("VCALENDAR") {
            for item in calendar.components() where item.isItem { add(item) }
        }
        if earliest > latest { (earliest, latest) = (.min, .max) }
    }

    /// Whether a file with these facts may match. Words are compared elsewhere.
    func mayMatch(_ selection: CalendarStore.Selection) -> Bool {
        switch selection.kind {
        case "VTODO": if !kinds.contains(.todo) { return false }
        case "VEVENT": if !kinds.contains(.event) { return false }
        default: break
        }
        // Only if it contains nothing but VTODOs that are done.
        if selection.openOnly, kinds.contains(.todo), !kinds.contains(.openTodo),
            !kinds.contains(.event) || selection.kind == "VTODO"
        {
            return false
        }
        guard let window = selection.window else { return true }
        return Int64(LocalTime.seconds(of: window.upperBound)) >= earliest
            && (Int64(LocalTime.seconds(of: window.lowerBound)) <= latest
                || selection.includesOverdue && kinds.contains(.openTodo))
    }

    // MARK: - Text

    /// The searchable text, in the form used for comparison.
    static func text(_ content: Component) -> String {
        var parts: [String] = []
        for calendar in content.components("VCALENDAR") {
            for item in calendar.components() where item.isItem {
                for case .line(let line) in item.items
                where line.isNamed("SUMMARY") || line.isNamed("DESCRIPTION")
                    || line.isNamed("LOCATION") || line.isNamed("CATEGORIES")
                    || line.isNamed("COMMENT") || line.isNamed("CONTACT")
                {
                    parts.append(TextValue.unescape(line.value))
                }
            }
        }
        return SearchText.folded(parts.joined(separator: " "))
    }

    /// The words of a search; a file must contain all of them.
    static func words(_ text: String?) -> [String] {
        text.map { SearchText.folded($0).split(separator: " ").map(String.init) } ?? []
    }

    static func holds(_ text: String, _ words: [String]) -> Bool {
        words.allSatisfy { text.utf8.firstRange(of: $0.utf8) != nil }
    }

    // MARK: - Times

    private mutating func add(_ item: Component) {
        switch item.name {
        case "VTODO":
            kinds.insert(.todo)
            let status = item.first("STATUS")?.value.uppercased()
            if status != "COMPLETED", status != "CANCELLED" { kinds.insert(.openTodo) }
        case "VEVENT": kinds.insert(.event)
        default: kinds.insert(.other)
        }
        guard let span = Self.span(item) else {
            (earliest, latest) = (.min, .max)
            return
        }
        earliest = min(earliest, span.0)
        latest = max(latest, span.1)
    }

    /// The earliest and the latest second of an item; nil if it is unbounded: it has no
    /// time, or one that is not parsed here.
    private static func span(_ item: Component) -> (Int64, Int64)? {
        var times: [Int64] = []
        var starts: [Int64] = []
        for case .line(let line) in item.items {
            let isStart = line.isNamed("DTSTART") || line.isNamed("RECURRENCE-ID")
            if isStart || line.isNamed("DUE") || line.isNamed("DTEND") || line.isNamed("COMPLETED")
            {
                guard let time = seconds(line.value) else { return nil }
                times.append(time)
                if isStart || line.isNamed("DUE") { starts.append(time) }
            } else if line.isNamed("RDATE") {
                // Thousands of times are not worth the memory.
                guard line.content.count <= 64 << 10 else { return nil }
                for value in line.value.split(separator: ",") {
                    // A PERIOD has its end after a slash; its start is a time
                    // with any duration, which has no bound.
                    guard !value.contains("/"), let time = seconds(String(value)) else {
                        return nil
                    }
                    times.append(time)
                }
            }
        }
        guard let first = times.min(), let last = times.max() else { return nil }
        // Each recurrence lasts as long as the whole span of the first occurrence.
        var length = last - first
        if let line = item.first("DURATION") {
            guard let duration = CalendarDuration(line.value) else { return nil }
            length += abs(Int64(duration.nominalSeconds))
        }
        var (earliest, latest) = (first, last + length)
        for rule in item.all("RRULE") {
            guard let end = end(of: rule.value, from: starts.max() ?? last) else {
                latest = .max
                break
            }
            latest = max(latest, end + length)
        }
        for alarm in item.components("VALARM") {
            guard let reach = reach(of: alarm) else { return nil }
            earliest = min(earliest, reach.at ?? earliest, earliest - reach.before)
            // In a recurring task the alarm also rings as long after later times.
            let after = max(reach.after, reach.at.map { $0 - first } ?? 0)
            latest = latest == .max ? .max : max(latest, reach.at ?? latest, latest + after)
        }
        return (earliest - margin, latest > .max - margin ? .max : latest + margin)
    }

    /// The distance of an alarm from its item; nil if it is not parsed here.
    private static func reach(of alarm: Component) -> (before: Int64, after: Int64, at: Int64?)? {
        guard let trigger = alarm.first("TRIGGER") else { return (0, 0, nil) }
        var length: Int64 = 0
        if let line = alarm.first("DURATION") {
            guard let duration = CalendarDuration(line.value),
                let count = Int64(alarm.first("REPEAT")?.value ?? "0"), (0...10_000).contains(count)
            else { return nil }
            length = abs(Int64(duration.nominalSeconds)) * count
        }
        if let offset = CalendarDuration(trigger.value) {
            let seconds = Int64(offset.nominalSeconds)
            return (max(0, -seconds), max(0, seconds) + length, nil)
        }
        guard let time = seconds(trigger.value) else { return nil }
        return (0, length, time)
    }

    /// The last time a rule can produce; nil if it has no end, or no obvious one.
    private static func end(of rule: String, from start: Int64) -> Int64? {
        var parts: [String: String] = [:]
        for part in rule.uppercased().split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { parts[String(pair[0])] = String(pair[1]) }
        }
        if let until = parts["UNTIL"] { return seconds(until) }
        guard let count = parts["COUNT"].flatMap(Int64.init), (0...100_000).contains(count),
            let interval = Int64(parts["INTERVAL"] ?? "1"), (1...10_000).contains(interval),
            // The recurrence engine decides which days the other parts exclude.
            Set(parts.keys).isSubset(of: ["FREQ", "COUNT", "INTERVAL", "WKST", "BYDAY"])
        else { return nil }
        let hasDays = parts["BYDAY"] != nil
        let period: Int64
        switch (parts["FREQ"], hasDays) {
        case ("SECONDLY", false): period = 1
        case ("MINUTELY", false): period = 60
        case ("HOURLY", false): period = 3_600
        case ("DAILY", false): period = 86_400
        case ("WEEKLY", _): period = 7 * 86_400
        // The 31st is at least in every second month, 29 February at worst in
        // every eighth year.
        case ("MONTHLY", false) where interval == 1: period = 62 * 86_400
        case ("YEARLY", false) where interval == 1: period = 8 * 366 * 86_400
        default: return nil
        }
        return start + (count + 1) * interval * period
    }

    private static func seconds(_ value: String) -> Int64? {
        switch CalendarMoment(value: value) {
        case nil: nil
        case .date(let date): Int64(date.dayNumber) * 86_400
        case .utc(let instant): Int64(LocalTime.seconds(of: instant))
        case .floating(let clock), .zoned(let clock, _, _): Int64(clock.secondsAsUTC)
        }
    }
}
