import Foundation
import TestSupport
import XCTest

@testable import Base
@testable import Privacy

/// What the gate leaves alone: a false alarm stops a letter as surely as a leak would.
/// `LeakGateProseGrade` has much ordinary text.
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

    func testABrokenByteElsewhereMakesNoNameOfAWord() {
        let gate = LeakGate(PersonalData([.init(.name, "Rich King")]))
        func leaks(_ text: String) -> [LeakGate.Leak] {
            gate.leaks(in: JSONWriter.bytes(["content": .string(text)]))
        }
        XCTAssertEqual(leaks("100%FF of it, and a rich cake for the king").map(\.form), [])
        XCTAssertEqual(leaks("100%FF of it, and Rich King is here").first?.kind, .name)
    }
}
