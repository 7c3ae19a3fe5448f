import Base

/// Assembles Markdown from the beginnings and ends of elements: blocks with their
/// indentation, formatted spans in a line, tables. Pure.
///
/// The calls need not be balanced: an end without a beginning is ignored, and a missing end
/// is added with the block's. It keeps at most `limit` bytes and then reports that it is
/// full.
struct PageMarkdown {
    enum Span: Equatable {
        case strong, emphasis, code, struck
        case link(String)

        fileprivate var isLink: Bool { if case .link = self { true } else { false } }
    }

    private enum Container {
        case quote
        /// The number of the next item; nil for bullets.
        case list(next: Int?)
        /// The marker in front of its first line.
        case item(marker: String, isWritten: Bool)
    }

    private let limit: Int
    private var output: [UInt8] = []
    /// The text of the current block.
    private var line: [UInt8] = []
    private var spans: [(kind: Span, start: Int)] = []
    private var containers: [Container] = []
    private var heading = 0
    /// The language, in a block of code.
    private var code: String?
    private var tables: [PageTable] = []
    /// Bytes in unfinished tables.
    private var held = 0
    /// Whether the last block was in a list.
    private var wasInList = false

    /// Maximum nesting; deeper levels are flattened.
    private static let depth = 24
    private static let spanDepth = 8

    init(limit: Int) { self.limit = limit }

    var text: String { String(decoding: output, as: UTF8.self) }
    /// Number of bytes written.
    var count: Int { output.count }
    var isFull: Bool { output.count + line.count + held > limit }

    // MARK: - In a line

    mutating func add(_ text: String) {
        if code != nil {
            line += text.utf8.lazy.filter { $0 != 0x0D }
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case " ", "\n", "\t", "\r", "\u{C}", "\u{A0}", "\u{2002}", "\u{2003}", "\u{2009}",
                "\u{202F}":
                if let last = line.last, last != 0x20, last != 0x0A { line.append(0x20) }
            // Characters that only allow line breaks.
            case "\u{AD}", "\u{200B}", "\u{2060}", "\u{FEFF}": continue
            default: line += UTF8.encode(scalar).map { Array($0) } ?? []
            }
        }
    }

    mutating func breakLine() {
        let isOneLine = heading > 0 || isInCell
        while line.last == 0x20, code == nil { line.removeLast() }
        if isOneLine || !line.isEmpty || code != nil { line.append(isOneLine ? 0x20 : 0x0A) }
    }

    mutating func begin(_ kind: Span) {
        if kind.isLink { endLink() }
        guard code == nil, spans.count < Self.spanDepth, !spans.contains(where: { $0.kind == kind })
        else { return }
        spans.append((kind, line.count))
    }

    mutating func end(_ kind: Span) { end { $0 == kind } }

    mutating func endLink() { end(\.isLink) }

    private mutating func end(_ isMeant: (Span) -> Bool) {
        guard let index = spans.lastIndex(where: { isMeant($0.kind) }) else { return }
        for span in spans[index...].reversed() { wrap(span.kind, from: span.start) }
        // Spans opened inside it continue after it.
        spans.remove(at: index)
        for later in index..<spans.count { spans[later].start = line.count }
    }

    private mutating func wrap(_ kind: Span, from start: Int) {
        let start = min(start, line.count)
        let inner = line[start...].trimming { $0 == 0x20 || $0 == 0x0A }
        guard !inner.isEmpty else { return }
        let (open, close): (String, String)
        switch kind {
        case .strong: (open, close) = ("**", "**")
        case .emphasis: (open, close) = ("*", "*")
        case .struck: (open, close) = ("~~", "~~")
        case .code: (open, close) = inner.contains(0x60) ? ("`` ", " ``") : ("`", "`")
        case .link(let target):
            // A link whose text is its address.
            if inner.elementsEqual(target.utf8) { return }
            (open, close) = ("[", "](\(target))")
        }
        let text = Array(inner)
        let before = Array(line[start..<inner.startIndex])
        let after = Array(line[inner.endIndex...])
        line.replaceSubrange(
            start..., with: before + Array(open.utf8) + text + Array(close.utf8) + after)
    }

    // MARK: - Blocks

    mutating func endBlock() {
        guard code == nil else { return }
        for span in spans.reversed() { wrap(span.kind, from: span.start) }
        let level = heading
        heading = 0
        let block = line.trimming { $0 == 0x20 || $0 == 0x0A }
        if !block.isEmpty {
            if isInCell {
                held += block.count
                tables[tables.count - 1].add(block)
            } else {
                let mark: [UInt8] =
                    level == 0 ? [] : Array(repeating: 0x23, count: min(level, 6)) + [0x20]
                write((mark + block).split(separator: 0x0A))
            }
        }
        line = []
        for index in spans.indices { spans[index].start = 0 }
    }

    mutating func beginHeading(_ level: Int) {
        endBlock()
        heading = level
    }

    mutating func rule() {
        endBlock()
        if !isInCell { write([Array("---".utf8)[...]]) }
    }

    mutating func beginQuote() {
        endBlock()
        push(.quote)
    }

    mutating func endQuote() {
        endBlock()
        pop { if case .quote = $0 { true } else { false } }
    }

    mutating func beginList(from number: Int?) {
        endBlock()
        push(.list(next: number))
    }

    mutating func endList() {
        endBlock()
        pop { if case .list = $0 { true } else { false } }
    }

    mutating func beginItem() {
        endItem()
        var marker = "- "
        if case .list(let next?) = containers.last {
            marker = "\(next). "
            containers[containers.count - 1] = .list(next: next &+ 1)
        }
        push(.item(marker: marker, isWritten: false))
    }

    /// Begins the description of a term.
    mutating func beginTerm() {
        endItem()
        push(.item(marker: ": ", isWritten: false))
    }

    /// Ends the item of the innermost list.
    mutating func endItem() {
        endBlock()
        guard
            let last = containers.lastIndex(where: { if case .quote = $0 { false } else { true } }),
            case .item = containers[last]
        else { return }
        containers.removeSubrange(last...)
    }

    mutating func beginCode(_ language: String) {
        endBlock()
        // In a cell it is a part of the line.
        if isInCell { begin(.code) } else { code = language }
    }

    var isCode: Bool { code != nil }

    /// Sets the language of the current code block.
    mutating func name(_ language: String) {
        if code?.isEmpty == true { code = language }
    }

    mutating func endCode() {
        guard let language = code else { return endBlock() }
        code = nil
        let block = line.trimming { $0 == 0x0A }
        line = []
        guard block.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A }) else { return }
        let isFenced = block.firstRange(of: Array("```".utf8)) != nil
        let fence = Array((isFenced ? "`````" : "```").utf8)
        write(
            [(fence + Array(language.utf8))[...]]
                + block.split(separator: 0x0A, omittingEmptySubsequences: false) + [fence[...]])
    }

    /// Ends the page.
    mutating func end() {
        endCode()
        endBlock()
        while !tables.isEmpty { endTable() }
    }

    private mutating func push(_ container: Container) {
        if containers.count < Self.depth { containers.append(container) }
    }

    /// Closes a container with everything opened in it.
    private mutating func pop(_ isMeant: (Container) -> Bool) {
        if let index = containers.lastIndex(where: isMeant) { containers.removeSubrange(index...) }
    }

    private mutating func write(_ lines: [ArraySlice<UInt8>]) {
        var isNewItem = false
        var first: [UInt8] = []
        var rest: [UInt8] = []
        var isInList = false
        for index in containers.indices {
            switch containers[index] {
            case .quote:
                first += "> ".utf8
                rest += "> ".utf8
            case .list: isInList = true
            case .item(let marker, let isWritten):
                isInList = true
                let space = [UInt8](repeating: 0x20, count: marker.utf8.count)
                first += isWritten ? space : Array(marker.utf8)
                rest += space
                if !isWritten {
                    isNewItem = true
                    containers[index] = .item(marker: marker, isWritten: true)
                }
            }
        }
        if !output.isEmpty { output += (isNewItem && wasInList ? "\n" : "\n\n").utf8 }
        wasInList = isInList
        for (index, line) in lines.enumerated() {
            if index > 0 { output.append(0x0A) }
            output += index == 0 ? first : line.isEmpty ? [] : rest
            output += line
        }
    }

    // MARK: - Tables

    private var isInCell: Bool { tables.last?.isInCell == true }

    mutating func beginTable() {
        endBlock()
        // A table that contains tables is only layout: its contents are text.
        if let outer = tables.last, !outer.isLayout {
            tables[tables.count - 1].isLayout = true
            writeBlocks(of: outer)
        }
        tables.append(PageTable(depth: containers.count))
    }

    mutating func beginRow() {
        endCell()
        if tables.isEmpty { return }
        endBlock()
        tables[tables.count - 1].beginRow()
    }

    mutating func endRow() {
        endCell()
        endBlock()
    }

    mutating func beginCell() {
        endCell()
        if tables.last?.isLayout == true { add(" ") }
        if !tables.isEmpty { tables[tables.count - 1].beginCell() }
    }

    mutating func endCell() {
        guard isInCell else { return }
        endBlock()
        tables[tables.count - 1].endCell()
    }

    mutating func endTable() {
        endCell()
        endBlock()
        guard let table = tables.popLast() else { return }
        if containers.count > table.depth { containers.removeSubrange(table.depth...) }
        if table.isLayout { return }
        if let rows = table.markdown {
            held -= min(held, table.size)
            write(rows.map { Array($0.utf8)[...] })
        } else {
            writeBlocks(of: table)
        }
    }

    private mutating func writeBlocks(of table: PageTable) {
        held -= min(held, table.size)
        for block in table.blocks { write(block.split(separator: 0x0A)) }
    }
}
