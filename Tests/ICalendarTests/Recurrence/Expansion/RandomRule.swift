import Base
import TestSupport

@testable import ICalendar

/// Random rules and starts for comparisons: seeded, of every frequency and
/// part, but tame enough that another program finds times for most of them.
struct RandomRule {
    var random: SplitMix

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    mutating func start() -> CivilDateTime {
        // 1990 to 2060, any second, more often a full hour.
        let day = Int.random(in: 7_305...32_872, using: &random)
        let second =
            random.once(in: 2)
            ? Int.random(in: 0..<24, using: &random) * 3600
            : Int.random(in: 0..<86_400, using: &random)
        return CivilDateTime(secondsAsUTC: day * 86_400 + second)
    }

    mutating func rule(_ start: CivilDateTime) -> RecurrenceRule {
        let frequency = RecurrenceRule.Frequency.allCases.randomElement(using: &random) ?? .daily
        var rule = RecurrenceRule(frequency)
        if random.once(in: 2) { rule.interval = Int.random(in: 1...7, using: &random) }
        if random.once(in: 4) {
            rule.weekStart =
                RecurrenceRule.Weekday.allCases.randomElement(using: &random) ?? .monday
        }
        if random.once(in: 3) { rule.byMonth = numbers(1...12, upTo: 4) }
        switch frequency {
        case .yearly:
            // dateutil misses weeks 52 and 53 at the turn of some years.
            if random.once(in: 5) { rule.byWeekNumber = signed(1...51, upTo: 3) }
            if random.once(in: 5) { rule.byYearDay = signed(1...366, upTo: 4) }
            if random.once(in: 4) { rule.byMonthDay = signed(1...31, upTo: 4) }
            if random.once(in: 3) {
                rule.byDay = days(rule.byWeekNumber.isEmpty ? (rule.byMonth.isEmpty ? 53 : 5) : 0)
            }
        case .monthly:
            if random.once(in: 2) { rule.byMonthDay = signed(1...31, upTo: 4) }
            if random.once(in: 2) { rule.byDay = days(5) }
        case .weekly: if !random.once(in: 3) { rule.byDay = days(0) }
        default:
            if random.once(in: 5) { rule.byMonthDay = signed(1...31, upTo: 12) }
            if random.once(in: 3) { rule.byDay = days(0) }
            if frequency != .daily, random.once(in: 8) {
                rule.byYearDay = signed(1...366, upTo: 200)
            }
        }
        if random.once(in: 3) { rule.byHour = numbers(0...23, upTo: 3) }
        if random.once(in: 3) { rule.byMinute = numbers(0...59, upTo: 3) }
        if random.once(in: 5) { rule.bySecond = numbers(0...59, upTo: 3) }
        if frequency != .secondly, random.once(in: 4) {
            rule.bySetPosition = signed(random.once(in: 6) ? 1...8 : 1...2, upTo: 2)
        }
        if random.once(in: 3) {
            rule.bound = .count(Int.random(in: 1...40, using: &random))
        } else if random.once(in: 3) {
            let seconds = Int.random(in: 0...(86_400 * 900), using: &random)
            rule.bound = .until(
                .floating(CivilDateTime(secondsAsUTC: start.secondsAsUTC + seconds)))
        }
        return rule
    }

    mutating func numbers(_ range: ClosedRange<Int>, upTo count: Int) -> [Int] {
        Array(
            Set(
                (0..<Int.random(in: 1...count, using: &random)).map { _ in
                    Int.random(in: range, using: &random)
                })
        ).sorted()
    }

    private mutating func signed(_ range: ClosedRange<Int>, upTo count: Int) -> [Int] {
        let values = numbers(range, upTo: count)
        return values.map { random.once(in: 3) ? -$0 : $0 }
    }

    /// Either all with an ordinal or none: dateutil intersects where RFC 5545
    /// joins.
    private mutating func days(_ largest: Int) -> [RecurrenceRule.Day] {
        let hasOrdinals = largest > 0 && random.once(in: 2)
        return numbers(0...6, upTo: 4).compactMap { number in
            RecurrenceRule.Weekday(rawValue: number).map {
                RecurrenceRule.Day(
                    $0,
                    ordinal: hasOrdinals
                        ? Int.random(in: 1...largest, using: &random)
                            * (random.once(in: 2) ? -1 : 1)
                        : nil)
            }
        }
    }
}
