import XCTest

@testable import StoryKit

final class AttributorTests: XCTestCase {
    private let cast = Cast([
        StoryCharacter(name: "Ann Lee", aliases: ["Ann", "Miss Lee"], gender: .female),
        StoryCharacter(name: "Mr. Bob Hart", aliases: ["Bob"], gender: .male),
        StoryCharacter(name: "Mrs. Hart", gender: .female),
        StoryCharacter(name: "the Miller", aliases: ["the old man"], gender: .male),
    ])

    private func speakers(
        _ source: String, _ cast: Cast? = nil, sieves: Sieves = .all
    ) -> [String?] {
        let cast = cast ?? self.cast
        return Attributor(cast: cast, sieves: sieves).attribute(StoryText(source)).map {
            $0.speaker.map { cast.characters[$0].name }
        }
    }

    func testATagNamesTheSpeaker() {
        let tags: [(String, String)] = [
            ("“Yes,” said Ann.", "Ann Lee"), ("“Yes,” Ann said.", "Ann Lee"),
            ("“Yes,” Miss Lee quietly replied.", "Ann Lee"),
            ("“Yes,” cried out poor Bob.", "Mr. Bob Hart"),
            ("“Yes,” said Mr. Hart to Ann.", "Mr. Bob Hart"),
            ("“Yes,” said the old man.", "the Miller"), ("“Yes,” said the miller.", "the Miller"),
            ("Ann turned to Bob, and said, “Yes.”", "Ann Lee"),
            ("Turning to Ann, Bob said: “Yes.”", "Mr. Bob Hart"),
            ("Then said Ann: “Yes.”", "Ann Lee"), ("Mrs. Hart cried, “Yes!”", "Mrs. Hart"),
            ("“Yes,” said a tall man, Bob Hart by name.", "Mr. Bob Hart"),
        ]
        for (source, expected) in tags {
            let found = Attributor(cast: cast).attribute(StoryText(source))
            XCTAssertEqual(
                found.map { $0.speaker.map { cast.characters[$0].name } }, [expected], source)
            XCTAssertEqual(found.map(\.tier), [.sure], source)
        }
    }

    func testQuotationsOfAParagraphHaveOneSpeakerUnlessItNamesTwo() {
        XCTAssertEqual(
            speakers("“Yes,” said Ann. “I do.”\n\n“No,” said Bob."),
            ["Ann Lee", "Ann Lee", "Mr. Bob Hart"])
        XCTAssertEqual(
            speakers("Ann said: “Yes.” But Bob said: “No.”"), ["Ann Lee", "Mr. Bob Hart"])
    }

    func testTwoSpeakersTakeTurns() {
        XCTAssertEqual(
            speakers(
                "“Are you there?” said Ann.\n\n“I am,” said Bob.\n\n“Come out.”\n\n“Why?”\n\n“Tea.”"
            ),
            ["Ann Lee", "Mr. Bob Hart", "Ann Lee", "Mr. Bob Hart", "Ann Lee"])
    }

    func testWhoIsAddressedDoesNotSpeakButAnswers() {
        XCTAssertEqual(
            speakers("Ann and Bob sat by the fire.\n\n“You are late, Bob.”\n\n“I know.”"),
            ["Ann Lee", "Mr. Bob Hart"])
    }

    func testAPronounMeansWhoFitsIt() {
        XCTAssertEqual(
            speakers("Ann met Bob at the gate.\n\n“You came,” she said.\n\n“I did,” he said."),
            ["Ann Lee", "Mr. Bob Hart"])
    }

    func testKinIsMadeOutByTheFamilyName() {
        XCTAssertEqual(
            speakers("“The roof leaks,” said Mr. Hart.\n\n“It always did,” said his wife."),
            ["Mr. Bob Hart", "Mrs. Hart"])
    }

    func testANarratorSaysI() {
        var cast = cast
        cast.characters.append(StoryCharacter(name: "John", aliases: ["I"], gender: .male))
        let source = """
            I came in and sat down. I was wet, and I said so.

            “You are late, John,” said Ann.

            “I know,” I said.
            """
        XCTAssertEqual(speakers(source, cast), ["Ann Lee", "John"])
    }

    func testWhoIsAskedDoesNotSpeak() {
        XCTAssertNotEqual(speakers("“And you?” Ann was asked by the miller."), ["Ann Lee"])
    }

    func testAContinuedQuotationKeepsItsSpeaker() {
        XCTAssertEqual(
            speakers("Bob nodded.\n\n“One,” said Ann. “Two.\n\n“Three.\n\n“Four.”"),
            ["Ann Lee", "Ann Lee", "Ann Lee", "Ann Lee"])
    }

    func testAScriptIsExact() {
        let found = Attributor(cast: cast).attribute(
            StoryText("ANN: Yes.\n\nMR. HART: No.\n\nANN: Why?\n\nTHE MILLER (aside): Ha!"))
        XCTAssertEqual(
            found.map { $0.speaker.map { cast.characters[$0].name } },
            ["Ann Lee", "Mr. Bob Hart", "Ann Lee", "the Miller"])
        XCTAssertEqual(Set(found.map(\.tier)), [.sure])
    }

    func testWithoutASieveItsEvidenceIsGone() {
        let source = "Bob slept.\n\n“Yes,” said Ann."
        XCTAssertEqual(speakers(source), ["Ann Lee"])
        let without = Attributor(cast: cast, sieves: Sieves.all.subtracting(.nameTag))
            .attribute(StoryText(source))
        XCTAssertNotEqual(without.map(\.tier), [.sure])
    }

    func testInOtherLanguagesOnlyATagIsSure() {
        let turns = "“Are you there?” said Ann.\n\n“I am,” said Bob.\n\n"
        let source = turns + String(repeating: "“Come.”\n\n“No.”\n\n", count: 3)
        let found = Attributor(cast: cast).attribute(StoryText(source, language: "xx"))
        XCTAssertFalse(found.dropFirst(2).contains { $0.tier == .sure })
    }

    func testTheSameTextHasTheSameAnswers() {
        let source = "Ann met Bob.\n\n“So,” she said.\n\n“So what?”\n\n“Nothing, Bob.”\n\n“Good.”"
        let first = Attributor(cast: cast).attribute(StoryText(source))
        for _ in 0..<5 {
            XCTAssertEqual(Attributor(cast: cast).attribute(StoryText(source)), first)
        }
    }

    func testWithoutACastNobodySpeaks() {
        let found = Attributor(cast: Cast([])).attribute(StoryText("“Yes,” said Ann."))
        XCTAssertEqual(found.map(\.speaker), [nil])
        XCTAssertEqual(found.map(\.tier), [.guess])
        XCTAssertEqual(found.map(\.confidence), [0])
    }
}
