import TestSupport
import XCTest

@testable import Base
@testable import Privacy

final class RedactorTests: XCTestCase {
    func testAKnownPersonIsFoundInEverySpelling() throws {
        try RedactionExamples("known-people.txt").check()
    }

    func testUnknownPeopleAreFoundByForm() throws {
        try RedactionExamples("unknown-people.txt").check()
    }

    func testYearsSkillsVersionsAndAmountsStay() throws {
        try RedactionExamples("stays.txt").check()
    }

    func testNamesAreFoundBesideInitialsAndWhereATextDeclaresThem() throws {
        try RedactionExamples("declared-names.txt").check()
    }

    func testNamesInRunningTextAreFoundAndThingsCalledSoStay() throws {
        try RedactionExamples("prose-names.txt").check(readsProse: true)
    }

    /// A long text is read in windows: whatever stands at a seam is found whole.
    func testWhatStandsAtTheSeamOfTwoWindowsIsFoundOnce() {
        let person = PersonalData([.init(.name, "Rocío Wells")])
        XCTAssertEqual(Redactor(person).findings(in: ""), [])
        let secret = "Rocío Inés Wells, ida@example.org"
        for (filler, shift) in [("x ", 0), ("x ", 7), ("x ", 19), ("y\n", 11), ("é", 3)] {
            for distance in stride(from: 32_700, through: 32_800, by: 9) {
                var text = String(repeating: "z", count: shift)
                while text.utf8.count < distance { text += filler }
                text += " \(secret) "
                while text.utf8.count < 70_000 { text += filler }
                var map = RedactionMap()
                let redacted = Redactor(person).redact(text, into: &map)
                XCTAssertEqual(
                    map.entries.map(\.original), ["Rocío Inés Wells", "ida@example.org"])
                XCTAssertEqual(map.restore(redacted), text)
            }
        }
    }

    func testANameThatIsDeclaredOnceIsFoundInAllOfALongText() {
        let line = "Nothing happened in the flat this week, and nobody asked.\n"
        let body = String(repeating: line, count: 2_000)
        var map = RedactionMap()
        let redacted = Redactor(PersonalData())
            .redact("Duszny called.\n\(body)Tenant: Marek Duszny\n", into: &map)
        XCTAssertFalse(redacted.contains("Duszny"))
        XCTAssertEqual(redacted.count { $0 == "[" }, 2)
    }

    /// A guard against an engine that has lost its bounds, in a build without optimisation.
    func testLongTextsOfOneKindTakeATimeThatGrowsWithThem() {
        for piece in [
            "7", "x", "a@", "12 34 ", "Will Young ", "A. B. ", "a1", "née ", "Client: ", "Ida ",
        ] {
            let times = [50_000, 200_000].map { size in
                let text = String(repeating: piece, count: size / piece.utf8.count)
                return ProcessorTime.measure {
                    var map = RedactionMap()
                    let person = PersonalData([.init(.name, "Will Young")])
                    _ = Redactor(person, readsProse: true).redact(text, into: &map)
                }
            }
            XCTAssertLessThan(times[1], times[0] * 10 + .milliseconds(200), piece)
        }
    }

    func testTheSameSpellingGetsTheSamePlaceholder() {
        var map = RedactionMap()
        let person = PersonalData([.init(.name, "Ida Berg"), .init(.email, "ida@example.org")])
        XCTAssertEqual(
            Redactor(person).redact("IDA BERG; Ida Berg; IDA BERG; ida@example.org", into: &map),
            "[NAME]; [NAME_2]; [NAME]; [EMAIL]")
    }

    func testEmployersStayUnlessTheyAreToBeHidden() {
        let person = PersonalData([.init(.employer, "Acme Widgets GmbH")])
        var map = RedactionMap()
        let text = "at Acme Widgets and at ACME WIDGETS GmbH"
        XCTAssertEqual(Redactor(person).redact(text, into: &map), text)
        XCTAssertEqual(
            Redactor(person, hidesEmployers: true).redact(text, into: &map),
            "at [EMPLOYER] and at [EMPLOYER_2]")
    }

    func testAnAddressWithoutANumberIsItsHouseAndItsStreet() {
        let person = PersonalData([.init(.address, "The Old Forge, Mill Lane")])
        var map = RedactionMap()
        XCTAssertEqual(
            Redactor(person).redact(
                "from The Old Forge, Mill Lane until 2007; on Mill Lane; a mill, a lane",
                into: &map),
            "from [ADDRESS] until 2007; on [ADDRESS_2]; a mill, a lane")
        let town = PersonalData([.init(.address, "Park Lane, Leeds, UK")])
        XCTAssertEqual(
            Redactor(town).redact("worked in Leeds, UK, and in Leeds", into: &map),
            "worked in Leeds, UK, and in Leeds")
    }

    func testComposedAndDecomposedSpellingsComeBackAsTheyWere() {
        let text = "Jose\u{301} Garci\u{301}a, Jos\u{E9} Garc\u{ED}a"
        var map = RedactionMap()
        let redactor = Redactor(PersonalData([.init(.name, "José García")]))
        let first = redactor.redact("Jose\u{301} Garci\u{301}a", into: &map)
        let second = redactor.redact("Jos\u{E9} Garc\u{ED}a", into: &map)
        XCTAssertEqual(first, "[NAME]")
        XCTAssertEqual(second, "[NAME_2]")
        XCTAssertEqual(Array(map.restore("\(first), \(second)").utf8), Array(text.utf8))
    }

    func testAPlaceholderInALaterTextIsNotTakenForThePersons() {
        let redactor = Redactor(PersonalData([.init(.name, "Ida Berg")]))
        var map = RedactionMap()
        let first = redactor.redact("by Ida Berg", into: &map)
        let later = "[NAME] means the applicant, not Ida Berg; [NAME_7] too"
        let second = redactor.redact(later, into: &map)
        XCTAssertEqual(first, "by [NAME]")
        XCTAssertEqual(second, "[NAME_2] means the applicant, not [NAME]; [NAME_7] too")
        XCTAssertEqual(map.restore(second), later)
        XCTAssertEqual(map.restore(first), "by Ida Berg")
    }

    /// Texts put together from pieces that are hard for one part or another.
    func testRestoringIsTheReverseOfRedactingForEveryText() {
        let pieces = [
            "Will", "Smith", "Kowalskiego", "will", "J.", "Dr.", "von", " ", "\n", "\r\n", ",", ".",
            "-",
            "(", ")", "[", "]", "[NAME]", "[NAME_2]", "[EMAIL]", "@", "x.com", "ida@x.org", "+",
            "49",
            "170", "1234567", "0", "2009", "-2011", "Elm", "Street", "Hauptstr.", "5a", "10115",
            "Berlin",
            " at ", " dot ", "Tel:", "Name: ", "Dear ", "Mr ", "born ", "14", "May", "1990", "DE89",
            "3704",
            "0532", "\u{AD}", "\u{200B}", "\u{301}", "\u{202E}", "é", "e\u{301}", "ß", "ﬁ", "王",
            "小明", "김",
            "&ouml;", "&#74;", "&#x110000;", "<b>", "://", "www.", "/", "#", "via ", "Rue ", "C/",
            "ul. ", ":",
            "SW1A", " 1AA", " x12", "\t", "$1", "\\1", "{{", "}}", "🙂", "א", "مرحبا",
            "Best regards,\n",
            "Am Markt 3", "\u{0}", "\u{FFFD}", "º", "١٢٣",
        ]
        let person = PersonalData([
            .init(.name, "Will Smith"), .init(.name, "Jan Kowalski"), .init(.name, "王小明"),
            .init(.name, "Name"), .init(.email, "will.smith@x.com"),
            .init(.phone, "+49 170 1234567"),
            .init(.address, "12 Elm Street\nBerlin 10115"), .init(.url, "https://x.com/wsmith"),
            .init(.birthDate, "14.05.1990"), .init(.employer, "Elm [NAME] GmbH"),
        ])
        var random = SplitMix(seed: 20_261_123)
        let redactor = Redactor(person, hidesEmployers: true)
        var map = RedactionMap()
        for round in 0..<1500 {
            // One map for several texts, as a conversation has it.
            if round % 5 == 0 { map = RedactionMap() }
            let count = Int.random(in: 1...24, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let redacted = redactor.redact(text, into: &map)
            XCTAssertEqual(
                Array(map.restore(redacted).utf8), Array(text.utf8), text.debugDescription)
        }
    }

    func testWhatIsFoundIsInOrderAndApart() {
        let text =
            "Ida Berg <ida@example.org>, 12 Elm Street, Springfield, IL 62704, +49 30 1234567"
        let found = Redactor(PersonalData([.init(.name, "Ida Berg")])).findings(in: text)
        XCTAssertEqual(found.map(\.kind), [.name, .email, .address, .phone])
        XCTAssertEqual(found.map(\.by), [.person, .pattern, .pattern, .pattern])
        XCTAssertEqual(found.map(\.range), [0..<8, 10..<25, 28..<64, 66..<80])
    }

    func testANameThatIsAWordIsFoundOnlyWhereItIsTheName() {
        let redactor = Redactor(PersonalData([.init(.name, "Rose May Hope")]))
        for text in [
            "sales rose by 4 %", "I may apply; we hope so", "May 2019 to May 2021", "in May 2020",
            "The rose garden", "Hope is not a strategy", "since May",
        ] {
            XCTAssertEqual(redactor.findings(in: text), [], text)
        }
        for text in ["Dear Rose,", "Rose May Hope", "Ms Hope", "asked Rose for help", "Hope, Rose"]
        {
            XCTAssertFalse(redactor.findings(in: text).isEmpty, text)
        }
    }

    func testTheDateOfBirthUnderItsLabelGoesAndTheOtherColumnsYearStays() {
        let text = """
            Data di nascita:      1997.
            10/10/1962            - Strumento
            """
        let found = Redactor(PersonalData()).findings(in: text)
        XCTAssertEqual(found.map(\.kind), [.birthDate])
        XCTAssertEqual(
            found.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) },
            ["10/10/1962"])
    }

    func testNamesInTheEscapesOfJSONAreFoundAndComeBack() {
        let person = PersonalData([.init(.name, "Inés Peñalver")])
        for text in [
            #"{"name": "In\u00e9s Pe\u00F1alver"}"#, #""\u201cInes Pe\u00f1alver\u201d""#,
            #"by \uD83D\uDE00 Pe\u006e\u0303alver"#,
        ] {
            var map = RedactionMap()
            let redacted = Redactor(person).redact(text, into: &map)
            XCTAssertFalse(redacted.contains("alver") || redacted.contains("Ines"), redacted)
            XCTAssertEqual(map.restore(redacted), text)
        }
        let broken = #"\u12 \uD83D \uZZZZ \u"#
        XCTAssertEqual(Redactor(person).findings(in: broken), [])
    }

    /// What is left of each text without the person, and the gate's word on both.
    private func check(
        _ person: PersonalData, _ examples: [(text: String, expected: String)],
        line: UInt = #line
    ) {
        for (text, expected) in examples {
            var map = RedactionMap()
            let redacted = Redactor(person).redact(text, into: &map)
            XCTAssertEqual(redacted, expected, line: line)
            XCTAssertEqual(map.restore(redacted), text, line: line)
            let gate = LeakGate(person)
            XCTAssertEqual(
                gate.leaks(in: Array(redacted.utf8)).map(\.line), [], redacted, line: line)
            if redacted != text, text.contains("thal") || text.contains("THAL") {
                XCTAssertFalse(gate.leaks(in: Array(text.utf8)).isEmpty, text, line: line)
            }
        }
    }

    func testANameIsFoundLetterByLetterInLongerWordsAndWithLettersThatLookAlike() {
        let person = PersonalData([
            .init(.name, "Jörg-Åke Van der Weißenthal"),
            .init(.email, "joerg.weissenthal@posteo.example"),
        ])
        check(
            person,
            [
                ("W e i ß e n t h a l is my name", "[NAME] is my name"),
                ("W e i s s e n t h a l is my name", "[NAME] is my name"),
                ("class WeissenthalParser", "class [NAME]Parser"),
                ("class WEISSENTHALPARSER", "class [NAME]PARSER"),
                ("let weissenthalparser = 1", "let [NAME]parser = 1"),
                ("class JoergParser", "class [NAME]Parser"),
                ("by Вeissenthal", "by [NAME]"),
                ("by Weissеnthаl", "by [NAME]"),
                ("by Wειssεnthal", "by [NAME]"),
                ("the Russian for thal: таль", "the Russian for thal: таль"),
            ])
        check(
            PersonalData([.init(.name, "Donald Berger")]),
            [
                ("McDonald's in Heidelberger Land", "McDonald's in Heidelberger Land"),
                ("struct BergerView", "struct [NAME]View"),
            ])
    }

    func testANameBesideAnAddressOfMailIsAPlaceholderOfItsOwn() {
        let person = PersonalData([
            .init(.name, "Jörg Weissenthal"), .init(.email, "joerg.weissenthal@posteo.example"),
        ])
        check(
            person,
            [
                (
                    "Contact: Jörg Weissenthal (joerg.weissenthal@posteo.example)",
                    "Contact: [NAME] ([EMAIL])"
                ),
                (
                    "also JOERG WEISSENTHAL, joerg.weissenthal@posteo.example",
                    "also [NAME], [EMAIL]"
                ),
                ("Weissenthal joerg.weissenthal@posteo.example", "[NAME] [EMAIL]"),
            ])
    }

    func testInDoubtAGermanNounIsTheName() {
        check(
            PersonalData([.init(.name, "Ida Marie Berg")]),
            [
                ("Berg leitete das Team.", "[NAME] leitete das Team."),
                ("Berg leitete.", "[NAME] leitete."),
                (
                    "Im Jahr 2019 leitete Berg das Team und die Planung.",
                    "Im Jahr 2019 leitete [NAME] das Team und die Planung."
                ),
                ("Ein Vortrag von Berg auf der Messe", "Ein Vortrag von [NAME] auf der Messe"),
                ("Projektleiter Berg und die Planung", "Projektleiter [NAME] und die Planung"),
                ("B e r g", "[NAME]"),
            ]
                + [
                    "Der Berg ruft und die Leute kommen.", "am Berg gebaut, mit der Bahn ins Tal",
                    "Das Haus am hohen Berg ist alt.", "Ein steiler Berg von Arbeit",
                    "Eine Berg- und Talbahn mit der Familie", "ein Haus aus Berg und Stein",
                ].map { ($0, $0) })
    }

    func testInitialsAndParticlesGoWithTheSurnameInEveryCase() {
        check(
            PersonalData([.init(.name, "Aránzazu de la Fuente y Vega")]),
            [
                ("a A. de la Fuente y Vega en 2017", "a [NAME] en 2017"),
                ("la fuente y la vega", "la fuente y la vega"),
            ])
        check(
            PersonalData([.init(.name, "Jean-Baptiste Le Goff")]),
            [("remis à J. Le Goff en 2020", "remis à [NAME] en 2020")])
        check(
            PersonalData([.init(.name, "Rose Marchand")]),
            [("remis à R. Marchand en 1993", "remis à [NAME] en 1993")])
    }

    func testWhatANameOrAHandleIsFollowsItsFormAndNotThePerson() {
        let person = PersonalData([
            .init(.name, "Ida Berg"), .init(.email, "ida.berg@example.org"),
            .init(.email, "iberg7@example.org"), .init(.url, "https://github.com/idaberg"),
        ])
        func kinds(_ text: String) -> [PersonalData.Kind] {
            Redactor(person).findings(in: text).map(\.kind)
        }
        for text in ["by IdaBerg", "by Ida Berg", "by IDA BERG", "Berg, Ida", "by ida berg"] {
            XCTAssertEqual(kinds(text), [.name], text)
        }
        for text in [
            "by IDABERG", "by idaberg", "ask @idaberg", "by ida.berg", "see @iberg7",
        ] {
            XCTAssertEqual(kinds(text), [.url], text)
        }
        for text in ["by IBERG7", "by iberg7"] { XCTAssertEqual(kinds(text), [.email], text) }
        XCTAssertEqual(kinds("ida.berg@example.org"), [.email])
        XCTAssertEqual(kinds("github.com/idaberg"), [.url])
    }

    func testANameThatIsAGermanNounIsFoundInOtherLanguagesAndWithItsApostrophe() {
        let person = PersonalData([.init(.name, "Ida Marie Berg")])
        for text in [
            "- Berg's talk at PyCon 2019 was seen 12,000 times", "as Berg’s team did",
            "we asked Berg for the plan of the harbour", "Mit Berg's Plan und der Karte",
        ] {
            var map = RedactionMap()
            let redacted = Redactor(person).redact(text, into: &map)
            XCTAssertFalse(redacted.contains("Berg"), redacted)
            XCTAssertEqual(map.restore(redacted), text)
            XCTAssertEqual(LeakGate(person).leaks(in: Array(redacted.utf8)).count, 0, redacted)
        }
        let line = "- Berg's talk at PyCon 2019 was seen 12,000 times"
        for body in [line, line.replacing("'", with: "’"), "{\"input\":\"\(line)\"}"] {
            XCTAssertFalse(LeakGate(person).leaks(in: Array(body.utf8)).isEmpty, body)
        }
        XCTAssertEqual(Redactor(person).findings(in: "Wir stiegen auf den Berg und ins Tal"), [])
        let swift = PersonalData([.init(.name, "Taylor Swift")])
        XCTAssertEqual(Redactor(swift).findings(in: "Swift's concurrency"), [])
        XCTAssertEqual(LeakGate(swift).leaks(in: Array("Swift's concurrency".utf8)).count, 0)
    }

    func testAnAuthorWhoIsQuotedAndOtherScriptsGoAndWhatIsNobodysStays() throws {
        try RedactionExamples("quoted-authors.txt").check()
    }
}
