/// A whole text as a tree, for features that need all of it: links defined later, lists whose last
/// item makes them loose.
package struct MarkdownDocument: Sendable {
    indirect enum Block: Sendable {
        case paragraph(InlineText)
        case heading(level: Int, InlineText)
        case rule
        case code(info: String, text: String)
        case html(String)
        case quote([Block])
        case list(List)
        case table(Table)
    }

    struct List: Sendable {
        /// Nil for bullets.
        var start: Int?
        var isLoose: Bool
        var items: [Item]
    }

    struct Item: Sendable {
        /// Nil if it is not a task.
        var isDone: Bool?
        var blocks: [Block]
    }

    struct Table: Sendable {
        var alignments: [TableRow.Alignment]
        /// The first row is the head; all have the same number of cells.
        var rows: [[InlineText]]
    }

    let blocks: [Block]

    package init(_ markdown: String) {
        var builder = TreeBuilder()
        var parser = BlockParser()
        for line in BlockParser.lines(of: markdown) {
            builder.take(parser.line(line))
        }
        builder.take(parser.finish())
        blocks = builder.finish(parser.references)
    }
}
