import Base

/// A letter as one self-contained HTML page: no scripts, no external resources, readable in
/// light and dark mode, and laid out as a letter in print. Pure.
struct LetterPage: Sendable {
    enum PaperSize: String, Sendable {
        case a4 = "A4"
        case letter

        /// Countries that use Letter paper; all others use A4.
        private static let letterCountries: Set<String> = [
            "US", "CA", "MX", "PH", "CL", "CO", "VE", "GT", "CR", "PA",
        ]

        /// - Parameter language: `en-US`; if it names no country, the paper size of the
        ///   system is used (LC_PAPER, LC_ALL, LANG).
        init(language: String, variables: [String: String]) {
            let place: String? = ["LC_ALL", "LC_PAPER", "LANG"].lazy.compactMap { variables[$0] }
                .first { !$0.isEmpty && $0 != "C" && $0 != "POSIX" && !$0.hasPrefix("C.") }
            let country = Self.country(language) ?? place.flatMap(Self.country)
            self = country.map { Self.letterCountries.contains($0) } ?? false ? .letter : .a4
        }

        private static func country(_ tag: String) -> String? {
            let tag = tag.prefix { $0 != "." && $0 != "@" }
            let parts = tag.split { $0 == "-" || $0 == "_" }
            return parts.dropFirst().first { $0.count == 2 }.map { $0.uppercased() }
        }
    }

    var title: String
    /// The language, `en-GB`; empty if unknown.
    var language: String
    var size: PaperSize

    func html(_ text: LetterText) -> String {
        let tag = language.isEmpty ? "" : " lang=\"\(Self.escaped(language))\""
        let body = text.blocks.map(Self.element).joined(separator: "\n")
        return """
            <!DOCTYPE html>
            <html\(tag)>
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(Self.escaped(title))</title>
            <style>\(style)</style>
            </head>
            <body>
            \(body)
            </body>
            </html>

            """
    }

    /// The HTML of a paragraph or list.
    private static func element(_ block: [String]) -> String {
        if block.isEmpty { return "<p class=\"signature\"></p>" }
        var elements: [String] = []
        var rest = block[...]
        while let first = rest.first {
            let isList = LetterText.isItem(first)
            let run = rest.prefix { LetterText.isItem($0) == isList }
            if isList {
                let rows = run.map { "<li>\(escaped($0.dropFirst(2)))</li>" }
                elements.append("<ul>\n\(rows.joined(separator: "\n"))\n</ul>")
            } else {
                elements.append("<p>\(run.map { escaped($0) }.joined(separator: "<br>\n"))</p>")
            }
            rest = rest.dropFirst(run.count)
        }
        return elements.joined(separator: "\n")
    }

    private var style: String {
        """
        @page { size: \(size.rawValue); margin: 2.2cm 2.4cm; }
        :root { color-scheme: light dark; }
        body { font: 16px/1.5 Georgia, "Liberation Serif", serif; max-width: 40rem; \
        margin: 2.5rem auto; padding: 0 1rem; }
        p { margin: 0 0 1em; overflow-wrap: anywhere; }
        .signature { height: 3em; }
        @media print {
        :root { color-scheme: light; }
        body { font-size: 11pt; line-height: 1.4; max-width: none; margin: 0; padding: 0; \
        color: black; background: white; }
        p { orphans: 2; widows: 2; }
        }
        """
    }

    static func escaped(_ text: some StringProtocol) -> String {
        MarkupText.escaped(text, quotes: true) { scalar in
            switch scalar {
            // Control characters and bidirectional overrides have no place in a letter and
            // may hide something.
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": true
            default: scalar.directs == .override
            }
        }
    }
}
