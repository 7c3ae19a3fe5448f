import Base

@testable import AgentCore

extension FuzzTarget {
    /// An event stream, whole and byte by byte.
    static let events = FuzzTarget("events") { bytes in
        func events(_ pieces: [[UInt8]]) -> [ServerSentEvent] {
            var (parser, events) = (ServerSentEventParser(limit: 1 << 12), [ServerSentEvent]())
            for piece in pieces {
                do { try parser.push(piece, into: &events) } catch { return events }
            }
            if let last = parser.finish(lenient: true) { events.append(last) }
            return events
        }
        let whole = events([bytes])
        try demand(events(bytes.map { [$0] }) == whole, "depends on the cut")
        // Each line of a stream can be what a server sends as JSON.
        for event in whole.prefix(50) { _ = ResponseFacts.json(event.data) }
    }
}
