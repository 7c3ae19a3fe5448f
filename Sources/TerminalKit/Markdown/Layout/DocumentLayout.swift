/// Converts the block parser's events to logical lines. It stores only text that is not final: the
/// lines of a paragraph that a later line may change, the rows of a table, the state of a code
/// block's colours.
struct DocumentLayout: Sendable {
    /// Limits on the text held back for an open paragraph; beyond them it is emitted.
    static let heldBytes = 4096
    static let heldLines = 60

    var columns: Int
    let usesUnicode: Bool
    private(set) var lines: [RichLine] = []

    private var frames: [Frame] = []
    /// Set if an empty line is due before the next text: the number of its containers that
    /// are still open.
    private var blankDepth: Int?
    private var hasOutput = false

    private var held: [UInt8] = []
    private var heldCount = 0
    private var isParagraphOpen = false
    private var code: CodeColors?
    private var codeCount = 0
    private var table: TableLayout?

    private enum Frame: Sendable {
        case quote
        case list(number: Int?, mark: String)
        case item(width: Int, marker: String?)
    }

    init(columns: Int, usesUnicode: Bool) {
        self.columns = columns
        self.usesUnicode = usesUnicode
    }

    mutating func takeLines() -> [RichLine] {
        defer { lines.removeAll() }
        return lines
    }

    /// The completeness of the given text.
    enum Mode {
        case complete
        /// The line is incomplete: headings and cells in it are guessed.
        case partial
        /// Open constructs end only temporarily.
        case tail
    }

    mutating func take(_ events: [BlockEvent], _ references: LinkReferences, _ mode: Mode) {
        for event in events { take(event, references, mode) }
        let room = room
        if mode == .complete { table?.remember(columns: room) }
    }

    private mutating func take(
        _ event: BlockEvent, _ references: LinkReferences, _ mode: Mode
    ) {
        switch event {
        case .open(let container): open(container)
        case .close: close()
        case .blank:
            if hasOutput { blankDepth = min(blankDepth ?? frames.count, frames.count) }
        case .task(let isDone): mark(isDone)
        case .paragraphLine(let line): addParagraph(line, references)
        case .paragraphEnd: endParagraph(references, optimistic: mode == .tail)
        case .paragraphIsHeading(let level):
            emit(InlineParser.parse(held, references), Self.headingLook(level))
            dropHeld()
        case .heading(let level, let text):
            let inlines = InlineParser.parse(text, references, optimistic: mode == .partial)
            emit(inlines, Self.headingLook(level))
        case .rule:
            emit([RichLine.Span(usesUnicode ? "───" : "---", Self.dim)])
        case .codeOpen(let info): openCode(info)
        case .codeLine(let line):
            // Empty lines between lines of code are lines of code.
            blankDepth = nil
            let text = String(decoding: line, as: UTF8.self)
            emitCode(code?.line(text) ?? [RichLine.Span(text)])
        case .codeEnd:
            if mode != .tail { closeCode() }
            code = nil
        case .htmlLine(let line): emitText(String(decoding: line, as: UTF8.self))
        case .htmlEnd: break
        case .tableOpen(let alignments): openTable(alignments, references)
        case .tableRow(let row):
            let (cells, room) = (cells(row, references, optimistic: mode == .partial), room)
            table?.add(cells)
            if mode == .complete, let lines = table?.takeFinal(columns: room) { emit(lines) }
        case .tableEnd:
            let room = room
            if let lines = table?.takeAll(columns: room) { emit(lines) }
            table = nil
        }
    }

    // MARK: - Looks

    private static let dim = RichLine.Look(.text, .dim)

    private static func headingLook(_ level: Int) -> RichLine.Look {
        switch level {
        case 1: RichLine.Look(.heading, [.bold, .underline])
        case 2: RichLine.Look(.heading, .bold)
        default: RichLine.Look(.text, .bold)
        }
    }

    // MARK: - Containers

    private mutating func open(_ container: BlockEvent.Container) {
        switch container {
        case .quote: frames.append(.quote)
        case .list(let kind):
            let mark = String(UnicodeScalar(kind.marker)) + " "
            frames.append(.list(number: kind.start, mark: mark))
        case .item:
            var marker = usesUnicode ? "• " : "- "
            if case .list(let number?, let mark) = frames.last {
                marker = String(number) + mark
                frames[frames.count - 1] = .list(number: number + 1, mark: mark)
            }
            frames.append(.item(width: marker.utf8.count, marker: marker))
            if usesUnicode, marker.hasPrefix("•") {
                frames[frames.count - 1] = .item(width: 2, marker: marker)
            }
        }
    }

    private mutating func close() {
        // An item without text shows only its marker.
        if case .item(_, .some) = frames.last { emit([RichLine.Span]()) }
        frames.removeLast()
        if let depth = blankDepth { blankDepth = min(depth, frames.count) }
    }

    private mutating func mark(_ isDone: Bool) {
        guard case .item(_, let marker?) = frames.last else { return }
        let box = usesUnicode ? isDone ? "☑ " : "☐ " : isDone ? "[x] " : "[ ] "
        let isBullet = marker.hasPrefix("•") || marker.hasPrefix("-")
        let text = isBullet ? box : marker + box
        frames[frames.count - 1] = .item(width: text.count, marker: text)
    }

    /// The prefix of a line; markers appear in it once.
    private mutating func prefix(withLists: Bool = true) -> [RichLine.Span] {
        var spans: [RichLine.Span] = []
        func add(_ text: String, _ look: RichLine.Look) {
            if let last = spans.indices.last, spans[last].look == look {
                spans[last].text += text
            } else {
                spans.append(RichLine.Span(text, look))
            }
        }
        for index in frames.indices {
            switch frames[index] {
            case .quote: add(usesUnicode ? "│ " : "> ", Self.dim)
            case .list: break
            case .item(let width, let marker):
                guard withLists else { break }
                add(marker ?? String(repeating: " ", count: width), RichLine.Look())
                frames[index] = .item(width: width, marker: nil)
            }
        }
        return spans
    }

    /// The columns that the containers' prefix leaves.
    private var room: Int {
        frames.reduce(columns) { left, frame in
            switch frame {
            case .quote: left - 2
            case .list: left
            case .item(let width, _): left - width
            }
        }
    }

    // MARK: - Paragraphs

    private mutating func addParagraph(_ line: [UInt8], _ references: LinkReferences) {
        guard isParagraphOpen, !held.isEmpty else {
            isParagraphOpen = true
            held = line
            heldCount = 1
            return
        }
        let inlines = InlineParser.parse(Self.withoutBreak(held), references)
        let isFull = heldCount >= Self.heldLines || held.count + line.count > Self.heldBytes
        if !inlines.isOpen || isFull {
            emit(inlines)
            held = line
            heldCount = 1
        } else {
            held.append(0x0A)
            held += line
            heldCount += 1
        }
    }

    /// Removes a backslash before a line break that is followed by text, where it marks a hard
    /// break.
    private static func withoutBreak(_ line: [UInt8]) -> [UInt8] {
        let kept = line.reversed().drop { $0 == UInt8(ascii: "\\") }.count
        return (line.count - kept) % 2 == 1 ? Array(line.dropLast()) : line
    }

    private mutating func endParagraph(_ references: LinkReferences, optimistic: Bool) {
        if optimistic, isTableHead {
            let line = held[((held.lastIndex(of: 0x0A) ?? -1) + 1)...]
            let count = min(TableRow.columnLimit, TableRow.cells(Array(line)).count)
            openTable(Array(repeating: .none, count: count), references)
            take(.tableEnd, references, .tail)
            return
        }
        if !held.isEmpty { emit(InlineParser.parse(held, references, optimistic: optimistic)) }
        dropHeld()
    }

    /// Whether the last line may become the head of a table.
    private var isTableHead: Bool {
        let line = held[((held.lastIndex(of: 0x0A) ?? -1) + 1)...]
        return line.first == UInt8(ascii: "|") && line.dropFirst().contains(UInt8(ascii: "|"))
    }

    private mutating func dropHeld() {
        held = []
        heldCount = 0
        isParagraphOpen = false
    }

    // MARK: - Code and tables

    private mutating func openCode(_ info: [UInt8]) {
        let language = MarkdownCode.language(info)
        codeCount += 1
        code = CodeColors(language: language)
        // A marker followed by code gets a line of its own.
        if frames.contains(where: { if case .item(_, .some) = $0 { true } else { false } }) {
            emit([RichLine.Span]())
        }
        let (rule, dot) = usesUnicode ? ("── ", " · ") : ("-- ", " ")
        let name = language.isEmpty ? "" : HostileText.line(language) + dot
        emitCode([RichLine.Span(rule + name + String(codeCount), Self.dim)])
    }

    /// Empty lines after indented code arrive before it is known that the code has ended.
    private mutating func closeCode() {
        let depth = blankDepth
        blankDepth = nil
        emitCode([RichLine.Span(usesUnicode ? "──" : "--", Self.dim)])
        blankDepth = depth
    }

    private mutating func openTable(
        _ alignments: [TableRow.Alignment], _ references: LinkReferences
    ) {
        var head = held
        if let end = held.lastIndex(of: 0x0A) {
            emit(InlineParser.parse(Array(held[..<end]), references))
            head = Array(held[(end + 1)...])
        }
        dropHeld()
        table = TableLayout(
            head: cells(head, references, optimistic: false), alignments: alignments,
            usesUnicode: usesUnicode)
    }

    private func cells(
        _ row: [UInt8], _ references: LinkReferences, optimistic: Bool
    ) -> [TableLayout.Cell] {
        TableRow.cells(row).map { cell in
            let inlines = InlineParser.parse(cell, references, optimistic: optimistic)
            let lines = SpanBuilder.lines(inlines, breaksAtTags: true)
            return TableLayout.Cell(lines: lines, width: lines.map(CellWrap.width).max() ?? 0)
        }
    }

    // MARK: - Lines

    private mutating func emit(_ text: InlineText, _ look: RichLine.Look = RichLine.Look()) {
        for line in SpanBuilder.lines(text, base: look) { emit(line) }
    }

    private mutating func emit(_ lines: [RichLine]) {
        for line in lines { emit(line.spans, isProse: false) }
    }

    private mutating func emitText(_ text: String) {
        emit(text.isEmpty ? [] : [RichLine.Span(text)])
    }

    private mutating func emit(_ spans: [RichLine.Span], isProse: Bool = true) {
        emitBlank()
        let text = Self.trimmed(prefix() + spans)
        // By now, spaces of the same width have replaced the markers.
        append(RichLine(text, margin: isProse ? prefix() : nil))
    }

    /// Emits code exactly as received, at the first column even inside lists.
    private mutating func emitCode(_ spans: [RichLine.Span]) {
        emitBlank()
        let prefix = prefix(withLists: false)
        append(RichLine(spans.isEmpty ? Self.trimmed(prefix) : prefix + spans))
    }

    private mutating func emitBlank() {
        guard let depth = blankDepth else { return }
        blankDepth = nil
        var bars: [RichLine.Span] = []
        for case .quote in frames.prefix(depth) {
            bars.append(RichLine.Span(usesUnicode ? "│ " : "> ", Self.dim))
        }
        append(RichLine(Self.trimmed(bars)))
    }

    private mutating func append(_ line: RichLine) {
        hasOutput = true
        lines.append(line)
    }

    private static func trimmed(_ spans: [RichLine.Span]) -> [RichLine.Span] {
        var spans = spans
        while let last = spans.last, last.text.last?.isWhitespace ?? true {
            spans.removeLast()
            var text = last.text
            while text.last?.isWhitespace == true { text.removeLast() }
            if !text.isEmpty { spans.append(RichLine.Span(text, last.look)) }
        }
        return spans
    }
}
