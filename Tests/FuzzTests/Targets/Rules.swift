import Base

@testable import ICalendar

extension FuzzTarget {
    /// A rule is written as it is read, and its times go forward.
    static let rules = FuzzTarget("rules") { bytes in
        guard let rule = try? RecurrenceRule(parsing: String(decoding: bytes, as: UTF8.self))
        else { return }
        let again = try? RecurrenceRule(parsing: rule.text)
        try demand(again == rule, "another rule when read again: \(rule.text)")
        let noon = CivilDateTime(secondsAsUTC: 1_772_280_000)
        for zone in [nil, TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")] {
            let set = RecurrenceSet(start: .time(noon, zone: zone), rules: [rule])
            guard let times = try? set.first(20, in: here) else { continue }
            let seconds = times.map { set.second(of: $0, in: here) }
            try demand(zip(seconds, seconds.dropFirst()).allSatisfy { $0 < $1 }, "not in order")
        }
    }
}
