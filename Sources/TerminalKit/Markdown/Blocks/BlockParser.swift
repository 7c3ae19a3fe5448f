/// Parses the block structure of CommonMark with GitHub's tables and tasks, line by line: takes a
/// line and returns the changes it makes. It stores the open containers and the link definitions,
/// but no text. Copies are cheap, and are used to try an incomplete line.
///
/// The order of the tests is that of the reference implementation, which the specification's
/// appendix on parsing describes.
package struct BlockParser: Sendable {
    /// Maximum depth of containers; deeper ones are treated as text. Real text does not need them,
    /// and code that traverses the tree may recurse.
    static let depthLimit = 60

    struct Frame: Sendable {
        var container: BlockEvent.Container
        /// The columns by which an item's contents are indented.
        var contentIndent = 0
        var hasChildren = false
        /// Whether the previous line was empty within this container.
        var sawBlank = false
        var isLoose = false
    }

    enum Leaf: Equatable, Sendable {
        case none
        case paragraph
        case fenced(LineMarks.Fence)
        case indented
        case html(HTMLBlock.Kind)
        case table(columns: Int)
    }

    var frames: [Frame] = []
    var leaf = Leaf.none
    package var references = LinkReferences()
    var events: [BlockEvent] = []
    /// Lines that may be link definitions, held back before they become paragraph lines.
    var definitions: LinkDefinitions?
    /// The last line of the open paragraph: it may be the head of a table.
    var lastParagraphLine: [UInt8] = []
    /// Empty lines of indented code, which count only if more code follows.
    var codeBlanks: [[UInt8]] = []

    package init() {}

    /// Parses a line without its line break. A `continuation` is the rest of a line that is too
    /// long to be kept as a whole, and has no structure.
    package mutating func line(_ bytes: [UInt8], isContinuation: Bool = false) -> [BlockEvent] {
        if isContinuation {
            addContinuation(bytes)
        } else {
            process(LineCursor(bytes))
        }
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// The lines of a whole text; a line break at the end does not begin another line.
    static func lines(of text: String) -> [[UInt8]] {
        var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            line -> [UInt8] in
            Array(line.last == 0x0D ? line.dropLast() : line)
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Ends the text and closes all blocks.
    package mutating func finish() -> [BlockEvent] {
        closeFrames(to: 0)
        defer { events.removeAll() }
        return events
    }

    // MARK: - One line

    private mutating func process(_ start: LineCursor) {
        var cursor = start
        let matched = matchFrames(&cursor)
        let allMatched = matched == frames.count
        if allMatched, continueLeaf(&cursor) {
            noteBlank(false, matched: matched)
            return
        }
        if cursor.isBlank {
            takeBlank(matched: matched)
            return
        }
        var opening = BlockOpening(
            depth: matched, isParagraphOpen: allMatched && leaf == .paragraph)
        opening.isLazy = leaf == .paragraph
        while open(&cursor, &opening) {}
        if !opening.isDone, !cursor.isBlank { addText(cursor, opening, allMatched: allMatched) }
        noteBlank(false, matched: frames.count)
    }

    /// Number of open containers that the line continues.
    private func matchFrames(_ cursor: inout LineCursor) -> Int {
        for (index, frame) in frames.enumerated() {
            switch frame.container {
            case .quote:
                guard !cursor.isIndented, cursor.first == UInt8(ascii: ">") else { return index }
                cursor.skipColumns(cursor.indent + 1)
                if cursor.isAtSpace { cursor.skipColumns(1) }
            case .list:
                continue
            case .item:
                if cursor.isBlank {
                    guard frame.hasChildren else { return index }
                    cursor.skipColumns(min(cursor.indent, frame.contentIndent))
                } else {
                    guard cursor.indent >= frame.contentIndent else { return index }
                    cursor.skipColumns(frame.contentIndent)
                }
            }
        }
        return frames.count
    }

    /// Continues open code or HTML with the line; returns whether it did.
    private mutating func continueLeaf(_ cursor: inout LineCursor) -> Bool {
        switch leaf {
        case .fenced(let fence):
            if !cursor.isIndented, fence.isClosed(by: cursor.text) {
                events.append(.codeEnd)
                leaf = .none
            } else {
                cursor.skipColumns(min(cursor.indent, fence.indent))
                events.append(.codeLine(cursor.rest))
            }
            return true
        case .indented:
            if cursor.isBlank {
                cursor.skipColumns(min(cursor.indent, 4))
                codeBlanks.append(cursor.rest)
                return false
            }
            guard cursor.isIndented else { return false }
            cursor.skipColumns(4)
            for line in codeBlanks { events.append(.codeLine(line)) }
            codeBlanks.removeAll()
            events.append(.codeLine(cursor.rest))
            return true
        case .html(let kind):
            if kind.endsAtBlank, cursor.isBlank { return false }
            addHTML(cursor, kind)
            return true
        case .none, .paragraph, .table:
            return false
        }
    }

    private mutating func takeBlank(matched: Int) {
        let isInsideCode = leaf == .indented && matched == frames.count
        if !isInsideCode { closeFrames(to: matched) }
        events.append(.blank)
        noteBlank(true, matched: matched)
    }

    /// Records for each container whether the line was empty in it: a line with only `>` is empty
    /// inside the quote but not outside.
    private mutating func noteBlank(_ isBlank: Bool, matched: Int) {
        let quote = frames.prefix(matched).lastIndex { $0.container == .quote }
        for index in frames.indices { frames[index].sawBlank = isBlank && index >= (quote ?? 0) }
    }

    // MARK: - Text

    private mutating func addText(_ cursor: LineCursor, _ opening: BlockOpening, allMatched: Bool) {
        let hasOpened = opening.hasOpened
        if leaf == .paragraph, !hasOpened {
            // If containers are missing, this is a lazy continuation line.
            addParagraphLine(Array(cursor.text))
            return
        }
        if case .table = leaf, allMatched, !hasOpened {
            events.append(.tableRow(Array(cursor.text)))
            return
        }
        let isFirst = begin(at: opening.depth)
        leaf = .paragraph
        lastParagraphLine = []
        let text = isFirst ? takeTask(from: cursor.text) : cursor.text
        if text.first == UInt8(ascii: "[") { definitions = LinkDefinitions() }
        addParagraphLine(Array(text))
    }

    /// `[ ]` and `[x]` at the start of an item, with a space after it.
    private mutating func takeTask(from text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard frames.last?.container == .item, text.count > 3 else { return text }
        let bytes = Array(text.prefix(4))
        guard bytes[0] == UInt8(ascii: "["), bytes[2] == UInt8(ascii: "]"),
            bytes[3] == 0x20 || bytes[3] == 0x09,
            bytes[1] == 0x20 || bytes[1] | 0x20 == UInt8(ascii: "x")
        else { return text }
        let rest = text.dropFirst(3).drop { $0 == 0x20 || $0 == 0x09 }
        guard !rest.isEmpty else { return text }
        events.append(.task(isDone: bytes[1] != 0x20))
        return rest
    }

    mutating func addParagraphLine(_ text: [UInt8]) {
        guard definitions != nil else {
            lastParagraphLine = text
            events.append(.paragraphLine(text))
            return
        }
        definitions?.add(text)
        settleDefinitions(isEnd: false)
    }

    /// Records the complete definitions; lines that cannot be definitions become text.
    mutating func settleDefinitions(isEnd: Bool) {
        guard var pending = definitions else { return }
        let isText = pending.settle(into: &references, isEnd: isEnd)
        definitions = pending
        guard isText || isEnd else { return }
        definitions = nil
        for line in pending.lines {
            lastParagraphLine = line
            events.append(.paragraphLine(line))
        }
    }

    private mutating func addContinuation(_ bytes: [UInt8]) {
        switch leaf {
        case .fenced, .indented: events.append(.codeLine(bytes))
        case .html: events.append(.htmlLine(bytes))
        case .table: events.append(.tableRow(bytes))
        case .paragraph: addParagraphLine(bytes)
        case .none:
            leaf = .paragraph
            addParagraphLine(bytes)
        }
    }

    mutating func addHTML(_ cursor: LineCursor, _ kind: HTMLBlock.Kind) {
        let text = cursor.rest
        events.append(.htmlLine(text))
        if kind.ends(in: text) {
            events.append(.htmlEnd)
            leaf = .none
        }
    }

    // MARK: - Opening and closing

    /// Closes the containers that the line does not continue and makes room for a new
    /// child; returns whether it is the first of its container.
    @discardableResult
    mutating func begin(at depth: Int, isItem: Bool = false) -> Bool {
        closeFrames(to: depth)
        // Only items are children of a list.
        if !isItem, case .list = frames.last?.container { closeFrames(to: frames.count - 1) }
        guard let last = frames.indices.last else { return false }
        let isFirst = !frames[last].hasChildren
        if frames[last].sawBlank, frames[last].hasChildren {
            let list = frames[last].container == .item ? last - 1 : last
            frames[list].isLoose = true
        }
        frames[last].hasChildren = true
        return isFirst
    }

    mutating func push(_ frame: Frame) {
        frames.append(frame)
        events.append(.open(frame.container))
    }

    private mutating func closeFrames(to depth: Int) {
        closeLeaf()
        while frames.count > depth {
            let frame = frames.removeLast()
            events.append(.close(isLoose: frame.isLoose))
        }
    }

    private mutating func closeLeaf() {
        switch leaf {
        case .none: break
        case .paragraph:
            settleDefinitions(isEnd: true)
            events.append(.paragraphEnd)
        case .fenced, .indented: events.append(.codeEnd)
        case .html: events.append(.htmlEnd)
        case .table: events.append(.tableEnd)
        }
        codeBlanks.removeAll()
        leaf = .none
    }
}
