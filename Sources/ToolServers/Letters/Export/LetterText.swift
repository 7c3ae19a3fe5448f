import Base

/// A letter as blocks separated by empty lines. Pure.
///
/// An address keeps its lines; a paragraph has one. Paragraphs wrapped in an editor are
/// joined, since web forms and mail programs wrap by themselves.
struct LetterText: Sendable, Equatable {
    /// Each block has one line or more; an empty one is room for a signature.
    var blocks: [[String]]

    init(_ body: String) {
        var blocks: [[String]] = [[]]
        var blank = 0
        for line in body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let text = line.trimmingSpace()
            if text.isEmpty {
                blank += 1
                if blocks.last?.isEmpty == false { blocks.append([]) }
            } else {
                if blank >= 3, blocks.count > 1 { blocks.append([]) }
                blank = 0
                blocks[blocks.count - 1].append(text)
            }
        }
        if blocks.last?.isEmpty == true { blocks.removeLast() }
        self.blocks = blocks.map(Self.unfolded)
    }

    /// Length from which a line counts as wrapped; lines of an address are shorter.
    private static let folded = 50

    private static func unfolded(_ block: [String]) -> [String] {
        let isProse =
            block.count > 1 && !block.contains(where: isItem)
            && block.dropLast().allSatisfy { DisplayWidth.of($0) >= folded }
        return isProse ? [block.joined(separator: " ")] : block
    }

    /// Whether the line is a list item.
    static func isItem(_ line: String) -> Bool { line.hasPrefix("- ") || line.hasPrefix("* ") }

    /// Text for web forms: a paragraph is one line.
    var plain: String {
        blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    /// Markdown; two spaces at the end keep the lines of an address apart, and list lines
    /// need none.
    var markdown: String {
        blocks.map { block in
            block.enumerated().map { index, line in
                let isKept =
                    index == block.count - 1 || block[index...].contains(where: Self.isItem)
                return isKept ? line : line + "  "
            }.joined(separator: "\n")
        }.joined(separator: "\n\n") + "\n"
    }
}
