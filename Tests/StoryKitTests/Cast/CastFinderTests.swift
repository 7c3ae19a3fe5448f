import XCTest

@testable import StoryKit

final class CastFinderTests: XCTestCase {
    private func cast(_ text: String, language: String? = nil) -> Cast {
        CastFinder.find(in: StoryText(text, language: language))
    }

    private func names(_ cast: Cast) -> Set<Set<String>> {
        Set(cast.characters.map { Set([$0.name] + $0.aliases) })
    }

    func testAPersonIsKnownByEveryFormOfTheirName() {
        let cast = cast(
            """
            Fitzwilliam Darcy stood at the window. "It rains," said Mr. Darcy.

            "It does," said Elizabeth Bennet. Darcy looked at her.

            "Come here, Lizzy!" cried Jane Bennet, and Elizabeth came.
            """)
        XCTAssertEqual(
            names(cast),
            [
                ["Fitzwilliam Darcy", "Mr. Darcy", "Darcy"],
                ["Elizabeth Bennet", "Elizabeth", "Lizzy"], ["Jane Bennet"],
            ])
        XCTAssertEqual(cast.characters.map(\.gender), [.male, .female, .female])
    }

    func testASurnameIsOfWhomTheStoryDoesNotCallByTheFirstName() {
        let cast = cast(
            """
            Mr. Sherlock Holmes sat down. “Well?” said Holmes. “I see,” said Mr. Holmes.

            “Master Holmes,” cried the landlady. “Come up,” said Sherlock Holmes.

            “My dear brother,” said Mycroft Holmes. “And you,” said Mycroft to Holmes.

            “Sit down,” said Holmes. Mycroft Holmes sat down. “Yes,” said Mycroft.
            """)
        XCTAssertEqual(
            names(cast),
            [
                [
                    "Sherlock Holmes", "Holmes", "Mr. Holmes", "Master Holmes",
                    "Mr. Sherlock Holmes",
                ],
                ["Mycroft Holmes", "Mycroft"], ["the landlady"],
            ])
    }

    func testTheOnlyBearerOfASurnameIsWhoMisterMeans() {
        let often = String(repeating: "Mr. Sherlock Holmes smoked. ", count: 5)
        let cast = cast(often + "“Yes,” said Mr. Holmes. “No,” said Holmes. Holmes smoked.")
        XCTAssertEqual(
            names(cast), [["Mr. Sherlock Holmes", "Mr. Holmes", "Holmes"]])
    }

    func testARelativeIsOneWithTheNameAndACalledSurnameWithTheWife() {
        let cast = cast(
            """
            “Well,” said James. “Well, Uncle James,” said June. James sat down.

            “Tea, Medlock!” cried June. “Yes,” said Mrs. Medlock. “Now, Medlock,” said June.

            “Huck Finn!” cried James. Huckleberry Finn ran. “Here,” said Huck. Huck came.
            """)
        XCTAssertEqual(
            names(cast),
            [
                ["James", "Uncle James"], ["June"], ["Mrs. Medlock", "Medlock"],
                ["Huckleberry Finn", "Huck Finn", "Huck"],
            ])
    }

    func testAPlayMayHaveItsNamesAloneOnTheirLines() {
        for gap in ["\n", "\n\n"] {
            let text = StoryText(
                [
                    "MRS. WARREN", "Words, words.", "VIVIE", "What is the matter?",
                    "MRS. WARREN", "Between who?", "VIVIE", "Nothing.",
                ].joined(separator: gap))
            XCTAssertEqual(text.style, .script)
            let cast = CastFinder.find(in: text)
            XCTAssertEqual(cast.characters.map(\.name), ["Mrs. Warren", "Vivie"])
            let found = Attributor(cast: cast).attribute(text)
            XCTAssertEqual(found.map(\.speaker), [0, 1, 0, 1])
            XCTAssertEqual(
                text.text(of: text.spans[found[0].span].range)
                    .trimmingPrefix { $0.isWhitespace }.prefix(12), "Words, words")
        }
    }

    func testACapitalHeadingIsNoNameOfAPlay() {
        for source in [
            "THE STORM\n\nIt was dark.\n\nTHE CALM\n\nIt was light.",
            "THE STORM\nIt was dark.\n\nTHE CALM\nIt was light.",
        ] {
            XCTAssertNotEqual(StoryText(source).style, .script)
        }
    }

    func testThePersonsOfAPlayAreThoseWhoSpeakLineByLine() {
        let text = StoryText(
            """
            HAMLET. Words, words, words.
            POLONIUS. What is the matter,
            my lord?
            HAMLET. Between who?
            OPHELIA. My lord!
            POLONIUS. I mean, the matter that you read.
            OPHELIA. Good my lord.
            """)
        XCTAssertEqual(text.style, .script)
        let cast = CastFinder.find(in: text)
        XCTAssertEqual(cast.characters.map(\.name), ["Hamlet", "Polonius", "Ophelia"])
        XCTAssertEqual(
            Attributor(cast: cast).attribute(text).map {
                $0.speaker.map { cast.characters[$0].name }
            },
            ["Hamlet", "Polonius", "Hamlet", "Ophelia", "Polonius", "Ophelia"])
    }

    func testNamesOnShortLinesAreSeveralPersons() {
        let cast = cast(
            """
            They had all come that night:
            Edward Stone
            Henry Price

            “Well?” said Edward Stone. “Well,” said Henry Price.
            """)
        XCTAssertEqual(names(cast), [["Edward Stone"], ["Henry Price"]])
    }

    func testHusbandAndWifeAndSistersAreKeptApart() {
        let cast = cast(
            """
            "Well," said Mr. Bennet. "Well what?" said Mrs. Bennet.

            "I am here," said Miss Mary Bennet. "And I," said Miss Lydia Bennet.

            "So you are," said Mr. Bennet to Mrs. Bennet and Miss Lydia.
            """)
        XCTAssertEqual(
            names(cast),
            [
                ["Mr. Bennet"], ["Mrs. Bennet"], ["Miss Lydia Bennet", "Miss Lydia"],
                ["Miss Mary Bennet"],
            ])
    }

    func testAMissWithoutAFirstNameIsTheEldestOfTheSisters() {
        let cast = cast(
            """
            Elizabeth Bennet and Jane Bennet came in. "Sit down," said Miss Bennet.

            "Thank you," said Miss Elizabeth Bennet. "It is late," said Jane.

            "It is," said Miss Elizabeth. "Good night, Miss Elizabeth," said Miss Bennet.
            """)
        XCTAssertEqual(cast.find("Miss Bennet"), cast.find("Jane Bennet"))
        XCTAssertNotEqual(cast.find("Miss Bennet"), cast.find("Elizabeth Bennet"))
    }

    func testATitleInJestMakesNobodyElse() {
        let often = String(repeating: "Henry laughed. Mr. Moore sat down. ", count: 30)
        let cast = cast(
            "Henry Moore came in. " + often + "“Rise, Sir Henry!” said Ann. Henry Moore rose.")
        XCTAssertTrue(
            names(cast).contains(["Henry", "Henry Moore", "Mr. Moore", "Sir Henry"]),
            "\(names(cast))")
    }

    func testAFirstNameAloneIsNotALateNamesake() {
        let early = String(repeating: "Mary looked up. Mr. Lee read to Mary. ", count: 20)
        let cast = cast(early + "They spoke of Mary Stone. Mary Stone was gone. Mary sighed.")
        XCTAssertTrue(names(cast).contains(["Mary Stone"]), "\(names(cast))")
        XCTAssertTrue(names(cast).contains(["Mary"]), "\(names(cast))")
    }

    func testPlacesMonthsAndExclamationsAreNobody() {
        let cast = cast(
            """
            In April Mr. Hale went to London, and from London to Netherfield.

            "Heavens!" cried Mr. Hale. "Is it Monday? I was at Netherfield in March."

            "Nonsense!" said the ferryman. Netherfield lay in the dark near Baker Street.
            """)
        XCTAssertEqual(cast.characters.map(\.name), ["Mr. Hale", "the ferryman"])
    }

    func testANounIsSomebodyWhereItSpeaks() {
        let cast = cast(
            """
            The March Hare took the watch. "Two days wrong!" sighed the Hatter.

            "It was the best butter," the March Hare replied to the Hatter.

            "Why?" asked the little maltster. The Hatter looked at the clock and the teapot.
            """)
        XCTAssertEqual(
            names(cast), [["the Hatter"], ["the March Hare"], ["the little maltster"]])
    }

    func testTheNarratorHasTheNameThatOthersCall() throws {
        let cast = cast(
            """
            I found my friend Holmes by the fire when I came in.

            "You have been out, Watson," said Holmes.

            "I have," I said, and I gave him my hat.

            "Then, my dear Watson, sit down," said he.
            """)
        let narrator = try XCTUnwrap(cast.narrator)
        XCTAssertEqual(cast.characters[narrator].name, "Watson")
        XCTAssertEqual(cast.characters[narrator].aliases, ["I"])
        XCTAssertEqual(cast.find("holmes"), 0)
    }

    func testANarratorWhoIsNeverNamedIsOneOfTheCast() throws {
        let cast = cast("I saw him at once. \"Stop!\" I cried. \"Why?\" said Mr. Quill to me.")
        XCTAssertEqual(try cast.characters[XCTUnwrap(cast.narrator)].name, "Narrator")
        XCTAssertNil(self.cast("\"I am here,\" said Mr. Quill. \"I see you,\" said he.").narrator)
    }

    func testPronounsTellTheGenderOfANameNoTableHas() {
        let cast = cast(
            """
            Ysolt put down her cup. "No," said Ysolt.

            Corvin shook his head. "Yes," said Corvin. "The boat is here," Tarn said.
            """)
        XCTAssertEqual(cast.characters.map(\.name), ["Ysolt", "Corvin", "Tarn"])
        XCTAssertEqual(cast.characters.map(\.gender), [.female, .male, nil])
    }

    func testGermanNounsAreNotTakenForNames() {
        let cast = cast(
            """
            Der Müller saß am Tisch. „Komm her, Hänsel“, sagte die Mutter.

            „Gleich“, antwortete Hänsel. „Das Haus brennt“, rief der Müller.

            „Wirklich?“, fragte Frau Holle.
            """, language: "de")
        XCTAssertEqual(
            Set(cast.characters.map(\.name)), ["Hänsel", "der Müller", "die Mutter", "Frau Holle"])
    }

    func testANameIsFoundWithoutCaseAndArticle() {
        let cast = Cast([
            StoryCharacter(name: "the Hatter", aliases: ["the Mad Hatter"]),
            StoryCharacter(name: "Mr. Darcy", aliases: ["Darcy"]),
        ])
        XCTAssertEqual(cast.find("hatter"), 0)
        XCTAssertEqual(cast.find("The  mad hatter"), 0)
        XCTAssertEqual(cast.find("MR DARCY"), 1)
        XCTAssertNil(cast.find("Bingley"))
    }

    func testAnyTextHasSomeCast() {
        for text in ["", " ", "\"", "Mr.", "the", "Mr. Mrs. Miss", "The The the", "I I I. I"] {
            _ = cast(text)
        }
    }
}
