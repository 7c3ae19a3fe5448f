import Foundation
import Privacy
import XCTest

@testable import Documents

/// Résumés in many layouts. A fixture is the name that is to be found, what may not be
/// in the body, what must be, a line of dashes, and the résumé.
final class ResumeLayoutsTests: XCTestCase {
    func testNothingThatTellsWhoItIsStaysInTheBodyOfAnyLayout() throws {
        let folder = try XCTUnwrap(Bundle.module.resourceURL)
            .appending(path: "Fixtures/resumes")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        XCTAssertGreaterThanOrEqual(files.count, 19)
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            let parts = text.components(separatedBy: "\n----\n")
            let expected = parts[0].components(separatedBy: "\n")
            let resume = try Resume.read(parts.dropFirst().joined(separator: "\n----\n"))
            let name = file.lastPathComponent
            XCTAssertEqual(resume.contact.name, expected[0], name)
            for secret in expected[1].components(separatedBy: "|") {
                XCTAssertFalse(resume.body.contains(secret), "\(name): \(secret)")
            }
            for words in expected[2].components(separatedBy: "|") {
                XCTAssertTrue(resume.body.contains(words), "\(name): \(words)")
            }
        }
    }

    func testAnotherNameOfThePersonIsFoundBesideTheFirst() throws {
        for head in [
            "Anna Berger (née Wolkenstein)", "Anna Berger | geb. Wolkenstein",
            "Name: Anna Berger\nGeburtsname: Wolkenstein",
        ] {
            let resume = try Resume.read(
                """
                \(head)
                anna.berger@example.org

                Experience
                Acme GmbH, Engineer, 2015 - 2020: built the billing platform with three colleagues.

                Education
                Thesis on the stability of bridges, 2010, with distinction, TU München
                """)
            XCTAssertEqual(
                resume.person.values(of: .name), ["Anna Berger", "Anna Wolkenstein"], head)
        }
    }

    func testEmployersAndSchoolsAreFoundForThoseWhoHideThem() throws {
        let resume = try Resume.read(
            """
            Will Rose
            will.rose@example.org

            EXPERIENCE
            Network Rail, London
            Senior Engineer
            March 2015 – Present
            • Signalling renewals worth £12m, 3% under budget, with a team of nine
            Engineer, Acme Corp, Leeds        2010 - 2015

            EDUCATION
            MEng Civil Engineering, University of Leeds, 2010
            """)
        XCTAssertEqual(resume.employers, ["Network Rail", "Acme Corp", "University of Leeds"])
    }
}
