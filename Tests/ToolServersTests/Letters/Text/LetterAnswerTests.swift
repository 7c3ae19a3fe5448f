import XCTest

@testable import Letters

final class LetterAnswerTests: XCTestCase {
    private let first =
        "Your advert for a site reliability engineer describes the work I have done for six "
        + "years at [EMPLOYER], and I would like to do it for you."
    private let last = "I would be glad to tell you more in a conversation about your platform."
    private var body: String { "\(first)\n\n\(last)" }

    private func cleaned(_ answer: String) -> String { LetterAnswer(answer).text }

    func testAnAnswerThatIsTheLetterAloneStaysAsItIs() {
        XCTAssertEqual(cleaned(body), body)
    }

    func testAWholeHeaderWithSalutationAndSignatureIsTakenOff() {
        XCTAssertEqual(
            cleaned(
                """
                [Your Name]
                [Your Address]
                [City, State, ZIP]
                john.doe@example.com | (555) 010-9999

                November 23, 2026

                Hiring Manager
                Acme Inc.
                12 Main Street

                **Subject: Application for Site Reliability Engineer**

                Dear Hiring Manager,

                \(first)

                \(last)

                Sincerely,

                John Doe
                """), body)
    }

    func testASubjectOnALineOfItsOwnUnderTheSalutationIsTakenOff() {
        for subject in [
            "Application for the position of Site Reliability Engineer",
            "Bewerbung als Ingenieurin (m/w/d)",
        ] {
            XCTAssertEqual(
                cleaned("Dear Ms Berg,\n\n\(subject)\n\n\(body)\n\nYours sincerely,\nIda Holm"),
                body)
        }
    }

    func testRemarksAroundTheLetterAreTakenOff() {
        XCTAssertEqual(
            cleaned(
                """
                Here is your cover letter, in a professional tone:

                ---

                \(first)

                \(last)

                ---

                Let me know if you would like a warmer version!
                """), body)
        XCTAssertEqual(cleaned("```\n\(body)\n```"), body)
        XCTAssertEqual(
            cleaned("Sure! Here is a letter for you.\n\n\(body)\n\n(Word count: 61)"), body)
    }

    func testSalutationsAndClosingPhrasesOfEveryLanguageAreKnown() {
        for (salutation, closing) in [
            ("Dear Ms. Smith:", "Best regards,\n[NAME]"),
            ("To Whom It May Concern,", "Yours faithfully\nJohn Doe"),
            ("Sehr geehrte Frau Dr. Schmidt,", "Mit freundlichen Grüßen\n\n[Ihr Name]"),
            ("Guten Tag Robin Jansen,", "Viele Grüße\nMax Mustermann"),
            (
                "Madame, Monsieur,",
                "Je vous prie d'agréer, Madame, Monsieur, l'expression de mes salutations "
                    + "distinguées.\n\nJean Dupont"
            ),
            ("Estimado Sr. García:", "Atentamente,\nJuan Pérez"),
            ("Szanowni Państwo,", "Z poważaniem\nJan Kowalski"),
            ("Gentile Dott.ssa Rossi,", "Cordiali saluti,\nMario Rossi"),
            ("Geachte heer, mevrouw,", "Met vriendelijke groet,\nJan Jansen"),
            ("Exmos. Senhores,", "Com os melhores cumprimentos,\nJoão Silva"),
            ("Hej Anna,", "Med vänliga hälsningar\nErik Eriksson"),
        ] {
            XCTAssertEqual(cleaned("\(salutation)\n\n\(body)\n\n\(closing)"), body, salutation)
        }
    }

    func testASalutationAndAClosingWithinAParagraphAreTakenOff() {
        XCTAssertEqual(
            cleaned("Dear Hiring Manager, \(first)\n\n\(last) Sincerely, John Doe"), body)
        XCTAssertEqual(cleaned("\(body)\n\nSincerely, John Doe"), body)
    }

    func testASignatureWithoutAClosingPhraseIsTakenOff() {
        XCTAssertEqual(cleaned("\(body)\n\n[NAME]"), body)
        XCTAssertEqual(cleaned("\(body)\n\nJohn Doe\n[EMAIL] | [PHONE]"), body)
    }

    func testSentencesThatLookLikeThePartsAreKept() {
        for text in [
            "Best practices matter to me, and so does the work of others on call at night.\n\n\(last)",
            "\(first)\n\nThank you for your time and consideration; I look forward to your answer.",
            "Liebe zum Detail zeichnet mich aus, und das Team von Acme hat das oft erlebt.\n\n\(last)",
            "Gerne bewerbe ich mich mit diesem Schreiben auf die Stelle in Ihrem Hause.\n\n\(last)",
            "\(first)\n\n- six years on call\n- 40 services\n\n\(last)",
            "貴社の募集を拝見し、応募いたします。\n\n面接の機会をいただければ幸いです。",
        ] {
            XCTAssertEqual(cleaned(text), text)
        }
    }

    func testALetterThatWasWrappedByHandKeepsItsFirstLine() {
        XCTAssertEqual(
            cleaned(
                """
                I am applying for the role of
                Site Reliability Engineer, which
                is what I have done for six
                years at [EMPLOYER] in Hamburg.

                \(last)
                """),
            "I am applying for the role of Site Reliability Engineer, which is what I have done for "
                + "six years at [EMPLOYER] in Hamburg.\n\n\(last)")
    }

    func testWordsAreCountedAsPeopleCountThem() {
        XCTAssertEqual(LetterAnswer.words("I led 4 people – at [EMPLOYER], C++ and all."), 9)
        XCTAssertEqual(LetterAnswer.words("貴社の物流センター長 の募集"), 7)
        XCTAssertEqual(LetterAnswer("").words, 0)
    }
}
