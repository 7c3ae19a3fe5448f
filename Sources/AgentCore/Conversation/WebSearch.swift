import Base

/// The vendors' own web search: which items of an answer belong to it, and the tool with which a
/// model asks for permission. The vendor searches, not this program; the results are opaque items
/// that are sent back to their model.
package enum WebSearch {
    /// The tool with which a model asks the user to allow the search; see
    /// `ModelRequest.searchesWeb`.
    package static let permission = "allow_web_search"

    /// Whether the item is a search or its results.
    package static func isItem(_ item: JSONValue) -> Bool {
        switch item["type"]?.stringValue {
        case "web_search_call", "web_search_tool_result": true
        case "server_tool_use": item["name"]?.stringValue == "web_search"
        default: false
        }
    }

    /// Removes blocks that are invalid alone: in Messages a search without its result, and
    /// a result without its search (`server_tool_use`, `web_search_tool_result`), which may
    /// be in the next message if the server paused.
    ///
    /// - Parameters:
    ///   - messages: the messages of one turn.
    ///   - mayGoOn: whether the server may have paused in the last of them.
    static func paired(_ messages: [Message], mayGoOn: Bool) -> [Message] {
        guard messages.contains(where: { $0.parts.contains { $0.searchID != nil } }) else {
            return messages
        }
        var messages = messages
        /// Searches that wait for their result, with their positions.
        var open: [(id: String, origin: ModelOrigin?, message: Int, part: Int)] = []
        var single: [(message: Int, part: Int)] = []
        for (index, message) in messages.enumerated() {
            if message.role != .assistant {
                single += open.map { ($0.message, $0.part) }
                open = []
            }
            for (place, part) in message.parts.enumerated() {
                switch part.searchID {
                case (let id, isResult: false)?:
                    open.append((id, message.origin, index, place))
                case (let id, isResult: true)?:
                    let search = open.firstIndex { $0.id == id && $0.origin == message.origin }
                    if let search { open.remove(at: search) } else { single.append((index, place)) }
                case nil: break
                }
            }
        }
        // A message that waits for a result of ours does not continue without it.
        let isPaused = mayGoOn && messages.last?.toolCalls.isEmpty == true
        single += open.filter { !isPaused || $0.message < messages.count - 1 }
            .map { ($0.message, $0.part) }
        for (message, part) in single.sorted(by: { $0 > $1 }) {
            messages[message].parts.remove(at: part)
        }
        return messages
    }
}

extension Part {
    /// The search that a block belongs to, if it is one of the two that require each other.
    fileprivate var searchID: (id: String, isResult: Bool)? {
        guard case .opaque(let item) = self else { return nil }
        switch item["type"]?.stringValue {
        case "server_tool_use": return (item["id"]?.stringValue ?? "", false)
        case "web_search_tool_result": return (item["tool_use_id"]?.stringValue ?? "", true)
        default: return nil
        }
    }

    /// Whether the text came from a web search, so that the context contains untrusted text.
    package var isWebSearch: Bool {
        if case .opaque(let item) = self { WebSearch.isItem(item) } else { false }
    }
}
