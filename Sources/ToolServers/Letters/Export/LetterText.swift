import Base

/// A letter as blocks separated by empty lines. Pure.
///
/// An address has its lines; a paragraph has one. One that was folded in an editor
/// is put together again, since web forms and mail programs fold by themselves.
struct LetterText: Sendable, Equatable {
    /// Of one line or more; one of none is room for a signature.
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

    /// A line of an address is shorter than one that was folded.
    private static let folded = 50

    private static func unfolded(_ block: [String]) -> [String] {
        let isProse =
            block.count > 1 && !block.contains(where: isItem)
            && block.dropLast().allSatisfy { DisplayWidth.of($0) >= folded }
        return isProse ? [block.joined(separator: " ")] : block
    }

    /// A line of a list.
    static func isItem(_ line: String) -> Bool { line.hasPrefix("- ") || line.hasPrefix("* ") }

    /// For web forms: a paragraph is one line.
    var plain: String {
        blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    /// Two spaces at the end keep the lines of an address apart; those of a list
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
