import XCTest

@testable import StoryKit

final class AttributorTests: XCTestCase {
    private let cast = Cast([
        StoryCharacter(name: "Ann Lee", aliases: ["Ann", "Miss Lee"], gender: .female),
        StoryCharacter(name: "Mr. Bob Hart", aliases: ["Bob"], gender: .male),
        StoryCharacter(name: "Mrs. Hart", gender: .female),
        StoryCharacter(name: "the Miller", aliases: ["the old man"], gender: .male),
    ])

    private func speakers(_ source: String, _ cast: Cast? = nil) -> [String?] {
        let cast = cast ?? self.cast
        return Attributor(cast: cast).attribute(StoryText(source)).map {
            $0.speaker.map { cast.characters[$0].name }
        }
    }

    func testATagNamesTheSpeaker() {
        let tags: [(String, String)] = [
            ("“Yes,” said Ann.", "Ann Lee"), ("“Yes,” Ann said.", "Ann Lee"),
            ("“Yes,” Miss Lee quietly replied.", "Ann Lee"),
            ("“Yes,” cried out poor Bob.", "Mr. Bob Hart"),
            ("“Yes,” said Mr. Hart to Ann.", "Mr. Bob Hart"),
            ("“Yes,” said the miller.", "the Miller"),
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

    func testATaleInManyParagraphsIsItsTellers() {
        let tale = (1...12).map { "“Then Bob came, Ann, and it was day \($0)." }
        let found = Attributor(cast: cast).attribute(
            StoryText(
                (["“Go on,” said Ann.", "“It was late,” said Mrs. Hart. “We sailed."] + tale
                    + ["“That is all.”", "“I see,” said Bob."]).joined(separator: "\n\n")))
        XCTAssertEqual(
            found.map { $0.speaker.map { cast.characters[$0].name } },
            ["Ann Lee"] + Array(repeating: "Mrs. Hart", count: 15) + ["Mr. Bob Hart"])
        XCTAssertEqual(Set(found.map(\.tier)), [.sure])
    }

    func testFrenchTagsAreRead() {
        let cast = Cast([
            StoryCharacter(name: "Jean", gender: .male),
            StoryCharacter(name: "Marie", gender: .female),
        ])
        let tags = [
            ("fit remarquer Jean", "Jean"), ("fit observer Marie", "Marie"),
            ("finit par lui demander Jean", "Jean"),
            ("se contenta de répondre Marie", "Marie"), ("crut devoir ajouter Jean", "Jean"),
            ("laissa tomber Marie", "Marie"), ("lança-t-il", "Jean"), ("avoua-t-elle", "Marie"),
            ("répondit Jean", "Jean"), ("fit-elle", "Marie"),
        ]
        let source =
            "Jean regardait Marie.\n\n"
            + tags.map { "— Il est tard, \($0.0)." }.joined(separator: "\n\n")
        let text = StoryText(source, language: "fr")
        XCTAssertEqual(
            Attributor(cast: cast).attribute(text).map {
                $0.speaker.map { cast.characters[$0].name }
            },
            tags.map(\.1))
    }

    func testTagsOfOtherLanguagesAreReadInEveryForm() {
        let cast = Cast([
            StoryCharacter(name: "l'aubergiste", gender: .male),
            StoryCharacter(name: "d'Artagnan", gender: .male),
            StoryCharacter(name: "Hauptmann Reuter", gender: .male),
            StoryCharacter(name: "ihre Mutter", gender: .female),
            StoryCharacter(name: "Emil", gender: .male),
        ])
        let cases: [(language: String, source: String, speakers: [String])] = [
            ("fr", "« Entrez ! » dit l'aubergiste.", ["l'aubergiste"]),
            ("fr", "— Entrez ! grommela l'aubergiste.", ["l'aubergiste"]),
            ("fr", "— Jamais, s'indigna d'Artagnan.", ["d'Artagnan"]),
            // The tag inside of the marks is not spoken.
            (
                "fr", "« Entrez, dit l'aubergiste, la soupe est chaude. »",
                ["l'aubergiste", "l'aubergiste"]
            ),
            ("de", "„Halt“, schnauzte der Hauptmann.", ["Hauptmann Reuter"]),
            ("de", "– Du gehst ja doch, sagte ihre Mutter.", ["ihre Mutter"]),
            ("de", "– Es regnet, wisperte Emil, schon lange.", ["Emil", "Emil"]),
            ("de", "„Und jetzt?“, wollte Emil wissen.", ["Emil"]),
        ]
        for (language, source, speakers) in cases {
            let found = Attributor(cast: cast).attribute(StoryText(source, language: language))
            XCTAssertEqual(
                found.map { $0.speaker.map { cast.characters[$0].name } }, speakers, source)
        }
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
        XCTAssertEqual(speakers("“And you?” Ann was asked by the miller."), ["the Miller"])
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

    func testARelativeOfTheOtherSexIsAnotherSpeaker() {
        let found = speakers("“No,” said Mrs. Hart. “Never mind,” added her husband.")
        XCTAssertEqual(found.first, "Mrs. Hart")
        XCTAssertNotEqual(found.last, "Mrs. Hart")
    }

    func testANameAfterADescriptionDecides() {
        let sisters = Cast([
            StoryCharacter(name: "Maud", aliases: ["his sister"], gender: .female),
            StoryCharacter(name: "Dora", aliases: ["his sister"], gender: .female),
        ])
        XCTAssertEqual(
            speakers("“Yes,” said his sister Dora.\n\n“No,” said his sister Maud.", sisters),
            ["Dora", "Maud"])
    }

    func testWordsThatOneCharacterSaysTellWhoSpeaks() {
        let talk = (1...8).map { _ in
            "“Tha’ mun bide, lass,” said Bob.\n\n“It is quite dreadful indeed,” said the miller."
        }
        let later = String(repeating: "It rained. ", count: 400)
        for (words, speaker) in [
            ("Tha’ mun bide.", "Mr. Bob Hart"), ("It is dreadful indeed.", "the Miller"),
        ] {
            let text = (talk + [later, "Bob and the miller sat there.", "“\(words)”"])
                .joined(separator: "\n\n")
            XCTAssertEqual(speakers(text).last, speaker, words)
        }
    }

    func testNothingIsSureInALanguageThatWasNotMeasured() {
        let turns = "“Are you there?” said Ann.\n\n“I am,” said Bob.\n\n"
        let source = turns + String(repeating: "“Come.”\n\n“No.”\n\n", count: 3)
        let found = Attributor(cast: cast).attribute(StoryText(source, language: "xx"))
        XCTAssertEqual(found.prefix(2).map(\.speaker), [0, 1])
        XCTAssertFalse(found.contains { $0.tier == .sure })
        for region in ["en", "en-GB", "en-us"] {
            let found = Attributor(cast: cast).attribute(StoryText(source, language: region))
            XCTAssertEqual(found.prefix(2).map(\.tier), [.sure, .sure], region)
        }
    }

    func testTheSameTextHasTheSameAnswers() {
        let source = "Ann met Bob.\n\n“So,” she said.\n\n“So what?”\n\n“Nothing, Bob.”\n\n“Good.”"
        let first = Attributor(cast: cast).attribute(StoryText(source))
        for _ in 0..<5 {
            XCTAssertEqual(Attributor(cast: cast).attribute(StoryText(source)), first)
        }
    }

    func testADecisionOfTheUserTellsWhoSpeaksAroundIt() {
        let source = "Ann and Bob sat by the fire.\n\n“Tea?”\n\n“Yes.”\n\n“Milk?”\n\n“No.”"
        let text = StoryText(source)
        let quotations = text.spans.indices.filter { text.spans[$0].kind == .quotation }
        for first in [0, 1] {
            let found = Attributor(cast: cast).attribute(text, decided: [quotations[1]: first])
            XCTAssertEqual(found.map(\.speaker), [1 - first, first, 1 - first, first])
            XCTAssertEqual(found.map(\.by), [.rule, .user, .rule, .rule])
            XCTAssertEqual(found[1].tier, .sure)
        }
    }

    func testADecisionMayNameWhoeverIsNotInTheScene() {
        let text = StoryText("“Yes,” said Ann.\n\n“No,” said Bob.")
        let quotations = text.spans.indices.filter { text.spans[$0].kind == .quotation }
        let found = Attributor(cast: cast).attribute(
            text, decided: [quotations[0]: 3, quotations[1]: nil])
        XCTAssertEqual(found.map(\.speaker), [3, nil])
        XCTAssertEqual(found.map(\.by), [.user, .user])
    }

    func testWhoeverIsNotNamedNearbyIsNotSure() {
        // "He" may be a boy whom the cast does not have.
        let far = String(repeating: "It rained.\n\n", count: 3)
        let source = "Bob went home.\n\n" + far + "“Who is it?” said Ann.\n\n“I,” he said."
        let found = Attributor(cast: cast).attribute(StoryText(source))
        XCTAssertEqual(found.map(\.tier), [.sure, .likely])
        let named = source + "\n\n“You!” cried Ann.\n\n“Yes,” said Bob."
        let others = Attributor(cast: cast).attribute(StoryText(named))
        XCTAssertEqual(others.map(\.speaker), [0, 1, 0, 1])
    }

    func testADescriptionInTheCastMeansWhoFitsIt() {
        // Both have a mother; the cast says so only of one.
        let cast = Cast([
            StoryCharacter(name: "Ann", gender: .female),
            StoryCharacter(name: "Bob", gender: .male),
            StoryCharacter(name: "Mrs. Lee", aliases: ["mother"], gender: .female),
        ])
        let found = Attributor(cast: cast).attribute(
            StoryText("Ann ran to Mrs. Lee.\n\n“Well?” said her mother."))
        XCTAssertEqual(found.map(\.speaker), [2])
        XCTAssertNotEqual(found.map(\.tier), [.sure])
        XCTAssertEqual(speakers("“Yes,” said the old man."), ["the Miller"])
    }

    func testTheNarratorOfAGivenCastIsWhomOthersCallByName() {
        let cast = Cast([
            StoryCharacter(name: "Ann", gender: .female),
            StoryCharacter(name: "Mr. Hart", gender: .male),
        ])
        let source =
            "I sat down. “Tea, Mr. Hart?” asked Ann. I shook my head.\n\n“No,” I said."
        let found = Attributor(cast: cast).attribute(StoryText(source))
        XCTAssertEqual(found.map(\.speaker), [0, 1])
        XCTAssertEqual(NarratorChoice.narrator(of: cast, in: StoryText(source)), 1)
        // The one whom nobody names.
        let quiet = StoryText("I sat down. “Tea?” asked Ann. I was tired.\n\n“No,” I said.")
        XCTAssertEqual(NarratorChoice.narrator(of: cast, in: quiet), 1)
        XCTAssertNil(NarratorChoice.narrator(of: cast, in: StoryText("“I am,” said Ann.")))
    }

    func testAnINobodyIsKnownForIsNobody() {
        let cast = Cast([
            StoryCharacter(name: "Ann", gender: .female),
            StoryCharacter(name: "Bob", gender: .male),
        ])
        let found = Attributor(cast: cast).attribute(
            StoryText("I saw Ann and Bob. I was tired.\n\n“Well?” I said. I looked at Bob."))
        XCTAssertNotEqual(found.map(\.tier), [.sure])
    }

    func testAGermanNounWithAnArticleIsFound() {
        let cast = Cast([
            StoryCharacter(name: "der Esel", gender: .male),
            StoryCharacter(name: "die Katze", gender: .female),
        ])
        let found = Attributor(cast: cast).attribute(
            StoryText(
                "„Wer da?“ fragte der Esel. „Ich,“ antwortete die Katze.", language: "de"))
        XCTAssertEqual(found.map(\.speaker), [0, 1])
    }

    func testGermanTagsAfterACommaAreEachForTheirQuotation() {
        let cast = Cast([
            StoryCharacter(name: "Karl", gender: .male),
            StoryCharacter(name: "Anna", gender: .female),
            StoryCharacter(name: "der Müller", gender: .male),
        ])
        let found = Attributor(cast: cast).attribute(
            StoryText(
                "„Guten Abend“, sagte Karl. „Danke“, sagte Anna. „Gute Nacht“, sagte der Müller.",
                language: "de"))
        XCTAssertEqual(found.map(\.speaker), [0, 1, 2])
    }

    func testWithoutACastNobodySpeaks() {
        let found = Attributor(cast: Cast([])).attribute(StoryText("“Yes,” said Ann."))
        XCTAssertEqual(found.map(\.speaker), [nil])
        XCTAssertEqual(found.map(\.tier), [.guess])
        XCTAssertEqual(found.map(\.confidence), [0])
    }
}
