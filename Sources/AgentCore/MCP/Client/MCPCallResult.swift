import AgentCore
import Base

/// The result of `tools/call`, and its parts for the model: text, and pictures as attachments.
/// Pure. All of it is untrusted, and bounded.
package struct MCPCallResult: Sendable, Equatable {
    package var text = ""
    package var pictures: [Attachment] = []
    package var isError = false

    private static let partLimit = 64
    private static let pictureLimit = 4
    private static let pictureBytes = 3 << 20

    package init(_ result: JSONObject) {
        isError = result["isError"]?.boolValue ?? false
        let content = result["content"]?.arrayValue ?? []
        var words = content.prefix(Self.partLimit).map { part($0) }
        if content.count > Self.partLimit {
            words.append("[\(content.count - Self.partLimit) more parts are left out]")
        }
        // Servers usually repeat this as text; it is used only if they do not.
        let hasText = content.contains { $0["type"]?.stringValue == "text" }
        if !hasText, let structured = result["structuredContent"], !structured.isNull {
            words.append(UntrustedText.cleaned(JSONWriter.string(structured)))
        }
        text = words.filter { !$0.isEmpty }.joined(separator: "\n")
        if text.isEmpty { text = isError ? "The tool failed without a word." : "Done; no output." }
    }

    /// The text for one part; a picture is kept separately.
    private mutating func part(_ value: JSONValue) -> String {
        switch value["type"]?.stringValue {
        case "text": return UntrustedText.cleaned(value["text"]?.stringValue ?? "")
        case "image": return picture(value)
        case "audio": return "[audio: \(Self.type(value)), not passed on]"
        case "resource_link": return "[resource: \(Self.link(value))]"
        case "resource": return Self.resource(value["resource"] ?? [:])
        case let type:
            let name = UntrustedText.line(type ?? "none", limit: 40)
            return "[a part of the unknown type \"\(name)\"]"
        }
    }

    private mutating func picture(_ value: JSONValue) -> String {
        let type = Self.type(value)
        guard let data = value["data"]?.stringValue, data.utf8.count < Self.pictureBytes / 3 * 4,
            AttachmentContent.imageTypes.contains(type), let bytes = Base64.bytes(data),
            !bytes.isEmpty
        else { return "[image: \(type), not passed on]" }
        guard pictures.count < Self.pictureLimit else { return "[image: one too many, left out]" }
        let name = "image \(pictures.count + 1).\(type.dropFirst("image/".count))"
        pictures.append(Attachment(name: name, mediaType: type, bytes: bytes))
        return "[\(name), \(Quantities.bytes(bytes.count))]"
    }

    /// The text of an embedded resource, or a note in its place.
    private static func resource(_ value: JSONValue) -> String {
        if let text = value["text"]?.stringValue {
            let place = UntrustedText.line(value["uri"]?.stringValue ?? "", limit: 300)
            return "[\(place)]\n\(UntrustedText.cleaned(text))"
        }
        return "[resource: \(link(value)), not text]"
    }

    private static func link(_ value: JSONValue) -> String {
        ["title", "name", "uri", "mimeType", "description"].compactMap {
            value[$0]?.stringValue.map { UntrustedText.line($0, limit: 300) }
        }.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private static func type(_ value: JSONValue) -> String {
        UntrustedText.line(value["mimeType"]?.stringValue ?? "unknown type", limit: 60).lowercased()
    }
}
