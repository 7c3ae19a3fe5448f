import FoundationEssentials

/// How an attachment is shown to a model: as text, as an image or document,
/// or, where the model cannot take its type, as a note that it exists.
package enum AttachmentContent: Sendable, Equatable {
    case text(String)
    case image(mediaType: String, base64: String)
    case pdf(name: String, base64: String)

    package init(_ attachment: Attachment) {
        let type = attachment.mediaType.lowercased()
        let essence = String(type.prefix { $0 != ";" && $0 != " " })
        switch essence {
        // The four that all three wire formats accept.
        case "image/png", "image/jpeg", "image/gif", "image/webp":
            self = .image(mediaType: essence, base64: Self.base64(attachment.bytes))
        case "application/pdf":
            self = .pdf(name: attachment.name, base64: Self.base64(attachment.bytes))
        case _ where Self.isText(essence):
            let text = String(decoding: attachment.bytes, as: UTF8.self)
            self = .text("File \(attachment.name):\n\(text)")
        default:
            self = .text(
                "File \(attachment.name) (\(essence)) was attached; its content cannot be shown.")
        }
    }

    private static func isText(_ type: String) -> Bool {
        type.hasPrefix("text/") || type == "application/json" || type == "application/xml"
            || type.hasSuffix("+json") || type.hasSuffix("+xml") && !type.hasPrefix("image/")
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }
}
