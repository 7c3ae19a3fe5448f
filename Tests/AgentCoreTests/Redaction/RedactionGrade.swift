import Base
import Privacy
import TestSupport
import XCTest

/// The frozen résumés through the redactor and the gate, without the reading of
/// résumés: what is known of the person goes, what nobody declared goes by its form,
/// and what is nobody's stays.
final class RedactionGrade: XCTestCase {
    private struct Redacted {
        var resume: InventedResume
        var text: String
        var map: RedactionMap
    }

    private func redacted(where isMeant: (InventedResume) -> Bool = { _ in true }) throws
        -> [Redacted]
    {
        try Grade.sample(InventedResume.frozen()).filter(isMeant).map { resume in
            var map = RedactionMap()
            let text = Redactor(resume.declared).redact(resume.text, into: &map)
            return Redacted(resume: resume, text: text, map: map)
        }
    }

    func testEveryTextComesBackByteForByte() throws {
        XCTAssertEqual(try InventedResume.frozen().count, 100)
        for one in try redacted() {
            XCTAssertEqual(Array(one.map.restore(one.text).utf8), Array(one.resume.text.utf8))
            var map = one.map
            let job = Redactor(one.resume.declared).redact(one.resume.job, into: &map)
            XCTAssertEqual(Array(map.restore(job).utf8), Array(one.resume.job.utf8))
        }
    }

    func testNothingOfADeclaredPersonStays() throws {
        for one in try redacted(where: { $0.share == "full" }) {
            let hits = PersonScan(one.resume, withRecruiter: false, withUnknown: false)
                .hits(in: one.text).filter { $0.hasPrefix("own") && !$0.hasPrefix("own id") }
            XCTAssertEqual(hits, [], one.resume.id)
        }
    }

    func testWhatNobodyDeclaredIsFoundByItsForm() throws {
        var counts: [String: (found: Int, all: Int)] = [:]
        var missed: [String] = []
        for one in try redacted() {
            let hits = PersonScan(one.resume, withRecruiter: false).hits(in: one.text)
            for (kind, text) in one.resume.unknown {
                let group = ["email", "phone", "url"].contains(kind) ? kind : "other"
                counts[group, default: (0, 0)].all += 1
                let shown = kind == "address" ? text.split(separator: ",")[0].description : text
                if let hit = hits.first(where: { $0.hasPrefix("unknown \(kind) \(shown)") }) {
                    missed.append("\(one.resume.id): \(hit)")
                } else {
                    counts[group, default: (0, 0)].found += 1
                }
            }
        }
        for (group, least) in [("email", 0.99), ("phone", 0.99), ("url", 0.99), ("other", 0.95)] {
            let (found, all) = counts[group] ?? (0, 0)
            Grade.check(
                "redaction: what nobody declared is found, \(group)", right: found, of: all,
                atLeast: least, missed.joined(separator: "\n"))
        }
    }

    func testYearsSkillsAndVersionsStayAndHardlyAnyOtherWordGoes() throws {
        var (gone, all) = (0, 0)
        var lost: [String: [String]] = [:]
        for one in try redacted() {
            for (kind, (words, of)) in one.resume.lost(in: PersonScan.plain(one.text)) {
                lost[kind, default: []] += words.map { "\(one.resume.id): \($0)" }
                gone += words.count
                all += of
            }
        }
        for kind in ["year", "skill", "version", "money", "metric"] {
            XCTAssertEqual(lost[kind, default: []], [], kind)
        }
        XCTAssertGreaterThan(all, Grade.isWhole ? 10_000 : 900)
        Grade.check(
            "redaction: words that are nobody's stay", right: all - gone, of: all,
            atLeast: 0.995, "\(lost.values.joined().sorted())")
    }

    func testTheGateStopsEachTextAsItWasAndNoneThatWasRedacted() throws {
        for one in try redacted(where: { $0.share == "full" }) {
            let gate = LeakGate(one.resume.declared)
            XCTAssertFalse(gate.leaks(in: Array(one.resume.text.utf8)).isEmpty, one.resume.id)
            let body = JSONWriter.bytes(["input": .string(one.text)])
            XCTAssertEqual(gate.leaks(in: body).map(\.line), [], one.resume.id)
        }
    }
}
