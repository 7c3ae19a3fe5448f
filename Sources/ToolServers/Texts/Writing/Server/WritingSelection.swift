import AgentCore
import Base

/// The part of a text to work on: all of it, lines, or a paragraph. Pure.
struct WritingSelection: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case all
        /// Counted from 1.
        case lines(ClosedRange<Int>)
        case paragraph(Int)
    }

    /// The text before the part; `text` is the part, `after` the rest.
    let before: String
    let text: String
    let after: String

    /// - Throws: `WritingError.noPart`, also if the part begins or ends within a
    ///   protected span.
    init(_ part: Part, of text: String) throws(WritingError) {
        let range: Range<Int>
        switch part {
        case .all:
            before = ""
            self.text = text
            after = ""
            return
        case .lines(let lines): range = try Self.range(of: lines, in: Array(text.utf8))
        case .paragraph(let number): range = try Self.range(ofParagraph: number, in: text)
        }
        let protected = ProtectedText(text)
        let cut = protected.spans.first { span in
            [range.lowerBound, range.upperBound].contains {
                span.range.lowerBound < $0 && $0 < span.range.upperBound
            }
        }
        if let cut {
            throw WritingError(
                .noPart("That part begins or ends in the middle of a \(cut.kind.rawValue)."))
        }
        let bytes = Array(text.utf8)
        before = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
        self.text = String(decoding: bytes[range], as: UTF8.self)
        after = String(decoding: bytes[range.upperBound...], as: UTF8.self)
    }

    func whole(_ part: String) -> String { before + part + after }

    /// `3-5`, `3`, `3-`.
    static func lines(_ text: String) throws(UsageError) -> ClosedRange<Int> {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let first = parts.first.flatMap { Int($0) }
        let last = parts.count == 1 ? first : parts[1].isEmpty ? Int.max : Int(parts[1])
        guard let first, let last, first >= 1, last >= first else {
            throw UsageError(
                "--lines cannot be \"\(KeyShape.shown(text))\".",
                hint: "Use --lines 3-5 or --lines 7.")
        }
        return first...last
    }

    private static func range(
        of lines: ClosedRange<Int>, in bytes: [UInt8]
    ) throws(WritingError) -> Range<Int> {
        var number = 1
        var start = 0
        var range: Range<Int>?
        while start < bytes.count, number <= lines.upperBound {
            let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            if number >= lines.lowerBound { range = (range?.lowerBound ?? start)..<end }
            start = end
            number += 1
        }
        guard let range else {
            throw WritingError(
                .noPart("The text has only \(Quantities.count(number - 1, "line"))."))
        }
        return range
    }

    private static func range(
        ofParagraph number: Int, in text: String
    ) throws(WritingError) -> Range<Int> {
        var start = 0
        var count = 0
        for part in TextDiff.paragraphs(text) {
            let end = start + part.utf8.count
            if part.contains(where: { !$0.isWhitespace }) { count += 1 }
            if count == number { return start..<end }
            start = end
        }
        throw WritingError(.noPart("The text has only \(Quantities.count(count, "paragraph"))."))
    }
}
