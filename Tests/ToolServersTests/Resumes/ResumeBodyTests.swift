import Privacy
import XCTest

@testable import Documents

/// What of the work itself stays in the body, although it looks like contact details
/// or is set out in tables and columns.
final class ResumeBodyTests: XCTestCase {
    private func read(_ lines: String, head: String = "ottilie@brandstetter.example") throws
        -> Resume
    {
        try Resume.read(
            """
            Ottilie Brandstetter
            \(head)

            Experience
            Quellwerk GmbH, Data Engineer, 2016-2021
            - Moved 4,200,000 records to PostgreSQL 15.4 without downtime.
            - Cut the cost of reports by 38 percent in the third quarter of 2020.
            \(lines)
            """)
    }

    func testLongNumbersAndLabelsOfOtherThingsStay() throws {
        let lines = [
            "ISBN 978-3-16-148410-0, 412 pages",
            "Moved 10.0.0.0/8 behind 192.168.10.1 and 172.16.4.20.",
            "SKU 4006381333931, 12 pallets",
            "Population 8 804 190 (2020 census)",
            "Rates 0800-1800 peak, 1800-0800 off peak",
            "NACE 28.41, CPV 45233120-6",
            "Date of birth checks for 2.1 million accounts",
            "Budget von 3.200.000 € und 27 Beschäftigte in 3 Schichten verantwortet.",
            "Budżet 12 500 000 zł, 27 osób", "Budget of SEK 4500000 and 27 people",
            "Reports to: CTO",
            "Ran the pilot from a workshop at 12 Mill Lane until 2008.",
        ]
        for mark in ["- ", ""] {
            for line in lines {
                let resume = try read(mark + line)
                XCTAssertTrue(resume.body.contains(line), "\(mark)\(line): \(resume.body)")
                XCTAssertEqual(resume.person.values(of: .phone), [], line)
            }
        }
    }

    func testASentenceWithAnAddressIsLeftToTheRedactor() throws {
        for line in [
            "- Slides and code: https://github.com/ottilieb/queues",
            "Questions to ottilie@brandstetter.example at any time.",
            "- The tool is maintained by me; bugs go to\n  <ottilie@brandstetter.example> please.",
        ] {
            let last = try XCTUnwrap(line.split(separator: " ").last)
            XCTAssertTrue(try read(line).body.contains(last), line)
        }
    }

    func testContactDetailsAmongTheWorkGoWhole() throws {
        for line in [
            "ottilie@brandstetter.example | 0664 1234567", "Phone: 0664 1234567",
            "Ottilie Brandstetter · Résumé · page 2 of 3 · 0664 1234567",
            "O. Brandstetter                               page 3 of 3",
            "Kirchgasse 9, 8010 Graz, 0664 1234567", "Date of birth: 14.3.1988",
            "Supervisor: Dr. Hans Meyer, 030 1234567",
        ] {
            let resume = try read(
                line + "\n- Trained forty colleagues in two plants.\n\nSkills\nKafka 3.5")
            XCTAssertEqual(
                resume.body.split(separator: "\n").suffix(3),
                ["- Trained forty colleagues in two plants.", "Skills", "Kafka 3.5"], line)
            for word in ["0664", "Brandstetter", "Meyer", "14.3.1988", "Kirchgasse", "page"] {
                XCTAssertFalse(resume.body.contains(word), line)
            }
        }
    }

    func testATableOfJobsKeepsItsRows() throws {
        let resume = try Resume.read(
            """
            # Käthe Großmann

            | | |
            |---|---|
            | Telefon | +49 171 3920058 |
            | E-Mail | kathe.grossmann@mail.example.org |

            ## Berufserfahrung

            | | | |
            |---|---|---|
            | 2015–2019 | Bilanzbuchhalter | Wingtip Seeds: Ausschuss von 4,8 % auf 1,1 % gesenkt, Budget von 3.200.000 €. |
            | 2009–2015 | Schichtleiter | Proseware Health: Audits nach ISO 9001:2015 vorbereitet<br>ohne Abweichung |

            ## Kenntnisse
            SAP S/4HANA 2021, SPSS 27
            """)
        XCTAssertEqual(
            resume.body,
            """
            Berufserfahrung
            2015–2019 | Bilanzbuchhalter | Wingtip Seeds: Ausschuss von 4,8 % auf 1,1 % gesenkt, Budget von 3.200.000 €.
            2009–2015 | Schichtleiter | Proseware Health: Audits nach ISO 9001:2015 vorbereitet
            ohne Abweichung

            Kenntnisse
            SAP S/4HANA 2021, SPSS 27
            """)
        XCTAssertEqual(resume.contact.name, "Käthe Großmann")
        XCTAssertEqual(resume.contact.phone, "+49 171 3920058")
    }

    func testASidebarInATableIsReadBeforeTheTextBesideIt() throws {
        let resume = try Resume.read(
            """
            # Bethany St. Claire

            | Contact | Experience |
            |---|---|
            | +1 074 555 0153<br>bethany@stclaire.example<br>Date of birth:<br>April 18, 1964 | Analyst who reads numbers first, 2023 graduate. |
            | | **Globex Corporation**, Head of Procurement 1996-2000 |
            | | Responsible for the budget of $12.5 million in Q2 2005. |
            | | **Skills** |
            | | Java 8/11/17, Excel 2019 |
            | | **References** |
            | | Madison Nguyen, Software Engineer, (789) 555-0168 |
            """)
        XCTAssertEqual(
            resume.body,
            """
            Experience
            Analyst who reads numbers first, 2023 graduate.
            Globex Corporation, Head of Procurement 1996-2000
            Responsible for the budget of $12.5 million in Q2 2005.

            Skills
            Java 8/11/17, Excel 2019
            """)
        XCTAssertEqual(resume.contact.email, "bethany@stclaire.example")
    }

    func testALongAddressThatReachesAcrossASidebarDoesNotHideTheColumns() throws {
        let resume = try Resume.read(
            """
            Heike Grossmann                             Kurzprofil
                                                        Elf Jahre in Werk und Büro, mit Freude an klaren Zahlen.
            +49 551 2312583
            heike.grossmann@mail.example.org            Berufserfahrung
            Hölderlinweg 10                             Bilanzbuchhalter, Contoso Water AG, 2016–2020
            79539 Lörrach                               • Ausschuss von 4,8 % auf 1,1 % gesenkt, 14 Linien.
            https://www.linkedin.com/in/heike-grossmann-00• Monatsabschluss von 12 auf 5 Tage verkürzt.
                                                        • Audits nach ISO 9001:2015 vorbereitet.
            Kenntnisse                                  • Budget von 3.200.000 € verantwortet.
            Power BI
            """)
        XCTAssertEqual(
            resume.body,
            """
            Kenntnisse
            Power BI

            Kurzprofil
            Elf Jahre in Werk und Büro, mit Freude an klaren Zahlen.

            Berufserfahrung
            Bilanzbuchhalter, Contoso Water AG, 2016–2020
            - Ausschuss von 4,8 % auf 1,1 % gesenkt, 14 Linien.
            - Monatsabschluss von 12 auf 5 Tage verkürzt.
            - Audits nach ISO 9001:2015 vorbereitet.
            - Budget von 3.200.000 € verantwortet.
            """)
        XCTAssertEqual(
            resume.contact.urls, ["https://www.linkedin.com/in/heike-grossmann-00"])
    }

    func testARoleInSpacedLettersIsNoPartOfTheNameAboveIt() throws {
        let resume = try Resume.read(
            """
            A N N E G R E T   G R O S S M A N N
            B I L A N Z B U C H H A L T E R

            annegret.grossmann@proton.example

            B E R U F S E R F A H R U N G
            Bilanzbuchhalter, Proseware Health, 2019–2023
            - Ausschuss von 4,8 % auf 1,1 % gesenkt, 14 Linien.
            - Audits nach ISO 9001:2015 vorbereitet, keine Abweichung seit 2018.
            - SAP S/4HANA 2021 in 5 Werken eingeführt (2019–2021).
            """)
        XCTAssertEqual(resume.person.values(of: .name), ["Annegret Grossmann"])
    }

    func testTheNameInAnotherScriptAndANicknameAreNamesToo() throws {
        for other in ["Ольга Ковальчук", "王小明", "लक्ष्मी चटर्जी", "Ελένη Παππά"] {
            let resume = try read(
                "- Talk: \(other), 2019", head: "otti@brandstetter.example\n\(other)")
            XCTAssertEqual(resume.person.values(of: .name), ["Ottilie Brandstetter", other])
        }
        let resume = try read(
            "- Known to all as \"Bobbin\"; Bobbin Brandstetter on the roster of 2016")
        XCTAssertEqual(
            resume.person.values(of: .name), ["Ottilie Brandstetter", "Bobbin Brandstetter"])
    }

    func testANameThatTheEndOfALineCutIsWholeAgain() throws {
        let resume = try read(
            "- Chaired the works council; speaker Brand-\n  stetter, client-\n  side")
        XCTAssertTrue(resume.body.contains("speaker Brandstetter, client-side"), resume.body)
    }

    func testAResumeOfOneLineIsReadInItsParts() throws {
        let resume = try Resume.read(
            "Käthe Thielemann – Am Steinernen Kreuz 20b, 79539 Lörrach – 0171/3920065 – "
                + "kathe.thielemann@proton.example – Elf Jahre in Werk und Büro, mit Freude an klaren "
                + "Zahlen. – Softwareentwicklerin, Contoso Water AG, 2019–2023 – Budget von 3.200.000 € "
                + "und 27 Beschäftigte. Speaker Thi-\n  elemann, 48 meetings – TU Ilmenau, 2009–2013 – "
                + "Kubernetes, Power BI, Terraform 1.5 – English (C1), German (A2), Spanish (B1), French (A1)"
        )
        XCTAssertEqual(
            resume.body,
            """
            Elf Jahre in Werk und Büro, mit Freude an klaren Zahlen.
            Softwareentwicklerin, Contoso Water AG, 2019–2023
            Budget von 3.200.000 € und 27 Beschäftigte. Speaker Thielemann, 48 meetings
            TU Ilmenau, 2009–2013
            Kubernetes, Power BI, Terraform 1.5
            English (C1), German (A2), Spanish (B1), French (A1)
            """)
        XCTAssertEqual(resume.contact.address, ["Am Steinernen Kreuz 20b, 79539 Lörrach"])
    }

    func testAStreetIsWhatStandsAboveTheTownWhateverItIsCalled() throws {
        for (street, town) in [
            ("Rose Cottage, 3 Back Row", "Aberystwyth SY23 1AB"),
            ("Plaza del Olivo, s/n", "41001 Sevilla"), ("Unter den Eichen 87", "04109 Leipzig"),
        ] {
            let resume = try read(
                "", head: "otti@brandstetter.example\n\(street)\n\(town)")
            XCTAssertTrue(resume.person.values(of: .address).contains(street), street)
            XCTAssertEqual(resume.contact.address, [street, town])
        }
    }

    func testAFormerNameBelowTheLastLineOfContactIsFound() throws {
        let resume = try Resume.read(
            """
            EXPERIENCE
            Analyst, Fabrikam, 2016-2020
            - Moved 4,200,000 records to PostgreSQL 15.4 without downtime.
            - Thesis (as Wolkenstein), 2009, grade 1.3, and other matters of that year.

            SKILLS
            Python 3.11, Kafka, all the tools that one needs for that, and more tools
            ————————————————————
            Anne Châtelain · 159 bis, rue Kéréon, 25000 Besançon
            +33 6 39 98 01 08 · anne.chatelain@proton.example
            née Wolkenstein
            """)
        XCTAssertEqual(
            resume.person.values(of: .name), ["Anne Châtelain", "Anne Wolkenstein"])
        XCTAssertEqual(
            resume.sections.last?.text,
            "Python 3.11, Kafka, all the tools that one needs for that, and more tools")
    }

    func testASpacedNameBesideItsOtherSpellingIsFound() throws {
        let resume = try Resume.read(
            """
            O l e k s a n d r   H r y t s e n k o · Олександр Гриценко
            ohrytsenko@example.net · 0171 / 2101883

            Berufserfahrung
            Nordlicht AG, Einkaufsleiter 1996/00
            - Betrieb von 21.606 req/s bei einer Verfügbarkeit von 99,10 %.
            - Umzug von 6.292.638 Datensätzen von R 4.3.1 auf Kubernetes ohne Ausfall.
            - Ergebnisse 2013 veröffentlicht (Band 31, Seiten 149–176).
            """)
        XCTAssertEqual(
            resume.person.values(of: .name), ["Oleksandr Hrytsenko", "Олександр Гриценко"])
    }

    func testASpacedNameWithItsOtherSpellingInBracketsIsFound() throws {
        let resume = try read("", head: "A r v i n d   D e s h p a n d e (अरविंद देशपांडे)")
        XCTAssertEqual(
            resume.person.values(of: .name), ["Arvind Deshpande", "अरविंद देशपांडे"])
    }

    func testSkillsWithYearsAtTheEndAreNoSignature() throws {
        for line in ["SAP S/4HANA 2021, SPSS 27", "Excel 2019, SPSS 27"] {
            XCTAssertTrue(try read("\nSkills\n\(line)").body.hasSuffix(line), line)
        }
        XCTAssertFalse(
            try read("\nSkills\nKafka 3.5\n\nGraz, 12. Mai 2024\n\nOttilie Brandstetter").body
                .contains("2024"))
    }
}
