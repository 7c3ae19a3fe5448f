/// Markdown as it streams: text in, formatted logical lines out. Pure.
struct MarkdownStream: Sendable {
    struct Update: Sendable, Equatable {
        var finished: [RichLine] = []
        var live: [RichLine] = []
    }

    var columns: Int
    private let usesUnicode: Bool
    private var line = ""

    init(columns: Int, usesUnicode: Bool) {
        self.columns = columns
        self.usesUnicode = usesUnicode
    }

    mutating func feed(_ text: String) -> Update {
        var parts = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        parts[0] = line + parts[0]
        line = parts.removeLast()
        return Update(
            finished: parts.map { RichLine($0) }, live: line.isEmpty ? [] : [RichLine(line)])
    }

    mutating func finish() -> Update {
        defer { line = "" }
        return Update(finished: line.isEmpty ? [] : [RichLine(line)])
    }
}

extension MarkdownStream {
    static func lines(_ markdown: String, columns: Int, usesUnicode: Bool) -> [RichLine] {
        var stream = MarkdownStream(columns: columns, usesUnicode: usesUnicode)
        let update = stream.feed(markdown)
        return update.finished + stream.finish().finished
    }
}
