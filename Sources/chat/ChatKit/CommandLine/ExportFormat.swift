import AgentCore
import Base

/// The formats for exporting a conversation.
package enum ExportFormat: String, CaseIterable {
    case md, json, html

    package init(word: String) throws(UsageError) {
        switch word {
        case "markdown": self = .md
        case "htm": self = .html
        default:
            guard let format = Self(rawValue: word) else {
                throw UsageError(
                    "There is no format \"\(word)\".",
                    hint: "--format \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            self = format
        }
    }

    /// Nil if the file's ending names no format.
    package init?(ofFile name: String) {
        guard let dot = name.lastIndex(of: "."),
            let format = try? Self(word: name[name.index(after: dot)...].lowercased())
        else { return nil }
        self = format
    }
}
