/// A text with the spans that no writing tool may change: code, links and
/// addresses, quotes, front matter, HTML tags, placeholders such as `{{x}}`.
/// Pure; linear in the length of the text.
///
/// A model is given the text with a token (`⟦1⟧`) in place of each span. The
/// bytes are put back into its answer, which is refused if the spans of the
/// result differ from the original in any byte. Spans are defined by CommonMark
/// (fences 4.5, code spans 6.1, links 6.3, HTML 6.6); doubtful cases are
/// protected.
package struct ProtectedText: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case frontMatter = "front matter"
        case codeBlock = "code block"
        case code = "inline code"
        case quote, link, address
        case tag = "HTML tag"
        case placeholder

        /// Whether it occupies whole lines, whose order must be kept.
        package var isBlock: Bool {
            switch self {
            case .frontMatter, .codeBlock, .quote: true
            case .code, .link, .address, .tag, .placeholder: false
            }
        }
    }

    package struct Span: Sendable, Equatable {
        package var kind: Kind
        /// UTF-8 offsets into the text. A block does not include its last line
        /// break.
        package var range: Range<Int>
    }

    /// Whether the text is not Markdown: an indented paragraph of words is then
    /// prose.
    @TaskLocal package static var isPlain = false

    package let text: String
    /// The spans, ascending and not overlapping.
    package let spans: [Span]

    package init(_ text: String) {
        self.text = text
        spans = ProtectedSpans.spans(in: Array(text.utf8))
    }

    /// Whether any byte of it is protected.
    package func touches(_ range: Range<Int>) -> Bool {
        // The first span that does not end before it.
        var low = 0
        var high = spans.count
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].range.upperBound <= range.lowerBound {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < spans.count && spans[low].range.lowerBound < range.upperBound
    }

    /// The bytes of each span, in order.
    private var contents: [ArraySlice<UInt8>] {
        let bytes = Array(text.utf8)
        return spans.map { bytes[$0.range] }
    }

    // MARK: - For a model

    /// The text with a token in place of each span.
    package var masked: String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var end = 0
        for (index, span) in spans.enumerated() {
            result += bytes[end..<span.range.lowerBound]
            result += Array(Self.token(index + 1).utf8)
            end = span.range.upperBound
        }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }

    /// The text without the spans.
    package var prose: String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var end = 0
        for span in spans {
            result += bytes[end..<span.range.lowerBound]
            end = span.range.upperBound
        }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }

    private static func token(_ number: Int) -> String { "⟦\(number)⟧" }

    /// Puts the spans back into an answer to `masked`. A span that the model wrote out unchanged
    /// also counts as kept.
    ///
    /// - Throws: if a span is missing, changed, doubled or invented.
    package func unmask(_ answer: String) throws(Violation) -> String {
        let bytes = Array(answer.utf8)
        let contents = contents
        var seen: Set<Int> = []
        var result: [UInt8] = []
        var end = 0
        for found in ProtectedSpans.tokens(in: bytes) {
            guard contents.indices.contains(found.number - 1) else {
                throw Violation(.invented, .placeholder, excerpt: Self.token(found.number))
            }
            guard seen.insert(found.number).inserted else {
                throw violation(.doubled, found.number - 1)
            }
            result += bytes[end..<found.range.lowerBound]
            result += contents[found.number - 1]
            end = found.range.upperBound
        }
        let whole = String(decoding: result + bytes[end...], as: UTF8.self)
        if let violation = violation(in: whole) { throw violation }
        return whole
    }

    // MARK: - Verifying

    /// The problem with the spans of another version of this text; nil if all of
    /// them are present, byte for byte, none is new, and blocks are in order.
    package func violation(in other: String) -> Violation? {
        let (mine, theirs) = (self, ProtectedText(other))
        let (old, new) = (mine.contents, theirs.contents)
        if old == new { return nil }
        var counts: [ArraySlice<UInt8>: Int] = [:]
        for content in new { counts[content, default: 0] += 1 }
        for (index, content) in old.enumerated() {
            counts[content, default: 0] -= 1
            if counts[content, default: 0] < 0 { return violation(.lost, index) }
        }
        for (index, content) in new.enumerated() where counts[content, default: 0] > 0 {
            return theirs.violation(old.contains(content) ? .doubled : .invented, index)
        }
        func blocks(_ text: ProtectedText, _ contents: [ArraySlice<UInt8>]) -> [(
            Int, ArraySlice<UInt8>
        )] {
            contents.enumerated().filter { text.spans[$0.offset].kind.isBlock }.map {
                ($0.offset, $0.element)
            }
        }
        for (one, two) in zip(blocks(mine, old), blocks(theirs, new)) where one.1 != two.1 {
            return violation(.moved, one.0)
        }
        return nil
    }

    private func violation(_ fault: Violation.Fault, _ index: Int) -> Violation {
        let bytes = Array(text.utf8)[spans[index].range]
        let line = String(decoding: bytes.prefix(200), as: UTF8.self)
            .split(whereSeparator: \.isNewline).joined(separator: " ")
        return Violation(
            fault, spans[index].kind, excerpt: line.count > 40 ? "\(line.prefix(39))…" : line)
    }

    /// The reason why an answer is refused.
    package struct Violation: Error, Sendable, Equatable {
        package enum Fault: Sendable, Equatable { case lost, doubled, invented, moved }

        package var fault: Fault
        package var kind: Kind
        /// The beginning of the span, on one line; untrusted text.
        package var excerpt: String

        init(_ fault: Fault, _ kind: Kind, excerpt: String) {
            self.fault = fault
            self.kind = kind
            self.excerpt = excerpt
        }

        /// `the code block "swift build" was changed or left out`.
        package var sentence: String {
            let what =
                switch fault {
                case .lost: "was changed or left out"
                case .doubled: "appears twice"
                case .invented: "was not in the text"
                case .moved: "was moved"
                }
            return "the \(kind.rawValue) \"\(excerpt)\" \(what)"
        }
    }
}
