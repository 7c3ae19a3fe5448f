import Base
import Foundation
import Privacy
import TestSupport
import XCTest

/// Texts by somebody who had not seen the rules of the redactor: résumés with traps,
/// people nobody declared, and sentences in which nothing is anybody's.
final class OutsideGrade: XCTestCase {
    private func redacted(
        _ text: String, _ person: PersonalData = PersonalData(), readsProse: Bool = false
    ) -> String {
        var map = RedactionMap(avoiding: text)
        let redacted = Redactor(person, readsProse: readsProse).redact(text, into: &map)
        XCTAssertEqual(Array(map.restore(redacted).utf8), Array(text.utf8))
        return redacted
    }

    func testNothingGoesThatIsNobodys() throws {
        var gone: [String] = []
        var (words, all) = (0, 0)
        for line in Grade.sample(try OutsideSets.lines("stays.txt")) {
            all += line.split(separator: " ").count
            let text = redacted(line)
            if text == line { continue }
            let left = Set(text.split(separator: " "))
            words += max(1, Set(line.split(separator: " ")).subtracting(left).count)
            gone.append("\(line)\n    \(text)")
        }
        XCTAssertGreaterThan(all, Grade.isWhole ? 1_500 : 100)
        Grade.check(
            "others' texts: words that are nobody's stay", right: all - words, of: all,
            atLeast: 0.995, gone.joined(separator: "\n"))
    }

    func testPeopleNobodyDeclaredAreFoundByTheFormOfWhatTheyTell() throws {
        var counts: [String: (found: Int, all: Int)] = [:]
        var missed: [String] = []
        for line in Grade.sample(try OutsideSets.lines("unknown.txt")) {
            let marked = OutsideSets.marked(line)
            let text = redacted(marked.text)
            for (kind, value) in marked.values {
                let group = ["email", "phone", "url"].contains(kind) ? kind : "other"
                counts[group, default: (0, 0)].all += 1
                if OutsideSets.isSeen(kind, value, in: text) {
                    missed.append("\(kind) \(value) in \(line)")
                } else {
                    counts[group, default: (0, 0)].found += 1
                }
            }
        }
        for (group, least) in [("email", 0.99), ("phone", 0.99), ("url", 0.99), ("other", 0.95)] {
            let (found, all) = counts[group] ?? (0, 0)
            Grade.check(
                "others' texts: what nobody declared is found, \(group)", right: found, of: all,
                atLeast: least, missed.joined(separator: "\n"))
        }
    }

    /// What only the reading of the résumé can know (its references) is not asked here.
    func testAResumeWithTrapsTellsNothingOfItsOwner() throws {
        let lines = try OutsideSets.lines("resumes.jsonl")
        XCTAssertGreaterThanOrEqual(lines.count, 90)
        let resumes = Grade.sample(try lines.map { try JSONParser.parse($0) })
        let texts = resumes.map { resume -> JSONValue in
            let text = redacted(resume["text"]?.stringValue ?? "", profile(of: resume))
            return ["id": resume["id"] ?? .null, "text": .string(text)]
        }
        let report = try OutsideSets.judged(texts)
        XCTAssertFalse(report.isEmpty)
        let seen = report.filter { $0.hasPrefix("seen") }
        let hard = seen.filter { line in
            OutsideSets.beyondReach.contains { line.contains("\t\($0)\t") }
        }
        XCTAssertEqual(seen.filter { !hard.contains($0) }, [])
        let lost = report.filter { $0.hasPrefix("lost") }
        XCTAssertLessThanOrEqual(lost.count, 4, lost.joined(separator: "\n"))
    }

    private func profile(of row: JSONValue) -> PersonalData {
        var person = PersonalData()
        for entry in row["profile"]?.arrayValue ?? [] {
            let kind = entry.arrayValue?.first?.stringValue.flatMap(PersonalData.Kind.init)
            if let kind { person.add(kind, entry.arrayValue?.last?.stringValue ?? "") }
        }
        return person
    }

    /// Each row names what must go and what must stay. The résumés are not read as such here.
    func testTextsOfAnOfficeLoseWhatIsPersonalAndKeepTheRest() throws {
        let gates: [(set: String, gone: Double, kept: Double)] = [
            ("texts-15", 0.72, 0.9), ("texts-16", 0.92, 0.91), ("texts-17", 0.905, 0.93),
            ("resumes-15", 0.88, 0.905), ("resumes-16", 0.93, 0.945), ("resumes-17", 0.935, 0.925),
        ]
        for (set, gone, kept) in gates {
            let lines = try OutsideSets.lines("\(set).jsonl")
            // All of them: it takes a second.
            let texts = try lines.enumerated().map { index, line -> JSONValue in
                let row = try JSONParser.parse(line)
                let text = redacted(
                    row["text"]?.stringValue ?? "", profile(of: row), readsProse: true)
                return [
                    "set": .string(set), "number": .integer(Int64(index + 1)),
                    "text": .string(text),
                ]
            }
            let report = try OutsideSets.judged(texts, by: "blind.py")
            let counts = report.last?.split(separator: " ").compactMap { Int($0) } ?? []
            guard counts.count == 4 else { return XCTFail("\(report)") }
            let misses = report.dropLast().joined(separator: "\n")
            Grade.check(
                "others' texts: the personal goes, \(set)", right: counts[1] - counts[0],
                of: counts[1], atLeast: gone, misses)
            Grade.check(
                "others' texts: the rest stays, \(set)", right: counts[3] - counts[2],
                of: counts[3], atLeast: kept, misses)
        }
    }
}
