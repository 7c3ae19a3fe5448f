import Foundation
import TestSupport
import XCTest

@testable import Base
@testable import Privacy

/// A gate of a hundred literals on the prose of this repository: nobody in it is meant.
final class LeakGateProseGrade: XCTestCase {
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
    private func prose(_ size: Int) throws -> String {
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
                if text.utf8.count > size { return text }
            }
        }
        return text
    }

    func testAMillionBytesOfProseRaiseNothingFromAHundredLiterals() throws {
        let size = Grade.isWhole ? 1_000_000 : 100_000
        let text = try prose(size)
        XCTAssertGreaterThan(text.utf8.count, size / 10 * 9)
        let body = JSONWriter.bytes(["messages": [["role": "user", "content": .string(text)]]])
        let leaks = Self.gate().leaks(in: body).map { "\($0.kind) \($0.form) \($0.line)" }
        Grade.check(
            "people whom a million bytes of prose do not name",
            right: Self.people.count - leaks.count,
            of: Self.people.count, atLeast: 1, "\(leaks)")
    }
}
