import Base

/// Turns a stored conversation into messages that every wire format accepts.
///
/// Whatever happened before (a crash between a call and its result, a cut answer, a change
/// of provider), the next request must be valid: a server that refuses one message of the
/// past would refuse all that follow. So the rules are here, in one place, and the request
/// builders only write down the result:
///
/// - the first message is the user's; empty messages are left out;
/// - every tool call is followed by one tool message with all its results, in
///   order; a missing result is made up as an error, a stray one is dropped;
/// - call ids are unique, names and arguments well-formed;
/// - thinking and opaque items go back only where they came from, and never at the end of a
///   message; the extra data of compatible servers beside calls goes back only to the same
///   server; web searches only while they are offered, and never without their results;
/// - turns answered without a model are plain text;
/// - files that the target does not take are notes (`RequestAttachments`);
/// - a system text that changed (`SystemChange`) only if the target takes it there.
///
/// The given values are never changed in place: the same history always gives the same
/// messages, so that prompt caches hit.
package struct RequestHistory {
    package static let interrupted =
        "The call was interrupted before it finished; it is not known whether it ran."
    package static let unreadable =
        "The call was not run: its arguments are not a JSON object."

    private let target: ModelOrigin
    private let server: String
    private let keepsThinking: Bool
    private let keepsSearches: Bool
    private let placesSystem: Bool
    private var messages: [Message] = []
    private var usedIDs: Set<String> = []
    /// Calls of the last assistant message that wait for their results.
    private var open: [OpenCall] = []

    private struct OpenCall {
        var originalID: String
        var id: String
        var name: String
        var isReadable: Bool
        var result: ToolResult?
    }

    private init(
        target: ModelOrigin, server: String, keepsThinking: Bool, keepsSearches: Bool,
        placesSystem: Bool
    ) {
        self.target = target
        self.server = server
        self.keepsThinking = keepsThinking
        self.keepsSearches = keepsSearches
        self.placesSystem = placesSystem
    }

    /// - Parameters:
    ///   - server: host and port of the target.
    ///   - keepsThinking: if false, no reasoning is sent; for a provider that no longer accepts
    ///     what it once signed.
    ///   - keepsSearches: false if the search is not offered; the answers stay.
    package static func messages(
        of turns: [Turn], for target: ModelOrigin, at server: String = "",
        sendsLocalTurns: Bool = true,
        keepsThinking: Bool = true, keepsSearches: Bool = true, placesSystem: Bool = false
    ) -> [Message] {
        var history = RequestHistory(
            target: target, server: server, keepsThinking: keepsThinking,
            keepsSearches: keepsSearches, placesSystem: placesSystem)
        let fitted = RequestAttachments.fitted(turns, for: target)
        for (index, turn) in fitted.enumerated() {
            if !turn.isLocal {
                let messages = WebSearch.paired(
                    turn.messages, mayGoOn: turn.status == .open && index == fitted.count - 1)
                for message in messages { history.add(message) }
                history.settleCalls()
            } else if sendsLocalTurns {
                history.addLocal(turn)
            }
        }
        return Array(history.messages.drop { $0.role != .user })
    }

    private mutating func add(_ message: Message) {
        switch message.role {
        case .user:
            settleCalls()
            addUser(message)
        case .assistant:
            settleCalls()
            addAssistant(message)
        case .tool:
            for case .toolResult(let result) in message.parts { addResult(result) }
        }
    }

    private mutating func addUser(_ message: Message) {
        let parts = message.parts.filter { part in
            switch part {
            case .text(let text):
                !Self.isBlank(text.text)
                    && (!text.isSystem || placesSystem && text.phase == TextPart.systemPhase)
            case .attachment: true
            default: false
            }
        }
        if !parts.isEmpty { messages.append(Message(role: .user, parts: parts)) }
    }

    /// Adds the answer of a tool server as if the assistant had given it.
    private mutating func addLocal(_ turn: Turn) {
        for message in turn.messages {
            switch message.role {
            case .user: addUser(message)
            case .assistant:
                let text = message.text
                if !Self.isBlank(text) {
                    messages.append(Message(role: .assistant, parts: [.text(text)]))
                }
            case .tool: break
            }
        }
    }

    // MARK: - Assistant messages

    private mutating func addAssistant(_ message: Message) {
        let isOwn = message.origin == target
        let keepsPhase = message.origin?.format == .responses && target.format == .responses
        var parts: [Part] = []
        var idsHere: Set<String> = []
        for part in message.parts {
            switch part {
            case .text(let text):
                if Self.isBlank(text.text) || text.isSources { continue }
                parts.append(.text(keepsPhase ? text : TextPart(text.text)))
            case .refusal(let text):
                if !Self.isBlank(text) { parts.append(part) }
            case .thinking(let thinking):
                guard isOwn, keepsThinking, let item = thinking.item else { continue }
                if target.format != .chat || ChatReasoning.isFrom(server, item) {
                    parts.append(part)
                }
            case .opaque:
                if isOwn, keepsSearches || !part.isWebSearch { parts.append(part) }
            case .toolCall(let call):
                // A repeated id within one answer is one call; the first ran.
                if !idsHere.insert(call.id).inserted { continue }
                parts.append(.toolCall(admit(call, isOwn: isOwn)))
            case .toolResult, .attachment: break
            }
        }
        // Both vendors refuse reasoning at the end of a message.
        while case .thinking? = parts.last { parts.removeLast() }
        if !parts.isEmpty {
            messages.append(Message(role: .assistant, parts: parts, origin: message.origin))
        }
    }

    private mutating func admit(_ call: ToolCall, isOwn: Bool) -> ToolCall {
        let isReadable = call.hasReadableArguments
        let id = uniqueID(for: call.id, keepsCharacters: isOwn && target.format != .messages)
        let name = Self.wellFormed(call.name, fallback: "unknown")
        open.append(
            OpenCall(originalID: call.id, id: id, name: name, isReadable: isReadable))
        return ToolCall(
            id: id, name: name, arguments: isReadable ? call.arguments : "{}",
            itemID: call.itemID)
    }

    /// The id itself if it is usable, else a variation that depends only on the history before it.
    private mutating func uniqueID(for original: String, keepsCharacters: Bool) -> String {
        let base =
            keepsCharacters && !original.isEmpty && original.utf8.count <= 64
            ? original : Self.wellFormed(original, fallback: "call")
        var id = base
        var number = 2
        while !usedIDs.insert(id).inserted {
            id = "\(base.prefix(56))_\(number)"
            number += 1
        }
        return id
    }

    // MARK: - Results

    private mutating func addResult(_ result: ToolResult) {
        // The first result of a call counts; a result without a call in the previous message has no
        // place.
        guard
            let index = open.firstIndex(where: {
                $0.originalID == result.callID && $0.result == nil
            })
        else { return }
        open[index].result = result
    }

    /// Writes the results of all calls of the last message.
    private mutating func settleCalls() {
        if open.isEmpty { return }
        let results = open.map { call in
            Part.toolResult(
                ToolResult(
                    callID: call.id, name: call.name,
                    text: call.result?.text
                        ?? (call.isReadable ? Self.interrupted : Self.unreadable),
                    isError: call.result?.isError ?? true,
                    pictures: call.result?.pictures ?? []))
        }
        open = []
        messages.append(Message(role: .tool, parts: results))
    }

    // MARK: - Text

    private static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }

    /// `[A-Za-z0-9_-]{1,64}`, which all three formats accept for names and
    /// ids of calls.
    private static func wellFormed(_ text: String, fallback: String) -> String {
        let isFine: (UInt8) -> Bool = { byte in
            byte.isASCIILetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
        let bytes = text.utf8
        if bytes.isEmpty { return fallback }
        if bytes.count <= 64, bytes.allSatisfy(isFine) { return text }
        return String(
            decoding: bytes.prefix(64).map { isFine($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }
}
