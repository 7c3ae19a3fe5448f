import Foundation
import TestSupport

@testable import AgentCore
@testable import Base
@testable import CalendarFiles
@testable import ICalendar
@testable import MCP
@testable import Outside
@testable import chat

/// From tool servers, hosts, pages and the calendars of others.
extension WayIn {
    static let fromServers = [
        WayIn(
            "message of a tool server", StdioServerChannel.lineLimit,
            Quantities.bytes(StdioServerChannel.lineLimit),
            Quantities.bytes(MCPToolDefinition.limitInBytes),
            "\(MCPToolDefinition.countLimit) tools", growth: 60,
            refusals: [
                Refusal(StdioServerChannel.lineLimit) {
                    let limit = StdioServerChannel.lineLimit
                    var lines = MessageLines(limit: limit)
                    guard lines.push(letters(limit + 1)) == [.tooLong(limit: limit)] else {
                        return "no error"
                    }
                    return MCPClientError("s", .tooLarge(limit: limit)).diagnostic.what
                },
                Refusal(MCPToolDefinition.limitInBytes) {
                    let text = string(letters(MCPToolDefinition.limitInBytes))
                    do throws(UnusableTool) {
                        _ = try MCPToolDefinition(["name": "t", "description": .string(text)])
                        return "no error"
                    } catch { return error.why }
                },
            ]
        ) { bytes in
            let text = JSONValue.string(string(bytes))
            let result: JSONValue = [
                "jsonrpc": "2.0", "id": 1, "result": ["content": [["type": "text", "text": text]]],
            ]
            if case .result(_, let value) = try JSONRPCMessage(parsing: JSONWriter.bytes(result)),
                let object = value.objectValue
            {
                _ = MCPCallResult(object)
            }
        },
        WayIn(
            "message of a host (`chat mcp serve`)", StandardChannel.lineLimit, growth: 60,
            refusals: [
                Refusal("\(StandardChannel.lineLimit) bytes") {
                    var session = host
                    let limit = StandardChannel.lineLimit
                    guard
                        case .send(.failure(_, let error))? = session.receive(
                            .tooLong(limit: limit)
                        ).first
                    else { return "no error" }
                    return error.message
                }
            ]
        ) { bytes in
            var session = host
            let call: JSONValue = [
                "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": ["name": "t", "arguments": ["text": .string(string(bytes))]],
            ]
            for line in [bytes, JSONWriter.bytes(call)] { _ = session.receive(.message(line)) }
        },
        WayIn(
            "page of the web", FetchRules.Limits().bytes,
            "5 MB decompressed, \(FetchRules.Limits().total.components.seconds) seconds",
            growth: 50,
            refusals: [
                Refusal(FetchRules.Limits().bytes) {
                    let error = TransportError(reason: .tooLarge, host: "h", detail: "")
                    return FetchError(error, "https://h", FetchRules.Limits()).diagnostic.what
                }
            ]
        ) { bytes in
            for type in ["text/html", "text/plain"] {
                _ = try await PageReader(variables: [:]).read(
                    bytes, type: type, address: "https://example.org")
            }
        },
        WayIn(
            "calendar file", CalendarParser.byteLimit, Quantities.bytes(CalendarParser.byteLimit),
            "\(Quantities.grouped(CalendarParser.lineLimit)) lines",
            "\(Quantities.grouped(CalendarParser.componentLimit)) components", growth: 120,
            refusals: [
                Refusal(CalendarParser.byteLimit) {
                    unreadable(letters(CalendarParser.byteLimit + 1))
                },
                Refusal("\(CalendarParser.lineLimit) lines") {
                    unreadable([UInt8](repeating: 0x0A, count: CalendarParser.lineLimit + 1))
                },
                Refusal("\(CalendarParser.componentLimit) components") {
                    unreadable(repeated("BEGIN:A\nEND:A\n", CalendarParser.componentLimit + 1))
                },
                Refusal("\(CalendarParser.depthLimit) deep") {
                    unreadable(repeated("BEGIN:A\n", CalendarParser.depthLimit + 1))
                },
            ]
        ) { bytes in
            for head in ["", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101\nSUMMARY:"] {
                let calendar = try CalendarParser.parse(Array(head.utf8) + bytes)
                for event in calendar.components() { _ = event.first("SUMMARY")?.value }
            }
        },
        WayIn(
            "rules of one event", RecurrenceSet.ruleBytes,
            Quantities.bytes(RecurrenceSet.ruleBytes), "\(RecurrenceSet.ruleLimit) of them",
            growth: 200,
            refusals: [
                Refusal(RecurrenceSet.ruleBytes) {
                    try problems("RRULE:" + string(letters(RecurrenceSet.ruleBytes)))
                },
                Refusal("\(RecurrenceSet.ruleLimit) rules") {
                    try problems(
                        string(repeated("RRULE:FREQ=DAILY\n", RecurrenceSet.ruleLimit + 1)))
                },
                Refusal("\(Quantities.grouped(CalendarMoment.listLimit)) times") {
                    let times = repeated("20270101,", CalendarMoment.listLimit + 1)
                    return try problems("RDATE;VALUE=DATE:" + string(times))
                },
            ]
        ) { bytes in _ = try problems("RRULE:FREQ=YEARLY;BYMONTHDAY=" + string(bytes)) },
    ]

    private static let host = MCPSession(
        identity: MCPIdentity(name: "chat", version: "1"), instructions: "", tools: [],
        withheld: [])

    private static func repeated(_ text: String, _ count: Int) -> [UInt8] {
        Array(String(repeating: text, count: count).utf8)
    }

    private static func unreadable(_ bytes: [UInt8]) -> String {
        do throws(ICalendarError) {
            _ = try CalendarParser.parse(bytes)
            return "no error"
        } catch { return CalendarStore.Problem.reason(error) }
    }

    private static func problems(_ lines: String) throws -> String {
        let file = "BEGIN:VEVENT\nDTSTART;VALUE=DATE:20260101\n\(lines)\nEND:VEVENT\n"
        let calendar = try CalendarParser.parse(Array(file.utf8))
        let zones = ZoneResolver(
            calendar: calendar, local: LocalTime(.utc), zones: TimeZoneDatabase())
        let set = RecurrenceSet(component: calendar.components()[0], resolver: zones)
        return (set?.problems ?? []).map(CalendarStore.Problem.reason).joined(separator: "; ")
    }
}
