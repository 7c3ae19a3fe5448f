import AgentCore
import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

/// A provider on a loopback port: speaks one wire format, gives scripted
/// replies in turn, and judges every request as strictly as the strictest
/// server would. A request that is not valid, or that nobody expected, is
/// answered 400 and kept in `violations`.
final class ProviderServer: Sendable {
    struct Reply: Sendable {
        var script: @Sendable (WireFormat) -> ServerScript

        /// A whole answer in these pieces.
        static func text(_ pieces: String...) -> Reply {
            Reply { .sse(WireScript.text(pieces, format: $0)) }
        }

        static func toolCall(_ name: String, _ arguments: String, id: String = "call_1") -> Reply {
            Reply { .sse(WireScript.toolCall(name, arguments: arguments, id: id, format: $0)) }
        }

        /// The beginning of an answer, then silence until the client goes.
        static func stall(after pieces: String..., sent: Gate = Gate()) -> Reply {
            Reply { format in
                ServerScript([
                    ServerScript.sseHead(), .chunk(ProviderServer.beginning(pieces, format)),
                    .open(sent), .stall,
                ])
            }
        }

        /// The beginning, and the rest when the gate opens.
        static func paused(
            after first: String, sent: Gate = Gate(), until gate: Gate, rest: String
        ) -> Reply {
            Reply { format in
                let head = ProviderServer.beginning([first], format)
                let whole = WireScript.text([first, rest], format: format)
                return ServerScript([
                    ServerScript.sseHead(), .chunk(head), .open(sent), .wait(gate),
                    .chunk(Array(whole.dropFirst(head.count))), .lastChunk,
                ])
            }
        }

        /// The beginning, then the end of the connection.
        static func cut(after pieces: String...) -> Reply {
            Reply { format in
                ServerScript([
                    ServerScript.sseHead(), .chunk(ProviderServer.beginning(pieces, format)), .cut,
                ])
            }
        }

        /// A stream of any bytes, whole as HTTP goes.
        static func stream(_ text: String) -> Reply { Reply { _ in .sse(text) } }

        static func response(
            _ status: Int, _ headers: [HTTPHeader] = [], _ body: String = ""
        ) -> Reply {
            Reply { _ in .response(status, headers: headers, body: Array(body.utf8)) }
        }
    }

    static let key = "sk-test-0123456789abcdef"
    static let models = ["alpha-large", "alpha-small", "beta-1"]

    let format: WireFormat
    private let book: ReplyBook
    private let server: LoopbackServer

    /// - Parameters:
    ///   - repeats: the last reply is given again and again.
    ///   - accepts: another key is answered 401.
    ///   - titles: the answer to requests for a title, which are not among
    ///     `replies`; nil refuses them, and the first words stay.
    init(
        _ format: WireFormat, _ replies: [Reply], repeats: Bool = false,
        accepts key: String = ProviderServer.key, titles: Reply? = nil
    ) throws {
        self.format = format
        let book = ReplyBook(
            format: format, replies: replies, repeats: repeats, key: key, titles: titles)
        self.book = book
        server = try LoopbackServer { book.answer($0) }
    }

    /// Everything that was wrong with requests.
    var violations: [String] { book.violations }

    /// The requests for an answer, without those for the list of models or for
    /// a title.
    var requests: [RecordedRequest] {
        server.requests.filter { $0.method == "POST" && !Self.asksForTitle($0) }
    }

    var titleRequests: [RecordedRequest] { server.requests.filter(Self.asksForTitle) }

    fileprivate static func asksForTitle(_ request: RecordedRequest) -> Bool {
        request.method == "POST"
            && String(decoding: request.body, as: UTF8.self)
                .contains("Give this conversation a title")
    }

    var allRequests: [RecordedRequest] { server.requests }

    /// The texts of the messages of a request, in order: `user: …`.
    func messages(_ index: Int) throws -> [String] {
        guard requests.indices.contains(index) else {
            throw RunningProgram.Failure(description: "there is no request \(index)")
        }
        let body = try JSONParser.parse(requests[index].body)
        let list = body["messages"]?.arrayValue ?? body["input"]?.arrayValue ?? []
        return list.compactMap { item in
            guard let role = item["role"]?.stringValue, ["user", "assistant"].contains(role) else {
                return nil
            }
            let texts =
                item["content"]?.stringValue.map { [$0] }
                ?? (item["content"]?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }
            // What the program adds to a message says when it was sent.
            let words = texts.map { text in
                guard let time = text.range(of: "[Local time:") else { return text }
                return text[..<time.lowerBound].trimmingCharacters(in: .newlines)
            }
            return "\(role): " + words.filter { !$0.isEmpty }.joined(separator: "|")
        }
    }

    var url: String { server.url("") }

    /// What points the program here.
    var variables: [String: String] {
        switch format {
        case .messages: ["ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": Self.key]
        default: ["OPENAI_BASE_URL": url + "/v1", "OPENAI_API_KEY": Self.key]
        }
    }

    /// What chooses it: the name, as the program calls it.
    var provider: String {
        switch format {
        case .messages: "claude"
        case .chat: "local"
        default: "openai"
        }
    }

    func stop() { server.stop() }

    /// So many requests have come, those for titles among them.
    func waitForRequests(_ count: Int) async { await server.waitForRequests(count) }

    /// Stops it; no request was anything but valid.
    func finish(file: StaticString = #filePath, line: UInt = #line) {
        stop()
        XCTAssertEqual(violations, [], file: file, line: line)
    }

    /// The stream of an answer up to and with its last piece.
    static func beginning(_ pieces: [String], _ format: WireFormat) -> [UInt8] {
        let mark = "here-it-ends"
        let whole = String(
            decoding: WireScript.text(pieces + [mark], format: format), as: UTF8.self)
        guard let end = whole.range(of: mark),
            let event = whole[..<end.lowerBound].range(of: "\n\n", options: .backwards)
        else { return [] }
        return Array(whole[..<event.upperBound].utf8)
    }
}

/// What a `ProviderServer` answers; used by its threads.
private final class ReplyBook: Sendable {
    private struct State {
        var next = 0
        var violations: [String] = []
    }

    private let format: WireFormat
    private let replies: [ProviderServer.Reply]
    private let repeats: Bool
    private let key: String
    private let titles: ProviderServer.Reply?
    private let state = Mutex(State())

    init(
        format: WireFormat, replies: [ProviderServer.Reply], repeats: Bool, key: String,
        titles: ProviderServer.Reply?
    ) {
        self.titles = titles
        self.format = format
        self.replies = replies
        self.repeats = repeats
        self.key = key
    }

    var violations: [String] { state.withLock { $0.violations } }

    func answer(_ request: RecordedRequest) -> ServerScript {
        let given =
            request[header: "x-api-key"]
            ?? request[header: "authorization"].map { String($0.dropFirst("Bearer ".count)) }
        if let given, given != key {
            return .json(
                401, ["error": ["type": "authentication_error", "message": "this key is unknown"]])
        }
        if request.method == "GET" {
            return .json(
                200, ["data": .array(ProviderServer.models.map { ["id": .string($0)] })])
        }
        var found: [String]
        do {
            let body = try JSONParser.parse(request.body)
            found = ConversationValidator.violations(in: body, format: format)
        } catch {
            found = ["the body is no JSON: \(error)"]
        }
        let paths: [WireFormat: String] = [
            .messages: "/v1/messages", .chat: "/v1/chat/completions", .responses: "/v1/responses",
        ]
        if request.path != paths[format] { found.append("path \(request.path)") }
        if ProviderServer.asksForTitle(request) {
            state.withLock { $0.violations += found }
            return titles?.script(format) ?? .json(403, ["error": ["message": "no titles here"]])
        }
        let reply = state.withLock { state -> ProviderServer.Reply? in
            let index = repeats ? min(state.next, replies.count - 1) : state.next
            if !replies.indices.contains(index) { found.append("nobody expected this request") }
            state.violations += found
            guard found.isEmpty else { return nil }
            state.next += 1
            return replies[index]
        }
        guard let reply else {
            return .json(
                400,
                [
                    "error": [
                        "type": "invalid_request_error",
                        "message": .string(found.joined(separator: "; ")),
                    ]
                ])
        }
        return reply.script(format)
    }
}
