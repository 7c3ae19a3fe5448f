import Base
import XCTest

@testable import Documents
@testable import Letters

final class LetterLayoutTests: XCTestCase {
    private func letter(
        _ language: String, country: String? = nil, address: String?,
        recipient: JobAdvert.Recipient?,
        body: String = "I write to you.", day: Int = 23
    ) throws -> String {
        let form = try XCTUnwrap(LetterForm.of(language, country: country))
        return LetterLayout(
            form: form,
            sender: LetterLayout.Sender(
                name: "Jo Kim", address: address, phone: "+1 555 0100", email: "jo@example.org"),
            recipient: recipient, company: "Acme",
            role: "Engineer", date: try XCTUnwrap(CivilDate(year: 2026, month: 11, day: day))
        ).letter(around: body)
    }

    func testAnAmericanLetterHasTheDateBeforeTheRecipient() throws {
        XCTAssertEqual(
            try letter(
                "en", address: "12 Main St, Springfield, IL 62701",
                recipient: .init(name: "Ann Lee", form: .miss)),
            """
            Jo Kim
            12 Main St, Springfield, IL 62701
            +1 555 0100
            jo@example.org

            November 23, 2026

            Ms. Ann Lee
            Acme

            Re: Application for the position of Engineer

            Dear Ms. Lee,

            I write to you.

            Sincerely,



            Jo Kim

            """)
    }

    func testABritishLetterNamesItsSubjectBehindTheSalutation() throws {
        XCTAssertEqual(
            try letter("en", country: "GB", address: "1 High St\nLeeds LS1 4AP", recipient: nil),
            """
            Jo Kim
            1 High St
            Leeds LS1 4AP
            +1 555 0100
            jo@example.org

            23 November 2026

            Acme

            Dear Sir or Madam,

            Application for the position of Engineer

            I write to you.

            Yours faithfully,



            Jo Kim

            """)
    }

    func testAGermanLetterNamesThePlaceAndGoesOnInLowerCase() throws {
        XCTAssertEqual(
            try letter(
                "de", address: "Hauptstr. 5, 10115 Berlin",
                recipient: .init(name: "Petra Schmidt", title: "Dr.", form: .miss),
                body: "Mit Freude schreibe ich."),
            """
            Jo Kim
            Hauptstr. 5, 10115 Berlin
            +1 555 0100
            jo@example.org

            Frau Dr. Petra Schmidt
            Acme

            Berlin, 23. November 2026

            Bewerbung als Engineer

            Sehr geehrte Frau Dr. Schmidt,

            mit Freude schreibe ich.

            Mit freundlichen Grüßen



            Jo Kim

            """)
    }

    /// Date, subject, salutation and closing of each country.
    func testEveryCountryHasItsOwnWords() throws {
        let parts: [(String, String, JobAdvert.Recipient, [String])] = [
            (
                "en-IN", "MG Road, Bengaluru 560001", .init(name: "Rao", form: .mister),
                [
                    "23 November 2026", "Subject: Application for the position of Engineer",
                    "Dear Mr Rao,", "Yours sincerely,",
                ]
            ),
            (
                "fr", "5 rue X, 75001 Paris", .init(name: "Claire Petit", form: .miss),
                [
                    "Paris, le 23 novembre 2026", "Objet : Candidature au poste de Engineer",
                    "Madame Petit,",
                    "Je vous prie d’agréer, Madame, l’expression de mes salutations distinguées.",
                ]
            ),
            (
                "es", "Calle Y 3, 28001 Madrid", .init(name: "Ana García López", form: .miss),
                [
                    "Madrid, 23 de noviembre de 2026", "Asunto: Candidatura al puesto de Engineer",
                    "Estimada Sra. García López:", "Atentamente,",
                ]
            ),
            (
                "pl", "ul. Z 4, 00-001 Warszawa", .init(name: "Jan Kowalski", form: .mister),
                [
                    "Warszawa, 23 listopada 2026 r.", "Dotyczy: aplikacji na stanowisko Engineer",
                    "Szanowny Panie,", "Z poważaniem",
                ]
            ),
            (
                "it", "Via W 6, 20121 Milano (MI)", .init(name: "Luca Bianchi", form: .mister),
                [
                    "Milano, 23 novembre 2026",
                    "Oggetto: Candidatura per la posizione di Engineer", "Gentile Sig. Bianchi,",
                    "Cordiali saluti,",
                ]
            ),
            (
                "nl", "Damrak 1, 1012 AB Amsterdam", .init(name: "Els van der Berg", form: .miss),
                [
                    "Amsterdam, 23 november 2026",
                    "Betreft: sollicitatie naar de functie van Engineer",
                    "Geachte mevrouw van der Berg,", "Met vriendelijke groet,",
                ]
            ),
            (
                "pt", "Rua V 2, 1000-001 Lisboa", .init(name: "Silva", form: .mister),
                [
                    "Lisboa, 23 de novembro de 2026", "Assunto: Candidatura à vaga de Engineer",
                    "Exmo. Sr. Silva,", "Com os melhores cumprimentos,",
                ]
            ),
            (
                "sv", "Storgatan 1, 111 22 Stockholm", .init(name: "Anna Berg"),
                [
                    "Stockholm den 23 november 2026", "Ansökan till tjänsten som Engineer",
                    "Hej Anna Berg,", "Med vänliga hälsningar",
                ]
            ),
        ]
        for (language, address, recipient, expected) in parts {
            let blocks = try letter(language, address: address, recipient: recipient)
                .split(separator: "\n").map(String.init)
            XCTAssertEqual(expected.filter { !blocks.contains($0) }, [], language)
        }
    }

    func testARecipientOfWhomOnlyTheNameIsKnownIsAddressedByIt() throws {
        for (language, salutation) in [
            ("en", "Dear Robin Lee,"), ("de", "Guten Tag Robin Lee,"),
            ("es", "Estimado/a Robin Lee:"), ("fr", "Bonjour Robin Lee,"),
        ] {
            XCTAssertTrue(
                try letter(language, address: nil, recipient: .init(name: "Robin Lee")).contains(
                    salutation))
        }
        XCTAssertTrue(
            try letter("en-GB", address: nil, recipient: .init(name: "Robin Lee", title: "Dr."))
                .contains("Dear Dr Lee,"))
    }

    func testTheClosingPhraseHasTheToneOfTheLetter() throws {
        let day = try XCTUnwrap(CivilDate(year: 2026, month: 11, day: 23))
        func closing(_ tag: String, _ tone: LetterSettings.Tone) throws -> String {
            let letter = LetterLayout(
                form: try XCTUnwrap(LetterForm.of(tag)), sender: .init(name: "Jo Kim"),
                recipient: nil, company: nil, role: nil, date: day, tone: tone
            ).letter(around: "I write.")
            let lines = letter.split(separator: "\n")
            return String(lines[lines.count - 2])
        }
        for (tag, formal, friendly) in [
            ("en-US", "Sincerely,", "Best regards,"),
            ("en-GB", "Yours faithfully,", "Kind regards,"),
            ("de", "Mit freundlichen Grüßen", "Viele Grüße"),
            ("de-CH", "Freundliche Grüsse", "Herzliche Grüsse"),
        ] {
            for tone in LetterSettings.Tone.allCases {
                let expected = [.friendly, .warm].contains(tone) ? friendly : formal
                XCTAssertEqual(try closing(tag, tone), expected, "\(tag) \(tone)")
            }
        }
        // None of them stays in when a letter is read again.
        for form in LetterForm.all {
            XCTAssertTrue(LetterPhrases.isClosing(form[.friendlyClosing]), form.tag)
        }
    }

    func testTheFirstOfAMonthHasItsOwnWord() throws {
        XCTAssertTrue(
            try letter("fr", address: nil, recipient: nil, day: 1).contains("1er novembre 2026"))
    }

    func testWhatIsMissingIsLeftOutAndNamed() throws {
        let form = try XCTUnwrap(LetterForm.of("en-US"))
        let sender = LetterLayout.Sender(name: "Jo Kim")
        let letter = LetterLayout(
            form: form, sender: sender, recipient: nil, company: nil, role: nil,
            date: try XCTUnwrap(CivilDate(year: 2026, month: 1, day: 2))
        ).letter(around: "Words.")
        XCTAssertEqual(
            letter,
            "Jo Kim\n\nJanuary 2, 2026\n\nRe: Application\n\nDear Hiring Manager,\n\nWords.\n\n"
                + "Sincerely,\n\n\n\nJo Kim\n")
        XCTAssertEqual(sender.missing, ["address", "phone", "e-mail"])
    }

    func testLanguagesAreFoundByTagNameAndCountry() {
        for (language, country, tag) in [
            ("en", nil, "en-US"), ("en", "GB", "en-GB"), ("en", "IE", "en-GB"),
            ("en", "AT", "en-GB"), ("en", "SE", "en-GB"),
            ("en", "CA", "en-US"), ("en-GB", "US", "en-GB"), ("English", "IN", "en-IN"),
            ("German", nil, "de"), ("Deutsch", "AT", "de-AT"), ("de", "CH", "de-CH"),
            ("de_AT", nil, "de-AT"), ("français", nil, "fr"), ("fr", "CH", "fr"),
            ("pt", "BR", "pt-BR"), ("British English", nil, "en-GB"), ("no", nil, "nb"),
            ("xx", nil, nil),
        ] as [(String, String?, String?)] {
            XCTAssertEqual(LetterForm.of(language, country: country)?.tag, tag, language)
        }
    }

    func testTheAddressOfTheEmployerAndTheNumberOfTheAdvertArePrinted() throws {
        let letter = LetterLayout(
            form: try XCTUnwrap(LetterForm.of("it")),
            sender: .init(name: "Jo Kim", address: "Rua das Acácias 2, São Paulo – SP"),
            recipient: .init(name: "Giulia Bianchi", title: "Dott.ssa", form: .miss),
            company: "Fiorentini", address: ["Via Roma 12", "20121 Milano"], role: "Contabile",
            reference: "C-17", date: try XCTUnwrap(CivilDate(year: 2026, month: 1, day: 2))
        ).letter(around: "Scrivo a Lei.")
        XCTAssertEqual(
            letter,
            """
            Jo Kim
            Rua das Acácias 2, São Paulo – SP

            Dott.ssa Giulia Bianchi
            Fiorentini
            Via Roma 12
            20121 Milano

            São Paulo, 2 gennaio 2026

            Oggetto: Candidatura per la posizione di Contabile (Rif. C-17)

            Gentile Dott.ssa Bianchi,

            scrivo a Lei.

            Cordiali saluti,



            Jo Kim

            """)
    }
}
