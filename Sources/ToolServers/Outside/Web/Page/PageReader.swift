import Base
import Documents

/// Reads a server's response as a page: its kind, and its text.
///
/// It fetches nothing. Only a PDF needs another program.
struct PageReader: Sendable {
    enum Kind: String, Sendable {
        case html = "HTML"
        case pdf = "PDF"
        case json = "JSON"
        case xml = "XML"
        case text
    }

    private let pdf: PDFText

    /// - Parameter variables: the environment's, for `pdftotext`.
    init(variables: [String: String]) { pdf = PDFText(variables: variables) }

    /// The kind for a content type; nil if it is not text, or there is no type.
    /// - Parameter type: the header `Content-Type`: "text/html; charset=utf-8".
    static func kind(ofType type: String) -> Kind? {
        let name = type.prefix { $0 != ";" }.trimmingSpace().lowercased()
        switch name {
        case "text/html", "application/xhtml+xml": return .html
        case "application/pdf", "application/x-pdf": return .pdf
        case "application/json": return .json
        case "application/xml", "text/xml": return .xml
        default:
            if name.hasSuffix("+json") { return .json }
            // A drawing is an image.
            if name.hasSuffix("+xml"), name != "image/svg+xml" { return .xml }
            return name.hasPrefix("text/") ? .text : nil
        }
    }

    /// - Parameters:
    ///   - type: the header `Content-Type`, if there is one.
    ///   - address: the page's address.
    /// - Throws: `FetchError`, `PDFTextError`, `CancellationError`.
    func read(_ bytes: [UInt8], type: String?, address: String) async throws -> WebPage {
        let kind: Kind
        if let type {
            guard let known = Self.kind(ofType: type) else {
                throw FetchError(.type(UntrustedText.line(type, limit: 60)), address)
            }
            kind = known
        } else {
            kind = Self.guess(bytes)
        }
        if kind == .pdf {
            guard PDFText.isPDF(bytes) else { throw FetchError(.binary, address) }
            let text = try await pdf.read(bytes, name: address)
            return WebPage(
                address: address, title: Self.name(address), kind: kind.rawValue,
                text: UntrustedText.cleaned(text))
        }
        let text = PageDecoding.text(
            bytes, charset: type.flatMap(Self.charset), isMarkup: kind == .html || kind == .xml)
        // Images and programs sent as text.
        if text.utf8.prefix(4_096).contains(0) { throw FetchError(.binary, address) }
        guard kind == .html || kind == .text && Self.isHTML(text) else {
            return WebPage(
                address: address, title: Self.name(address), kind: kind.rawValue,
                text: UntrustedText.cleaned(text).trimmingSpace())
        }
        let page = HTMLMarkdown(Array(text.utf8), address: address)
        return WebPage(
            address: address, title: UntrustedText.line(page.title, limit: 200),
            kind: Kind.html.rawValue, text: UntrustedText.cleaned(page.text),
            wasCut: page.wasCut)
    }

    private static func guess(_ bytes: [UInt8]) -> Kind {
        if PDFText.isPDF(bytes) { return .pdf }
        return isHTML(String(decoding: bytes.prefix(512), as: UTF8.self)) ? .html : .text
    }

    /// Whether plain text is a page: only if it begins like one, since it was declared as
    /// text.
    private static func isHTML(_ text: String) -> Bool {
        let start = text.prefix(200).drop(while: \.isWhitespace).lowercased()
        return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
    }

    private static func charset(_ type: String) -> String? {
        for parameter in type.split(separator: ";").dropFirst() {
            let words = parameter.split(separator: "=", maxSplits: 1)
            if words.count == 2, words[0].trimmingSpace().lowercased() == "charset" {
                return String(words[1])
            }
        }
        return nil
    }

    /// The last component of the path.
    private static func name(_ address: String) -> String {
        let path = address.prefix { $0 != "?" }
        return String(
            path[
                (path.lastIndex(of: "/").map { path.index(after: $0) }
                    ?? path.startIndex)...
            ].prefix(200))
    }
}
