import AgentCore
import Base

/// The formats for exporting a conversation.
package enum ExportFormat: String, CaseIterable {
    case md, json

    package init(word: String) throws(UsageError) {
        switch word {
        case "markdown": self = .md
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
    /// - Throws: `UsageError` for a page, which Markdown under that name would not be.
    package init?(ofFile name: String) throws(UsageError) {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "md", "markdown": self = .md
        case "json": self = .json
        case "html", "htm":
            throw UsageError(
                "Conversations are not exported as HTML.",
                hint: "Use .md; pandoc -s FILE.md -o FILE.html makes a page of it.")
        default: return nil
        }
    }
}
