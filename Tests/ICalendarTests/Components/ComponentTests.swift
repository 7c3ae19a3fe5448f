import XCTest

@testable import ICalendar

/// An edit changes its line and no other byte.
final class ComponentTests: XCTestCase {
    func testNewPropertyGoesBeforeComponentsWithTheFilesLineEnding() throws {
        let text = "BEGIN:VTODO\nUID:1\nBEGIN:VALARM\nEND:VALARM\nX:1\nEND:VTODO\n"
        var file = try CalendarParser.parse(Array(text.utf8))
        var todo = try XCTUnwrap(file.components("VTODO").first)
        todo.set("SUMMARY", value: "x")
        file.items = [.component(todo)]
        XCTAssertEqual(
            String(decoding: CalendarWriter.bytes(file), as: UTF8.self),
            "BEGIN:VTODO\nUID:1\nSUMMARY:x\nBEGIN:VALARM\nEND:VALARM\nX:1\nEND:VTODO\n")
    }

    func testSettingTheSameValueKeepsOddFolding() throws {
        let text = "BEGIN:VTODO\r\nSUM\r\n MARY:a\r\n b\r\nEND:VTODO\r\n"
        let file = try CalendarParser.parse(Array(text.utf8))
        var todo = try XCTUnwrap(file.components("VTODO").first)
        let before = todo
        todo.set("SUMMARY", value: "ab")
        XCTAssertEqual(todo, before)
        todo.remove("SUMMARY")
        XCTAssertNil(todo.first("SUMMARY"))
    }

    func testSettingTheSameMomentKeepsTheBytesOfItsParameters() throws {
        let text = "BEGIN:VTODO\r\nDUE;tzid=\"Europe/Oslo\":20260305T170000\r\nEND:VTODO\r\n"
        let file = try CalendarParser.parse(Array(text.utf8))
        let todo = try XCTUnwrap(file.components("VTODO").first)
        func set(_ zone: String) throws -> Component {
            var changed = todo
            let moment = CalendarMoment(value: "20260305T170000", zone: zone)
            changed.set("DUE", try XCTUnwrap(moment))
            return changed
        }
        XCTAssertEqual(try set("Europe/Oslo"), todo)
        XCTAssertEqual(
            try set("Europe/Rome").first("DUE").map { String(decoding: $0.content, as: UTF8.self) },
            "DUE;TZID=Europe/Rome:20260305T170000")
    }
}
