/// The lines of a paragraph that begins with `[`, held back until it is clear whether they define
/// links (CommonMark 4.7).
struct LinkDefinitions: Sendable {
    /// Maximum size of a definition; a longer one is text.
    static let limit = 4096

    private(set) var lines: [[UInt8]] = []

    mutating func add(_ line: [UInt8]) { lines.append(line) }

    /// Records the complete definitions; returns whether the remaining lines are text.
    mutating func settle(into references: inout LinkReferences, isEnd: Bool) -> Bool {
        while !lines.isEmpty {
            let bytes = Array(lines.joined(separator: [0x0A]))
            switch definition(bytes, isEnd: isEnd || bytes.count > Self.limit) {
            case .none:
                return true
            case .unfinished:
                return isEnd
            case .found(let label, let target, let end):
                references.define(bytes[label], target)
                let left = bytes[end...].split(separator: 0x0A, omittingEmptySubsequences: false)
                lines = end >= bytes.count ? [] : left.dropFirst().map { Array($0) }
                if let first = lines.first, first.first != UInt8(ascii: "[") { return true }
            }
        }
        return false
    }

    private enum Reading {
        /// A definition that ends at a line break, or at the end.
        case found(label: Range<Int>, LinkReferences.Target, end: Int)
        case none
        case unfinished
    }

    private func definition(_ bytes: [UInt8], isEnd: Bool) -> Reading {
        let unfinished = isEnd ? Reading.none : .unfinished
        switch LinkSyntax.label(bytes, at: 0) {
        case .none: return .none
        case .unfinished: return unfinished
        case .found(let label, let labelEnd):
            guard bytes[label].contains(where: { !ByteClass.isSpace($0) }),
                labelEnd < bytes.count, bytes[labelEnd] == UInt8(ascii: ":")
            else { return .none }
            let start = LinkSyntax.skipSpace(bytes, labelEnd + 1)
            guard start < bytes.count else { return unfinished }
            switch LinkSyntax.destination(bytes, at: start) {
            case .none: return .none
            case .unfinished: return unfinished
            case .found(let url, let urlEnd):
                guard urlEnd > start else { return .none }
                return titled(bytes, label: label, url: url, urlEnd: urlEnd, isEnd: isEnd)
            }
        }
    }

    private func titled(
        _ bytes: [UInt8], label: Range<Int>, url: Range<Int>, urlEnd: Int, isEnd: Bool
    ) -> Reading {
        let address = LinkSyntax.unescaped(bytes[url])
        let plain = lineEnd(bytes, urlEnd).map {
            Reading.found(label: label, LinkReferences.Target(url: address, title: nil), end: $0)
        }
        let start = LinkSyntax.skipSpace(bytes, urlEnd)
        guard start > urlEnd || start == bytes.count else { return .none }
        switch LinkSyntax.title(bytes, at: start) {
        case .none: return plain ?? .none
        case .unfinished: return isEnd ? plain ?? .none : .unfinished
        case .found(let title, let end):
            guard let end = lineEnd(bytes, end) else { return plain ?? .none }
            let text = LinkSyntax.unescaped(bytes[title])
            return .found(label: label, LinkReferences.Target(url: address, title: text), end: end)
        }
    }

    /// The end of the line, if only white space precedes it.
    private func lineEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
        var at = start
        while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x09 { at += 1 }
        return at == bytes.count || bytes[at] == 0x0A ? at : nil
    }
}
