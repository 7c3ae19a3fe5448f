/// One event of a `text/event-stream` (WHATWG HTML, "Server-sent events").
///
/// The data stay bytes, so that JSON is read without a detour over `String`.
package struct ServerSentEvent: Sendable, Equatable {
    /// `message` where the stream names none.
    package var name: String
    /// The data lines joined with LF.
    package var data: [UInt8]
    /// The last event id of the stream so far; empty for none.
    package var id: String

    package init(name: String = "message", data: [UInt8], id: String = "") {
        self.name = name
        self.data = data
        self.id = id
    }

    /// The data as text; invalid UTF-8 becomes U+FFFD.
    package var text: String { String(decoding: data, as: UTF8.self) }

    /// Nothing was said: what keeps a connection alive, with some servers.
    package var isBlank: Bool { data.allSatisfy { $0 <= 0x20 } }

    /// OpenAI's end mark, which is no JSON.
    package var isDone: Bool { data.count == 6 && data.elementsEqual("[DONE]".utf8) }
}
