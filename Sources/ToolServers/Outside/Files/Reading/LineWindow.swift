import Base

/// A range of numbered lines of a text that comes in pieces, within bounds. Pure; it keeps
/// only what it returns.
struct LineWindow {
    /// Maximum bytes returned: below the limit for a tool's result, which would cut it without saying
    /// where to go on.
    static let limitInBytes = 50_000
    /// A longer line, which no one has written, is cut and marked: otherwise a minified file would be all
    /// that is returned.
    static let lineLimitInBytes = 2_000
    static let (usualCount, mostLines) = (1_000, 2_000)

    let first: Int
    private let count: Int
    private var bytes = 0
    private var line: [UInt8] = []
    private var lineBytes = 0
    private var isInLine = false
    /// Number of complete lines so far.
    private(set) var total = 0
    private(set) var lines: [String] = []
    /// Whether the byte limit was reached before the line limit.
    private(set) var isFull = false

    init(first: Int, count: Int) {
        self.first = max(1, first)
        self.count = min(max(1, count), Self.mostLines)
    }

    private var takes: Bool { total + 1 >= first && lines.count < count && !isFull }

    mutating func take(_ chunk: [UInt8]) {
        var rest = chunk[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A)
            let piece = rest[..<(end ?? rest.endIndex)]
            if takes {
                line += piece.prefix(max(0, Self.lineLimitInBytes - line.count))
            }
            lineBytes += piece.count
            isInLine = true
            guard let end else { return }
            endLine()
            rest = rest[(end + 1)...]
        }
    }

    mutating func finish() {
        if isInLine { endLine() }
    }

    private mutating func endLine() {
        if takes {
            var text = Self.text(line)
            if lineBytes > line.count {
                text += " … [the line has \(Quantities.grouped(lineBytes)) bytes]"
            }
            bytes += text.utf8.count + 8
            if bytes > Self.limitInBytes, !lines.isEmpty {
                isFull = true
            } else {
                lines.append(text)
            }
        }
        total += 1
        line.removeAll(keepingCapacity: true)
        (lineBytes, isInLine) = (0, false)
    }

    /// A cut may have left half a character; old files are in Windows-1252.
    private static func text(_ bytes: [UInt8]) -> String {
        var bytes = bytes
        if bytes.last == 0x0D { bytes.removeLast() }
        if bytes.count >= lineLimitInBytes {
            var tail = bytes.suffix(3).count { $0 & 0xC0 == 0x80 }
            while tail > 0, bytes.last.map({ $0 & 0xC0 == 0x80 }) ?? false {
                bytes.removeLast()
                tail -= 1
            }
            if bytes.last.map({ $0 >= 0xC0 }) ?? false { bytes.removeLast() }
        }
        return UntrustedText.cleaned(
            String(validating: bytes, as: UTF8.self) ?? String(windows1252: bytes))
    }
}
