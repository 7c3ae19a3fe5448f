import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles

/// One field of a foreign file is changed; a parser written by others
/// (python3-icalendar) sees everything else as it was.
final class CalendarRoundTripTests: XCTestCase {
    /// Prints the properties of each file with their parameters, one JSON
    /// array a line, or null where it cannot read it.
    private static let dump = """
        import json, sys
        from icalendar import Calendar
        for path in sys.argv[1:]:
            try:
                rows = []
                for calendar in Calendar.from_ical(open(path, "rb").read(), multiple=True):
                    for name, value in calendar.property_items(sorted=False):
                        text = value.to_ical() if hasattr(value, "to_ical") else value
                        if isinstance(text, bytes):
                            text = text.decode("utf-8", "replace")
                        rows.append([name, str(text), sorted(
                            (k, str(v)) for k, v in getattr(value, "params", {}).items())])
                print(json.dumps(rows))
            except Exception:
                print("null")
        """

    private func trees(_ paths: [String]) throws -> [JSONValue] {
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", Self.dump] + paths
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        do { try process.run() } catch {
            throw XCTSkip("python3 is not installed (Debian: python3)")
        }
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        let problem = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        if process.terminationStatus != 0 {
            throw XCTSkip(
                "python3-icalendar is not installed: \(String(decoding: problem, as: UTF8.self))")
        }
        return try bytes.split(separator: 0x0A).map { try JSONParser.parse(Array($0)) }
    }

    func testAnotherParserSeesEverythingElseUnchanged() async throws {
        let folder = try CalendarFolder()
        let other = try CalendarFolder()
        let fixtures = try CalendarFixtures.all()
        for (name, bytes) in fixtures {
            try folder.put(bytes, name)
            try other.put(bytes, name)
        }
        var changed: [String] = []
        for (name, bytes) in fixtures {
            do {
                try await folder.store.change(
                    folder.list + "/" + name, step: CalendarUndoTests.step("renamed", name)
                ) { Self.retitleFirst(&$0) }
                changed.append(name)
            } catch let error as ICalendarError {
                // Cut off: never rewritten.
                XCTAssertEqual(error.reason, .unterminated, name)
                XCTAssertEqual(try folder.bytes(folder.list + "/" + name), bytes, name)
            }
        }
        XCTAssertEqual(try folder.names(folder.list), fixtures.map(\.0))
        let before = try trees(changed.map { other.list + "/" + $0 })
        let after = try trees(changed.map { folder.list + "/" + $0 })
        var compared = 0
        for (index, name) in changed.enumerated() {
            guard let old = before[index].arrayValue, let new = after[index].arrayValue else {
                XCTAssertNil(before[index].arrayValue, name)
                XCTAssertNil(after[index].arrayValue, name)
                continue
            }
            compared += 1
            XCTAssertEqual(old.count, new.count, name)
            let differences = zip(old, new).filter { $0 != $1 }
            guard old.contains(where: { $0[0]?.stringValue == "SUMMARY" }) else {
                // It has no title to change.
                XCTAssertEqual(differences.count, 0, name)
                continue
            }
            XCTAssertEqual(differences.count, 1, name)
            XCTAssertEqual(differences.first?.1[0]?.stringValue, "SUMMARY", name)
            XCTAssertEqual(differences.first?.1[1]?.stringValue, "changed by us", name)
        }
        XCTAssertGreaterThanOrEqual(compared, 9, "of \(changed.count)")
    }

    /// The title of the first item that has one.
    private static func retitleFirst(_ content: inout Component) {
        for (outer, entry) in content.items.enumerated() {
            guard case .component(var calendar) = entry else { continue }
            for (inner, entry) in calendar.items.enumerated() {
                guard case .component(var item) = entry, item.first("SUMMARY") != nil else {
                    continue
                }
                item.set("SUMMARY", value: "changed by us")
                calendar.items[inner] = .component(item)
                content.items[outer] = .component(calendar)
                return
            }
        }
    }
}
