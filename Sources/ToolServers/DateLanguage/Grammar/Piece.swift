import Base
import ICalendar

/// A stretch of tokens that says one thing about a time.
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
        /// "the day before my flight": from the time that is said of the
        /// flight, whose name goes on after the piece.
        case beside(Amount)
        case recurrence(RepeatSpec)
        case count(Int)
        case except([DaySpec])
        case zone(String)
        /// nil: there is to be none.
        case alarm(CalendarDuration?)
        case allDay
        case priority(Int)
        case category(String)
        case list(String)
        case lead(Lexicon.Lead)
        /// "later": it asks for a time and says none.
        case vague
        /// Filler that belongs to no title.
        case noise
    }

    /// The word before it that says how it is meant.
    enum Relation: String, Sendable { case at, deadline, from, until, after, starting }

    var value: Value
    var tokens: Range<Int>
    var relation = Relation.at
    /// Whether a preposition or the like vouches for it; see `Selection`.
    var strength = 1
    /// Said in one breath with the first: "and again on friday", "or 4".
    var more: [Value] = []
    /// One of them is meant: "saturday or sunday".
    var isChoice = false
    /// Words of a title stand between it and the rule before, or just "and".
    var isApart = false
    var isJoined = false
    /// Of the second time of "at 10 tonight and again at 7 tomorrow", 1.
    var time = 0

    init(
        _ value: Value, _ tokens: Range<Int>, relation: Relation = .at, strength: Int = 1,
        more: [Value] = [], isChoice: Bool = false
    ) {
        (self.value, self.tokens, self.relation) = (value, tokens, relation)
        (self.strength, self.more, self.isChoice) = (strength, more, isChoice)
    }
}

/// What a piece is of, where it is of that.
extension Piece {
    var day: DaySpec? { if case .day(let day) = value { day } else { nil } }
    /// A day and those said with it.
    var days: [DaySpec] {
        ([value] + more).compactMap { if case .day(let day) = $0 { day } else { nil } }
    }
    var clocks: [ClockSpec] { if case .clock(let clocks) = value { clocks } else { [] } }
    var hours: (first: ClockSpec, last: ClockSpec)? {
        if case .hours(let first, let last) = value { (first, last) } else { nil }
    }
    var part: (value: DayPart, day: DaySpec?, isEveryDay: Bool)? {
        if case .part(let part, let day, let isEveryDay) = value {
            (part, day, isEveryDay)
        } else {
            nil
        }
    }
    var duration: Amount? { if case .duration(let amount) = value { amount } else { nil } }
    /// As the only time there is.
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

    mutating func widen(to interval: Int) {
        guard var spec = recurrence, spec.interval == 1 else { return }
        spec.interval = interval
        value = .recurrence(spec)
    }
}

/// A stretch of time as people say it.
struct Amount: Sendable, Equatable {
    var months = 0
    var days = 0
    var seconds = 0

    /// Hours or less were named: the clock counts, not only the day.
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

    /// As a TRIGGER; a month is about thirty days.
    var trigger: CalendarDuration {
        CalendarDuration(days: days + months * 30, seconds: seconds)
    }

    static func + (left: Amount, right: Amount) -> Amount {
        var sum = left
        sum.months += right.months
        sum.days += right.days
        sum.seconds += right.seconds
        sum.isExact = left.isExact || right.isExact
        return sum
    }

    static prefix func - (amount: Amount) -> Amount {
        var negative = amount
        negative.months = -amount.months
        negative.days = -amount.days
        negative.seconds = -amount.seconds
        return negative
    }
}

/// An hour as it is worded, before it is known which half of the day it is in.
struct ClockSpec: Sendable, Equatable {
    enum Half: Sendable { case am, pm }
    enum Form: Sendable {
        /// "9", "half past 3": which half of the day is open.
        case bare
        /// "6:45"
        case colon
        /// "08:00", "17:00", "9 Uhr": the day has 24 hours.
        case full
    }

    var hour: Int
    var minute = 0
    var second = 0
    var half: Half?
    var form = Form.bare
    /// "midnight" ends its day.
    var isMidnight = false
    /// "this time tomorrow"
    var isNow = false
    /// "2 hours before 5pm", in seconds.
    var shift = 0

    /// Noon and 9 am are not in the evening.
    func canBe(in part: DayPart) -> Bool {
        if isMidnight || form != .full || (half == nil && hour <= 12 && hour > 0 && hour != 12) {
            return true
        }
        return part.isLate
            ? hour > 12 || (part.isNight && hour < 5) || part.isNoonish && hour == 12 : hour < 13
    }

    /// The hour of the day where nothing else decides (0…23).
    var settled: ClockSpec? {
        guard let half else { return nil }
        var clock = self
        clock.hour = hour % 12 + (half == .pm ? 12 : 0)
        clock.form = .full
        return clock
    }
}

/// A day as it is worded.
indirect enum DaySpec: Sendable, Equatable {
    enum Choice: Sendable, Equatable { case bare, this, next, coming, afterNext, last }
    enum Edge: String, Sendable { case none, early, start, middle, late, end }

    /// Days from today.
    case offset(Int)
    case weekday(Int, Choice)
    /// That weekday of the week that `DaySpec` lies in.
    case weekdayIn(Int, DaySpec)
    case weekend(Choice)
    case shift(Amount, DaySpec)
    /// The week, month, quarter or year so many from this one.
    case period(TimeUnit, Int, Edge)
    case month(Int, year: Int?, Edge)
    /// "next march": in March, that of next year.
    case nextMonth(Int)
    /// `other`: month and day may be the other way round.
    case date(year: Int?, month: Int, day: Int, other: Bool)
    /// The 15th; of the month that many after this one, if given.
    case monthDay(Int, monthOffset: Int?)
    case nth(Int, weekday: Int, of: DaySpec)
    /// The first working day of a month, or the last (-1).
    case workday(Int, of: DaySpec)
    case isoWeek(Int, year: Int?, weekday: Int)
    case holiday(Holiday, year: Int?)
    /// The weekday before or after another day.
    case weekdayBeside(Int, isBefore: Bool, DaySpec)
    /// A weekday that was named beside the date.
    case named(Int, DaySpec)

    /// How often it occurs where it is said to occur always.
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

    /// Where it is said to occur always, and nothing else says how often.
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

    /// "friday" and nothing beside it.
    var bareWeekday: Int? {
        if case .weekday(let weekday, .bare) = self { weekday } else { nil }
    }

    /// A day of every year, in that one.
    func date(in year: Int) -> CivilDate? {
        switch self {
        case .date(nil, let month, let day, _): CivilDate(year: year, month: month, day: day)
        case .holiday(let holiday, nil): holiday.date(in: year)
        default: nil
        }
    }

    /// The first or the last day of a whole period.
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

/// A repetition as it is worded.
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
    /// "every christmas"; one that moves with Easter has no rule of its own.
    var anchor: DaySpec?
    /// "weekly report": it counts only when nothing else says when.
    var isAdjective = false
    /// "hourly check the dough": a verb follows.
    var isBeforeTask = false
    /// "twice a week": on unspecified days.
    var isVague = false
}
