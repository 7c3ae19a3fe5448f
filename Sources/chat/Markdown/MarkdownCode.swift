/// The code blocks of a text, in order, for `/copy N`.
enum MarkdownCode {
    static func blocks(in markdown: String) -> [(language: String, text: String)] {
        var blocks: [(language: String, text: String)] = []
        var open: (language: String, lines: [Substring])?
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let block = open {
                    blocks.append(
                        (block.language, block.lines.map { $0 + "\n" }.joined()))
                    open = nil
                } else {
                    open = (String(line.drop { $0 == "`" }), [])
                }
            } else {
                open?.lines.append(line)
            }
        }
        return blocks
    }
}
