import Foundation
import TestSupport
import XCTest

@testable import Base
@testable import Privacy

/// What the gate leaves alone: a false alarm stops a letter as surely as a leak would.
final class LeakGateFalseAlarmTests: XCTestCase {
    private func leaks(_ person: [PersonalData.Entry], _ text: String) -> [String] {
        LeakGate(PersonalData(person))
            .leaks(in: JSONWriter.bytes(["messages": [["content": .string(text)]]]))
            .map { "\($0.kind) \($0.form): \($0.line)" }
    }

    func testNamesThatAreWordsBlockNothingAsWords() {
        let cases: [(String, [String])] = [
            (
                "Will Long",
                [
                    "I will long for it.", "Will you come?", "It takes long", "- Will do",
                    "As long as it will", "willing", "WILL IT WORK", "prolonged",
                ]
            ),
            ("Mark Rose", ["Mark it. The rose rose.", "a bookmark", "prose", "Check mark rows"]),
            (
                "May Winter",
                ["from May 2019 to June 2020", "You may go in winter.", "May–June", "in May 2020"]
            ),
            ("Ina Lee", ["in a leeway", "in a", "the lee side", "IN A", "China, fleet"]),
            ("Anita Love", ["an it alone", "I love an item", "with love"]),
            ("Amanda Holl", ["who I am and a hollow", "am and a"]),
            ("Theo Dore", ["theodolite", "the odor", "adored"]),
            ("Ann An", ["An annual plan, an announcement", "banana, cannot"]),
            ("Ed Li", ["edited lines", "failed li", "ed. li."]),
            ("Rob Banks", ["he robs banks", "The bank's robots", "Two banks in London"]),
            ("Koch Sommer", ["er kocht im sommer", "Der Koch kam", "Sommer 2021"]),
            ("Art Baker", ["State of the art", "Head Baker, Bakery Art", "Art Director 2010"]),
            ("Claude Page", ["claude-sonnet-5-5 on this page", "Page 3"]),
            ("Coop Isis", ["co-op store, is is", "co-operate"]),
            ("Sana Hub", ["GitHub, TensorHub, hubs"]), ("Ravi Pal", ["PayPal, a pal, palette"]),
            ("Doe", ["DOE budget", "a doe and a buck", "does it"]),
        ]
        for (name, texts) in cases {
            for text in texts {
                XCTAssertEqual(leaks([.init(.name, name)], text), [], "\(name): \(text)")
            }
        }
    }

    func testTheSameNamesAreFoundAsNames() {
        let cases: [(String, String)] = [
            ("Will Long", "and Will Long did"), ("Will Long", "and then Will came"),
            ("Mark Rose", "signed by Mark Rose"), ("May Winter", "Dr. May Winter"),
            ("Ina Lee", "by Ina Lee"), ("Ed Li", "by Ed Li."), ("Doe", "Ms Doe"),
            ("Koch Sommer", "an Koch Sommer"), ("Claude Page", "from Claude Page,"),
        ]
        for (name, text) in cases {
            XCTAssertEqual(leaks([.init(.name, name)], text).count, 1, "\(name): \(text)")
        }
    }

    func testNumbersOfOtherKindsAreNoTelephoneNumbers() {
        let phone = [PersonalData.Entry(.phone, "+1 (212) 555-0147")]
        for text in [
            "2010-2012", "$5,550,147", "v5.55.0147.2", "5550147890", "order 55501470",
            "0147", "555-01", "212 requests", "10,000 requests/s", "2125550",
        ] {
            XCTAssertEqual(leaks(phone, text), [], text)
        }
        XCTAssertEqual(leaks([.init(.phone, "200 0000")], "$2,000,000 and 2000000"), [])
        XCTAssertEqual(leaks([.init(.phone, "12")], "12 items"), [])
    }

    func testShortAndCommonPartsOfAddressesBlockNothing() {
        XCTAssertEqual(
            leaks(
                [
                    .init(.email, "info@example.org"), .init(.email, "ed@example.com"),
                    .init(.url, "https://github.com/ada"), .init(.address, "4 Elm St, London"),
                    .init(.address, "10115 Berlin"), .init(.birthDate, "1990-05-01"),
                    .init(.url, "https://www.linkedin.com/in/"), .init(.identifier, "123"),
                ],
                "info desk, edited on GitHub and LinkedIn, ada85, in London, at 4 elms, Berlin, "
                    + "born in 1990, 5 January, linkedin.com/in, example.org"), [])
    }

    func testThreeLettersOfBase64BlockNothing() {
        // "Jana" is SmFuYQ; "Ann" QW5u.
        XCTAssertEqual(
            leaks(
                [.init(.name, "Ann Jana")],
                "QW5 SmF uYQ FuY qW5u iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ "
                    + "5f2b6c1e-8a77-4b1e-9a34-1f0c2d3e4f50 camelCaseIdentifier well-known"), [])
    }

    func testRandomBytesInBase64RaiseNothing() {
        var random = SplitMix(seed: 15)
        let person = LeakGateTests.person
        for _ in 0..<8 {
            let bytes = (0..<30_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            XCTAssertEqual(
                LeakGate(person).leaks(
                    in: JSONWriter.bytes(["signature": .string(Base64.text(bytes))])), [])
            XCTAssertEqual(
                LeakGate(person).leaks(in: JSONWriter.bytes(["x": .string(Base64.text(bytes))])),
                [])
        }
    }

    func testAnotherPersonIsNotTheUser() {
        XCTAssertEqual(
            leaks(
                [.init(.name, "Tina Ross"), .init(.phone, "+39 02 1234567")],
                "Martina Rossi, Valentina Rossini, Justina Rosso; tel. 02 12345678, 1234568"), [])
    }

    // MARK: - Much ordinary text

    /// People whose names are words, or stand in many others.
    private static let people = [
        "Will Long", "Mark Rose", "May Winter", "Grace Field", "Rob Banks", "Art Baker",
        "Frank Stone", "Rich King", "Bill Page", "Hope Young", "Dale Hill", "Jean Marsh",
        "Ray Bright", "Faith Church", "Joy Case", "Pat Cook", "Guy Cross", "Sue Day", "Dean Price",
        "Ina Lee", "Tan An", "Ed Li", "Bo Xu", "Al Ma", "Jo Do", "Benita Love", "Tim Ing",
        "Theo Dore", "Amanda Holl", "Wolf Berg", "Koch Sommer", "Sergey Stepanov", "Jörg Müller",
        "Zoë Kowalska", "Siobhán Ó Ceallaigh", "Anne-Marie van den Berg", "Xi Wang", "Yu Chen",
    ]

    private static func gate() -> LeakGate {
        var entries: [PersonalData.Entry] = []
        for (index, name) in people.enumerated() {
            let folded = SearchText.folded(name).filter { $0.isLetter }
            entries += [
                .init(.name, name), .init(.email, "\(folded)\(index)@mail-\(index).test"),
                .init(.phone, "+44 20 7946 0\(100 + index)"),
            ]
        }
        return LeakGate(PersonalData(entries))
    }

    /// The manual, the documents and the comments of this repository.
    private func prose() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        var text = ""
        for folder in ["docs", "Sources/ICalendar", "Sources/Persistence", "Sources/TerminalKit"] {
            let files = try XCTUnwrap(
                FileManager.default.enumerator(atPath: root.path + "/" + folder))
            let names = files.compactMap { $0 as? String }.sorted()
            for name in names where name.hasSuffix(".md") || name.hasSuffix(".swift") {
                text += try String(
                    contentsOfFile: "\(root.path)/\(folder)/\(name)", encoding: .utf8)
                if text.utf8.count > 1_000_000 { return text }
            }
        }
        return text
    }

    func testABrokenByteElsewhereMakesNoNameOfAWord() {
        let gate = LeakGate(PersonalData([.init(.name, "Rich King")]))
        func leaks(_ text: String) -> [LeakGate.Leak] {
            gate.leaks(in: JSONWriter.bytes(["content": .string(text)]))
        }
        XCTAssertEqual(leaks("100%FF of it, and a rich cake for the king").map(\.form), [])
        XCTAssertEqual(leaks("100%FF of it, and Rich King is here").first?.kind, .name)
    }

    func testAMillionBytesOfProseRaiseNothingFromAHundredLiterals() throws {
        let text = try prose()
        XCTAssertGreaterThan(text.utf8.count, 900_000)
        let body = JSONWriter.bytes(["messages": [["role": "user", "content": .string(text)]]])
        XCTAssertEqual(
            Self.gate().leaks(in: body).map { "\($0.kind) \($0.form) \($0.line)" }, [])
    }

}
