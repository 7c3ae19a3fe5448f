/// What a word can mean in a date: one word may mean several things ("second",
/// "may", "am"), and the grammar takes the one that fits.
struct Lexeme: Sendable {
    /// The grammatical uses of small words, over all languages.
    struct Roles: OptionSet, Sendable {
        let rawValue: UInt64

        static let at = Roles(rawValue: 1 << 0)
        static let on = Roles(rawValue: 1 << 1)
        static let by = Roles(rawValue: 1 << 2)
        static let before = Roles(rawValue: 1 << 3)
        static let after = Roles(rawValue: 1 << 4)
        static let from = Roles(rawValue: 1 << 5)
        static let until = Roles(rawValue: 1 << 6)
        static let of = Roles(rawValue: 1 << 7)
        static let the = Roles(rawValue: 1 << 8)
        static let into = Roles(rawValue: 1 << 9)
        static let every = Roles(rawValue: 1 << 10)
        static let other = Roles(rawValue: 1 << 11)
        static let next = Roles(rawValue: 1 << 12)
        static let this = Roles(rawValue: 1 << 13)
        static let last = Roles(rawValue: 1 << 14)
        static let coming = Roles(rawValue: 1 << 15)
        static let and = Roles(rawValue: 1 << 16)
        static let half = Roles(rawValue: 1 << 17)
        static let quarter = Roles(rawValue: 1 << 18)
        static let past = Roles(rawValue: 1 << 19)
        static let to = Roles(rawValue: 1 << 20)
        static let am = Roles(rawValue: 1 << 21)
        static let pm = Roles(rawValue: 1 << 22)
        static let oclock = Roles(rawValue: 1 << 23)
        static let article = Roles(rawValue: 1 << 24)
        static let span = Roles(rawValue: 1 << 25)
        static let about = Roles(rawValue: 1 << 26)
        static let starting = Roles(rawValue: 1 << 27)
        static let except = Roles(rawValue: 1 << 28)
        static let times = Roles(rawValue: 1 << 29)
        static let often = Roles(rawValue: 1 << 30)
        static let workdays = Roles(rawValue: 1 << 31)
        static let weekend = Roles(rawValue: 1 << 32)
        static let early = Roles(rawValue: 1 << 33)
        static let middle = Roles(rawValue: 1 << 34)
        static let late = Roles(rawValue: 1 << 35)
        static let now = Roles(rawValue: 1 << 36)
        static let later = Roles(rawValue: 1 << 37)
        static let plural = Roles(rawValue: 1 << 39)
        /// "my", "our", "her": what follows is a thing.
        static let owner = Roles(rawValue: 1 << 40)
        /// A word that does not continue a noun: "about", "with", "and".
        static let function = Roles(rawValue: 1 << 41)
        static let time = Roles(rawValue: 1 << 42)
        static let between = Roles(rawValue: 1 << 43)
        /// "halb drei": half an hour before the hour that follows.
        static let halfBefore = Roles(rawValue: 1 << 44)
        static let threeQuarters = Roles(rawValue: 1 << 45)
        static let start = Roles(rawValue: 1 << 46)
        static let end = Roles(rawValue: 1 << 47)
        /// Also a name or a common word: "may", "mark", "sun", "will".
        static let doubtful = Roles(rawValue: 1 << 48)
        static let due = Roles(rawValue: 1 << 49)
        /// "abends", "morgens": every day when it stands with a repetition.
        static let habitual = Roles(rawValue: 1 << 51)
        /// A measure that is no time: "kg", "people", "%".
        static let measure = Roles(rawValue: 1 << 52)
    }

    var roles: Roles = []
    /// 0 is Sunday.
    var weekday: Int?
    var month: Int?
    var unit: TimeUnit?
    /// "fortnight" is two weeks.
    var scale = 1.0
    var number: Double?
    var ordinal: Int?
    var part: DayPart?
    /// Days from today.
    var offset: Int?
    /// "weekly": the unit and how many of it.
    var adverb: (unit: TimeUnit, interval: Int)?

    mutating func merge(_ other: Lexeme) {
        roles.formUnion(other.roles)
        weekday = weekday ?? other.weekday
        month = month ?? other.month
        if unit == nil {
            unit = other.unit
            scale = other.scale
        }
        number = number ?? other.number
        ordinal = ordinal ?? other.ordinal
        part = part ?? other.part
        offset = offset ?? other.offset
        adverb = adverb ?? other.adverb
    }

    /// Whether the word alone names something of the calendar or the clock.
    var isTemporal: Bool {
        weekday != nil || month != nil || part != nil || offset != nil || unit != nil
            || adverb != nil
    }
}

/// The units that people count time in.
package enum TimeUnit: Sendable, Equatable {
    case second, minute, hour, day, week, month, quarter, year
}

/// Stretches of the day that have a name.
enum DayPart: Sendable, Equatable {
    case earlyMorning, morning, lateMorning, breakfast, noon, lunch, afterLunch, earlyAfternoon,
        afternoon, lateAfternoon, endOfDay, afterWork, earlyEvening, evening, dinner, night,
        lateNight, bedtime, midnight, dawn, dusk, firstThing

    /// The hours that a bare clock hour may lie in with this part.
    var isLate: Bool {
        switch self {
        case .afternoon, .earlyAfternoon, .lateAfternoon, .afterLunch, .endOfDay, .afterWork,
            .earlyEvening, .evening, .dinner, .night, .lateNight, .bedtime, .dusk:
            true
        default: false
        }
    }

    /// Twelve o'clock is in it.
    var isNoonish: Bool { [.afternoon, .earlyAfternoon, .afterLunch].contains(self) }
    var isNight: Bool { self == .night || self == .lateNight || self == .bedtime }
}
