import Foundation
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import DateLanguage
@testable import Documents
@testable import ICalendar
@testable import MCP
@testable import Outside
@testable import Persistence
@testable import TerminalKit

/// The table of the manual ("Sizes" of safety.md), walked with texts that no one writes: each
/// limit is the one that is written there, and what a text takes grows as the text does.
/// CHAT_FULL=1 takes texts of a megabyte.
final class BoundsTests: XCTestCase {
    private struct WayIn: Sendable {
        /// As in the manual.
        var name: String
        var limit: Int
        var take: @Sendable ([UInt8]) async throws -> Void
    }

    private static let ways = [
        WayIn(name: "answer of a model", limit: AnswerReader.textLimit) { show($0) },
        WayIn(name: "event of an answer", limit: 16 << 20) { bytes in
            var (parser, events) = (ServerSentEventParser(), [ServerSentEvent]())
            try parser.push(Array("data: ".utf8) + bytes + [0x0A, 0x0A], into: &events)
        },
        WayIn(name: "result of a tool", limit: ToolRunner.resultLimitInBytes) { bytes in
            _ = ToolRunner.bounded(UntrustedText.cleaned(String(decoding: bytes, as: UTF8.self)))
        },
        WayIn(name: "message of a tool server", limit: StdioServerChannel.lineLimit) { bytes in
            let text = JSONValue.string(String(decoding: bytes, as: UTF8.self))
            let result: JSONValue = [
                "jsonrpc": "2.0", "id": 1, "result": ["content": [["type": "text", "text": text]]],
            ]
            if case .result(_, let value) = try JSONRPCMessage(parsing: JSONWriter.bytes(result)),
                let object = value.objectValue
            {
                _ = MCPCallResult(object)
            }
        },
        WayIn(name: "paste", limit: KeyDecoder.pasteLimit) { bytes in
            var keys = KeyDecoder()
            keys.feed(Array("\u{1B}[200~".utf8) + bytes + Array("\u{1B}[201~".utf8))
            while keys.next() != nil {}
        },
        WayIn(name: "text of a book, a story or a document", limit: DocumentReader.textLimit) {
            _ = try await DocumentReader(variables: [:]).read($0, ending: "md", shown: "a.md")
        },
        WayIn(name: "page of the web", limit: FetchRules.Limits().bytes) { bytes in
            for type in ["text/html", "text/plain"] {
                _ = try await PageReader(variables: [:]).read(
                    bytes, type: type, address: "https://example.org")
            }
        },
        WayIn(name: "calendar file", limit: CalendarParser.byteLimit) { bytes in
            for head in ["", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101\nSUMMARY:"] {
                let calendar = try CalendarParser.parse(Array(head.utf8) + bytes)
                for event in calendar.components() { _ = event.first("SUMMARY")?.value }
            }
        },
        WayIn(name: "words about a time", limit: DateParser.lengthLimit) { bytes in
            try FuzzTarget.dates.run(bytes)
        },
        WayIn(name: "configuration", limit: 1 << 20) { bytes in
            _ = try? JSON5.parse(bytes)
            _ = try JSON5.parse(
                Array("{a: ".utf8)
                    + JSONWriter.bytes(
                        .string(String(decoding: bytes, as: UTF8.self))) + Array("}".utf8))
        },
        WayIn(name: "export to import", limit: 1 << 30) { bytes in
            let text = JSONValue.string(String(decoding: bytes, as: UTF8.self))
            var claude = ClaudeExport()
            let read = try JSONParser.parse(
                JSONWriter.bytes(["chat_messages": [["sender": "human", "text": text]]]))
            _ = claude.read(read)
        },
    ]

    /// As the terminal shows an answer that streams.
    private static func show(_ bytes: [UInt8]) {
        var (filter, stream) = (HostileText(), MarkdownStream(columns: 80, usesUnicode: true))
        var painter = LivePainter(style: Style(usesColor: true, usesUnicode: true), wrap: .words)
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = filter.pass(String(decoding: rest.prefix(8_192), as: UTF8.self))
            rest = rest.dropFirst(8_192)
            let update = stream.feed(String(decoding: piece, as: UTF8.self))
            _ = painter.paint(
                finished: update.finished, live: update.live,
                on: ScreenSize(columns: 80, rows: 24))
        }
        _ = painter.paint(finished: stream.finish().finished, on: ScreenSize())
    }

    /// What is repeated.
    private static let shapes = [
        "digits": "0123456789", "one letter": "a", "addresses": "a@", "brackets": "[(<{",
        "combining marks": "e\u{301}\u{301}", "newlines": "\n", "short lines": "a\n",
        "one line": "word ", "stars": "*a **", "table": "| a | b |\n", "quotes": "> - \"",
        "tags": "<p><b", "entities": "&amp;&", "backslashes": "\\\"", "zeros": "\0",
    ]

    func testTimeAndMemoryAreInProportionForEveryWayInAndEveryShape() async throws {
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] != nil
        let size = isFull ? 1 << 20 : 1 << 16
        for way in Self.ways {
            for (name, unit) in Self.shapes.sorted(by: { $0.key < $1.key }) {
                let large = Array(String(repeating: unit, count: size / unit.utf8.count).utf8)
                let before = Self.peak(reset: true)
                let time = await Self.time { try? await way.take(large) }
                let memory = Self.peak(reset: false) - before
                XCTAssertLessThan(memory, 400 * size + (32 << 20), "\(way.name), \(name)")
                if time < .milliseconds(100) { continue }
                // What is a fourth takes a fourth; a square would take a sixteenth.
                let small = await Self.time { try? await way.take(Array(large.prefix(size / 4))) }
                XCTAssertLessThan(time, small * 9, "\(way.name), \(name)")
            }
        }
    }

    func testTheManualNamesEachWayInWithItsLimit() throws {
        let page = URL(fileURLWithPath: #filePath + "/../../../docs/manual/safety.md").standardized
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        for way in Self.ways {
            let row = try XCTUnwrap(rows.first { $0.hasPrefix("| \(way.name) |") }, way.name)
            let limit =
                way.limit >= 1 << 30
                ? "\(way.limit >> 30) GB"
                : way.limit >= 1 << 20 ? "\(way.limit >> 20) MB" : "\(way.limit >> 10) KB"
            XCTAssertTrue(row.contains("| \(limit)"), "\(way.name): \(limit) is not in \(row)")
        }
    }

    private static func time(_ body: () async -> Void) async -> Duration {
        let start = ProcessorTime.now()
        await body()
        return ProcessorTime.now() - start
    }

    /// Bytes that this process had in memory at most, since it was reset (proc(5)).
    private static func peak(reset: Bool) -> Int {
        if reset {
            try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        }
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0) << 10
    }
}
