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
    /// Whether no days were named: these are the next seven.
    package var isOpen = false

    init(days: ClosedRange<CivilDate>, hours: DayHours? = nil, isMoment: Bool = false) {
        (self.days, self.hours, self.isMoment) = (days, hours, isMoment)
    }

    /// The next seven days, for "list my events".
    static func upcoming(_ context: DateContext) -> Period {
        let today = context.local.civil(at: context.now).date
        var period = Period(days: today...today.adding(days: 6))
        period.isOpen = true
        return period
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
            hours = Self.parts.whole(["evening"])
        } else if let index = words.firstIndex(where: { Self.parts.whole([$0]) != nil }) {
            hours = Self.parts.whole([words[index]])
            words.remove(at: index)
            while ["the", "in", "this"].contains(words.last) { words.removeLast() }
        }
        // A bare number is an hour here.
        if words.count == 1, Int(words[0]) != nil { words.insert("at", at: 0) }
        let rest = words.joined(separator: " ")
        if let days = Self.days(rest, today, context), days.count == 1 || hours == nil {
            self.init(days: days, hours: hours)
            return
        }
        if hours == nil, let days = Self.whole(rest, context: context, parse: parse) {
            self.init(days: days)
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

    private static let parts = PatternTable("period parts") { row in
        let hours = row.split(separator: " ").compactMap { Int($0) }
        return DayHours(from: hours[0] * 60, to: hours[1] * 60)
    }

    private static func days(
        _ words: String, _ today: CivilDate, _ context: DateContext
    ) -> ClosedRange<CivilDate>? {
        switch words {
        case "", "today", "now", "my day", "heute", "day": today...today
        case "rest of the week", "the rest of the week", "rest of this week":
            named("this week", context)
        case "next few days", "next days", "days", "coming days", "soon", "few days":
            today...today.adding(days: 4)
        default: named(words, context)
        }
    }

    /// The days of a period that the words name as a whole: "next week", "in december",
    /// "week 12"; nil for a single day.
    static func whole(
        _ phrase: String, context: DateContext, parse: (String) -> ParsedPhrase
    ) -> ClosedRange<CivilDate>? {
        var words = phrase.lowercased().cut(at: " ").map(String.init)
        while let first = words.first, Lexicon.has(.periodLeads, first) { words.removeFirst() }
        let text = words.joined(separator: " ")
        if let days = named(text, context) { return days }
        // "week of 9 march", "week after next"
        guard words.count > 1, let first = words.first, Lexicon.has(.weekWords, first),
            case .day(let day)? = DateField(parse(text), context)
        else { return nil }
        return week(of: day, context)
    }

    private static func week(
        of day: CivilDate, _ context: DateContext
    ) -> ClosedRange<CivilDate> {
        let back = (day.weekday - context.locale.firstWeekday.rawValue + 7) % 7
        let first = day.adding(days: -back)
        return first...first.adding(days: 6)
    }

    /// "next week", "this weekend", "december 2026", "nächsten Monat". The past part of the
    /// current one is left out.
    private static func named(
        _ text: String, _ context: DateContext
    ) -> ClosedRange<CivilDate>? {
        let today = context.local.civil(at: context.now).date
        var tokens = Tokenizer.tokens(of: text, language: context.locale.language)[...]
        let isComing = tokens.first?.has(.coming) == true
        let isNext = isComing || tokens.first?.has(.next) == true
        if isNext || tokens.first?.has(.this) == true { tokens.removeFirst() }
        guard let token = tokens.first, token.lexeme.weekday == nil, token.text.count > 1
        else { return nil }
        func month(_ number: Int) -> ClosedRange<CivilDate>? {
            CivilDate(year: number / 12, month: number % 12 + 1, day: 1).map { first in
                let length = CivilDate.days(inMonth: first.month, of: first.year)
                let last = first.adding(days: length - 1)
                return first <= today && today <= last ? today...last : first...last
            }
        }
        let thisMonth = today.year * 12 + today.month - 1
        if let name = token.lexeme.month {
            let year = tokens.count == 2 ? tokens.last?.value : nil
            guard tokens.count == 1 || year.map((1900...2200).contains) == true else { return nil }
            let ahead = (name - today.month + 12) % 12
            return month(
                year.map { $0 * 12 + name - 1 }
                    ?? thisMonth + (isNext && ahead == 0 ? 12 : ahead))
        }
        guard tokens.count == 1 else { return nil }
        if token.has(.weekend), !token.has(.plural) {
            // On a Sunday (0) only that day of the weekend is left.
            let saturday = today.adding(days: today.weekday == 0 ? -1 : 6 - today.weekday)
                .adding(days: isNext && !isComing ? 7 : 0)
            return max(today, saturday)...saturday.adding(days: 1)
        }
        guard token.lexeme.scale == 1 else { return nil }
        switch token.lexeme.unit {
        case .week:
            let days = week(of: today.adding(days: isNext ? 7 : 0), context)
            return max(today, days.lowerBound)...days.upperBound
        case .month: return month(thisMonth + (isNext ? 1 : 0))
        case .year where text != token.text:
            let year = today.year + (isNext ? 1 : 0)
            guard let first = CivilDate(year: year, month: 1, day: 1),
                let last = CivilDate(year: year, month: 12, day: 31)
            else { return nil }
            return max(today, first)...last
        default: return nil
        }
    }
}

/// Hours of a day, as minutes from midnight; an end of 1440 is midnight.
package struct DayHours: Sendable, Equatable {
    package var from: Int
    package var to: Int

    package init(from: Int, to: Int) {
        (self.from, self.to) = (from, to)
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
