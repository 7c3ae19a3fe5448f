import TestSupport
import XCTest

/// The frozen résumés as letters would send them: read, put together and redacted, in
/// one process. `LetterSecrecyTests` has some of them through the real program.
final class LetterGrade: XCTestCase {
    func testNothingOfAnybodyIsInARequestAndTheWordsOfTheBodyAre() throws {
        var (gone, all) = (0, 0)
        var lost: [String: [String]] = [:]
        var missed: [String] = []
        var counts: [String: (found: Int, all: Int)] = [:]
        for resume in Grade.sample(try InventedResume.frozen()) {
            let request = try LetterMaterials.request(
                resume: resume.text, job: resume.job, format: resume.format,
                profile: resume.declared)
            let hits = PersonScan(resume).hits(in: request)
            XCTAssertEqual(hits.filter { !$0.hasPrefix("unknown") }, [], resume.id)
            for (kind, text) in resume.unknown {
                let group = ["email", "phone", "url"].contains(kind) ? kind : "other"
                counts[group, default: (0, 0)].all += 1
                let shown = kind == "address" ? text.split(separator: ",")[0].description : text
                if let hit = hits.first(where: { $0.hasPrefix("unknown \(kind) \(shown)") }) {
                    missed.append("\(resume.id): \(hit)")
                } else {
                    counts[group, default: (0, 0)].found += 1
                }
            }
            for (kind, (words, of)) in resume.lost(in: request) {
                lost[kind, default: []] += words.map { "\(resume.id): \($0)" }
                gone += words.count
                all += of
            }
            for word in [resume.company, resume.role] {
                XCTAssertTrue(request.contains(word), "\(resume.id): \(word)")
            }
        }
        for kind in ["year", "skill", "version", "money", "metric"] {
            XCTAssertEqual(lost[kind, default: []], [], kind)
        }
        Grade.check(
            "letters: words that are nobody's stay", right: all - gone, of: all, atLeast: 0.995,
            "\(lost.values.joined().sorted())")
        for (group, least) in [("email", 0.99), ("phone", 0.99), ("url", 0.99), ("other", 0.95)] {
            let (found, all) = counts[group] ?? (0, 0)
            Grade.check(
                "letters: what nobody declared is found, \(group)", right: found, of: all,
                atLeast: least, "\(missed)")
        }
    }

    /// PII1: pairs that differ only in who the person is.
    func testPeopleWhoDifferOnlyInWhoTheyAreAskTheSame() throws {
        let count = Grade.isWhole ? 200 : 20
        let pairs = try InventedResume.twins(count)
        var told: [String] = []
        for (one, other) in pairs {
            let requests = try [one, other].map {
                try LetterMaterials.request(
                    resume: $0.text, job: $0.job, format: $0.format, profile: $0.declared)
            }
            if requests[0] != requests[1] { told.append(one.id) }
        }
        Grade.check(
            "letters: two people ask the same", right: pairs.count - told.count, of: count,
            atLeast: 1, "\(told)")
    }
}
