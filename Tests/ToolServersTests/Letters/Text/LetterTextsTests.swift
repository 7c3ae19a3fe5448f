import XCTest

@testable import Letters

final class LetterTextsTests: XCTestCase {
    func testEveryFormHasEveryTextThatALetterNeeds() {
        let needed: [LetterForm.Text] = [
            .language, .date, .subject, .subjectAlone, .reference, .toHer, .toHim, .toName,
            .withoutName, .closing, .friendlyClosing,
        ]
        XCTAssertEqual(LetterForm.all.count, 16)
        for form in LetterForm.all {
            XCTAssertEqual(needed.filter { !form.has($0) }, [], form.tag)
            XCTAssertEqual(form.months.count, 12, form.tag)
            XCTAssertEqual(Set(form.order).count, 5, form.tag)
        }
    }

    func testALetterWithoutAModelHasTheSameSentencesInBothLanguages() {
        let english = LetterTexts.named("template en")
        XCTAssertEqual(english.count, 19)
        XCTAssertEqual(Set(english.keys), Set(LetterTexts.named("template de").keys))
        for section in ["preambles", "remarks", "subjects", "refusals", "greetings", "closings"] {
            XCTAssertFalse(LetterTexts.phrases(section).isEmpty, section)
        }
    }
}
