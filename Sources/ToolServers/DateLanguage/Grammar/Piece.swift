import Base
import ICalendar

/// A run of tokens that says one thing about a time.
struct Piece: Sendable {
    // Boxed: a selection holds a dozen, and the largest would make them huge.
    indirect enum Value: Sendable {
        case day(DaySpec)
        case days(DaySpec, DaySpec)
        /// "saturday 2pm till sunday 5pm"
        case stretch(DaySpec, ClockSpec, DaySpec, ClockSpec)
        case clock([ClockSpec])
        case hours(ClockSpec, ClockSpec)
        /// "tonight" and "this morning" name the day as well.
        case part(DayPart, DaySpec?, isEveryDay: Bool)
        /// Exact time from now.
        case elapsed(Amount)
        case duration(Amount)
        /// "the day before my flight": relative to the time of the flight, whose name
        /// follows the piece.
        case beside(Amount)
        case recurrence(RepeatSpec)
        case count(Int)
        case except([DaySpec])
        case zone(String)
        /// nil for "no alarm".
        case alarm(CalendarDuration?)
        case allDay
        case priority(Int)
        case category(String)
        case list(String)
        case lead(Lexicon.Lead)
        /// "later": needs a time but gives none.
        case vague
        /// Filler that belongs to no title.
        case noise
    }

    /// The relation to the time, set by the word before it.
    enum Relation: String, Sendable { case at, deadline, from, until, after, starting }

    var value: Value
    var tokens: Range<Int>
    var relation = Relation.at
    /// Whether a preposition or similar confirms it; see `Selection`.
    var strength = 1
    /// Further values given together with the first: "and again on friday", "or 4".
    var more: [Value] = []
    /// Whether only one of the values is meant: "saturday or sunday".
    var isChoice = false
    /// Whether title words, not just "and", stand between it and the previous rule.
    var isApart = false
    var isJoined = false
    /// 1 for the second time of "at 10 tonight and again at 7 tomorrow".
    var time = 0

    init(
        _ value: Value, _ tokens: Range<Int>, relation: Relation = .at, strength: Int = 1,
        more: [Value] = [], isChoice: Bool = false
    ) {
        (self.value, self.tokens, self.relation) = (value, tokens, relation)
        (self.strength, self.more, self.isChoice) = (strength, more, isChoice)
    }
}

/// The associated values, nil if the piece is of another kind.
extension Piece {
    var day: DaySpec? { if case .day(let day) = value { day } else { nil } }
    /// The day and those given with it.
    var days: [DaySpec] {
        ([value] + more).compactMap { if case .day(let day) = $0 { day } else { nil } }
    }
    var clocks: [ClockSpec] { if case .clock(let clocks) = value { clocks } else { [] } }
    var hours: (first: ClockSpec, last: ClockSpec)? {
        if case .hours(let first, let last) = value { (first, last) } else { nil }
    }
    var part: (value: DayPart, day: DaySpec?, isEveryDay: Bool)? {
        if case .part(let part, let day, let every) = value { (part, day, every) } else { nil }
    }
    var duration: Amount? { if case .duration(let amount) = value { amount } else { nil } }
    /// The piece as if it were the only time.
    var first: Piece {
        var piece = self
        (piece.time, piece.isChoice) = (0, false)
        return piece
    }
    func isNext(to other: Piece) -> Bool {
        tokens.lowerBound == other.tokens.upperBound && strength > 0 && relation == .at
    }
    var isOfDays: Bool { duration?.isExact == false }
    var lead: Lexicon.Lead? { if case .lead(let lead) = value { lead } else { nil } }
    var isLead: Bool { lead != nil }
    var isVague: Bool { if case .vague = value { true } else { false } }
    var isAlarm: Bool { if case .alarm = value { true } else { false } }
    var isList: Bool { if case .list = value { true } else { false } }

    var recurrence: RepeatSpec? { if case .recurrence(let spec) = value { spec } else { nil } }
    var isAdjective: Bool { recurrence?.isAdjective == true }
    /// The unit of a repetition, unless it is an adjective.
    var unit: TimeUnit? { isAdjective ? nil : recurrence?.unit }
}

/// A length of time as people say it.
struct Amount: Sendable, Equatable {
    var months = 0
    var days = 0
    var seconds = 0

    /// Whether hours or smaller units were named, so that the clock time counts too.
    var isExact = false

    static let limit = 9_000_000.0

    init() {}

    init(_ number: Double, _ unit: TimeUnit) {
        let number = min(max(number, -Self.limit), Self.limit)
        switch unit {
        case .second: setSeconds(number)
        case .minute: setSeconds(number * 60)
        case .hour: setSeconds(number * 3600)
        case .day:
            days = Int(number)
            if number != number.rounded() { setSeconds((number - Double(days)) * 86_400) }
        case .week: days = Int((number * 7).rounded())
        case .month: setMonths(number)
        case .quarter: setMonths(number * 3)
        case .year: setMonths(number * 12)
        }
    }

    private mutating func setSeconds(_ number: Double) {
        (seconds, isExact) = (Int(number.rounded()), true)
    }

    private mutating func setMonths(_ number: Double) {
        months = Int(number)
        days = Int(((number - Double(months)) * 30).rounded())
    }

    /// The amount as the duration of a TRIGGER; a month is about thirty days.
    var trigger: CalendarDuration {
        CalendarDuration(days: days + months * 30, seconds: seconds)
    }

    static func + (left: Amount, right: Amount) -> Amount {
        var sum = left
        (sum.months, sum.days) = (left.months + right.months, left.days + right.days)
        (sum.seconds, sum.isExact) = (left.seconds + right.seconds, left.isExact || right.isExact)
        return sum
    }

    static prefix func - (amount: Amount) -> Amount {
        var negative = amount
        (negative.months, negative.days) = (-amount.months, -amount.days)
        negative.seconds = -amount.seconds
        return negative
    }
}

/// A clock time as worded, before the half of the day is known.
struct ClockSpec: Sendable, Equatable {
    enum Half: Sendable { case am, pm }
    enum Form: Sendable {
        /// "9", "half past 3": the half of the day is open.
        case bare
        /// "6:45"
        case colon
        /// "08:00", "17:00", "9 Uhr": a 24-hour time.
        case full
    }

    var hour: Int
    var minute = 0
    var second = 0
    var half: Half?
    var form = Form.bare
    /// "midnight" belongs to the end of its day.
    var isMidnight = false
    /// "this time tomorrow"
    var isNow = false
    /// Seconds by which the time is moved: "2 hours before 5pm".
    var shift = 0

    /// Whether the time can be in that part of the day: noon and 9 am are not in the
    /// evening.
    func canBe(in part: DayPart) -> Bool {
        if isMidnight || form != .full || (half == nil && hour <= 12 && hour > 0 && hour != 12) {
            return true
        }
        return part.isLate
            ? hour > 12 || (part.isNight && hour < 5) || part.isNoonish && hour == 12 : hour < 13
    }

    /// The time with its hour as 0…23; nil if the half of the day is not given.
    var settled: ClockSpec? {
        guard let half else { return nil }
        var clock = self
        (clock.hour, clock.form) = (hour % 12 + (half == .pm ? 12 : 0), .full)
        return clock
    }
}

/// A day as worded.
indirect enum DaySpec: Sendable, Equatable {
    enum Choice: Sendable, Equatable { case bare, this, next, coming, afterNext, last }
    enum Edge: String, Sendable { case none, early, start, middle, late, end }

    /// Days from today.
    case offset(Int)
    case weekday(Int, Choice)
    /// The weekday in the week of the `DaySpec`.
    case weekdayIn(Int, DaySpec)
    case weekend(Choice)
    case shift(Amount, DaySpec)
    /// The week, month, quarter or year with that offset from the current one.
    case period(TimeUnit, Int, Edge)
    case month(Int, year: Int?, Edge)
    /// "next march": next year's if it is March now.
    case nextMonth(Int)
    /// `other`: whether month and day may be swapped.
    case date(year: Int?, month: Int, day: Int, other: Bool)
    /// The 15th, in the month with that offset from the current one, if given.
    case monthDay(Int, monthOffset: Int?)
    case nth(Int, weekday: Int, of: DaySpec)
    /// The first working day of a month, or the last (-1); or the nth from today.
    case workday(Int, of: DaySpec)
    case isoWeek(Int, year: Int?, weekday: Int)
    case holiday(Holiday, year: Int?)
    /// The weekday before or after another day.
    case weekdayBeside(Int, isBefore: Bool, DaySpec)
    /// A weekday named next to a date.
    case named(Int, DaySpec)

    /// Period of repetition if the day is said to recur.
    var repeatedUnit: TimeUnit? {
        switch self {
        case .weekday(_, .bare): .week
        case .monthDay, .nth(_, _, .period(.month, _, _)), .period(.month, _, .end),
            .period(.month, 0, .start):
            .month
        case .date(nil, _, _, _), .holiday(_, nil): .year
        default: nil
        }
    }

    /// The rule if the day is said to recur and no other frequency is given.
    var repeated: RepeatSpec? {
        var spec = RepeatSpec(unit: repeatedUnit)
        switch self {
        case .weekday(let weekday, .bare): spec.weekdays = [.init(weekday: weekday)]
        case .monthDay(let day, nil): spec.monthDays = [day]
        case .nth(let ordinal, let weekday, .period(.month, _, _)):
            spec.weekdays = [.init(weekday: weekday, ordinal: ordinal)]
        case .date(nil, _, _, _), .holiday(_, nil): spec.anchor = self
        case .period(.month, _, .end): spec.monthDays = [-1]
        default: return nil
        }
        return spec
    }

    /// The weekday of "friday" alone, without "next" or similar.
    var bareWeekday: Int? {
        if case .weekday(let weekday, .bare) = self { weekday } else { nil }
    }

    /// The day in that year, if it occurs in every year.
    func date(in year: Int) -> CivilDate? {
        switch self {
        case .date(nil, let month, let day, _): CivilDate(year: year, month: month, day: day)
        case .holiday(let holiday, nil): holiday.date(in: year)
        default: nil
        }
    }

    /// The first or last day of a whole period.
    func at(_ edge: Edge) -> DaySpec {
        switch self {
        case .period(let unit, let offset, .none): .period(unit, offset, edge)
        case .month(let month, let year, .none): .month(month, year: year, edge)
        default: self
        }
    }

    var isWholePeriod: Bool {
        switch self {
        case .period(_, _, .none), .month(_, _, .none): true
        default: false
        }
    }
}

/// A repetition as worded.
struct RepeatSpec: Sendable, Equatable {
    var unit: TimeUnit?
    var interval = 1
    var weekdays: [RecurrenceRule.Day] = []
    var monthDays: [Int] = []
    var months: [Int] = []
    var minutes: [Int] = []
    var setPosition: Int?
    var parts: [DayPart] = []
    var timesADay: Int?
    var isFromCompletion = false
    /// "every christmas"; a holiday that moves with Easter cannot be a rule.
    var anchor: DaySpec?
    /// "weekly report": counts only if nothing else says when.
    var isAdjective = false
    /// "hourly check the dough": a verb follows.
    var isBeforeTask = false
    /// "twice a week": on unspecified days.
    var isVague = false
}
