import Base
import Documents

@testable import Outside

extension FuzzTarget {
    /// HTML: as Markdown, as plain text, and escaped.
    static let pages = FuzzTarget("pages") { bytes in
        let page = HTMLMarkdown(bytes, address: "https://example.org/a/b", limit: 1 << 16)
        try demand(page.title.utf8.count <= 70_000, "a title without an end")
        let text = String(decoding: bytes, as: UTF8.self)
        _ = (MarkupText.isMarkup(text), MarkupText.plain(text))
        var tokens = HTMLTokenizer(bytes)
        var count = 0
        while tokens.next() != nil { count += 1 }
        try demand(count <= 2 * bytes.count + 2, "more tokens than bytes")
    }
}
