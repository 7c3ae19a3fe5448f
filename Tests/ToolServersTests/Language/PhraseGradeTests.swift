import Base
import Foundation
import ICalendar
import XCTest

@testable import DateLanguage

/// The grader is only worth something when it can say no, and the phrases
/// when the calendar agrees with them.
final class PhraseGradeTests: XCTestCase {
    func testADayAcceptsATimeOfItAndATimeNoDay() throws {
        XCTAssertTrue(try grade("a\t2026-03-05\t-\ta\t", start: "2026-03-05").isWhenRight)
        XCTAssertTrue(try grade("a\t2026-03-05\t-\ta\t", start: "2026-03-05T09:00").isWhenRight)
        XCTAssertFalse(try grade("a\t2026-03-05\t-\ta\t", start: "2026-03-06").isWhenRight)
        XCTAssertFalse(try grade("a\t2026-03-05T09:00\t-\ta\t", start: "2026-03-05").isWhenRight)
        XCTAssertFalse(
            try grade("a\t2026-03-05T09:00\t-\ta\t", start: "2026-03-05T09:01").isWhenRight)
        XCTAssertFalse(try grade("a\t2026-03-05\t-\ta\t", start: nil).isWhenRight)
        XCTAssertTrue(try grade("a\t-\t-\ta\t", start: nil).isWhenRight)
        XCTAssertFalse(try grade("a\t-\t-\ta\t", start: "2026-03-05").isWhenRight)
    }

    func testAlternativesAndHoursAreAccepted() throws {
        let row = "a\t2026-03-05T19:00\t-\ta\tsaid; fuzzy:17-22; alt:2026-03-06|2026-03-07"
        XCTAssertTrue(try grade(row, start: "2026-03-05T17:00").isStartRight)
        XCTAssertTrue(try grade(row, start: "2026-03-05T22:00").isStartRight)
        XCTAssertFalse(try grade(row, start: "2026-03-05T22:01").isStartRight)
        XCTAssertFalse(try grade(row, start: "2026-03-05").isStartRight)
        XCTAssertTrue(try grade(row, start: "2026-03-07").isStartRight)
        XCTAssertFalse(try grade(row, start: "2026-03-08T19:00").isStartRight)
    }

    func testRulesAreSetsOfParts() throws {
        var rule = RecurrenceRule(.weekly)
        rule.byDay = [.init(.thursday), .init(.monday)]
        rule.byHour = [9]
        let row = "a\t2026-03-05\tFREQ=WEEKLY;INTERVAL=1;BYDAY=MO,TH\ta\t"
        XCTAssertTrue(try grade(row, start: "2026-03-05", rule: rule).isRuleRight)
        XCTAssertFalse(try grade(row, start: "2026-03-05", rule: nil).isRuleRight)
        rule.interval = 2
        XCTAssertFalse(try grade(row, start: "2026-03-05", rule: rule).isRuleRight)
        XCTAssertTrue(
            try grade(
                row + "altr:FREQ=WEEKLY;INTERVAL=2;BYDAY=TH,MO", start: "2026-03-05", rule: rule
            ).isRuleRight)
        XCTAssertFalse(
            try grade("a\t2026-03-05\t-\ta\t", start: "2026-03-05", rule: rule).isRuleRight)
    }

    func testUntilCountsByItsDay() throws {
        var rule = RecurrenceRule(.daily)
        rule.bound = try .until(XCTUnwrap(CalendarMoment(value: "20260630T215959Z")))
        let row = "a\t2026-03-05\tFREQ=DAILY;UNTIL=20260630\ta\t"
        XCTAssertTrue(try grade(row, start: "2026-03-05", rule: rule).isRuleRight)
        // 23:30 UTC is 1 July in Berlin.
        rule.bound = try .until(XCTUnwrap(CalendarMoment(value: "20260630T233000Z")))
        XCTAssertFalse(try grade(row, start: "2026-03-05", rule: rule).isRuleRight)
    }

    func testTitlesAreComparedAsPeopleReadThem() throws {
        let row = "a\t-\t-\tcall Mum\talttitle:ring Mum|phone Mum"
        for title in ["call mum", " Call  Mum. ", "phone mum!"] {
            XCTAssertTrue(try grade(row, start: nil, title: title).isTitleRight, title)
        }
        for title in ["call", "call mum at", ""] {
            XCTAssertFalse(try grade(row, start: nil, title: title).isTitleRight, title)
        }
    }

    func testNotesOfOnePieceAreAllRead() throws {
        let set = PhraseSet(
            "a\t2026-03-05\t-\ta\tkind:event end:2026-03-06 inclusive; alt:2026-03-07", name: "")
        let phrase = try XCTUnwrap(set.phrases.first)
        XCTAssertEqual(phrase.extras, ["kind": "event", "end": "2026-03-06"])
        XCTAssertEqual(phrase.starts, ["2026-03-05", "2026-03-07"])
    }

    func testExtrasAreGradedByName() throws {
        let set = PhraseSet(
            "a\t-\t-\ta\talarm:-P1D; priority:1; tags:b,a; list:home; kind:event", name: "")
        var reading = ParsedPhrase(title: "a", kind: .event)
        reading.alarm = CalendarDuration(seconds: -86_400)
        reading.priority = 1
        reading.categories = ["a", "b"]
        let grade = PhraseGrade(
            reading, of: try XCTUnwrap(set.phrases.first), in: try set.context().local)
        XCTAssertEqual(
            grade.extras,
            ["alarm": true, "priority": true, "tags": true, "list": false, "kind": true])
    }

    // MARK: The phrases themselves

    func testEverySetIsWellFormed() throws {
        for name in PhraseSet.names {
            let set = try PhraseSet.named(name)
            let context = try set.context()
            let today = context.local.civil(at: context.now).date
            XCTAssertGreaterThanOrEqual(set.phrases.count, 40, name)
            XCTAssertEqual(Set(set.phrases.map(\.text)).count, set.phrases.count, name)
            for phrase in set.phrases {
                for start in phrase.starts where start != "-" {
                    let moment = PhraseSet.moment(start)
                    XCTAssertNotNil(moment, "\(name): \(phrase.text): \(start)")
                    XCTAssertTrue(
                        moment.map { $0.date >= today } == true,
                        "\(name): \(phrase.text): \(start) is over")
                }
                for rule in phrase.rules where rule != "-" {
                    XCTAssertNotNil(
                        PhraseGrade.parts(rule)["FREQ"], "\(name): \(phrase.text): \(rule)")
                }
                if let end = phrase.extras["end"] {
                    XCTAssertNotNil(PhraseSet.moment(end), "\(name): \(phrase.text): \(end)")
                }
            }
        }
    }

    func testNoPhraseIsBothSeenAndUnseen() throws {
        for (seen, unseen) in [("phrases-dev", "heldout"), ("german-dev", "german-heldout")] {
            let known = Set(try PhraseSet.named(seen).phrases.map(\.text))
            let phrases = try PhraseSet.named(unseen).phrases.map(\.text)
            XCTAssertEqual(phrases.filter(known.contains), [])
        }
    }

    private func grade(
        _ row: String, start: String?, rule: RecurrenceRule? = nil, title: String = "a"
    ) throws -> PhraseGrade {
        let set = PhraseSet(row, name: "row")
        var reading = ParsedPhrase(title: title, start: start.flatMap(PhraseSet.moment))
        reading.recurrence = rule
        return PhraseGrade(
            reading, of: try XCTUnwrap(set.phrases.first), in: try set.context().local)
    }
}
