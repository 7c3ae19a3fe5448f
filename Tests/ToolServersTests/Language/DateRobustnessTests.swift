import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import DateLanguage

/// Whatever is typed, a reading comes back that is well formed and that
/// nobody is misled by.
final class DateRobustnessTests: XCTestCase {
    private static let full = ProcessInfo.processInfo.environment["CHAT_FULL"] == "1"

    /// One cut of each phrase, or every one.
    func testCutsOfEveryPhraseAreRead() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        for name in PhraseSet.names {
            let set = try PhraseSet.named(name)
            let context = try set.context()
            for phrase in set.phrases {
                let cuts = Array(phrase.text.indices)
                for cut in Self.full
                    ? cuts : [cuts.randomElement(using: &random)].compactMap(\.self)
                {
                    check(String(phrase.text[..<cut]), context)
                    check(String(phrase.text[cut...]), context)
                }
            }
        }
    }

    func testWordsInAnyOrderAreRead() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        for name in PhraseSet.names {
            let set = try PhraseSet.named(name)
            let context = try set.context()
            let words = set.phrases.flatMap { $0.text.split(separator: " ").map(String.init) }
            for _ in 0..<(Self.full ? 200_000 : 150) {
                let count = Int.random(in: 1...12, using: &random)
                let chosen = (0..<count).compactMap { _ in words.randomElement(using: &random) }
                check(chosen.joined(separator: " "), context)
            }
        }
    }

    func testBytesOfAnyKindAreRead() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let context = try PhraseSet.named("phrases-dev").context()
        let scalars: [Unicode.Scalar] = Array(
            "0123456789 :.-/,;!#@()'’“”\t\n\r\u{0}\u{1B}\u{200F}\u{301}\u{1F600}äßéamptohnd"
                .unicodeScalars)
        for _ in 0..<(Self.full ? 500_000 : 500) {
            var text = ""
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                if let scalar = scalars.randomElement(using: &random) {
                    text.unicodeScalars.append(scalar)
                }
            }
            check(text, context)
        }
    }

    func testHostileNumbersAndLengthsAreRead() throws {
        let context = try PhraseSet.named("phrases-dev").context()
        let phrases = [
            "", " ", "in 99999999999999999999 days", "in 9223372036854775807 hours",
            "in -5 minutes", "in 0 days", "every 0 days", "every 99999999999 weeks",
            "every day for 99999999999999999999 times", "at 25:61", "at 99", "at 24:00",
            "24:00 friday",
            "0/0", "32/13/2026", "31 february", "february 30", "29 february", "31.2.", "2026-02-30",
            "9999-12-31 23:59", "0000-01-01", "10000-01-01", "in 8000 years", "1.1.99999",
            "the 0th", "the 32nd of may", "every 32nd", "first of the first of the first",
            "99th monday of march", "3pm utc+99", "3pm utc-25:00", "5 to to to 5",
            "from from monday to to friday", "0.0000001 hours from now", "in 1e9 days",
            "remind me 99999999999 minutes before friday", "p99", "#", "@", "/", "!!!!!!!!",
            "every",
            "until until until", "wednesday midnight", "mittwoch mitternacht",
            String(repeating: "every day at 5pm ", count: 400),
            String(repeating: "9", count: 5000), String(repeating: "in 1 day ", count: 1000),
            String(repeating: "(", count: 3000), String(repeating: "é", count: 3000),
            String(repeating: "monday tuesday ", count: 600),
            String(repeating: "1-2-3-4-5 ", count: 500), String(repeating: ":", count: 4096),
        ]
        for phrase in phrases { check(phrase, context) }
    }

    func testEveryPhraseIsReadInAnyYear() throws {
        let set = try PhraseSet.named("phrases-dev")
        var context = try set.context()
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        for phrase in set.phrases {
            // Leap days, changes of the clock, the ends of years among them.
            context.now = Date(
                timeIntervalSince1970: .random(in: 0...4e9, using: &random).rounded())
            check(phrase.text, context)
        }
    }

    /// What holds for every reading of every text.
    private func check(
        _ text: String, _ context: DateContext, file: StaticString = #filePath, line: UInt = #line
    ) {
        let reading = DateParser(context).parse(text)
        let now = context.local.civil(at: context.now)
        let length = text.utf8.count
        let shown = text.count > 80 ? String(text.prefix(80)) + "…" : text
        for one in [reading] + reading.alternatives {
            if let start = one.start {
                let isOver =
                    switch start {
                    case .date(let date): date < now.date
                    // A part of a minute is not over before its end.
                    case .time(let clock): clock.secondsAsUTC < now.secondsAsUTC - 60
                    }
                if isOver {
                    XCTAssertTrue(
                        one.doubts.contains(.past) || one.recurrence != nil,
                        "“\(shown)” is \(start.isoText), over, and nobody says so",
                        file: file, line: line)
                }
                if let end = one.end {
                    XCTAssertFalse(
                        Self.isBefore(end, start),
                        "“\(shown)” ends \(end.isoText), before \(start.isoText)", file: file,
                        line: line)
                }
            } else {
                XCTAssertNil(one.end, "“\(shown)” ends and never begins", file: file, line: line)
            }
            if let rule = one.recurrence {
                XCTAssertGreaterThan(rule.interval, 0, "“\(shown)”", file: file, line: line)
                XCTAssertNotNil(
                    one.start, "“\(shown)” repeats from nowhere", file: file, line: line)
            }
            XCTAssertTrue((0...1).contains(one.confidence), "“\(shown)”", file: file, line: line)
        }
        for span in reading.spans {
            XCTAssertTrue(
                span.range.lowerBound >= 0 && span.range.upperBound <= length,
                "“\(shown)”: \(span)", file: file, line: line)
        }
        XCTAssertTrue(
            reading.alternatives.allSatisfy { $0.alternatives.isEmpty }, "“\(shown)”", file: file,
            line: line)
    }

    private static func isBefore(_ end: ParsedPhrase.Moment, _ start: ParsedPhrase.Moment) -> Bool {
        switch (end, start) {
        case (.time(let end), .time(let start)): end < start
        default: end.date < start.date
        }
    }
}
