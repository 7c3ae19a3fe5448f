import Base
import Foundation
import XCTest

@testable import Letters

/// The check of a letter's claims against résumés of four kinds: half of the
/// sentences of each set say something that nobody wrote.
final class ClaimCheckTests: XCTestCase {
    private struct Case {
        var claims: [String]
        var sentence: String
    }

    private static let sets = ["engineer", "german", "nurse", "french"]

    private func text(_ name: String) throws -> String {
        let folder = try XCTUnwrap(Bundle.module.resourceURL)
        return try String(
            contentsOf: folder.appending(path: "Fixtures/claims/\(name)"), encoding: .utf8)
    }

    private func check(_ set: String) throws -> ClaimCheck {
        ClaimCheck(
            resume: try text("\(set).resume.txt"), job: try text("\(set).job.txt"), year: 2026,
            month: 11)
    }

    private func cases(_ set: String) throws -> [Case] {
        try text("\(set).sentences.tsv").split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { line in
                let fields = line.split(separator: "\t", maxSplits: 1)
                let claims =
                    fields[0] == "-" ? [] : fields[0].split(separator: ";").map(String.init)
                return Case(claims: claims, sentence: String(fields[1]))
            }
    }

    /// In a letter of its own, and among true sentences of the same language.
    func testInventedSentencesAreFlaggedAndTrueOnesAreNot() throws {
        var (invented, missed, right, alarms) = (0, [String](), 0, [String]())
        for set in Self.sets {
            let check = try check(set)
            let cases = try cases(set)
            let frame = cases.filter(\.claims.isEmpty).prefix(3).map(\.sentence)
                .joined(separator: " ")
            for one in cases {
                let found = check.findings(in: "\(frame)\n\n\(one.sentence)")
                    .filter { $0.sentence == ClaimCheck.oneLine(one.sentence) }
                if one.claims.isEmpty {
                    right += 1
                    if let found = found.first { alarms.append("\(found.claims): \(one.sentence)") }
                } else {
                    invented += 1
                    if found.isEmpty { missed.append(one.sentence) }
                }
            }
        }
        XCTAssertGreaterThanOrEqual(invented, 50)
        XCTAssertGreaterThanOrEqual(right, 50)
        XCTAssertEqual(missed, [], "of \(invented)")
        XCTAssertEqual(alarms, [], "of \(right)")
    }

    func testTheClaimsThemselvesAreNamed() throws {
        let check = try check("engineer")
        func claims(_ sentence: String) -> [String] {
            check.findings(in: sentence).flatMap(\.claims)
        }
        XCTAssertEqual(claims("I spent 10 years at Google."), ["10 years", "Google"])
        XCTAssertEqual(claims("In my time at Goldman Sachs I grew."), ["Goldman Sachs"])
        XCTAssertEqual(claims("I saved $5 million and 12% of time."), ["$5 million", "12%"])
        XCTAssertEqual(claims("Rust, Go and rust again, in 2012."), ["2012"])
        XCTAssertEqual(claims("We use Kubernetes and kafka."), [])
    }

    /// What a model makes of one résumé fits only that one.
    func testLengthsOfTimeFollowFromDates() throws {
        func says(_ resume: String, _ sentence: String) -> Bool {
            ClaimCheck(resume: resume, job: "", year: 2026, month: 11)
                .findings(in: sentence).isEmpty
        }
        let ranges = [
            "Cook, Blue Door, 2018 – 2023", "Cook, 03/2018 - 02/2023", "Cook | 2018-03 to 2023-02",
            "März 2018 bis Februar 2023: Koch", "Cook (2018–23)", "Cook, Mar. 2018 — Feb. 2023",
            "01.03.2018 - 28.02.2023 Koch",
        ]
        for range in ranges {
            XCTAssertTrue(says(range, "I cooked for five years."), range)
            XCTAssertTrue(says(range, "I cooked for over four years."), range)
            XCTAssertTrue(says(range, "I cooked for 5 years."), range)
            XCTAssertFalse(says(range, "I cooked for seven years."), range)
            XCTAssertFalse(says(range, "I cooked for over six years."), range)
            XCTAssertFalse(says(range, "I cooked for 3 years."), range)
        }
        XCTAssertTrue(says("Cook since 2020", "I have cooked for six years."))
        XCTAssertTrue(says("Koch, seit 03/2021", "I have cooked for five years."))
        XCTAssertTrue(says("Intern, June 2019 – August 2019", "In three months I learned much."))
        XCTAssertFalse(says("Cook, 2018", "I cooked for eight years."))
        // School years are no experience.
        let two = "University of Leeds, 2010 – 2014\n\nCook, Blue Door, 2015 – 2018"
        XCTAssertTrue(says(two, "I studied for four years and cooked for three years."))
        XCTAssertFalse(says(two, "I have eight years of experience."))
        let jobs = "Cook, Blue Door, 2015 – 2018\n\nChef, Red Door, 2018 – 2024"
        XCTAssertTrue(says(jobs, "I have nine years of experience."))
        XCTAssertTrue(says(jobs, "I have over 8 years of experience."))
        XCTAssertFalse(says(jobs, "I have over ten years of experience."))
    }

    func testNumbersAreComparedAsWhatTheyMean() throws {
        func says(_ resume: String, _ sentence: String) -> Bool {
            ClaimCheck(resume: resume, job: "", year: 2026, month: 11)
                .findings(in: sentence).isEmpty
        }
        for (resume, sentence) in [
            ("served 1,200 guests", "I served 1200 guests."),
            ("served 1.200 guests", "I served 1,200 guests."),
            ("budget €500k", "I managed 500,000 euros."),
            ("budget of 500.000 EUR", "My budget was €0.5 million."),
            ("raised $2.5M", "I raised 2.5 million dollars."),
            ("grew sales 40%", "Sales grew by forty percent."),
            ("a team of twenty-five", "I led 25 people."),
            ("led 12 people", "I led a dozen people."),
            ("doubled sales", "I raised sales by 100%."),
            ("halved waste", "I cut waste by 50 %."),
            ("Python 3.11", "I write Python 3."),
            ("HTML5 and CSS3", "I know HTML and CSS."),
            ("ISO 27001 audits", "I led ISO 27001 audits."),
        ] {
            XCTAssertTrue(says(resume, sentence), "\(resume) → \(sentence)")
        }
        for (resume, sentence) in [
            ("served 1,200 guests", "I served 12,000 guests."),
            ("grew sales 40%", "I led 40 people."),
            ("led 40 people", "Sales grew by 40%."),
            ("led 10 people", "I have 10 years of experience."),
            ("budget €500k", "My budget was €500 million."),
            ("Oracle of Delphi guide, at the oracle; apple pie", "I worked at Apple."),
            ("meta analysis", "I worked at Meta."),
        ] {
            XCTAssertFalse(says(resume, sentence), "\(resume) → \(sentence)")
        }
    }

    func testAnyTextIsChecked() {
        let check = ClaimCheck(resume: "", job: "", year: 2026, month: 11)
        XCTAssertEqual(check.findings(in: ""), [])
        for text in [
            "[", "⟦", "…", "1", "a-", "-1-", "$", "1,,2", "9999999999999999999999 years",
            "\u{0}\u{1}", "é́́", "[NAME", "10 years of [NAME]", "2018-", "\n\n- \n-", "– bis –",
        ] {
            _ = check.findings(in: text)
            _ = ClaimCheck(resume: text, job: text, year: 2026, month: 11).findings(in: text)
        }
    }

    func testVagueNumbersAreNumbersToo() {
        func claims(_ resume: String, _ sentence: String) -> [String] {
            ClaimCheck(resume: resume, job: "", year: 2026, month: 11)
                .findings(in: sentence).flatMap(\.claims)
        }
        for (sentence, claim, proof) in [
            ("I cut waste by a third.", "third", "Cut waste by a third"),
            ("I trained dozens of bakers.", "dozens", "Trained dozens of bakers"),
            ("Sales went up twice.", "twice", "Doubled sales"),
            ("I saved half a million euros.", "half a million", "Saved 500,000 euros"),
        ] {
            XCTAssertEqual(claims("Baker in Leeds.", sentence), [claim])
            XCTAssertEqual(claims(proof, sentence), [], sentence)
        }
        XCTAssertEqual(claims("Baker in Leeds.", "In my third year I led the team."), [])
    }
}
