import Foundation
import TestSupport
import XCTest

@testable import Base
@testable import Privacy

/// What the gate finds: everything personal in every form that a receiver can read.
final class LeakGateTests: XCTestCase {
    static let person = PersonalData([
        .init(.name, "Dr. Jörg Michael Łukaszewski-Müller"),
        .init(.name, "Jana O'Neill"),
        .init(.email, "joerg.lukas+jobs@mail.example.org"),
        .init(.phone, "+49 (0)1555 234-5678 ext. 12"),
        .init(.url, "https://www.linkedin.com/in/jorg-lm-77/"),
        .init(.url, "https://jlmueller.dev"),
        .init(.address, "Lindenstraße 17b, 80331 München"),
        .init(.birthDate, "1987-03-09"),
        .init(.identifier, "DE89 3704 0044 0532 0130 00"),
        .init(.employer, "Nordwind Reederei"),
    ])

    private let gate = LeakGate(person)

    private func found(_ text: String) -> [LeakGate.Leak] {
        gate.leaks(
            in: JSONWriter.bytes(["messages": [["role": "user", "content": .string(text)]]]))
    }

    private func assertFound(
        _ kind: PersonalData.Kind, _ texts: [String], form: String? = nil, line: UInt = #line
    ) {
        for text in texts {
            let leaks = found(text)
            XCTAssertTrue(
                leaks.contains { $0.kind == kind && (form == nil || $0.form == form) },
                "\(text): \(leaks)", line: line)
        }
    }

    func testNamesInEveryOrder() {
        assertFound(
            .name,
            [
                "I am Jörg Michael Łukaszewski-Müller.", "JÖRG MICHAEL ŁUKASZEWSKI-MÜLLER",
                "jorg michael lukaszewski muller", "Joerg Lukaszewski-Mueller",
                "Łukaszewski-Müller, Jörg", "ŁukaszewskiMüller Jörg Michael", "Jörg Müller",
                "J. Łukaszewski-Müller", "J. M. Lukaszewski-Muller", "jlukaszewskimuller",
                "Lukaszewski, J.", "Jörg said so", "for jörg", "Jörg's team", "Müllers Büro",
                "Łukaszewskiego", "JorgLukaszewskiMuller.pdf", "jorg_mueller_cv.pdf",
                "jorgMueller2024", "the_jorg-lukaszewski-muller",
                "Jana O'Neill", "Jana O’Neill", "Jana ONeill", "O'NEILL, JANA", "j.oneill",
                "janaoneill99", "Ｊａｎａ ＯＮｅｉｌｌ", "𝐉𝐚𝐧𝐚 𝐎’𝐍𝐞𝐢𝐥𝐥", "Jana O\u{2011}Neill",
            ], form: "plain")
    }

    func testNumbersAndAddressesHoweverTheyAreWritten() {
        assertFound(
            .email,
            [
                "joerg.lukas+jobs@mail.example.org", "JOERG.LUKAS@MAIL.EXAMPLE.ORG",
                "joerg.lukas at mail dot example dot org", "joerg.lukas (at) mail.example.org",
                "mailto:joerg.lukas@mail.example.org?x=1", "handle joerg.lukas here",
                "joerglukas", "joerg_lukas",
            ])
        assertFound(
            .phone,
            [
                "+49 1555 2345678", "01555/2345678", "(01555) 234 56 78", "015552345678",
                "tel:+4915552345678", "2345678", "1555-234.5678", "234\u{A0}5678", "２３４５６７８",
            ])
        assertFound(
            .url,
            [
                "linkedin.com/in/jorg-lm-77", "see jorg-lm-77", "JORGLM77",
                "https://jlmueller.dev/about", "jlmueller.dev", "@jlmueller",
            ])
        assertFound(
            .address,
            [
                "Lindenstraße 17b", "Lindenstrasse 17 b", "LINDENSTR. 17B",
                "Lindenstraße 17b\n80331 München", "80331 Munchen",
            ])
        assertFound(
            .birthDate,
            [
                "1987-03-09", "09.03.1987", "9.3.1987", "03/09/1987", "9 March 1987",
                "March 9th, 1987", "9. März 1987", "9 de marzo de 1987", "19870309", "9 mars 1987",
            ])
        assertFound(.identifier, ["DE89370400440532013000", "DE89 3704 0044 0532 0130 00"])
        assertFound(.employer, ["at Nordwind Reederei in", "the Nordwind-Reederei"])
    }

    func testTextThatIsKeptApart() {
        assertFound(
            .name,
            [
                "Jo\u{200B}rg \u{200D}Mül\u{2060}ler", "J\u{AD}örg", "Jö<b>rg</b>",
                "J**ö**rg Müller",
                "Jo<!-- x -->rg", "J ö r g  M ü l l e r", "J.ö.r.g.M.ü.l.l.e.r", "Jo\u{0301}rg",
                "Luka-\nszewski", "Jan<i>a</i> O<span class=\"x\">Neill</span>", "J\u{0}örg",
            ])
        assertFound(.email, ["joerg<b>.</b>lukas@<i>mail</i>.example.org"])
        assertFound(.phone, ["234\u{200B}56\u{200B}78", "234<wbr>5678"])
        XCTAssertEqual(found("Mül\u{200B}ler").map(\.form), ["split"])
    }

    func testEscapesOfEveryKind() {
        assertFound(
            .name, ["J%C3%B6rg%20M%C3%BCller", "name=J%c3%b6rg", "J%25C3%25B6rg"], form: "percent")
        assertFound(
            .name, [#"J\u00f6rg"#, #"J\\u00f6rg"#, #"M\u{fc}ller"#, #"\x4aana"#], form: "escaped")
        assertFound(
            .name, ["J&ouml;rg", "J&#246;rg", "J&#xF6;rg", "M&amp;uuml;ller"],
            form: "HTML entities")
        assertFound(.name, ["J=C3=B6rg", "J=F6rg", "Luka=\nszewski"], form: "quoted-printable")
        assertFound(
            .email, ["joerg.lukas%40mail.example.org", "joerg.lukas&#64;mail&period;example.org"])
        assertFound(.phone, ["%2B49%20155523%34%35678"])
    }

    func testBase64AtEachAlignmentInBothAlphabets() {
        for text in [
            "Jörg Müller", "Jana O'Neill", "{\"name\":\"Jörg Łukaszewski-Müller\"}", "Jana",
            "call +49 1555 2345678 now",
        ] {
            for lead in ["", "x", "xy", "xyz"] {
                let encoded = Data((lead + " " + text).utf8).base64EncodedString()
                let url = encoded.replacingOccurrences(of: "+", with: "-")
                    .replacingOccurrences(of: "/", with: "_")
                    .replacingOccurrences(of: "=", with: "")
                for form in [encoded, url, "data:text/plain;base64," + encoded] {
                    let leaks = found("see \(form) there")
                    XCTAssertEqual(leaks.first?.form, "base64", "\(lead) \(text) \(form)")
                }
            }
        }
        // Glued to what is before it, and in the lines of a message.
        let long = Data((String(repeating: "All is well. ", count: 12) + "Jana O'Neill").utf8)
        assertFound(
            .name,
            [
                "abc" + Data("by Jana O'Neill".utf8).base64EncodedString(),
                long.base64EncodedString(options: [.lineLength64Characters]),
                long.base64EncodedString(options: [.lineLength76Characters]),
                Data(Data("by Jana O'Neill".utf8).base64EncodedString().utf8).base64EncodedString(),
            ], form: "base64")
    }

    func testAcrossNeighbouringFields() {
        let bodies: [JSONValue] = [
            ["input": ["first": "Jörg", "last": "x"]],
            ["messages": [["content": "I am Jan"], ["content": "a O'Neill"]]],
            [
                "input": [
                    ["type": "text", "text": "Luka"], ["type": "text", "text": "szewski"],
                ]
            ],
            ["a": ["street": "Lindenstraße", "number": "17b"]],
            ["a": ["prefix": "01555", "number": 2_345_678]],
            ["jana.oneill": 1], ["a": ["Jörg Müller": "x"]], ["tool": 15_552_345_678],
        ]
        for body in bodies {
            XCTAssertEqual(gate.leaks(in: JSONWriter.bytes(body)).count, 1, JSONWriter.string(body))
        }
    }

    func testABodyThatIsNotJSONIsSearchedAsText() {
        for body in ["name=J%C3%B6rg", "Content: Jana O'Neill", "{\"a\":\"Jana O\\u0027Neill\""] {
            XCTAssertEqual(gate.leaks(in: Array(body.utf8)).count, 1, body)
        }
        let deep =
            String(repeating: "[", count: 300) + "\"Jana\"" + String(repeating: "]", count: 300)
        XCTAssertEqual(gate.leaks(in: Array(deep.utf8)).count, 1)
        XCTAssertEqual(gate.leaks(in: Array("Latin-1: J\u{0}rg".utf8) + [0xF6]), [])
    }

    func testOtherScripts() {
        let gate = LeakGate(
            PersonalData([
                .init(.name, "Иван Петров"), .init(.name, "王小明"), .init(.name, "Νίκος Παππάς"),
                .init(.name, "محمد العلي"), .init(.name, "김민준"),
            ]))
        for text in [
            "ИВАН ПЕТРОВ", "Петров Иван", "письмо Петрову", "я王小明的", "ΝΙΚΟΣ ΠΑΠΠΑΣ",
            "Παππάς Νίκος", "من محمد العلي إلى", "김민준입니다",
        ] {
            XCTAssertEqual(gate.leaks(in: Array(text.utf8)).first?.kind, .name, text)
        }
        for text in ["Петровская улица", "王小", "обычный текст"] {
            XCTAssertEqual(gate.leaks(in: Array(text.utf8)), [], text)
        }
    }

    func testTheLeakSaysWhereAndShowsTheLine() {
        let body: JSONValue = [
            "model": "m",
            "messages": [["role": "user", "content": "First line\nI am Jana, hello\nEnd"]],
        ]
        XCTAssertEqual(
            gate.leaks(in: JSONWriter.bytes(body)),
            [
                LeakGate.Leak(
                    kind: .name, form: "plain", path: "messages[0].content",
                    line: "I am Jana, hello")
            ])
    }

    func testWithNothingKnownNothingIsFound() {
        XCTAssertEqual(LeakGate(PersonalData()).leaks(in: Array("Jana O'Neill".utf8)), [])
    }

    func testEveryEntryIsFoundAsItWasWritten() {
        for entry in Self.person.entries {
            let kinds = found("see: \(entry.value).").map(\.kind)
            XCTAssertTrue(kinds.contains(entry.kind), "\(entry) \(kinds)")
        }
    }
}
