@testable import TerminalKit

/// Builds a tree from the block parser's events. Text stays unparsed until all link
/// definitions are known.
struct TreeBuilder {
    private indirect enum Node {
        case paragraph([UInt8])
        case heading(Int, [UInt8])
        case rule
        case code(String, [UInt8])
        case html([UInt8])
        case table([TableRow.Alignment], [[UInt8]])
        case container(BlockEvent.Container, isLoose: Bool, isDone: Bool?, [Node])
    }

    private struct Open {
        var container: BlockEvent.Container
        var isDone: Bool?
        var children: [Node] = []
    }

    private var stack = [Open(container: .quote)]
    private var lines: [[UInt8]] = []
    private var info: [UInt8] = []
    private var alignments: [TableRow.Alignment] = []

    mutating func take(_ events: [BlockEvent]) {
        for event in events { take(event) }
    }

    mutating func finish(_ references: LinkReferences) -> [MarkdownDocument.Block] {
        stack[0].children.map { block($0, references) }
    }

    private mutating func take(_ event: BlockEvent) {
        switch event {
        case .open(let container): stack.append(Open(container: container))
        case .close(let isLoose):
            // The parser closes only blocks that it has opened.
            let open = stack.removeLast()
            add(
                .container(
                    open.container, isLoose: isLoose, isDone: open.isDone, open.children))
        case .blank: break
        case .task(let isDone): stack[stack.count - 1].isDone = isDone
        case .paragraphLine(let line), .codeLine(let line), .htmlLine(let line),
            .tableRow(let line):
            lines.append(line)
        case .paragraphEnd:
            if !lines.isEmpty { add(.paragraph(takeText())) }
        case .paragraphIsHeading(let level): add(.heading(level, takeText()))
        case .heading(let level, let text): add(.heading(level, text))
        case .rule: add(.rule)
        case .codeOpen(let info): self.info = info
        case .codeEnd:
            let text = lines.reduce(into: []) { $0 += $1 + [0x0A] }
            lines = []
            add(.code(LinkSyntax.unescaped(info[...]), text))
        case .htmlEnd: add(.html(takeText()))
        case .tableOpen(let alignments):
            self.alignments = alignments
            let head = lines.popLast()
            if !lines.isEmpty { add(.paragraph(takeText())) }
            lines = head.map { [$0] } ?? []
        case .tableEnd:
            add(.table(alignments, lines))
            lines = []
        }
    }

    private mutating func add(_ node: Node) { stack[stack.count - 1].children.append(node) }

    private mutating func takeText() -> [UInt8] {
        defer { lines = [] }
        return Array(lines.joined(separator: [0x0A]))
    }

    private func block(_ node: Node, _ references: LinkReferences) -> MarkdownDocument.Block {
        func inlines(_ text: [UInt8]) -> InlineText { InlineParser.parse(text, references) }
        switch node {
        case .paragraph(let text): return .paragraph(inlines(text))
        case .heading(let level, let text): return .heading(level: level, inlines(text))
        case .rule: return .rule
        case .code(let info, let text):
            return .code(info: info, text: String(decoding: text, as: UTF8.self))
        case .html(let text): return .html(String(decoding: text, as: UTF8.self))
        case .table(let alignments, let lines):
            let rows = lines.map { line in
                var cells = TableRow.cells(line).prefix(alignments.count).map(inlines)
                while cells.count < alignments.count { cells.append(InlineText()) }
                return cells
            }
            return .table(MarkdownDocument.Table(alignments: alignments, rows: rows))
        case .container(.list(let kind), let isLoose, _, let children):
            let items = children.map { child in
                guard case .container(_, _, let isDone, let blocks) = child else {
                    return MarkdownDocument.Item(blocks: [])
                }
                return MarkdownDocument.Item(
                    isDone: isDone, blocks: blocks.map { block($0, references) })
            }
            return .list(MarkdownDocument.List(start: kind.start, isLoose: isLoose, items: items))
        case .container(_, _, _, let children):
            return .quote(children.map { block($0, references) })
        }
    }
}
