import Base
import Foundation
import TestSupport
import XCTest

@testable import ICalendar

/// Random rules in UTC, expanded by us and by libical, where it is installed
/// and `CHAT_FULL=1` is set. Only kinds of rules that 3.0 gets right (and
/// returns from) are compared; docs/recurrence.md names the others.
final class LibicalTests: XCTestCase {
    private static let script = """
        import ctypes, signal, sys
        # Some rules it never returns from; Python cannot interrupt a C call.
        signal.alarm(60)
        try:
            ical = ctypes.CDLL("libical.so.3")
        except OSError:
            sys.exit(3)
        expand = ical.icalrecur_expand_recurrence
        expand.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int, ctypes.POINTER(ctypes.c_long)]
        for line in sys.stdin:
            start, text, limit = line.rstrip("\\n").split("\\t")
            times = (ctypes.c_long * int(limit))()
            expand(text.encode(), int(start), int(limit), times)
            print(" ".join(str(t) for t in times if t))
        """

    func testRandomRulesGiveTheTimesOfLibical() throws {
        guard ProcessInfo.processInfo.environment["CHAT_FULL"] == "1" else {
            throw XCTSkip("compared with libical3 in full runs (CHAT_FULL=1)")
        }
        let seed = UInt64.random(in: 0...999_999)
        print("seed \(seed)")
        var random = RandomRule(seed: seed)
        var cases: [(start: CivilDateTime, rule: RecurrenceRule)] = []
        while cases.count < 3000 {
            let start = random.start()
            if let rule = tame(random.rule(start)) { cases.append((start, rule)) }
        }
        let limit = 20
        let answers = try PythonOracle.run(
            Self.script, needs: "libical3",
            input: cases.map { "\($0.start.secondsAsUTC)\t\($0.rule.text)\t\(limit)" })
        XCTAssertEqual(answers.count, cases.count)
        var (compared, different) = (0, 0)
        for (item, answer) in zip(cases, answers) {
            let own = item.start.secondsAsUTC
            let theirs = answer.split(separator: " ").compactMap { Int($0) }.filter { $0 != own }
            var ours: [Int] = []
            var expansion = RecurrenceExpansion(item.rule, start: item.start)
            var budget = RecurrenceBudget()
            while ours.count < theirs.count, let time = try expansion.next(&budget) {
                ours.append(time)
            }
            compared += theirs.count
            guard ours != theirs else { continue }
            different += 1
            guard different <= 10 else { continue }
            let same = zip(ours, theirs).prefix { $0.0 == $0.1 }.count
            let show = { (times: [Int]) in
                times.dropFirst(same).prefix(4).map { CivilDateTime(secondsAsUTC: $0).isoText }
                    .joined(separator: " ")
            }
            XCTFail(
                """
                seed \(seed): \(item.rule.text) from \(item.start.isoText)
                ours    \(show(ours))
                libical \(show(theirs))
                """)
        }
        XCTAssertEqual(different, 0)
        XCTAssertGreaterThan(compared, cases.count * 5)
        print("\(cases.count) rules, \(compared) times")
    }

    /// nil for what libical 3.0 gets wrong or does not come back from.
    private func tame(_ given: RecurrenceRule) -> RecurrenceRule? {
        var rule = given
        rule.bound = .none
        (rule.bySetPosition, rule.byWeekNumber, rule.byYearDay) = ([], [], [])
        (rule.byMinute, rule.bySecond) = ([], [])
        switch rule.frequency {
        case .secondly, .minutely, .hourly: return nil
        case .daily:
            rule.byMonthDay = []
            return rule.interval == 1 ? rule : nil
        case .weekly: return rule.interval == 1 && rule.byMonth.isEmpty ? rule : nil
        case .monthly:
            rule.byMonth = []
            guard rule.byMonthDay.isEmpty || rule.byDay.isEmpty else { return nil }
        case .yearly:
            guard !rule.byMonth.isEmpty, rule.byMonthDay.isEmpty || rule.byDay.isEmpty else {
                return nil
            }
            // A day that the months have, or it searches without an end.
            guard !rule.byMonthDay.isEmpty || !rule.byDay.isEmpty else { return nil }
        }
        guard rule.byMonthDay.allSatisfy({ abs($0) <= 28 }),
            rule.byDay.allSatisfy({ abs($0.ordinal ?? 1) <= 4 })
        else { return nil }
        return rule
    }
}
