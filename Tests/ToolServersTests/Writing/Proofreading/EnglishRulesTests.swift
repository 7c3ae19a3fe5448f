import Base
import XCTest

@testable import Texts

final class EnglishRulesTests: XCTestCase {
    private func proofread(_ text: String) async throws -> String {
        let corrections = try await Proofreader(speller: nil)
            .corrections(in: text, language: "en")
        return Correction.applied(corrections, to: text).text
    }

    private func check(
        _ pairs: [(String, String)], file: StaticString = #filePath, line: UInt = #line
    ) async throws {
        for (text, expected) in pairs {
            let found = try await proofread(text)
            XCTAssertEqual(found, expected, file: file, line: line)
            let again = try await proofread(found)
            XCTAssertEqual(again, found, "not settled", file: file, line: line)
        }
    }

    func testDoubledWordsAreTakenOut() async throws {
        try await check([
            ("The the cat sat on the the mat.", "The cat sat on the mat."),
            ("We went to to the park and and played.", "We went to the park and played."),
            ("I saw it on the\nthe table.", "I saw it on the\ntable."),
            ("I saw it on the\r\nthe table.", "I saw it on the\r\ntable."),
            ("The cat is is asleep.", "The cat is asleep."),
            ("She is is late.", "She is late."),
            ("The meeting meeting was moved.", "The meeting was moved."),
            ("He was in in the garden.", "He was in the garden."),
            ("It it was cold.", "It was cold."),
            ("We will meet at at the the station.", "We will meet at the station."),
            ("They have have a dog.", "They have a dog."),
        ])
    }

    func testAAndAnFollowTheSound() async throws {
        try await check([
            ("This is a apple.", "This is an apple."),
            ("It took a hour and an half.", "It took an hour and an half."),
            ("She is an university teacher.", "She is a university teacher."),
            ("He has a honest face.", "He has an honest face."),
            ("That was an European idea.", "That was a European idea."),
            ("A elephant lives here.", "An elephant lives here."),
            ("He is an one-time winner.", "He is a one-time winner."),
            (
                "It is a 8 page letter from an 11-year-old.",
                "It is an 8 page letter from an 11-year-old."
            ),
            ("We wrote a HTML page.", "We wrote an HTML page."),
            ("It was an useful talk.", "It was a useful talk."),
            ("He had a uncle in Rome.", "He had an uncle in Rome."),
            ("I ate an banana.", "I ate a banana."),
        ])
    }

    func testSentencesAndNamesOfDaysGetTheirCapitals() async throws {
        try await check([
            ("the cat sat on the mat.", "The cat sat on the mat."),
            ("We left early. the road was empty.", "We left early. The road was empty."),
            ("yesterday i went home and i slept.", "Yesterday I went home and I slept."),
            ("I think i'm late, and i've no key.", "I think I'm late, and I've no key."),
            ("See you on monday.", "See you on Monday."),
            (
                "Did you hear that? she was there all day.",
                "Did you hear that? She was there all day."
            ),
        ])
    }

    func testSpacesAndMarksAreSetRight() async throws {
        try await check([
            ("Hello , how are you ?", "Hello, how are you?"),
            ("This  is a test.", "This is a test."),
            ("We came,, we saw..", "We came, we saw."),
            ("What was that?? I heard it!!", "What was that? I heard it!"),
            ("It rained,but we went.", "It rained, but we went."),
            ("He left . She stayed.", "He left. She stayed."),
        ])
    }

    func testContractionsGetTheirApostrophe() async throws {
        try await check([
            ("I dont know and she cant come.", "I don't know and she can't come."),
            ("Youre right, they didnt call.", "You're right, they didn't call."),
            ("It doesnt matter, thats fine.", "It doesn't matter, that's fine."),
            ("I wont go. Lets see.", "I won't go. Let's see."),
            ("It’s late and I dont care.", "It’s late and I don’t care."),
        ])
    }

    func testConfusedWordsAreSetRightWhereItIsCertain() async throws {
        try await check([
            ("I could of gone.", "I could have gone."),
            ("She should of been here.", "She should have been here."),
            ("I like it alot.", "I like it a lot."),
            ("Its a nice day.", "It's a nice day."),
            ("The dog wagged it's tail.", "The dog wagged its tail."),
            ("Your welcome.", "You're welcome."),
            ("Is this you're car?", "Is this your car?"),
            ("Their is a problem.", "There is a problem."),
            ("They lost there luggage.", "They lost their luggage."),
            ("He is taller then me.", "He is taller than me."),
            ("It costs more then 20 euros.", "It costs more than 20 euros."),
            ("There are way to many cars.", "There are way too many cars."),
            ("It had no affect on us.", "It had no effect on us."),
            ("Don't loose your keys.", "Don't lose your keys."),
            ("He was suppose to call.", "He was supposed to call."),
            ("We was late.", "We were late."),
            ("I have went home.", "I have gone home."),
        ])
    }

    func testMisspellingsOfTheListAreCorrectedInTheirCase() async throws {
        try await check([
            ("teh cat sat.", "The cat sat."),
            ("Teh cat will recieve a adress.", "The cat will receive an address."),
            (
                "We definately need seperate rooms untill tommorow.",
                "We definitely need separate rooms until tomorrow."
            ),
        ])
    }

    func testWhatIsRightStays() async throws {
        for text in Self.right {
            let found = try await proofread(text)
            XCTAssertEqual(found, text)
        }
    }

    private static let right = [
        "He had had enough, and I know that that was the problem.",
        "Bye bye, she said, and the long, long road was empty.",
        "What it is is a disaster.",
        "The things we do do matter.",
        "Duran Duran played in Walla Walla.",
        "She gave her her book back.",
        "It took an hour to reach a university in a European town.",
        "An MRI scan, a UFO, an FBI agent, a NASA engineer and an SQL query.",
        "Plan A is better. Vitamin A and vitamin B help.",
        "An 8-bit computer, an 11-year-old, a 10-page letter and an 80% share.",
        "The option a allows all of it; a and b are numbers.",
        "I met Mr. smith-jones at 3 p.m. in the U.S. army base, e.g. on Monday.",
        "Use apples, pears, etc. and stir well.",
        "He asked, \"Why?\" and left. \"Stop!\" she said.",
        "The dog wagged its tail; it's its own master.",
        "Your welcome was warm, and your going away hurt.",
        "They're there because their house is there.",
        "If it is larger then the program stops.",
        "It was better then, and it is worse now.",
        "First we ate, then the others came.",
        "He must of course come, and the might of kings fades.",
        "She loved the thieves' cant, as was her wont.",
        "It lets you work offline.",
        "His shell was broken; she said hell and well, and we were ill.",
        "Wait... maybe not. Hmm, what?!",
        "Run docker build . and then cd .. again.",
        "The ratio is 3 : 4, and x ? y : z is an expression.",
        "Smile :) and wink ;) at the end :D",
        "Set the file .gitignore and ./run.sh in place.",
        "In order to lose weight, loose clothes help.",
        "The effect of the change will affect us; it had no effect on me.",
        "I accept all of them except one.",
        "Two of the passed tests were slow, and the past few weeks were hard.",
        "Whose book is it, and who's coming?",
        "Name    Age   City",
        "The man who was in in-house training left.",
        "It is a one-time offer by a Ukrainian user with a unique ewe.",
        "An honest heir had an X-ray.",
        "An unidentified object and an uninvited guest.",
        "The people there own boats, and there goes the bus.",
        "For i in range, print i and j.",
        "He gave advice; I advise you to take it.",
        "The appeal is to young people, and the key is to heat it.",
        "I told him to.",
        "iPhone sales rose, and nginx was updated.",
        "There, their, and they're are often confused.",
        "You're home, and you're family.",
        "Thanks to advice you gave, we made it.",
        "Despite its not being new, its time to market was short.",
        "I know what it's for.",
        "Its good qualities include its early stages and its very existence.",
        "Two spaces.  Are a choice.  Some people like them.",
    ]

    func testTechnicalTextStays() async throws {
        for text in Self.technical {
            let found = try await proofread(text)
            XCTAssertEqual(found, text)
        }
    }

    private static let technical = [
        "Run `git add .` and then git commit -m \"fix the bug\" in ~/src; see README.md.",
        "The function readFile(path:) returns nil if errno == ENOENT, i.e. the file is missing.",
        "Use --dont-ask with apt-get, or set DONT_ASK=1 in /etc/default/apt.",
        "The class dontCare extends their_is and is in utils/recieve.py, version 1.2.3-rc1.",
        "$ make test  && make install\n$ ls .",
        "| a | b |\n|---|---|\n| the the | its a |",
        "    def teh(a, an):\n        return a  + an\n",
        "See https://example.org/teh/recieve?a=its a page.",
        "A std::vector<int> v; is declared in main.cpp at line 12.",
        "In Python, list.append and dict.get are O(1); see PEP 8, e.g. for names.",
        "npm is a package manager. git is a version control system.",
        "Set x = y , then call f( x ).",
        "Press Ctrl-C or type :q! to leave vim.",
        "Compare v1.2..v1.3 and main...feature with git log.",
        "The i-th element and the n-th are swapped when i is less than j.",
    ]

    func testMonthsGetTheirCapitalsWhereTheyAreMonths() async throws {
        try await check([
            ("We met on august 5th and on march 3.", "We met on August 5th and on March 3."),
            ("He leaves in may 2020.", "He leaves in May 2020."),
            ("She came in june, and in may it rained.", "She came in June, and in May it rained."),
            ("It may march on, and they march on it.", "It may march on, and they march on it."),
            ("That was an august body.", "That was an august body."),
        ])
    }

    func testStringsInCodeAndStatementsOfSQLStay() async throws {
        for text in [
            "INSERT INTO days VALUES ('monday', 'teh');", "let x = \"its a monday\"",
            "UPDATE users SET name = 'recieve' WHERE id = 4;", "  \"title\": \"teh title\",",
            "const s = \"i dont know\"; return s;", "SELECT name FROM users\nWHERE day = 'monday'",
            "log(\"teh file\")", "select * from days where name = 'monday';",
        ] {
            let found = try await proofread(text)
            XCTAssertEqual(found, text)
        }
        try await check([
            (
                "The call print(\"teh value\") prints teh value.",
                "The call print(\"teh value\") prints the value."
            ),
            (
                "Set day = 'monday' on teh server.", "Set day = 'monday' on the server."
            ),
            (
                "Select teh best from the list; it is teh first.",
                "Select the best from the list; it is the first."
            ),
        ])
    }

    func testAnIndentedParagraphOfPlainTextIsProse() async throws {
        let text = "Teh first.\n\n    Teh author wrote on monday.\n\n    x = teh(1)\n"
        let markdown = try await proofread(text)
        XCTAssertEqual(markdown, text.replacing("Teh first", with: "The first"))
        let plain = try await ProtectedText.$isPlain.withValue(true) { try await proofread(text) }
        XCTAssertEqual(plain, "The first.\n\n    The author wrote on Monday.\n\n    x = teh(1)\n")
    }
}
