/// The code blocks of a text, in order, for `/copy N`: the numbers are those shown above the
/// blocks.
package enum MarkdownCode {
    package static func blocks(in markdown: String) -> [(language: String, text: String)] {
        var blocks: [(language: String, text: String)] = []
        var parser = BlockParser()
        func take(_ events: [BlockEvent]) {
            for event in events {
                switch event {
                case .codeOpen(let info): blocks.append((language(info), ""))
                case .codeLine(let line):
                    // Lines of code only follow the opening of their block.
                    blocks[blocks.count - 1].text += String(decoding: line, as: UTF8.self) + "\n"
                default: break
                }
            }
        }
        for line in BlockParser.lines(of: markdown) {
            take(parser.line(line))
        }
        take(parser.finish())
        return blocks
    }

    /// The first word after the fence.
    package static func language(_ info: [UInt8]) -> String {
        LinkSyntax.unescaped(info.prefix { !ByteClass.isSpace($0) })
    }
}
