/// A `multipart/form-data` body (RFC 7578) as slices to send, and its content type. Pure: it
/// computes the position of each part, and reads no file.
package struct MultipartBody: Sendable {
    /// One field of the form.
    package struct Part: Sendable {
        package var name: String
        package var filename: String?
        package var contentType: String?
        package var content: [BodySlice]

        package init(
            name: String, filename: String? = nil, contentType: String? = nil,
            content: [BodySlice]
        ) {
            self.name = name
            self.filename = filename
            self.contentType = contentType
            self.content = content
        }

        package init(name: String, text: String) {
            self.init(name: name, content: [.bytes([UInt8](text.utf8))])
        }
    }

    package let contentType: String
    package let slices: [BodySlice]
    /// The range of each part's content in the body, in order.
    package let ranges: [Range<Int>]

    /// - Parameter boundary: must not occur in any content: random, at most 70 letters, digits and
    ///   hyphens.
    package init(_ parts: [Part], boundary: String) {
        var slices: [BodySlice] = []
        var ranges: [Range<Int>] = []
        var count = 0
        func add(_ new: [BodySlice]) {
            slices += new
            count += new.reduce(0) { $0 + $1.count }
        }
        for (index, part) in parts.enumerated() {
            add([.bytes(Self.head(of: part, boundary: boundary, isFirst: index == 0))])
            let start = count
            add(part.content)
            ranges.append(start..<count)
        }
        add([.bytes([UInt8]("\(parts.isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8))])
        contentType = "multipart/form-data; boundary=\(boundary)"
        self.slices = slices
        self.ranges = ranges
    }

    private static func head(of part: Part, boundary: String, isFirst: Bool) -> [UInt8] {
        var head = "\(isFirst ? "" : "\r\n")--\(boundary)\r\n"
        head += "Content-Disposition: form-data; name=\"\(escaped(part.name))\""
        if let name = part.filename { head += "; filename=\"\(escaped(name))\"" }
        if let type = part.contentType { head += "\r\nContent-Type: \(escaped(type))" }
        return [UInt8]((head + "\r\n\r\n").utf8)
    }

    /// Escapes characters that could end the quotes or the line (WHATWG HTML,
    /// "multipart/form-data encoding algorithm").
    private static func escaped(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": clean.append(contentsOf: "%22".unicodeScalars)
            case "\r": clean.append(contentsOf: "%0D".unicodeScalars)
            case "\n": clean.append(contentsOf: "%0A".unicodeScalars)
            default: clean.append(scalar)
            }
        }
        return String(clean)
    }
}
