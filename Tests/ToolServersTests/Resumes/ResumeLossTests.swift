import Base
import Foundation
import Privacy
import TestSupport
import XCTest

@testable import Documents

/// What is under no heading that is known is part of the résumé; only the person goes,
/// and what goes is listed.
final class ResumeLossTests: XCTestCase {
    func testASummaryAndOwnHeadingsAboveTheFirstKnownOneStay() throws {
        let resume = try Resume.read(
            """
            Gareth Pritchard-Llewellyn
            22 Harbour Row, Swansea SA1 1QA
            07700 900461 · gareth.pl@example.co.uk

            Chartered civil engineer with 11 years on flood defences and harbours. Used to
            tidal working windows, awkward stakeholders and small budgets.

            Engineering toolbox
            Civil 3D, InfoWorks ICM, Python, QGIS

            Selected schemes
            Swansea tidal gates, £18m, project engineer, 2017 – 2021

            Education
            MEng Civil Engineering, Cardiff University, 2012

            References
            Dr Nia Bowen, Cardiff University, bowen.n@example.ac.uk

            Memberships and boards
            Fellow of the society of harbour engineers
            """)
        XCTAssertEqual(
            resume.body,
            """
            Chartered civil engineer with 11 years on flood defences and harbours. Used to \
            tidal working windows, awkward stakeholders and small budgets.
            Engineering toolbox
            Civil 3D, InfoWorks ICM, Python, QGIS
            Selected schemes
            Swansea tidal gates, £18m, project engineer, 2017 – 2021

            Education
            MEng Civil Engineering, Cardiff University, 2012

            Memberships and boards
            Fellow of the society of harbour engineers
            """)
        XCTAssertEqual(
            resume.leftOut,
            [
                "Gareth Pritchard-Llewellyn", "22 Harbour Row, Swansea SA1 1QA",
                "07700 900461 · gareth.pl@example.co.uk",
                "Dr Nia Bowen, Cardiff University, bowen.n@example.ac.uk",
            ])
    }

    func testOfPersonalDetailsOnlyThePersonGoes() throws {
        let resume = try Resume.read(
            """
            Fatima Shaikh
            fatima.shaikh@example.in
            Oracle administrator with six years of experience in tuning

            WORK EXPERIENCE
            Oracle DBA, Tata Infomatics, 2014 - 2020
            - Handled 120 production databases with sizes between 50 GB and 4 TB.

            PERSONAL DETAILS
            Date of Birth : 12-Mar-1990
            Marital Status : Single
            Strengths : Quick learner, patient under pressure

            STAR MOMENTS
            Won the performer award in 2016 for a migration without downtime.
            """)
        for kept in ["six years of experience", "Strengths", "STAR MOMENTS", "performer award"] {
            XCTAssertTrue(resume.body.contains(kept), kept)
        }
        for gone in ["1990", "Single", "Fatima"] {
            XCTAssertFalse(resume.body.contains(gone), gone)
        }
    }

    func testANameBehindARankAndOneBesideContactDetailsAreFound() throws {
        for head in [
            "Staff Sergeant (ret.) Calvin T. Broussard\nct.broussard@example.com",
            "Calvin T. Broussard, tel. 512 000 321, ct.broussard@example.com",
        ] {
            let resume = try Resume.read(
                """
                \(head)

                MILITARY SERVICE:
                2010-2022, United States Army, 92Y Unit Supply Specialist
                Ran the supply support activity for 3 battalions, and had no losses in that time.

                EDUCATION:
                Central Texas College, 2016, Associate of Applied Science in Logistics
                """)
            XCTAssertEqual(resume.contact.name?.hasSuffix("Broussard"), true, head)
            XCTAssertTrue(resume.body.contains("Central Texas College"), head)
        }
    }

    func testANameInTwoScriptsAtTheTopIsNotSent() throws {
        for head in ["# Ir. Yousef Idrissi   يوسف الإدريسي", "Olga Sedova / Ольга Седова"] {
            let resume = try Resume.read(
                """
                \(head)

                olga@example.com

                EXPERIENCE
                2016-2023, hydraulic engineer, Delta Works: computed failure rates of 48 km of dikes.
                Trained 12 inspectors, and wrote the guide to piping that they use.

                EDUCATION
                Delft University of Technology, 2012, MSc in Hydraulic Engineering
                """)
            for word in ["يوسف", "الإدريسي", "Ольга", "Седова"] {
                XCTAssertFalse(resume.body.contains(word), head)
            }
            XCTAssertTrue(resume.body.contains("48 km of dikes"), head)
        }
    }

    func testADateBehindABulletAndAStreetBesideItsTownAreThePersons() throws {
        let work = String(repeating: "Moved 4,200 records to Kafka in 2019.\n", count: 6)
        let resume = try Resume.read(
            """
            Ángel Zubizarreta
            Rose Cottage, 3 Back Row · Leeds LS6 2PL
            * 29 de octubre de 1988

            Experience
            \(work)
            """)
        XCTAssertFalse(resume.body.contains("1988"), resume.body)
        XCTAssertTrue(resume.person.values(of: .address).contains("Rose Cottage, 3 Back Row"))
    }

    func testAPostalCodeIsNoTelephoneNumber() throws {
        for (text, phone, address) in [
            (
                "Thaís Bastos\nRua das Acácias, 215\n04567-010 São Paulo – SP\n(11) 95555-0134",
                "(11) 95555-0134", ["Rua das Acácias, 215", "04567-010 São Paulo – SP"]
            ),
            (
                "氏名：藤原 美咲\n住所：〒150-0002 東京都渋谷区渋谷2-21-1\n電話：090-1234-5678",
                "090-1234-5678", ["〒150-0002 東京都渋谷区渋谷2-21-1"]
            ),
        ] {
            let work = String(repeating: "Moved 4,200 records to Kafka in 2019.\n", count: 6)
            let resume = try Resume.read(text + "\n\nExperience\n" + work)
            XCTAssertEqual(resume.contact.phone, phone)
            XCTAssertEqual(resume.contact.address, address)
        }
    }

    func testSaoPauloIsInBrazil() throws {
        let resume = try Resume.read(
            """
            Thiago Nascimento Prado
            Rua das Acácias, 210 – São Paulo – SP
            (11) 98888-0123

            EXPERIÊNCIA
            Analista de logística, Transportes Bandeirante, 2017 - 2023
            Roteirização de 120 entregas diárias, negociação de frete e controle de custos.
            Redução de 18 % no custo de frete em 2022, com a mesma equipe de antes.
            """)
        XCTAssertEqual(resume.country, "BR")
    }

    func testSpansOfAPageAreApart() {
        XCTAssertEqual(
            MarkupText.plain("<p><span>Lead</span><span>Acme</span> <b>W</b>ord</p>")
                .split(separator: " ").joined(separator: " ").trimmingSpace(), "Lead Acme Word")
    }

    func testTheReadingOfAPageThatKeepsHeadingsWithTheirTextWins() {
        let laidOut = """
            EXPERIENCE     Analyst at a trust of hospitals, 2019
                           Trained sixty ward managers.

            EDUCATION      Statistics, University of Bath
            """
        let flowing = """
            EXPERIENCE

            EDUCATION

            Analyst at a trust of hospitals, 2019
            Trained sixty ward managers.
            Statistics, University of Bath
            """
        XCTAssertEqual(PDFText.better(flowing, laidOut, points: ResumeFile.headings), laidOut)
        XCTAssertEqual(PDFText.better(laidOut, flowing, points: ResumeFile.headings), laidOut)
    }

    func testEuropassXMLIsRefusedByName() async throws {
        let xml = "<?xml version=\"1.0\"?>\n<Candidate xmlns=\"http://www.europass.eu/1.0\"/>"
        do {
            _ = try await ResumeFile.content(
                Array(xml.utf8), shown: "cv.xml", extension: "xml", pdf: PDFText(variables: [:]))
            XCTFail("It was read.")
        } catch let error as ResumeFileError {
            XCTAssertEqual(error.reason, .unsupported("a Europass XML file"))
        }
    }
}
