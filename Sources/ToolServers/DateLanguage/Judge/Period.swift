import Base
import FoundationEssentials
import ICalendar

/// The days, or the hours of a day, that a question is about: "tomorrow",
/// "this week", "friday afternoon", "on monday at 3". Pure.
package struct Period: Sendable, Equatable {
    package var days: ClosedRange<CivilDate>
    /// nil means whole days.
    package var hours: DayHours?
    /// Whether a point in time was given, not a period; `hours` begins with it.
    package var isMoment = false

    init(days: ClosedRange<CivilDate>, hours: DayHours? = nil, isMoment: Bool = false) {
        self.days = days
        self.hours = hours
        self.isMoment = isMoment
    }

    /// The period of the phrase, today if it is empty; nil if the words give no time.
    init?(_ phrase: String, context: DateContext, parse: (String) -> ParsedPhrase) {
        let today = context.local.civil(at: context.now).date
        var words = phrase.lowercased().split(whereSeparator: { " ,".contains($0) }).map(
            String.init)
        while let first = words.first, Lexicon.has(.periodLeads, first) { words.removeFirst() }
        while let last = words.last, Lexicon.has(.periodTails, last) { words.removeLast() }
        if let days = Self.days(words.joined(separator: " "), today, context) {
            self.init(days: days)
            return
        }
        var hours: DayHours?
        if words.first == "tonight" {
            words[0] = "today"
            hours = Self.parts["evening"]
        } else if let index = words.firstIndex(where: { Self.parts[$0] != nil }) {
            hours = Self.parts[words[index]]
            words.remove(at: index)
            for word in ["the", "in", "this"] where words.last == word { words.removeLast() }
            while words.last == "in" || words.last == "this" { words.removeLast() }
        }
        // A bare number is an hour here.
        if words.count == 1, Int(words[0]) != nil { words.insert("at", at: 0) }
        let rest = words.joined(separator: " ")
        if let days = Self.days(rest, today, context), days.count == 1 || hours == nil {
            self.init(days: days, hours: hours)
            return
        }
        let reading = parse(rest)
        guard reading.confidence >= 0.5,
            let field = DateField(reading, context)
        else { return nil }
        let day = field.day(in: context.local)
        var isMoment = false
        if case .time(let end)? = reading.end, case .time(let start)? = reading.start {
            hours = DayHours(
                from: start.hour * 60 + start.minute, to: end.hour * 60 + end.minute)
        } else if case .time(let start)? = reading.start, hours == nil {
            let from = start.hour * 60 + start.minute
            hours = DayHours(from: from, to: min(from + 60, 24 * 60))
            isMoment = true
        }
        if case .date(let last)? = reading.end, last > day {
            self.init(days: day...last)
        } else {
            self.init(days: day...day, hours: hours, isMoment: isMoment)
        }
    }

    private static let parts: [String: DayHours] = [
        "morning": .init(from: 6 * 60, to: 12 * 60), "afternoon": .init(from: 12 * 60, to: 18 * 60),
        "evening": .init(from: 18 * 60, to: 23 * 60), "night": .init(from: 20 * 60, to: 24 * 60),
        "lunch": .init(from: 12 * 60, to: 14 * 60), "lunchtime": .init(from: 12 * 60, to: 14 * 60),
        "vormittag": .init(from: 6 * 60, to: 12 * 60),
        "nachmittag": .init(from: 12 * 60, to: 18 * 60),
        "abend": .init(from: 18 * 60, to: 23 * 60),
    ]

    private static func days(
        _ words: String, _ today: CivilDate, _ context: DateContext
    ) -> ClosedRange<CivilDate>? {
        func week(_ offset: Int) -> ClosedRange<CivilDate> {
            let back = (today.weekday - context.locale.firstWeekday.rawValue + 7) % 7
            let first = today.adding(days: offset * 7 - back)
            return first...first.adding(days: 6)
        }
        func month(_ offset: Int) -> ClosedRange<CivilDate>? {
            let number = today.year * 12 + today.month - 1 + offset
            guard let first = CivilDate(year: number / 12, month: number % 12 + 1, day: 1) else {
                return nil
            }
            let length = CivilDate.days(inMonth: first.month, of: first.year)
            return first...first.adding(days: length - 1)
        }
        switch words {
        case "", "today", "now", "my day", "heute", "day": return today...today
        // The past part of this week is not asked for.
        case "this week", "week", "the week", "diese woche", "rest of the week",
            "the rest of the week", "rest of this week":
            return today...max(today, week(0).upperBound)
        case "next week", "nächste woche": return week(1)
        case "next few days", "next days", "days", "coming days", "soon", "few days":
            return today...today.adding(days: 4)
        case "this weekend", "weekend", "wochenende", "am wochenende":
            // 0 is Sunday, the rest of the weekend on that day.
            if today.weekday == 0 { return today...today }
            let saturday = today.adding(days: 6 - today.weekday)
            return saturday...saturday.adding(days: 1)
        case "next weekend":
            let saturday = today.adding(days: 6 - (today.weekday == 0 ? -1 : today.weekday) + 7)
            return saturday...saturday.adding(days: 1)
        case "this month", "month", "diesen monat":
            return month(0).map { today...$0.upperBound }
        case "next month", "nächsten monat": return month(1)
        default: return nil
        }
    }
}

/// Hours of a day, as minutes from midnight; an end of 1440 is midnight.
package struct DayHours: Sendable, Equatable {
    package var from: Int
    package var to: Int

    package init(from: Int, to: Int) {
        self.from = from
        self.to = to
    }

    package static let working = DayHours(from: 9 * 60, to: 17 * 60)

    /// `9:00-17:00`, `9-17`.
    package init?(_ text: String) {
        let parts = text.split { $0 == "-" || $0 == "–" }.map { $0.filter { $0 != " " } }
        func minutes(_ text: String) -> Int? {
            let fields = text.split(separator: ":", omittingEmptySubsequences: false)
            guard (1...2).contains(fields.count), let hour = Int(fields[0]),
                let minute = fields.count == 2 ? Int(fields[1]) : 0, (0...59).contains(minute),
                hour >= 0, hour * 60 + minute <= 24 * 60
            else { return nil }
            return hour * 60 + minute
        }
        guard parts.count == 2, let from = minutes(parts[0]), let to = minutes(parts[1]),
            from != to, from < 24 * 60
        else { return nil }
        self.init(from: from, to: to)
    }
}
