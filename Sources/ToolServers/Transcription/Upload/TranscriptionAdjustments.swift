import Base

/// Remembers the form fields that uploads leave out because the server rejected them. Pure;
/// each is learnt once, so that retrying ends.
///
/// Only fields that do not change the words are left out: a language is kept.
struct TranscriptionAdjustments: Sendable, Equatable {
    private(set) var dropped: Set<String> = []

    /// Names of fields without list brackets, longest first, so that none is
    /// found within another.
    private static let droppable = [
        "timestamp_granularities", "chunking_strategy", "response_format", "stream", "prompt",
    ]

    func sends(_ name: String) -> Bool { !dropped.contains(name) }

    /// The format to request; if nil, the server chooses it.
    func format(_ wanted: String) -> String? {
        if !dropped.contains(wanted), !dropped.contains("response_format") { return wanted }
        return dropped.contains("response_format") ? nil : "json"
    }

    /// Learns from a refusal what to leave out.
    /// - Parameter sent: texts of the fields by name.
    /// - Returns: whether sending again makes sense.
    mutating func learn(
        status: Int, parameter: String?, message: String?, sent: [String: String]
    ) -> Bool {
        guard status == 400 || status == 422 else { return false }
        guard let name = Self.part(parameter: parameter, message: message, sent: sent) else {
            return false
        }
        // A rich format is replaced by the plain one before dropping the field
        // altogether.
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
            // Another field is named, whatever else the sentence mentions.
            return droppable.contains(bare) && sent[bare] != nil ? bare : nil
        }
        let sentence = (message ?? "").lowercased()
        if let format = sent["response_format"], format != "json", sentence.contains(format) {
            return "response_format"
        }
        let words = sentence.split { !$0.isLetter && $0 != "_" }
        return droppable.first { name in
            // "prompt" and "stream" are also words of ordinary sentences.
            sent[name] != nil
                && (name.contains("_")
                    ? words.contains { $0 == name }
                    : ["'", "`", "\""].contains { sentence.contains($0 + name + $0) })
        }
    }
}
