import Base
import Documents
import TestSupport
import XCTest

/// Résumés of the shapes that people really send, without any profile: whose they are
/// is only to be known from the text itself, and is not in what would be sent.
final class LetterTrapsTests: XCTestCase {
    private struct Trap {
        var name: String
        var text: String
        /// Must not be sent, beside the name Ottilie Brandstetter and its parts.
        var secrets: [String] = []
        /// Must be sent.
        var stays = ["Kafka", "2016", "Quellwerk"]
    }

    private static let points = """
        Quellwerk GmbH, Data Engineer, 2016-2021
        - Moved 4,200,000 records to PostgreSQL 15.4 without downtime.
        - Handled 12,000 requests/s at peak with Apache Kafka 3.5.
        - Cut the cost of reports by 38 % in Q3 2020.
        """

    private static let traps: [Trap] = [
        Trap(
            name: "the contact at the end",
            text: """
                Ottilie Brandstetter

                Experience
                \(points)

                Skills
                Python 3.11, Kafka

                Contact
                Kirchgasse 9, 8010 Graz
                0664 1234567
                ottilie@brandstetter.example
                """,
            secrets: ["Kirchgasse 9", "8010 Graz", "0664 1234567", "ottilie@brandstetter.example"]),
        Trap(
            name: "a title before the name",
            text: """
                CURRICULUM VITAE

                Dr.-Ing. Ottilie Brandstetter, PMP
                Kirchgasse 9 · 8010 Graz · +43 664 1234567

                PROFESSIONAL EXPERIENCE:
                \(points)

                The tool is known as Ottilie's loader.
                """, secrets: ["Kirchgasse 9", "8010 Graz", "664 1234567"]),
        Trap(
            name: "surname first, as Europass has it",
            text: """
                Personal information
                Surname(s) / First name(s)    Brandstetter Ottilie
                Address(es)                   Kirchgasse 9, 8010 Graz, Austria
                Telephone(s)                  +43 316 123456        Mobile: +43 664 1234567
                E-mail                        o.brandstetter@mail.example
                Nationality                   Austrian
                Date of birth                 14 March 1988

                Work experience
                \(points)
                """,
            secrets: [
                "Kirchgasse 9", "316 123456", "664 1234567", "o.brandstetter@mail.example",
                "14 March 1988",
            ]),
        Trap(
            name: "a header of every page",
            text: """
                Ottilie Brandstetter
                ottilie@brandstetter.example

                Experience
                \(points)

                Ottilie Brandstetter · Résumé · page 2 of 3 · 0664 1234567
                \u{0C}
                Education
                BSc Mathematics, TU Graz, 2006-2009

                O. Brandstetter                                        page 3 of 3
                """, secrets: ["ottilie@brandstetter.example", "0664 1234567", "O. Brandstetter"]),
        Trap(
            name: "as LinkedIn prints it",
            text: """
                Contact
                www.linkedin.com/in/ottilie-brandstetter-77b1 (LinkedIn)
                ottilie@brandstetter.example

                Top Skills
                Apache Kafka
                PostgreSQL

                Ottilie Brandstetter
                Data Engineer at Quellwerk
                Graz, Styria, Austria

                Experience
                \(points)
                """,
            secrets: ["ottilie-brandstetter-77b1", "ottilie@brandstetter.example"]),
        Trap(
            name: "front matter",
            text: """
                ---
                name: Ottilie Brandstetter
                email: ottilie@brandstetter.example
                phone: "+43 664 1234567"
                ---

                ## Experience

                \(points)
                """, secrets: ["ottilie@brandstetter.example", "664 1234567"]),
        Trap(
            name: "personal matters at the end, signed",
            text: """
                Lebenslauf

                Berufserfahrung
                \(points)

                Persönliches
                geboren am 14.03.1988 in Wien, verheiratet, zwei Kinder
                Kirchgasse 9, 8010 Graz

                Graz, 12.05.2024

                Ottilie Brandstetter
                """, secrets: ["14.03.1988", "Kirchgasse 9", "8010 Graz"]),
        Trap(
            name: "a table of lines",
            text: """
                +----------------------+--------------------------------+
                | Name                 | Ottilie Brandstetter           |
                | Tel.                 | 0664 / 123 45 67               |
                | Mail                 | ottilie@brandstetter.example   |
                +----------------------+--------------------------------+

                1. Experience
                \(points)
                """, secrets: ["0664 / 123 45 67", "ottilie@brandstetter.example"]),
        Trap(
            name: "carriage returns, tabs and a mark",
            text:
                "\u{FEFF}Ottilie\tBrandstetter\r\nottilie@brandstetter.example\t0664 1234567\r\n\r\n"
                + "EXPERIENCE\r\n" + points.replacing("\n", with: "\r\n") + "\r\n",
            secrets: ["ottilie@brandstetter.example", "0664 1234567"]),
        Trap(
            name: "headings between lines of signs",
            text: """
                ~~~ Ottilie  BRANDSTETTER ~~~
                Kirchgasse 9 / 8010 Graz / 0664-1234567

                =================
                 WORK EXPERIENCE
                =================
                \(points)

                =================
                 REFEREES
                =================
                Hamish Fotheringay, 0131 496 0789
                """, secrets: ["Kirchgasse 9", "0664-1234567", "Fotheringay", "0131 496 0789"]),
        Trap(
            name: "HTML",
            text: """
                <html><body><h1>Ottilie Brandstetter</h1>
                <p><a href="mailto:ottilie@brandstetter.example">ottilie&#64;brandstetter.example</a></p>
                <h2>Experience</h2>
                <p>Quellwerk GmbH, Data Engineer, 2016-2021</p>
                <ul><li>Moved 4,200,000 records to PostgreSQL 15.4 without downtime.</li>
                <li>Handled 12,000 requests/s at peak with Apache Kafka 3.5.</li></ul>
                </body></html>
                """, secrets: ["ottilie@brandstetter.example"]),
        Trap(
            name: "initials and a nickname in quotes",
            text: """
                Ottilie "Otti" Brandstetter
                otti.b@mail.example

                Experience
                \(points)
                - Otti Brandstetter won the internal prize in 2019; ask Otti.
                """, secrets: ["Otti", "otti.b@mail.example"]),
    ]

    private static let jsons: [Trap] = [
        Trap(
            name: "JSON with a comment and commas too many",
            text: """
                // my résumé
                {"basics": {"name": "Ottilie Brandstetter", "email": "ottilie@brandstetter.example",
                  "location": "Kirchgasse 9, 8010 Graz",},
                 "work": [{"company": "Quellwerk GmbH", "startDate": "2016", "summary":
                   "Moved 4,200,000 records with Apache Kafka 3.5 and PostgreSQL 15.4, as Ottilie likes it.",}],
                 "skills": ["Kafka", "Python 3.11"],
                 "volunteer": [{"organization": "Reading circle", "summary": "For two hundred people, every other week."}],
                 "references": "Hamish Fotheringay, 0131 496 0789",}
                """,
            secrets: [
                "Kirchgasse 9", "8010 Graz", "ottilie@brandstetter.example", "Fotheringay",
                "0131 496 0789",
            ]),
        Trap(
            name: "JSON without basics",
            text: """
                {"name": "Ottilie Brandstetter", "contact": {"email": "ottilie@brandstetter.example",
                  "phone": "0664 1234567"}, "employment": {"history": [{"employer": "Quellwerk GmbH",
                  "start": "2016", "summary": "Moved 4,200,000 records with Apache Kafka 3.5 and PostgreSQL 15.4; Ottilie Brandstetter led the move of eleven teams, and trained forty colleagues."}]},
                  "x-notes": {"author": "Ottilie Brandstetter"}}
                """, secrets: ["ottilie@brandstetter.example", "0664 1234567"]),
    ]

    func testWhoseResumeItIsStaysOutOfTheRequest() throws {
        for trap in Self.traps + Self.jsons {
            let request: String
            do {
                request = try LetterMaterials.request(
                    resume: trap.text, job: "Castellum seeks a data engineer for its team in Linz.")
            } catch let error as ResumeError {
                // Nothing leaves of what cannot be read; that is no leak, but not enough.
                XCTFail("\(trap.name): \(error)")
                continue
            }
            let scan = PersonScan(
                literals: ["Ottilie Brandstetter", "Brandstetter", "Ottilie"] + trap.secrets)
            XCTAssertEqual(scan.hits(in: request), [], "\(trap.name): \(request)")
            for word in trap.stays {
                XCTAssertTrue(request.contains(word), "\(trap.name): \(word) is gone: \(request)")
            }
        }
    }
}
