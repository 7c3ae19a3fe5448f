import Foundation

/// A `multipart/form-data` body taken apart, written from RFC 2046 §5.1 and
/// RFC 7578 and not from what the program sends.
///
/// It is strict: what a lenient server would guess at is an error here.
package struct MultipartForm: Sendable, Equatable {
    package struct Part: Sendable, Equatable {
        /// Lower-case names.
        package var headers: [String: String]
        package var body: [UInt8]

        package var disposition: String? { headers["content-disposition"] }
        package var type: String? { headers["content-type"] }
        package var text: String { String(decoding: body, as: UTF8.self) }
        package var name: String? { parameter("name") }
        package var filename: String? { parameter("filename") }

        /// As it stands between the quotes.
        private func parameter(_ name: String) -> String? {
            guard let disposition, let start = disposition.range(of: "; \(name)=\"") else {
                return nil
            }
            let rest = disposition[start.upperBound...]
            return rest.firstIndex(of: "\"").map { String(rest[..<$0]) }
        }
    }

    package struct Malformed: Error {
        package var what: String
    }

    package var parts: [Part]

    /// The texts of all parts with that name, in order.
    package subscript(name: String) -> [String] {
        parts.filter { $0.name == name }.map(\.text)
    }

    package init(_ request: RecordedRequest) throws {
        let prefix = "multipart/form-data; boundary="
        guard let type = request[header: "content-type"], type.hasPrefix(prefix) else {
            throw Malformed(what: "no boundary in the content type")
        }
        try self.init(Data(request.body), boundary: String(type.dropFirst(prefix.count)))
    }

    package init(_ body: Data, boundary: String) throws {
        let delimiter = Data("--\(boundary)".utf8)
        let lineBreak = Data("\r\n".utf8)
        guard body.starts(with: delimiter) else { throw Malformed(what: "no first boundary") }
        parts = []
        var rest = body.startIndex + delimiter.count
        while body[rest...].starts(with: lineBreak) {
            let start = rest + 2
            guard let end = body.range(of: lineBreak + delimiter, in: start..<body.endIndex) else {
                throw Malformed(what: "a part without end")
            }
            guard let head = body.range(of: lineBreak + lineBreak, in: start..<end.lowerBound)
            else { throw Malformed(what: "a part without an empty line") }
            parts.append(
                Part(
                    headers: try Self.headers(body[start..<head.lowerBound]),
                    body: [UInt8](body[head.upperBound..<end.lowerBound])))
            rest = end.upperBound
        }
        guard body[rest...] == Data("--\r\n".utf8) else {
            throw Malformed(what: "no last boundary")
        }
    }

    private static func headers(_ bytes: Data) throws -> [String: String] {
        var headers: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else {
                throw Malformed(what: "a header without colon")
            }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            guard headers.updateValue(value, forKey: line[..<colon].lowercased()) == nil else {
                throw Malformed(what: "a header twice")
            }
        }
        return headers
    }
}
