import Base
import Privacy
import XCTest

@testable import Documents

final class JSONResumeTests: XCTestCase {
    func testBasicsStayAndTheRestIsText() throws {
        let resume = try Resume.read(
            """
            { // made by hand
              "basics": {
                "name": "María José Carreño", "label": "Data Engineer",
                "email": "mj@carreno.es", "phone": "+34 612 34 56 78",
                "summary": "Ingeniera de datos con 9 años de experiencia en Spark y Kafka.",
                "location": {"address": "Calle Mayor 5, 3º B", "postalCode": "28013",
                  "city": "Madrid", "countryCode": "ES"},
                "profiles": [{"network": "GitHub", "username": "mjcarreno",
                  "url": "https://github.com/mjcarreno"}]
              },
              "work": [{"name": "Banco Uno", "position": "Data Engineer", "startDate": "2019-01",
                "highlights": ["Reduje costes un 30 %", "Migré 40 servicios a Spark 3.2",]}],
              "skills": [{"name": "Datos", "keywords": ["Spark", "Kafka"]}],
              "x-permits": {"driving": "Permiso B"},
              "references": [{"name": "Jane Doe", "reference": "Great"}],
            }
            """)
        XCTAssertEqual(
            resume.body,
            """
            Data Engineer

            Summary
            Ingeniera de datos con 9 años de experiencia en Spark y Kafka.

            Work
            Data Engineer, Banco Uno, 2019-01 – present
            - Reduje costes un 30 %
            - Migré 40 servicios a Spark 3.2

            Skills
            Datos: Spark, Kafka

            X permits
            Permiso B
            """)
        XCTAssertEqual(
            resume.person.entries,
            [
                .init(.name, "María José Carreño"), .init(.email, "mj@carreno.es"),
                .init(.phone, "+34 612 34 56 78"), .init(.address, "Calle Mayor 5, 3º B"),
                .init(.address, "28013 Madrid"), .init(.url, "https://github.com/mjcarreno"),
                .init(.url, "mjcarreno"),
            ])
        XCTAssertEqual(resume.contact.address, ["Calle Mayor 5, 3º B", "28013 Madrid"])
        XCTAssertEqual(resume.employers, ["Banco Uno"])
        XCTAssertEqual(resume.country, "ES")
    }

    func testAnErrorGivesLineAndColumn() {
        let filler = String(repeating: "work ", count: 60)
        let text = "{\n  \"basics\": {\n    \"name\": \"Max\"\n    \"email\": \"\(filler)\"\n  }\n}"
        XCTAssertThrowsError(try Resume.read(text)) { error in
            XCTAssertEqual(
                Diagnostic(of: error).what,
                "The résumé is not valid JSON: line 4, column 5: a comma is missing before this.")
        }
    }

    func testAnExportOfReactiveResumeIsRead() throws {
        let resume = try Resume.read(
            """
            {"basics":{"name":"John Doe","headline":"Web Developer","email":"john@doe.me",
              "phone":"(555) 123-4567","location":"Pleasantville, CA 94588",
              "url":{"label":"","href":"https://johndoe.me/"}},
             "sections":{"summary":{"name":"Summary","content":"<p>Web Developer with 5 years of experience in building sites.</p>"},
              "experience":{"name":"Experience","items":[{"id":"x","visible":true,"company":"Creative Inc.",
                "position":"Senior Web Developer","date":"January 2019 to Present",
                "summary":"<ul><li><p>Redesigned the main website, 40% more engagement.</p></li></ul>"}]},
              "profiles":{"items":[{"network":"LinkedIn","username":"johndoe",
                "url":{"href":"https://linkedin.com/in/johndoe"}}]},
              "references":{"items":[{"name":"Jane Roe"}]}},
             "metadata":{"template":"glalie"}}
            """)
        XCTAssertEqual(
            resume.body,
            """
            Web Developer

            Summary
            Web Developer with 5 years of experience in building sites.

            Experience
            Senior Web Developer, Creative Inc., January 2019 to Present
            - Redesigned the main website, 40% more engagement.
            """)
        XCTAssertEqual(resume.person.values(of: .name), ["John Doe"])
        XCTAssertEqual(
            resume.contact.urls, ["https://johndoe.me/", "https://linkedin.com/in/johndoe"])
    }

    func testJSONThatIsNoResumeSaysSo() {
        let list = "{\"items\": [\"" + String(repeating: "word ", count: 60) + "\"]}"
        XCTAssertThrowsError(try Resume.read(list)) { error in
            XCTAssertEqual(
                Diagnostic(of: error).what,
                "This JSON is not a résumé: it has none of the members basics, work, education and skills."
            )
        }
    }

    func testANameIsPrintedAsThePersonWritesIt() throws {
        for (name, printed, known) in [
            ("Jörg-Åke Van der Weißenthal", "Jörg-Åke Van der Weißenthal", nil),
            ("Dr. Jana Novák, PhD", "Dr. Jana Novák, PhD", "Jana Novák"),
            ("JANA VAN DER BERG", "Jana van der Berg", nil), ("jana novák", "Jana Novák", nil),
        ] {
            let resume = try Resume.read(
                """
                {"basics": {"name": "\(name)"}, "work": [{"name": "Quellwerk", "summary":
                "\(String(repeating: "Moved 4,200,000 records with Kafka. ", count: 6))"}]}
                """)
            XCTAssertEqual(resume.contact.name, printed)
            XCTAssertEqual(resume.person.values(of: .name), [known ?? printed])
        }
    }
}
