import Glibc

/// Turns the bytes of a `text/event-stream` into events, by the rules of the
/// WHATWG HTML standard ("Interpreting an event stream").
///
/// ```
///   empty line      an event, if there were data lines; name and data reset
///   :…              comment
///   event: x        name of the event, the last one wins
///   data: x         one more line of data
///   id: x           kept for this and all later events (unless it holds NUL)
///   retry: 123      remembered
///   anything else   ignored
///   end of stream   an event without its empty line is dropped
/// ```
///
/// The result depends only on the bytes, never on how they were split into chunks. It
/// neither reconnects nor interprets the data.
package struct ServerSentEventParser: Sendable {
    package enum Failure: Error, Equatable {
        case lineTooLong(limit: Int)
        case eventTooLong(limit: Int)
    }

    /// The last id received, even if no event followed it.
    package private(set) var lastEventID = ""
    /// Reconnection time in milliseconds, if the stream specified one.
    package private(set) var retry: Int?

    private var lines: LineSplitter
    private let limit: Int
    private var isFirstLine = true
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    /// The name read last: streams repeat a few names thousands of times, and comparing bytes is
    /// cheaper than making the string again.
    private var knownName = ""
    private var knownNameBytes: [UInt8] = []

    /// - Parameter limit: maximum bytes of one line, and of one event's data.
    package init(limit: Int = 16 << 20) {
        self.limit = limit
        lines = LineSplitter(limit: limit)
    }

    /// Appends the events that `chunk` completes.
    package mutating func push(
        _ chunk: UnsafeBufferPointer<UInt8>, into events: inout [ServerSentEvent]
    ) throws(Failure) {
        var cursor = LineSplitter.Cursor()
        while let line = try nextLine(in: chunk, at: &cursor) {
            switch line {
            case .inChunk(let range):
                try take(UnsafeBufferPointer(rebasing: chunk[range]), into: &events)
            case .assembled(let bytes):
                try take(bytes, into: &events)
            }
        }
    }

    package mutating func push(
        _ chunk: [UInt8], into events: inout [ServerSentEvent]
    ) throws(Failure) {
        let result = chunk.withUnsafeBufferPointer { buffer in
            Result { () throws(Failure) in try push(buffer, into: &events) }
        }
        try result.get()
    }

    /// Ends the stream. By the standard a pending event is dropped; since some servers omit the
    /// last empty line, a `lenient` caller gets the pending event if its data are `[DONE]` or one
    /// complete JSON value.
    package mutating func finish(lenient: Bool) -> ServerSentEvent? {
        guard lenient else { return nil }
        var events: [ServerSentEvent] = []
        do {
            if !lines.rest.isEmpty { try take(lines.rest, into: &events) }
            guard hasData else { return nil }
            var event = ServerSentEvent(data: data)
            if !event.isDone { _ = try JSONParser.parse(data) }
            event.name = name.isEmpty ? "message" : name
            event.id = lastEventID
            return event
        } catch {
            // By the standard an incomplete event is dropped.
            return nil
        }
    }

    private mutating func nextLine(
        in chunk: UnsafeBufferPointer<UInt8>, at cursor: inout LineSplitter.Cursor
    ) throws(Failure) -> LineSplitter.Line? {
        do {
            return try lines.next(in: chunk, at: &cursor)
        } catch {
            throw .lineTooLong(limit: error.limit)
        }
    }

    private mutating func take(
        _ line: [UInt8], into events: inout [ServerSentEvent]
    ) throws(Failure) {
        let result = line.withUnsafeBufferPointer { buffer in
            Result { () throws(Failure) in try take(buffer, into: &events) }
        }
        try result.get()
    }

    private mutating func take(
        _ whole: UnsafeBufferPointer<UInt8>, into events: inout [ServerSentEvent]
    ) throws(Failure) {
        var line = whole
        if isFirstLine {
            isFirstLine = false
            if line.count >= 3, line[0] == 0xEF, line[1] == 0xBB, line[2] == 0xBF {
                line = UnsafeBufferPointer(rebasing: line[3...])
            }
        }
        guard let first = line.first else {
            dispatch(into: &events)
            return
        }
        if first == UInt8(ascii: ":") { return }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
        var start = min(colon + 1, line.count)
        if start < line.count, line[start] == UInt8(ascii: " ") { start += 1 }
        let value = UnsafeBufferPointer(rebasing: line[start...])
        let field = UnsafeBufferPointer(rebasing: line[..<colon])
        switch first {
        case UInt8(ascii: "d") where Self.equal(field, "data"): try append(value)
        case UInt8(ascii: "e") where Self.equal(field, "event"):
            if !Self.equal(value, knownNameBytes) {
                knownName = String(decoding: value, as: UTF8.self)
                knownNameBytes = Array(value)
            }
            name = knownName
        case UInt8(ascii: "i") where Self.equal(field, "id"):
            if !value.contains(0) { lastEventID = String(decoding: value, as: UTF8.self) }
        case UInt8(ascii: "r") where Self.equal(field, "retry"):
            if !value.isEmpty, value.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) {
                retry = Int(String(decoding: value, as: UTF8.self)) ?? retry
            }
        default: break
        }
    }

    private mutating func append(_ value: UnsafeBufferPointer<UInt8>) throws(Failure) {
        if data.count + value.count + (hasData ? 1 : 0) > limit {
            throw .eventTooLong(limit: limit)
        }
        if hasData {
            data.append(0x0A)
            data.append(contentsOf: value)
        } else {
            hasData = true
            data = Array(value)
        }
    }

    private mutating func dispatch(into events: inout [ServerSentEvent]) {
        defer {
            name = ""
            hasData = false
            data = []
        }
        guard hasData else { return }
        events.append(
            ServerSentEvent(
                name: name.isEmpty ? "message" : name, data: data, id: lastEventID))
    }

    private static func equal(_ bytes: UnsafeBufferPointer<UInt8>, _ other: [UInt8]) -> Bool {
        guard bytes.count == other.count, let start = bytes.baseAddress else {
            return bytes.isEmpty && other.isEmpty
        }
        return memcmp(start, other, other.count) == 0
    }

    private static func equal(_ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
        guard bytes.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count where bytes[index] != word.utf8Start[index] { return false }
        return true
    }
}

/// One event of a `text/event-stream` (WHATWG HTML, "Server-sent events").
///
/// The data stay bytes, so that JSON is parsed without making a `String` first.
package struct ServerSentEvent: Sendable, Equatable {
    /// `message` if the stream names none.
    package var name = "message"
    /// The data lines joined with LF.
    package var data: [UInt8]
    /// The last event id of the stream so far; empty without one.
    package var id = ""

    /// Whether it has no data: some servers keep a connection alive with such events.
    package var isBlank: Bool { data.allSatisfy { $0 <= 0x20 } }

    /// OpenAI's end mark, which is not JSON.
    package var isDone: Bool { data.count == 6 && data.elementsEqual("[DONE]".utf8) }
}
