/// The possible meanings of a word in a date: one word may have several ("second", "may",
/// "am"), and the grammar takes the one that fits.
struct Lexeme: Sendable {
    var roles = RoleSet()
    /// 0 is Sunday.
    var weekday: Int?
    var month: Int?
    var unit: TimeUnit?
    /// Factor of the unit: 2 for "fortnight", in weeks.
    var scale = 1.0
    var number: Double?
    var ordinal: Int?
    var part: DayPart?
    /// Days from today.
    var offset: Int?
    /// "weekly": the unit and its interval.
    var adverb: (unit: TimeUnit, interval: Int)?

    func has(_ role: Role) -> Bool { roles.contains(role) }

    /// Whether the word alone is a calendar or clock term.
    var isTemporal: Bool {
        weekday != nil || month != nil || part != nil || offset != nil || unit != nil
            || adverb != nil
    }
}

/// The units in which people count time.
package enum TimeUnit: String, Sendable {
    case second, minute, hour, day, week, month, quarter, year
}

/// The named parts of the day.
enum DayPart: String, Sendable {
    case earlyMorning, morning, lateMorning, breakfast, noon, lunch, afterLunch, earlyAfternoon,
        afternoon, lateAfternoon, endOfDay, afterWork, earlyEvening, evening, dinner, night,
        lateNight, bedtime, midnight, dawn, dusk, firstThing

    /// The default hour of the part, and the hour at which it ends.
    var window: (start: Int, end: Int) { Self.windows[self] ?? (0, 1) }

    private static let windows: [DayPart: (start: Int, end: Int)] = [
        .dawn: (6, 8), .earlyMorning: (7, 9), .breakfast: (8, 10), .morning: (9, 12),
        .firstThing: (9, 12), .lateMorning: (11, 12), .noon: (12, 13), .lunch: (12, 14),
        .earlyAfternoon: (13, 15), .afterLunch: (14, 16), .afternoon: (15, 18),
        .lateAfternoon: (17, 18), .endOfDay: (17, 24), .dusk: (18, 20), .earlyEvening: (18, 20),
        .afterWork: (18, 21), .dinner: (19, 21), .evening: (19, 23), .night: (20, 24),
        .lateNight: (22, 24), .bedtime: (22, 24),
    ]

    /// Whether a bare clock hour with it is after noon.
    var isLate: Bool { window.start > 12 }

    /// The part of the day with "early", "late" or "mid-" before it.
    func modified(by role: Role?) -> DayPart {
        switch (self, role) {
        case (.morning, .early?): .earlyMorning
        case (.morning, .late?), (.morning, .middle?): .lateMorning
        case (.afternoon, .early?): .earlyAfternoon
        case (.afternoon, .late?): .lateAfternoon
        case (.evening, .early?), (.night, .early?): .earlyEvening
        case (.evening, .late?), (.night, .late?): .lateNight
        default: self
        }
    }

    /// Whether it includes twelve o'clock.
    var isNoonish: Bool { [.afternoon, .earlyAfternoon, .afterLunch].contains(self) }
    var isNight: Bool { self == .night || self == .lateNight || self == .bedtime }
}

/// The grammatical roles of small words, in all languages.
enum Role: UInt8, CaseIterable, Sendable {
    case at, on, by, before, after, from, until, of, the, into, every, other, next, this, last,
        coming, and, half, quarter, past, to, am, pm, oclock, article, span, about, starting,
        except, times, often, workdays, weekend, early, middle, late, now, later, plural, time,
        between, threeQuarters, start, end, due
    /// "my", "our", "her": a noun follows.
    case owner
    /// A word that does not continue a noun: "about", "with", "and".
    case function
    /// "halb drei": half an hour before the hour that follows.
    case halfBefore
    /// Also a name or a common word: "may", "sun", "so".
    case doubtful
    /// "abends", "morgens": every day if used with a repetition.
    case habitual
    /// A measure other than time: "kg", "people", "%".
    case measure

    static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })
}

/// A set of roles, as bits because lookups are frequent.
struct RoleSet: Sendable {
    private var bits: UInt64 = 0

    func contains(_ role: Role) -> Bool { bits & 1 << UInt64(role.rawValue) != 0 }
    mutating func insert(_ role: Role) { bits |= 1 << UInt64(role.rawValue) }
}
