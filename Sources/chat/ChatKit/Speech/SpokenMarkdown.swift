import Sound
import TerminalKit

/// Turns the block parser's events into sentences to be read aloud. Pure. It follows a streaming
/// text, and returns a sentence as soon as later text cannot change it.
///
/// Code, large tables and formulas are only named; small tables are read row by row with their
/// heads. Rules and HTML are left out.
struct SpokenMarkdown: Sendable {
    /// A larger table is only named.
    static let mostColumns = 4
    static let mostRows = 8
    /// Maximum bytes of undecided text; a longer text is read as it is.
    private static let limit = 1_024

    private struct Table {
        var head: [[UInt8]]
        /// The first rows only.
        var rows: [[[UInt8]]] = []
        var count = 0
    }

    let phrases: SpokenPhrases
    /// Lines of the open paragraph not read yet.
    private var lines: [[UInt8]] = []
    private var splitter = SentenceSplitter()
    private var isInParagraph = false
    private var code: (language: String, lines: Int)?
    private var table: Table?
    private var containers: [BlockEvent.Container] = []
    /// The prefix of the next text: "Done:".
    private var lead = ""
    private var out: [SpokenSentence] = []

    init(_ phrases: SpokenPhrases = SpokenPhrases()) { self.phrases = phrases }

    mutating func take(
        _ events: [BlockEvent], _ references: LinkReferences
    ) -> [SpokenSentence] {
        for event in events { take(event, references) }
        defer { out = [] }
        return out
    }

    // MARK: - Events

    private mutating func take(_ event: BlockEvent, _ references: LinkReferences) {
        switch event {
        case .open(let container): containers.append(container)
        case .close: _ = containers.popLast()
        case .task(let isDone): lead = phrases.task(isDone: isDone)
        case .paragraphLine(let line):
            isInParagraph = true
            lines.append(line)
            readLines(references)
        case .paragraphEnd: endParagraph(references, pause: paragraphPause)
        case .paragraphIsHeading:
            endParagraph(references, pause: SpokenSentence.Pause.heading)
        case .heading(_, let text):
            say(SpokenInlines.text(text, references), pause: SpokenSentence.Pause.heading)
        case .codeOpen(let info): code = (MarkdownCode.language(info), 0)
        case .codeLine: code?.lines += 1
        case .codeEnd:
            if let code { out.append(codeSentence(code.language, code.lines)) }
            code = nil
        case .tableOpen:
            let head = lines.popLast() ?? []
            if isInParagraph { endParagraph(references, pause: SpokenSentence.Pause.paragraph) }
            table = Table(head: TableRow.cells(head))
        case .tableRow(let row):
            table?.count += 1
            if let count = table?.rows.count, count < Self.mostRows {
                table?.rows.append(TableRow.cells(row))
            }
        case .tableEnd: endTable(references)
        case .blank, .rule, .htmlLine, .htmlEnd: break
        }
    }

    private var paragraphPause: Double {
        containers.contains(.item) ? SpokenSentence.Pause.item : SpokenSentence.Pause.paragraph
    }

    private mutating func say(_ text: String, pause: Double) {
        out += SentenceSplitter.sentences(of: takeLead() + text).map {
            SpokenSentence($0, endOfParagraph: pause)
        }
    }

    private mutating func takeLead() -> String {
        defer { lead = "" }
        return lead
    }

    /// The text has paused: returns the complete sentences, whatever follows.
    mutating func pause() -> [SpokenSentence] { splitter.pause().map { SpokenSentence($0) } }

    // MARK: - Paragraphs

    /// Passes lines that cannot change any more to the splitter.
    private mutating func readLines(_ references: LinkReferences) {
        guard let last = lines.last else { return }
        let raw = Array(lines.joined(separator: [0x0A]))
        // The line may still become the head of a table.
        let isOpen =
            last.contains(UInt8(ascii: "|")) || !SpokenInlines.isStable(raw, references)
        if isOpen, raw.count < Self.limit { return }
        let breaks = last.hasSuffix("  ") || last.last == UInt8(ascii: "\\")
        feed(raw, references)
        feedText(breaks ? "\n\n" : " ")
    }

    private mutating func feed(_ raw: [UInt8], _ references: LinkReferences) {
        lines = []
        var text = raw
        if text.last == UInt8(ascii: "\\") { text.removeLast() }
        feedText(takeLead() + withoutFootnote(SpokenInlines.text(text, references)))
    }

    private mutating func feedText(_ text: String) {
        out += splitter.feed(text).map { SpokenSentence($0) }
    }

    private mutating func endParagraph(_ references: LinkReferences, pause: Double) {
        if !lines.isEmpty { feed(Array(lines.joined(separator: [0x0A])), references) }
        let rest = splitter.finish().map { SpokenSentence($0, endOfParagraph: pause) }
        out += rest
        isInParagraph = false
    }

    /// Restores the prefix of `[^1]: the note`, which has lost its mark and kept the colon.
    private func withoutFootnote(_ text: String) -> String {
        text.hasPrefix(": ") ? phrases.footnote + text.dropFirst(2) : text
    }

    // MARK: - Code

    private func codeSentence(_ language: String, _ lines: Int) -> SpokenSentence {
        let name = Self.languages[language.lowercased()] ?? language
        let isName =
            !name.isEmpty && name.utf8.count <= 20
            && name.utf8.allSatisfy {
                ByteClass.isWord($0) || "+#-. ".utf8.contains($0)
            }
        return SpokenSentence(
            phrases.code(isName ? name : nil, lines: lines), pause: SpokenSentence.Pause.paragraph)
    }

    /// Names of languages that differ from the word after the fence.
    private static let languages = [
        "swift": "Swift", "py": "Python", "python": "Python", "js": "JavaScript",
        "javascript": "JavaScript", "ts": "TypeScript", "typescript": "TypeScript", "sh": "shell",
        "bash": "shell", "zsh": "shell", "shell": "shell", "console": "shell", "c": "C",
        "cpp": "C++", "c++": "C++", "cs": "C#", "csharp": "C#", "rb": "Ruby", "ruby": "Ruby",
        "rs": "Rust", "rust": "Rust", "go": "Go", "java": "Java", "kt": "Kotlin",
        "kotlin": "Kotlin", "html": "HTML", "css": "CSS", "json": "JSON", "yaml": "YAML",
        "yml": "YAML", "toml": "TOML", "xml": "XML", "sql": "SQL", "md": "Markdown",
        "markdown": "Markdown", "php": "PHP", "pl": "Perl", "hs": "Haskell", "ex": "Elixir",
        "text": "", "txt": "", "plain": "", "plaintext": "",
    ]

    // MARK: - Tables

    private mutating func endTable(_ references: LinkReferences) {
        guard let table else { return }
        self.table = nil
        let columns = table.head.count
        guard columns <= Self.mostColumns, table.count <= Self.mostRows else {
            out.append(
                SpokenSentence(
                    phrases.table(columns: columns, rows: table.count),
                    pause: SpokenSentence.Pause.paragraph))
            return
        }
        let head = table.head.map { SpokenInlines.text($0, references) }
        if table.rows.isEmpty {
            say(head.joined(separator: ", ") + ".", pause: SpokenSentence.Pause.paragraph)
        }
        for (index, row) in table.rows.enumerated() {
            let cells = zip(head, row.map { SpokenInlines.text($0, references) })
                .compactMap {
                    (name, value) -> String? in
                    if value.isEmpty { return nil }
                    return name.isEmpty ? value : "\(name): \(value)"
                }
            guard !cells.isEmpty else { continue }
            let isLast = index == table.rows.count - 1
            // A row is one unit: its cells are split only if they are long.
            let text = cells.joined(separator: ", ")
            let ends = text.last.map { ".!?".contains($0) } ?? false
            say(
                ends ? text : text + ".",
                pause: isLast ? SpokenSentence.Pause.paragraph : SpokenSentence.Pause.item)
        }
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ text: String) -> Bool {
        suffix(text.utf8.count).elementsEqual(text.utf8)
    }
}
