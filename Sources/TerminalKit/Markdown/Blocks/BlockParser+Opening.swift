/// The progress of the search for new blocks in one line.
struct BlockOpening {
    /// Number of open containers that stay open.
    var depth: Int
    /// Whether the line would continue a paragraph.
    var isParagraphOpen: Bool
    /// Whether it would do so even without the paragraph's containers.
    var isLazy = false
    var hasOpened = false
    /// Whether the line is completely consumed.
    var isDone = false
}

extension BlockParser {
    /// Opens the block that begins here, if there is one; returns whether another may follow in the
    /// same line.
    mutating func open(_ cursor: inout LineCursor, _ opening: inout BlockOpening) -> Bool {
        if cursor.isIndented {
            if !opening.isLazy, !cursor.isBlank { openIndentedCode(&cursor, &opening) }
            return false
        }
        switch cursor.first {
        case UInt8(ascii: ">"):
            guard frames.count < Self.depthLimit else { return false }
            start(&opening)
            cursor.skipColumns(cursor.indent + 1)
            if cursor.isAtSpace { cursor.skipColumns(1) }
            push(Frame(container: .quote))
            opening.depth = frames.count
            return true
        case UInt8(ascii: "#"):
            guard let heading = LineMarks.Heading(cursor.text) else { return false }
            start(&opening)
            events.append(.heading(level: heading.level, heading.text))
            opening.isDone = true
            return false
        case UInt8(ascii: "`"), UInt8(ascii: "~"):
            guard let fence = LineMarks.Fence(cursor.text, indent: cursor.indent) else {
                return false
            }
            start(&opening)
            events.append(.codeOpen(info: fence.info))
            leaf = .fenced(fence)
            opening.isDone = true
            return false
        case UInt8(ascii: "<"):
            guard
                let kind = HTMLBlock.Kind(
                    startOf: cursor.text, mayInterrupt: !opening.isParagraphOpen)
            else { return false }
            start(&opening)
            leaf = .html(kind)
            addHTML(cursor, kind)
            opening.isDone = true
            return false
        default:
            return openByMarker(&cursor, &opening)
        }
    }

    private mutating func openByMarker(
        _ cursor: inout LineCursor, _ opening: inout BlockOpening
    ) -> Bool {
        if opening.isParagraphOpen, let level = setextLevel(cursor.text), closeAsHeading(level) {
            opening.isDone = true
            return false
        }
        if LineMarks.isRule(cursor.text) {
            start(&opening)
            events.append(.rule)
            opening.isDone = true
            return false
        }
        if frames.count + 2 <= Self.depthLimit,
            let marker = LineMarks.Item(cursor.text, interruptsParagraph: opening.isParagraphOpen)
        {
            openItem(marker, &cursor, &opening)
            return true
        }
        if opening.isParagraphOpen, definitions == nil,
            let alignments = TableRow.alignments(cursor.text),
            TableRow.cells(lastParagraphLine).count == alignments.count
        {
            events.append(.tableOpen(alignments))
            leaf = .table(columns: alignments.count)
            opening.isDone = true
        }
        return false
    }

    private mutating func openIndentedCode(
        _ cursor: inout LineCursor, _ opening: inout BlockOpening
    ) {
        start(&opening)
        cursor.skipColumns(4)
        events.append(.codeOpen(info: []))
        events.append(.codeLine(cursor.rest))
        leaf = .indented
        opening.isDone = true
    }

    private mutating func openItem(
        _ marker: LineMarks.Item, _ cursor: inout LineCursor, _ opening: inout BlockOpening
    ) {
        let markerIndent = cursor.indent
        cursor.skipColumns(markerIndent)
        cursor.skipBytes(marker.length)
        var spaced = cursor
        while spaced.isAtSpace, spaced.column - cursor.column <= 5 { spaced.skipColumns(1) }
        let spaces = spaced.column - cursor.column
        let padding: Int
        if spaces >= 5 || spaces < 1 || cursor.isBlank {
            // The content is indented code, or starts on the next line.
            padding = marker.length + 1
            if spaces > 0 { cursor.skipColumns(1) }
        } else {
            padding = marker.length + spaces
            cursor = spaced
        }
        var isSameList = false
        if opening.depth > 0, case .list(let kind) = frames[opening.depth - 1].container {
            isSameList =
                kind.marker == marker.kind.marker
                && (kind.start == nil) == (marker.kind.start == nil)
        }
        if !isSameList {
            start(&opening)
            push(Frame(container: .list(marker.kind)))
            opening.depth = frames.count
        }
        start(&opening, isItem: true)
        push(Frame(container: .item, contentIndent: markerIndent + padding))
        opening.depth = frames.count
    }

    private mutating func start(_ opening: inout BlockOpening, isItem: Bool = false) {
        begin(at: opening.depth, isItem: isItem)
        opening.depth = frames.count
        opening.hasOpened = true
        opening.isParagraphOpen = false
        opening.isLazy = false
    }

    /// The heading level of an underline: 1 for `=`, 2 for `-`.
    private func setextLevel(_ text: ArraySlice<UInt8>) -> Int? {
        guard let mark = text.first, mark == UInt8(ascii: "=") || mark == UInt8(ascii: "-") else {
            return nil
        }
        let rest = text.drop { $0 == mark }.drop { $0 == 0x20 || $0 == 0x09 }
        guard rest.isEmpty else { return nil }
        return mark == UInt8(ascii: "=") ? 1 : 2
    }

    /// Turns the open paragraph into a heading; returns false if it consisted only of link
    /// definitions.
    private mutating func closeAsHeading(_ level: Int) -> Bool {
        settleDefinitions(isEnd: true)
        guard !lastParagraphLine.isEmpty else { return false }
        events.append(.paragraphIsHeading(level: level))
        leaf = .none
        return true
    }
}
