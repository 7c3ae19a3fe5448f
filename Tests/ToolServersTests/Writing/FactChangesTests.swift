import Base
import XCTest

@testable import Texts

/// Which changes of a text are to facts.
final class FactChangesTests: XCTestCase {
    private func found(_ old: String, _ new: String, isProofread: Bool = true) -> String? {
        FactChanges(TextDiff(old, new), isProofread: isProofread).sentence
    }

    func testFiguresUnitsDatesNamesAndNegationsAreFacts() {
        for (old, new, words) in [
            ("We payed 12 of them.", "We paid 21 of them.", "\"12\" → \"21\""),
            ("It is 5 km away.", "It is 5 miles away.", "\"km\" → \"miles\""),
            ("It cost $5 then.", "It cost €5 then.", "\"$\" → \"€\""),
            ("We met on Monday.", "We met on Tuesday.", "\"Monday\" → \"Tuesday\""),
            ("We met in march 2020.", "We met in May 2020.", "\"May\" is new"),
            ("I called Anna about it.", "I called Emma about it.", "\"Anna\" → \"Emma\""),
            ("Anna called us back.", "Emma called us back.", "\"Anna\" → \"Emma\""),
            ("I can not go there.", "I can go there.", "\"not\" is gone"),
            ("I have seen him there.", "I haven't seen him there.", "\"haven't\" is new"),
            ("Wir kommen nicht zu dem Termin.", "Wir kommen zu dem Termin.", "\"nicht\" is gone"),
            (
                "Ich habe Herrn Weber und das Buch.", "Ich habe Herrn Huber und das Buch.",
                "\"Weber\" → \"Huber\""
            ),
            ("It is 10:30 now.", "It is 11:30 now.", "\"10:30\" → \"11:30\""),
        ] {
            XCTAssertEqual(found(old, new), "Facts changed: \(words).", old)
        }
    }

    func testOtherWordsAndOtherSpellingsOfAFactAreNone() {
        for (old, new) in [
            ("we has five cats and 1200 km", "We have 5 cats and 1,200 kilometres."),
            ("i dont know it", "I don't know it."), ("i cannot see", "I can not see."),
            ("on monday in berlin", "On Monday in Berlin."), ("teh cat sat", "The cat sat."),
            ("its 5 % of it", "It's 5 percent of it."), ("He payed late.", "He paid late."),
            ("However it rained.", "Nevertheless it rained."),
            ("Das Haus ist gros und alt.", "Das Gebäude ist groß und alt."),
            ("Annas house", "Anna's house"),
        ] {
            XCTAssertEqual(found(old, new), nil, old)
        }
    }

    func testARewriteMayMoveAFactAndAProofreadMayNot() {
        let (old, new) = (
            "On Monday, Anna paid 5 euros.", "Anna paid 5 euros on Monday."
        )
        XCTAssertNil(found(old, new, isProofread: false))
        XCTAssertNotNil(found("from 5 to 7 of them", "from 7 to 5 of them"))
    }

    func testItsLineIsMarked() {
        let diff = TextDiff("teh 12 cats\nteh dogs", "the 21 cats\nthe dogs")
        let facts = FactChanges(diff, isProofread: true)
        XCTAssertEqual(
            diff.lines(isMarked: true, facts: facts.changes).map(\.text),
            ["! [-teh 12-]{+the 21+} cats", "[-teh-]{+the+} dogs"])
    }
}
