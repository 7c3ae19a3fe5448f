import Base
import FoundationEssentials

/// Data about ideas beside the library: the user's prompt, and the titles of
/// discarded ideas, so that they are not generated again. A value;
/// `IdeaMemoryFile` stores it.
package struct IdeaMemory: Sendable, Equatable {
    package struct Discarded: Sendable, Equatable {
        var title: String
        /// The prompt it was generated for.
        var prompt: String
        /// Seconds since 1970.
        var time: Int
    }

    /// Exactly as typed.
    package var prompt: String?
    /// The oldest first.
    package private(set) var discarded: [Discarded] = []
    /// Members of a later version, which are written back.
    private var others: [JSONObject.Member] = []

    /// Maximum number of titles kept, for all prompts.
    static let limit = 200
    /// Maximum number of characters in a prompt.
    package static let promptLimit = 2_000

    package init() {}

    mutating func discard(_ title: String, of prompt: String, at time: Date) {
        guard !title.isEmpty else { return }
        discarded.removeAll { $0.title == title && $0.prompt == prompt }
        discarded.append(
            Discarded(title: title, prompt: prompt, time: Int(time.timeIntervalSince1970)))
        discarded.removeFirst(max(0, discarded.count - Self.limit))
    }

    mutating func restore(_ title: String, of prompt: String) {
        discarded.removeAll { $0.title == title && $0.prompt == prompt }
    }
}

// MARK: - As a file

extension IdeaMemory {
    private static let names: Set<String> = ["prompt", "discarded"]

    /// - Throws: an error that describes the problem in the text.
    init(json text: [UInt8]) throws {
        guard let object = try JSONParser.parse(text).objectValue else {
            throw JSONSchema.Violation(path: "$", problem: "is not an object")
        }
        prompt = object["prompt"]?.stringValue
        discarded = (object["discarded"]?.arrayValue ?? []).compactMap { entry in
            guard let title = entry["title"]?.stringValue, let prompt = entry["prompt"]?.stringValue
            else { return nil }
            return Discarded(title: title, prompt: prompt, time: entry["time"]?.integerValue ?? 0)
        }
        others = object.members.filter { !Self.names.contains($0.name) }
    }

    var json: [UInt8] {
        var object = JSONObject()
        if let prompt { object["prompt"] = .string(prompt) }
        object["discarded"] = .array(
            discarded.map {
                [
                    "title": .string($0.title), "prompt": .string($0.prompt),
                    "time": JSONValue($0.time),
                ]
            })
        object.members += others
        return Array((JSONWriter.pretty(.object(object)) + "\n").utf8)
    }
}
