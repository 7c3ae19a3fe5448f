import Base
import Privacy
import XCTest

@testable import Documents

/// What of a résumé may be sent, and what tells who the person is, in layouts and
/// languages of several countries.
final class ResumeTests: XCTestCase {
    private func names(_ resume: Resume) -> [String] { resume.person.values(of: .name) }

    func testWhatStandsAboveTheFirstHeadingAndReferencesNeverBecomePartOfTheBody() throws {
        let resume = try Resume.read(
            """
                                     JOHN Q. PUBLIC
                    12 Elm Street, Springfield, IL 62701 | (555) 123-4567
                    john.public@example.com | linkedin.com/in/johnqpublic

            PROFESSIONAL SUMMARY
            Backend engineer with 8 years of experience in Swift and Go. Leads small
            teams and ships.

            WORK EXPERIENCE
            Senior Engineer, Acme Corp, Chicago                      2019 - Present
              * Cut latency by 40% across 12 services, saving $1.2M a year in hardware and
                operations.
              * Mentored 5 engineers

            SKILLS
            Swift, Go, PostgreSQL

            REFERENCES
            Jane Doe, CTO, Acme Corp, jane.doe@acme.com, +1 555 987 6543
            """)
        XCTAssertEqual(
            resume.body,
            """
            PROFESSIONAL SUMMARY
            Backend engineer with 8 years of experience in Swift and Go. Leads small teams and ships.

            WORK EXPERIENCE
            Senior Engineer, Acme Corp, Chicago 2019 - Present
            - Cut latency by 40% across 12 services, saving $1.2M a year in hardware and operations.
            - Mentored 5 engineers

            SKILLS
            Swift, Go, PostgreSQL
            """)
        XCTAssertEqual(names(resume), ["John Q. Public"])
        XCTAssertEqual(resume.contact.email, "john.public@example.com")
        XCTAssertEqual(resume.contact.phone, "(555) 123-4567")
        XCTAssertEqual(resume.contact.address, ["12 Elm Street, Springfield, IL 62701"])
        XCTAssertEqual(resume.country, "US")
        XCTAssertEqual(resume.language, "en")
    }

    func testPersonalDetailsAndASignatureStayOutOfAGermanBody() throws {
        let resume = try Resume.read(
            """
            # Lebenslauf

            **Jürgen von der Müller-Weiß**
            Hauptstraße 12, 10115 Berlin
            Tel.: +49 30 1234567 | E-Mail: j.mueller-weiss@beispiel.de
            geb. am 12.05.1985 in Köln

            ## Angaben zur Person
            Familienstand: verheiratet

            ## Beruflicher Werdegang
            **2018 – heute** Softwareentwickler, Beispiel GmbH
            - Entwicklung von Microservices mit Java 17 und der Betrieb auf Kubernetes

            ## Ausbildung
            2005–2010 Diplom-Informatiker, TU Berlin

            Berlin, 3.4.2024   Jürgen von der Müller-Weiß
            """)
        XCTAssertEqual(
            resume.body,
            """
            Beruflicher Werdegang
            2018 – heute Softwareentwickler, Beispiel GmbH
            - Entwicklung von Microservices mit Java 17 und der Betrieb auf Kubernetes

            Ausbildung
            2005–2010 Diplom-Informatiker, TU Berlin
            """)
        XCTAssertEqual(names(resume), ["Jürgen von der Müller-Weiß"])
        XCTAssertEqual(resume.person.values(of: .birthDate), ["12.05.1985"])
        XCTAssertEqual(resume.language, "de")
        XCTAssertEqual(resume.country, "DE")
    }

    func testAnIndianBiodataLosesItsPersonalDetailsAndDeclaration() throws {
        let resume = try Resume.read(
            """
            CURRICULUM VITAE OF RAVI KUMAR SHARMA

            Career Objective:
            To work in a challenging environment where I can use my skills in Java and Spring.

            Work Experience:
            Worked as Software Engineer in TCS, Pune from June 2018 to present
            Handled 10,000 requests/s

            Personal Details:
            Father's Name  : Suresh Kumar Sharma
            Date of Birth  : 12/03/1996
            Languages Known: English, Hindi
            Address        : Flat 302, MG Road,
                             Bangalore - 560001
            Mobile         : +91 98765 43210

            Declaration:
            I hereby declare that the above information is true to the best of my knowledge.

            Place: Bangalore
            Date: 12/04/2024                                   (Ravi Kumar Sharma)
            """)
        XCTAssertEqual(
            resume.body,
            """
            Career Objective
            To work in a challenging environment where I can use my skills in Java and Spring.

            Work Experience
            Worked as Software Engineer in TCS, Pune from June 2018 to present
            Handled 10,000 requests/s

            Personal Details
            Languages Known: English, Hindi
            """)
        XCTAssertEqual(Set(names(resume)), ["Ravi Kumar Sharma", "Suresh Kumar Sharma"])
        XCTAssertEqual(resume.country, "IN")
    }

    func testTheNameBelowTheSidebarOfAnExportedProfileIsFoundAndLeftOut() throws {
        let resume = try Resume.read(
            """
            Contact
            +44 7700 900123 (Mobile)
            emma.thompson@example.co.uk
            Top Skills
            Project Management
            Python
            Languages
            English (Native)

            Emma Thompson
            Product Manager at Fintech Ltd
            London, England, United Kingdom
            Summary
            I build products that people love. I have shipped 12 products in 9 years.
            Experience
            Fintech Ltd
            Product Manager
            January 2019 - Present (5 years)
            Led the roadmap of payments and the teams that built it across Europe.
            """)
        XCTAssertEqual(names(resume), ["Emma Thompson"])
        XCTAssertFalse(resume.body.contains("Emma"))
        XCTAssertFalse(resume.body.contains("England"))
        XCTAssertTrue(resume.body.contains("January 2019 - Present (5 years)"))
        XCTAssertEqual(resume.sections.map(\.kind), [.skills, .languages, .summary, .experience])
    }

    func testTwoColumnsSideBySideAreReadOneAfterTheOther() throws {
        let resume = try Resume.read(
            """
            Max Muster            PROFILE
            max@muster.de         Builds databases that do not lose data, since 2009, in Swift.
            +49 30 1234567
            Hauptstr. 1           EXPERIENCE
            10115 Berlin          2019-2022 Acme GmbH: storage engine, 40 % faster
                                  2015-2019 Beta AG: networks for 300 customers
            SKILLS
            Swift                 EDUCATION
            SQL                   2009 Diplom, TU Berlin
            Kubernetes
            """)
        XCTAssertEqual(names(resume), ["Max Muster"])
        XCTAssertEqual(
            resume.sections.map(\.heading), ["SKILLS", "PROFILE", "EXPERIENCE", "EDUCATION"])
        for private_ in ["Muster", "max@", "1234567", "Hauptstr", "10115"] {
            XCTAssertFalse(resume.body.contains(private_), private_)
        }
        XCTAssertTrue(resume.body.contains("2015-2019 Beta AG: networks for 300 customers"))
    }

    func testAResumeInProseKeepsItsSentencesAndGivesTheName() throws {
        let resume = try Resume.read(
            """
            My name is Anna Kowalska. You can reach me at anna.kowalska@poczta.pl.

            I have worked as a data analyst since 2016, first at Bank Polska and then at Allegro,
            where I built dashboards for 200 users with Tableau and SQL. Before that I studied
            mathematics and graduated in 2015 with honours.
            """)
        XCTAssertEqual(names(resume), ["Anna Kowalska"])
        XCTAssertTrue(resume.body.contains("I have worked as a data analyst since 2016"))
    }

    func testHeadingsAreKnownInManyLanguagesAndForms() {
        let lines = [
            "W O R K   E X P E R I E N C E", "## 2. Work Experience", "**Berufserfahrung:**",
            "PARCOURS PROFESSIONNEL", "Experiencia laboral", "DOŚWIADCZENIE ZAWODOWE",
            "Esperienze lavorative:", "Werkervaring", "Experiência profissional",
            "Arbetslivserfarenhet", "ARBEIDSERFARING", "Erhvervserfaring", "Työkokemus",
            "Pracovní zkušenosti", "İŞ DENEYİMİ", "ΕΠΑΓΓΕΛΜΑΤΙΚΗ ΕΜΠΕΙΡΙΑ",
            "Experiență profesională", "Munkatapasztalat", "Опыт работы", "● EXPERIENCE",
            "IV. Employment History", "Selected Professional Experience", "| Experience |",
        ]
        for line in lines {
            let read = ResumeLine.lines(of: line)[0]
            XCTAssertEqual(HeadingMatch(read)?.kind, .experience, line)
        }
        for line in [
            "Senior Software Engineer", "Experience with Swift and SQL in teams of five.",
            "- Research", "Max Muster", "Education Manager", "Acme Projects Ltd",
        ] {
            XCTAssertNil(HeadingMatch(ResumeLine.lines(of: line)[0]), line)
        }
    }

    func testAHeadlineOrAPlaceIsNoName() {
        for text in [
            "Senior Software Engineer", "Berlin, Germany", "Springfield, IL", "Curriculum Vitae",
            "Open Source", "Full Stack Developer", "Acme GmbH", "University of Leeds",
            "PostgreSQL Kubernetes", "Projektleiterin", "Node.js React", "12 Elm Street",
        ] {
            XCTAssertNil(NameShape(text), text)
        }
        let names = [
            "Dr. Max Muster, PMP": "Max Muster", "MUSTER, MAX": "Max Muster",
            "Ludwig van der Berg": "Ludwig van der Berg",
            "JOSÉ MARÍA DE LA CRUZ": "José María de la Cruz",
            "Siobhán O’Brien": "Siobhán O’Brien", "Anne-Marie D'Arcy MSc": "Anne-Marie D'Arcy",
            "Иван Петров": "Иван Петров", "आरव शर्मा": "आरव शर्मा", "J. R. Smith": "J. R. Smith",
            "James Cook": "James Cook", "Γιώργος Παπαδόπουλος": "Γιώργος Παπαδόπουλος",
        ]
        for (text, name) in names { XCTAssertEqual(NameShape(text)?.text, name, text) }
    }

    func testTooLittleTextIsRefusedWithASentence() {
        XCTAssertThrowsError(try Resume.read("Max Muster, Swift developer, 12345 Berlin")) {
            error in
            let diagnostic = Diagnostic(of: error)
            XCTAssertEqual(diagnostic.exit, .refused)
            XCTAssertTrue(diagnostic.what.contains("could not read enough text"))
        }
    }

    func testLaTeXIsRefusedByName() {
        let text =
            "\\documentclass{moderncv}\n\\name{Max}{Muster}\n\\begin{document}\n"
            + String(repeating: "\\cventry{2015--2020}{Engineer}{Acme}{}{}{}\n", count: 8)
        XCTAssertThrowsError(try Resume.read(text)) { error in
            XCTAssertEqual(error as? ResumeError, ResumeError(.latex))
            XCTAssertEqual(Diagnostic(of: error).exit, .usage)
        }
    }

    func testPeopleWhoDifferOnlyInWhoTheyAreHaveTheSameBody() throws {
        func text(_ name: String, _ email: String, _ phone: String) -> String {
            """
            \(name)
            \(email) · \(phone)

            Profile
            Engineer with a decade of experience in distributed systems and a love of detail.

            Experience
            Acme Ltd, Engineer, 2015 - 2020
            • Built the billing platform that carries 4,000 requests/s with three colleagues

            \(name) - Page 2
            Education
            BSc Physics, 2010
            """
        }
        let one = try Resume.read(text("Al Po", "al@po.io", "+44 20 7946 0000"))
        let other = try Resume.read(
            text("María-José Fernández de la Torre", "mjfdlt@ejemplo-largo.es", "+34 600 111 222"))
        XCTAssertEqual(one.body, other.body)
        XCTAssertEqual(names(one), ["Al Po"])
        XCTAssertEqual(names(other), ["María-José Fernández de la Torre"])
    }
}
