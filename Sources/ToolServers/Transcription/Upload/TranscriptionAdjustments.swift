import Base

/// What uploads leave out because the server has rejected it. Pure; each thing is learnt once, so
/// that asking again ends.
///
/// Only what leaves a transcript of the same words is left out: a language is
/// not.
struct TranscriptionAdjustments: Sendable, Equatable {
    private(set) var dropped: Set<String> = []

    /// Names of parts without the brackets of lists, longest first, so that
    /// none is found in another.
    private static let droppable = [
        "timestamp_granularities", "chunking_strategy", "response_format", "stream", "prompt",
    ]

    func sends(_ name: String) -> Bool { !dropped.contains(name) }

    /// Of a model's formats the one to ask for; nil leaves it to the server.
    func format(_ wanted: String) -> String? {
        if !dropped.contains(wanted), !dropped.contains("response_format") { return wanted }
        return dropped.contains("response_format") ? nil : "json"
    }

    /// Takes from a refusal what can be done about it.
    /// - Parameter sent: texts of the parts by name.
    /// - Returns: whether sending again makes sense.
    mutating func learn(
        status: Int, parameter: String?, message: String?, sent: [String: String]
    ) -> Bool {
        guard status == 400 || status == 422 else { return false }
        guard let name = Self.part(parameter: parameter, message: message, sent: sent) else {
            return false
        }
        // A rich format is given up for the plain one before all of it.
        if name == "response_format", let format = sent[name], format != "json" {
            return dropped.insert(format).inserted
        }
        return dropped.insert(name).inserted
    }

    private static func part(
        parameter: String?, message: String?, sent: [String: String]
    ) -> String? {
        if let parameter {
            let bare = String(parameter.prefix { $0 != "[" && $0 != "." })
            // Another part is named: whatever the sentence mentions besides.
            return droppable.contains(bare) && sent[bare] != nil ? bare : nil
        }
        let sentence = (message ?? "").lowercased()
        if let format = sent["response_format"], format != "json", sentence.contains(format) {
            return "response_format"
        }
        let words = sentence.split { !$0.isLetter && $0 != "_" }
        return droppable.first { name in
            // "prompt" and "stream" are also words of any sentence.
            sent[name] != nil
                && (name.contains("_")
                    ? words.contains { $0 == name }
                    : ["'", "`", "\""].contains { sentence.contains($0 + name + $0) })
        }
    }
}
