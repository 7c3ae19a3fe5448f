import Base
import Foundation
import XCTest

@testable import DateLanguage

/// How much of what people type is understood, in figures by section.
final class DatePhrasesTests: XCTestCase {
    /// The figures to reach, in one place.
    private enum Demanded {
        static let when = 0.95
        static let title = 0.90
        static let germanWhen = 0.90
        static let germanTitle = 0.90
    }

    /// `CHAT_PHRASES=FILE` grades a file of your own as well, and names every
    /// phrase of it that is not understood.
    func testPhrasesToDevelopByAreUnderstood() throws {
        if let path = ProcessInfo.processInfo.environment["CHAT_PHRASES"] {
            let set = try PhraseSet(path: path, name: path)
            print(try Figures(set, isVerbose: true).table)
        }
        try grade("phrases-dev")
    }

    func testPhrasesNeverSeenAreUnderstood() throws { try grade("heldout") }
    func testAmericanPhrasesAreUnderstood() throws { try grade("american") }
    func testPhrasesOfOtherWritersAreUnderstood() throws {
        for number in [6, 7] {
            for language in ["english", "american", "german"] {
                try grade("\(language)-\(number)")
            }
        }
    }
    func testGermanPhrasesAreUnderstood() throws { try grade("german-dev") }
    func testGermanPhrasesNeverSeenAreUnderstood() throws { try grade("german-heldout") }

    private func grade(_ name: String) throws {
        let set = try PhraseSet.named(name)
        // What failed is not named: the unseen would not be unseen for long.
        let figures = try Figures(set, isVerbose: false)
        print(figures.table)
        let isGerman = name.hasPrefix("german")
        XCTAssertGreaterThanOrEqual(
            figures.total.when, isGerman ? Demanded.germanWhen : Demanded.when, figures.table)
        XCTAssertGreaterThanOrEqual(
            figures.total.title, isGerman ? Demanded.germanTitle : Demanded.title, figures.table)
    }
}

/// Right answers of one parser on one set, by section.
private struct Figures {
    struct Row {
        var count = 0
        var whenRight = 0
        var titleRight = 0
        var extras = 0
        var extrasRight = 0

        var when: Double { Double(whenRight) / Double(max(count, 1)) }
        var title: Double { Double(titleRight) / Double(max(count, 1)) }

        mutating func add(_ grade: PhraseGrade) {
            count += 1
            whenRight += grade.isWhenRight ? 1 : 0
            titleRight += grade.isTitleRight ? 1 : 0
            extras += grade.extras.count
            extrasRight += grade.extras.values.filter { $0 }.count
        }
    }

    let name: String
    var sections: [(name: String, row: Row)] = []
    var total = Row()
    var misses: [String] = []

    init(_ set: PhraseSet, isVerbose: Bool) throws {
        name = set.name
        let context = try set.context()
        let parser = DateParser(context)
        for phrase in set.phrases {
            let reading = parser.parse(phrase.text)
            let grade = PhraseGrade(reading, of: phrase, in: context.local)
            if sections.last?.name != phrase.section { sections.append((phrase.section, Row())) }
            sections[sections.count - 1].row.add(grade)
            total.add(grade)
            if isVerbose { misses += Self.misses(grade, reading, phrase, context.local) }
        }
    }

    private static func misses(
        _ grade: PhraseGrade, _ reading: ParsedPhrase, _ phrase: PhraseSet.Phrase,
        _ local: LocalTime
    ) -> [String] {
        var misses: [String] = []
        if !grade.isWhenRight {
            let rule = reading.recurrence.map { rule in
                PhraseGrade.parts(rule, in: local).sorted { $0.key < $1.key }
                    .map { "\($0.key)=\($0.value.sorted().joined(separator: ","))" }
                    .joined(separator: ";")
            }
            misses.append(
                "when   \(phrase.text)\n       \(reading.start?.isoText ?? "-") \(rule ?? "-"), "
                    + "not \(phrase.starts[0]) \(phrase.rules[0])")
        }
        if !grade.isTitleRight {
            misses.append(
                "title  \(phrase.text)\n       “\(reading.title)”, not “\(phrase.titles[0])”")
        }
        for (name, isRight) in grade.extras.sorted(by: { $0.key < $1.key }) where !isRight {
            misses.append("\(name)  \(phrase.text): not \(phrase.extras[name] ?? "")")
        }
        return misses
    }

    var table: String {
        var lines = misses
        lines.append("\(name): right of all, start with rule, title, the rest")
        for (name, row) in sections + [("total", total)] {
            let padded = name.padding(toLength: 24, withPad: " ", startingAt: 0)
            let percent = "\(Int((row.when * 1000).rounded()) / 10) %"
            lines.append(
                "  \(padded) \(row.count)  \(row.whenRight) (\(percent))  \(row.titleRight)  "
                    + "\(row.extrasRight)/\(row.extras)")
        }
        return lines.joined(separator: "\n")
    }
}
