import XCTest

@testable import Letters

final class LetterTemplateTests: XCTestCase {
    private func template(
        _ length: LetterSettings.Length, _ tone: LetterSettings.Tone = .professional,
        language: String = "en-US", resume: String = LetterWriterRig.resume
    ) -> LetterTemplate {
        LetterTemplate(
            resume: resume, job: LetterWriterRig.job, role: "Site reliability engineer",
            company: "Acme", settings: LetterSettings(tone: tone, length: length),
            language: language)
    }

    func testItQuotesTheLinesInWhichTheWordsOfTheAdvertStand() {
        XCTAssertEqual(template(.short).keywords, ["Kubernetes", "Terraform"])
        XCTAssertEqual(
            template(.short).lines,
            [
                "Ran Kubernetes clusters for 30 teams with Terraform",
                "Kubernetes, Terraform, Python, PostgreSQL",
            ])
        XCTAssertTrue(
            template(.short).body.contains(
                "Your advert asks for Kubernetes and Terraform. These lines of my résumé show what "
                    + "I have done with it:\n- Ran Kubernetes clusters for 30 teams with Terraform\n"
            ))
    }

    func testEveryLineItQuotesStandsInTheResume() {
        for length in LetterSettings.Length.allCases {
            for line in template(length).body.split(separator: "\n") where line.hasPrefix("- ") {
                XCTAssertTrue(LetterWriterRig.resume.contains(line.dropFirst(2)), String(line))
            }
        }
    }

    func testTonesAndLanguagesDiffer() {
        let bodies = LetterSettings.Tone.allCases.flatMap { tone in
            ["en-US", "de-AT"].map { template(.medium, tone, language: $0).body }
        }
        XCTAssertEqual(Set(bodies).count, 10)
        XCTAssertTrue(
            template(.medium, language: "de").body.hasPrefix(
                "Ich bewerbe mich bei Acme auf die Stelle Site reliability engineer."))
    }

    func testALongOneHasMoreParagraphs() {
        let counts = LetterSettings.Length.allCases.map { length in
            template(length).body.components(separatedBy: "\n\n").count
        }
        XCTAssertEqual(counts, [2, 3, 4])
    }

    func testWithoutSharedWordsItClaimsNothing() {
        let resume = "Taught mathematics to children of ten for a decade"
        let body = template(.medium, resume: resume).body
        XCTAssertFalse(body.contains("- "))
        XCTAssertTrue(body.contains("My résumé shows what I have done so far"))
    }

    func testAnAddressOfTheAdvertIsNoWordThatItAsksFor() {
        let found = LetterTemplate(
            resume: "Looked after print jobs and Swift servers for ten teams",
            job: "We need Swift. Write to jobs@acme.example or see https://acme.example/jobs.",
            role: nil, company: nil, settings: LetterSettings(), language: "en")
        XCTAssertEqual(found.keywords, ["Swift"])
    }

    func testWithoutALineNoLinesAreAnnounced() {
        let body = template(.medium, resume: "Taught mathematics to children").body
        XCTAssertFalse(body.contains("Please find below"), body)
        XCTAssertTrue(template(.medium).body.contains("Please find below"))
    }

    func testItQuotesMoreLinesUntilItIsAsLongAsItIsToBe() {
        let resume = (1...12).map { "- Ran Kubernetes for team number \($0) with some care" }
            .joined(separator: "\n")
        let quoted = LetterSettings.Length.allCases.map { length in
            template(length, resume: resume).body.split(separator: "\n").count {
                $0.hasPrefix("- ")
            }
        }
        XCTAssertEqual(quoted, [7, 9, 9], template(.medium, resume: resume).body)
    }
}
