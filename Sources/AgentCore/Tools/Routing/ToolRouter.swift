import Base

/// Chooses the few tools of a request: by the words of the message, the servers' interpretation of
/// it, and the activities in progress. Pure.
///
/// It knows no tool by name: each declares its own cues (`Tool.cues`, `ToolServer.topic`).
package struct ToolRouter: Sendable {
    private struct Entry: Sendable {
        var tool: Tool
        var cues: ToolCues
        var topic: ToolCues
        var name: [Substring]
        var words: [Substring]
        var bytes: Int
    }

    private let entries: [Entry]

    /// Maximum size in bytes of the tools of a first request, so that together with the
    /// system text it stays below 6,000.
    package static let roomInBytes = 4_700

    package init(_ registry: ToolRegistry) {
        var topics: [String: ToolCues] = [:]
        entries = registry.tools.map { tool in
            let server = registry.server(ofTool: tool.name)
            let topic = server?.topic ?? ""
            if topics[topic] == nil { topics[topic] = ToolCues(topic) }
            return Entry(
                tool: tool, cues: ToolCues(tool.cues),
                topic: topics[topic] ?? ToolCues(""),
                name: MessageWords.split(tool.name),
                words: MessageWords.split(
                    "\(tool.title) \(tool.description) \(server?.name ?? "")"),
                bytes: tool.sizeInBytes)
        }
    }

    /// Whether it was made for exactly these tools, so that it can be reused.
    package func fits(_ registry: ToolRegistry) -> Bool {
        entries.lazy.map(\.tool).elementsEqual(registry.tools)
    }

    // MARK: - The first set

    /// The tools for a message, in the order of the registry.
    ///
    /// - Parameters:
    ///   - suggested: the servers' suggestions for the message (`IntentMatch.suggestedTools`).
    ///   - inUse: tools for activities in progress.
    ///   - room: their maximum size together, in bytes; the likeliest come first.
    ///   - fills: whether remaining room is filled with other tools, in the order of the servers: a
    ///     message may describe a tool's purpose in any words.
    package func tools(
        for message: String, suggested: Set<String> = [], inUse: Set<String> = [],
        room: Int = roomInBytes, fills: Bool = false
    ) -> [String] {
        let words = MessageWords(message)
        let ranked = entries.enumerated().compactMap { index, entry -> (Int, Int, Entry)? in
            let name = entry.tool.name
            let score =
                (suggested.contains(name) ? 4 : 0) + (inUse.contains(name) ? 3 : 0)
                + (entry.cues.match(words) ? 2 : 0) + (entry.topic.match(words) ? 1 : 0)
            if entry.tool.isUntrusted, score == 0 { return nil }
            return score > 0 || fills ? (score, index, entry) : nil
        }.sorted { ($1.0, $0.1) < ($0.0, $1.1) }
        var left = room
        var chosen: [(index: Int, name: String)] = []
        for (_, index, entry) in ranked where entry.bytes <= left {
            left -= entry.bytes
            chosen.append((index, entry.tool.name))
        }
        return chosen.sorted { $0.index < $1.index }.map(\.name)
    }

    /// Whether the user's message mentions the purpose of the tool.
    package func isNamed(_ name: String, in message: String) -> Bool {
        let words = MessageWords(message)
        return entries.contains {
            $0.tool.name == name && ($0.cues.match(words) || $0.topic.match(words))
        }
    }

    // MARK: - By a model's words

    /// The tools that match a description, the nearest first.
    package func find(_ text: String, limit: Int = 5) -> [Tool] {
        let message = MessageWords(text)
        let exact = SearchText.folded(text)
        // "a" and "to" occur in every description.
        let words = MessageWords.split(text).filter { word in
            word.utf8.count > 2 || word.contains(where: \.isNumber)
        }
        let found = entries.enumerated().compactMap { index, entry -> (Double, Int, Tool)? in
            if entry.tool.name == exact { return (100, index, entry.tool) }
            var score = (entry.cues.match(message) ? 3.0 : 0) + (entry.topic.match(message) ? 2 : 0)
            for word in words {
                if entry.name.contains(where: { Self.isSame($0, word) }) {
                    score += 3
                } else if entry.words.contains(where: { Self.isSame($0, word) }) {
                    score += 1
                }
            }
            return score > 0 ? (score, index, entry.tool) : nil
        }.sorted { ($1.0, $0.1) < ($0.0, $1.1) }
        let best = found.first?.0 ?? 0
        return found.filter { $0.0 * 2 >= best }.prefix(limit).map(\.2)
    }

    /// "reminder" and "reminders".
    private static func isSame(_ one: Substring, _ other: Substring) -> Bool {
        one == other
            || min(one.utf8.count, other.utf8.count) > 3
                && (one.hasPrefix(other) || other.hasPrefix(one))
    }
}

extension Tool {
    /// The approximate size of the tool in a request.
    package var sizeInBytes: Int {
        name.utf8.count + description.utf8.count + JSONWriter.bytes(inputSchema.json).count + 60
    }
}
