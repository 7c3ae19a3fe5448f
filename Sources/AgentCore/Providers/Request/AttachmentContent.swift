import Base

/// The form in which a model gets an attachment: as fenced text, as an image or document, or, if no
/// format supports its type, as a note that it exists.
///
/// `RequestAttachments` decides beforehand whether this model accepts it.
package enum AttachmentContent: Sendable, Equatable {
    case text(String)
    case image(mediaType: String, base64: String)
    case pdf(name: String, base64: String)

    package enum Kind: Sendable, Equatable {
        case text, image, pdf, other
    }

    package init(_ attachment: Attachment) {
        switch Self.kind(of: attachment) {
        case .image:
            self = .image(
                mediaType: Self.essence(attachment), base64: Base64.text(attachment.bytes))
        case .pdf:
            self = .pdf(name: attachment.name, base64: Base64.text(attachment.bytes))
        case .text:
            let text = String(decoding: attachment.bytes, as: UTF8.self)
            self = .text("File \(attachment.name):\n\(Self.fenced(text, name: attachment.name))")
        case .other:
            self = .text(
                "File \(attachment.name) (\(Self.essence(attachment))) was attached; "
                    + "its content cannot be shown.")
        }
    }

    /// The four that all three wire formats accept.
    package static let imageTypes: Set = ["image/png", "image/jpeg", "image/gif", "image/webp"]

    package static func kind(of attachment: Attachment) -> Kind {
        let type = essence(attachment)
        switch type {
        case _ where imageTypes.contains(type): return .image
        case "application/pdf": return .pdf
        case "application/json", "application/xml": return .text
        default:
            let isText =
                type.hasPrefix("text/") || type.hasSuffix("+json")
                || type.hasSuffix("+xml") && !type.hasPrefix("image/")
            return isText ? .text : .other
        }
    }

    /// A fence that the text cannot close: longer than any row of backticks in it
    /// (CommonMark 0.31 §4.5).
    package static func fence(for text: String) -> String {
        var longest = 2
        var run = 0
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        return String(repeating: "`", count: longest + 1)
    }

    /// The text between fences.
    package static func fenced(_ text: String, name: String) -> String {
        let fence = fence(for: text)
        let end = text.utf8.last == UInt8(ascii: "\n") || text.isEmpty ? "" : "\n"
        return "\(fence)\(language(of: name))\n\(text)\(end)\(fence)"
    }

    /// The language tag of the code fence; empty if the file's name does not show it.
    package static func language(of name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        let suffix = name[name.index(after: dot)...].lowercased()
        return languages[suffix] ?? ""
    }

    private static let languages: [String: String] = [
        "swift": "swift", "py": "python", "js": "javascript", "mjs": "javascript", "jsx": "jsx",
        "ts": "typescript", "tsx": "tsx", "c": "c", "h": "c", "cc": "cpp", "cpp": "cpp",
        "hpp": "cpp", "rs": "rust", "go": "go", "java": "java", "kt": "kotlin", "rb": "ruby",
        "php": "php", "cs": "csharp", "sh": "bash", "bash": "bash", "zsh": "zsh", "fish": "fish",
        "sql": "sql", "html": "html", "css": "css", "xml": "xml", "json": "json", "yaml": "yaml",
        "yml": "yaml", "toml": "toml", "ini": "ini", "md": "markdown", "tex": "latex",
        "diff": "diff", "patch": "diff", "csv": "csv", "lua": "lua", "r": "r", "hs": "haskell",
    ]

    private static func essence(_ attachment: Attachment) -> String {
        String(attachment.mediaType.lowercased().prefix { $0 != ";" && $0 != " " })
    }
}
