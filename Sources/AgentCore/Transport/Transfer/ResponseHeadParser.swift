/// Builds the final response head from header lines, one at a time.
///
/// A connection may carry several heads for one request: interim responses
/// (1xx, RFC 9110 §15.2) come first and are dropped, and every status line
/// starts afresh. Lines after the final head are trailers and are dropped too.
/// It does not judge the headers.
struct ResponseHeadParser: Sendable {
    enum Outcome: Sendable, Equatable {
        case more
        case complete(HTTPResponseHead)
        /// All heads together are above the limit.
        case tooLarge
    }

    private let limitInBytes: Int
    private var size = 0
    private var status = 0
    private var headers: [HTTPHeader] = []
    private var isComplete = false

    init(limitInBytes: Int) {
        self.limitInBytes = limitInBytes
    }

    /// Takes one line with its line ending, as libcurl passes it.
    mutating func consume(line: UnsafeRawBufferPointer) -> Outcome {
        // Interim heads and trailers count too: an endless series of them is the same attack as an
        // endless head.
        size += line.count
        guard size <= limitInBytes else { return .tooLarge }
        guard !isComplete else { return .more }

        let text = Self.trimmingLineEnd(line)
        if Self.isStatusLine(text) {
            status = Self.status(of: text)
            headers = []
            return .more
        }
        if text.isEmpty {
            guard !(100..<200).contains(status) else { return .more }
            isComplete = true
            return .complete(HTTPResponseHead(status: status, headers: headers))
        }
        append(text)
        return .more
    }

    private mutating func append(_ line: Slice<UnsafeRawBufferPointer>) {
        // Obsolete line folding (RFC 9112 §5.2): the line continues a value.
        if let first = line.first, Self.isBlank(first), !headers.isEmpty {
            headers[headers.count - 1].value += " " + Self.text(Self.trimmingBlanks(line))
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        headers.append(
            HTTPHeader(
                Self.text(Self.trimmingBlanks(line[..<colon])),
                Self.text(Self.trimmingBlanks(line[line.index(after: colon)...]))))
    }

    private static func isStatusLine(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        line.starts(with: "HTTP/".utf8)
    }

    /// `HTTP/1.1 200 OK` or `HTTP/2 200`.
    private static func status(of line: Slice<UnsafeRawBufferPointer>) -> Int {
        let afterVersion = line.drop { $0 != UInt8(ascii: " ") }
        let digits = trimmingBlanks(afterVersion).prefix { (48...57).contains($0) }.prefix(3)
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static func trimmingLineEnd(
        _ line: UnsafeRawBufferPointer
    ) -> Slice<UnsafeRawBufferPointer> {
        var text = line[...]
        while let last = text.last, last == 10 || last == 13 { text = text.dropLast() }
        return text
    }

    private static func trimmingBlanks(
        _ bytes: Slice<UnsafeRawBufferPointer>
    ) -> Slice<UnsafeRawBufferPointer> {
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes = bytes.dropLast() }
        return bytes
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
