import Base
import Foundation
import TestSupport
import XCTest

@testable import ICalendar

/// Thousands of random rules, expanded by us and by python-dateutil. What it
/// does otherwise on purpose or by a fault is taken out in the script, each
/// point with its reason in docs/recurrence.md.
final class DateutilTests: XCTestCase {
    private static let script = """
        import sys, signal, itertools, datetime as d
        from dateutil.rrule import rrule, rrulestr, WEEKLY, YEARLY

        class Slow(Exception): pass
        def alarm(*_): raise Slow()
        signal.signal(signal.SIGALRM, alarm)
        epoch = d.datetime(1970, 1, 1)

        def rule(text, start):
            parts = dict(p.split("=") for p in text.split(";"))
            # DTSTART is the first time and counts, matching or not.
            count = int(parts.pop("COUNT", 10 ** 9))
            # A rule of week numbers without days takes the weekday of DTSTART.
            if parts["FREQ"] == "YEARLY" and "BYWEEKNO" in parts and not (
                    {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} & set(parts)):
                parts["BYDAY"] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][start.weekday()]
            text = ";".join(k + "=" + v for k, v in parts.items())
            anchor = start
            if parts["FREQ"] == "WEEKLY" and "BYSETPOS" in parts:
                # It begins the first week's set at DTSTART instead of WKST.
                wkst = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"].index(parts.get("WKST", "MO"))
                anchor = start - d.timedelta(days=(start.weekday() - wkst) % 7)
                if "BYDAY" not in parts:
                    text += ";BYDAY=" + ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][start.weekday()]
            made = rrulestr(text, dtstart=anchor)
            return (t for t in made if t > start), count

        for line in sys.stdin:
            start, text, limit = line.rstrip("\\n").split("\\t")
            start = epoch + d.timedelta(seconds=int(start))
            out, end = [start], ""
            signal.setitimer(signal.ITIMER_REAL, 0.04)
            try:
                times, count = rule(text, start)
                for t in itertools.islice(times, min(count, int(limit)) - 1):
                    out.append(t)
            except Slow:
                end = "slow"
            except ValueError as e:
                # Steps and BY values that never meet: no times.
                end = "" if "empty set" in str(e) else "error " + str(e)
            signal.setitimer(signal.ITIMER_REAL, 0)
            print(" ".join(str(int((t - epoch).total_seconds())) for t in out), end, sep="\\t")
        """

    private struct Case {
        var start: CivilDateTime
        var rule: RecurrenceRule
    }

    func testRandomRulesGiveTheTimesOfDateutil() throws {
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] == "1"
        let seed = UInt64.random(in: 0...999_999)
        print("seed \(seed)")
        var random = RandomRule(seed: seed)
        let cases = (0..<(isFull ? 12_000 : 1_500)).map { _ in
            let start = random.start()
            return Case(start: start, rule: random.rule(start))
        }
        let limit = 25
        let answers = try PythonOracle.run(
            Self.script,
            input: cases.map { "\($0.start.secondsAsUTC)\t\($0.rule.text)\t\(limit)" })
        XCTAssertEqual(answers.count, cases.count)
        var (slow, different, compared) = (0, 0, 0)
        for (item, answer) in zip(cases, answers) {
            let fields = answer.split(separator: "\t", omittingEmptySubsequences: false)
            let wanted = fields[0].split(separator: " ").compactMap { Int($0) }
            XCTAssertFalse(fields.last?.hasPrefix("error") ?? true, "\(answer) \(item.rule.text)")
            let isSlow = fields.last == "slow"
            slow += isSlow ? 1 : 0
            var ours = [item.start.secondsAsUTC]
            var expansion = RecurrenceExpansion(item.rule, start: item.start, last: last(item.rule))
            var budget = RecurrenceBudget()
            do {
                while ours.count < limit, let time = try expansion.next(&budget) {
                    ours.append(time)
                }
            } catch {
                // A search we give up is one that took dateutil too long too,
                // or one without an end.
                XCTAssertTrue(isSlow || wanted.count <= ours.count, item.rule.text)
            }
            compared += ours.count
            let isSame = isSlow ? Array(ours.prefix(wanted.count)) == wanted : ours == wanted
            if !isSame {
                different += 1
                guard different <= 10 else { continue }
                XCTFail(
                    """
                    seed \(seed): \(item.rule.text) from \(item.start.isoText)
                    ours     \(texts(ours, wanted))
                    dateutil \(texts(wanted, ours))
                    """)
            }
        }
        XCTAssertEqual(different, 0)
        XCTAssertLessThan(slow, cases.count / 5, "most rules have to be compared")
        print("\(cases.count) rules, \(compared) times, \(slow) slow in dateutil")
    }

    /// Around the first difference.
    private func texts(_ times: [Int], _ others: [Int]) -> String {
        let same = zip(times, others).prefix { $0.0 == $0.1 }.count
        return times.dropFirst(max(0, same - 1)).prefix(4)
            .map { CivilDateTime(secondsAsUTC: $0).isoText }.joined(separator: " ")
    }

    private func last(_ rule: RecurrenceRule) -> Int {
        if case .until(.floating(let clock)) = rule.bound { return clock.secondsAsUTC }
        return RecurrenceExpansion.endOfTime
    }
}
