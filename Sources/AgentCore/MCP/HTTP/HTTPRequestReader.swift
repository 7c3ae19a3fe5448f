import Base

/// Parses the requests of one HTTP/1.1 connection (RFC 9112), strictly: it refuses input that two
/// parsers could read differently. Pure; a push parser.
package struct HTTPRequestReader: Sendable {
    package struct Head: Sendable, Equatable {
        package var method: String
        /// The target as sent: "/mcp".
        package var target: String
        /// Names in lower case.
        package var headers: [String: String]
        package var bodyLength: Int
    }

    package enum Event: Sendable, Equatable {
        case head(Head)
        /// The body that belongs to the previous head; may be empty.
        case body([UInt8])
    }

    /// Nothing can be read after one of these.
    package enum Failure: Int, Error, Sendable {
        case malformed = 400
        case timeout = 408
        case lengthRequired = 411
        case bodyTooLong = 413
        case headTooLong = 431
        case versionNotSupported = 505
    }

    private static let headLimit = 32 << 10

    private let bodyLimit: Int
    private var rest: [UInt8] = []
    /// Position up to which the end of the head was searched without success.
    private var searched = 0
    private var awaited: Int?

    package init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

    /// Whether no byte of a request has arrived.
    package var isEmpty: Bool { rest.isEmpty && awaited == nil }

    package mutating func push(_ bytes: some Sequence<UInt8>) { rest += bytes }

    /// Nil until more bytes have arrived.
    package mutating func next() throws(Failure) -> Event? {
        if let length = awaited {
            guard rest.count >= length else { return nil }
            defer {
                rest.removeFirst(length)
                awaited = nil
            }
            return .body(Array(rest[..<length]))
        }
        // An empty line before a request is ignored (RFC 9112 §2.2).
        if searched == 0, rest.starts(with: [0x0D, 0x0A]) { rest.removeFirst(2) }
        guard let end = headEnd() else {
            if rest.count > Self.headLimit { throw .headTooLong }
            return nil
        }
        if end > Self.headLimit { throw .headTooLong }
        let head = try head(String(decoding: rest[..<end], as: UTF8.self))
        rest.removeFirst(end + 4)
        searched = 0
        awaited = head.bodyLength
        return .head(head)
    }

    private mutating func headEnd() -> Int? {
        while searched + 4 <= rest.count {
            // In bounds: there are at least four bytes.
            if rest[searched...].starts(with: [0x0D, 0x0A, 0x0D, 0x0A]) { return searched }
            searched += 1
        }
        return nil
    }

    private func head(_ text: String) throws(Failure) -> Head {
        // Split by scalars: "\r\n" is one character.
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "\r" else {
                line.append(scalar)
                continue
            }
            guard scalars.next() == "\n" else { throw .malformed }
            lines.append(String(line))
            line = String.UnicodeScalarView()
        }
        lines.append(String(line))
        let parts = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
        else { throw .malformed }
        guard parts[2] == "HTTP/1.1" else { throw .versionNotSupported }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw .malformed }
            let name = line[..<colon]
            let value = line[line.index(after: colon)...].trimmingSpace()
            // No space in a name, no control character in a value, and no header twice: one that
            // may be repeated, such as Accept, is joined.
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isToken),
                value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
            else { throw .malformed }
            let key = name.lowercased()
            if let before = headers[key] {
                guard key == "accept" else { throw .malformed }
                headers[key] = "\(before), \(value)"
            } else {
                headers[key] = value
            }
        }
        if headers["transfer-encoding"] != nil { throw .lengthRequired }
        var length = 0
        if let text = headers["content-length"] {
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(text)
            else { throw .malformed }
            if number > bodyLimit { throw .bodyTooLong }
            length = number
        } else if parts[0] == "POST" {
            throw .lengthRequired
        }
        return Head(
            method: String(parts[0]), target: String(parts[1]), headers: headers,
            bodyLength: length)
    }

    /// `tchar` of RFC 9110 §5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
