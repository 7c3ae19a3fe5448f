import AgentCore
import Base
import Library
import Persistence

/// `chat letter export`: writes a letter to a file for sending. Never overwrites a file
/// without `--force` or leaves a partial one; files are readable by the user alone (0600).
///
/// Flagged sentences are not marked in a file that goes to an employer, unless `--marks`
/// asks for it; stderr reports how many are marked.
struct LetterExport: Sendable {
    enum Format: String, CaseIterable {
        case docx, pdf, html, md, txt, json

        /// Whether the format is not text for a terminal.
        var isBinary: Bool { self == .docx || self == .pdf }

        /// The format for a file extension; nil if the name has none.
        /// - Throws: `LetterError.unknownEnding`.
        init?(ofFile path: String) throws {
            let parts = FilePath.name(path).split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count > 1, let ending = parts.last, !ending.isEmpty,
                FilePath.names(in: path) == nil
            else { return nil }
            guard let format = Format(rawValue: ending.lowercased()) else {
                throw LetterError(.unknownEnding(String(ending)))
            }
            self = format
        }
    }

    let book: LetterBook
    let review: LetterReview
    let library: LibraryServer.Dependencies
    let screen: LetterScreen
    let variables: [String: String]

    var verb: Verb {
        Verb(
            "export", "export it to a file; without PATH, to stdout",
            [LetterHistoryCommand.letter],
            options: [
                .init(
                    "--format", oneOf: Format.allCases.map(\.rawValue),
                    "default: by the extension of PATH, or txt, as web forms take it"),
                .init("-o, --output PATH", "a file, or a folder", .file),
                .init("--marks", "keep the marks of unsupported claims"),
                .init("--force", "replace an existing file"),
            ], json: "path bytes format flagged", example: "l12 -o letter.pdf"
        ) { arguments in
            var done = try await run(arguments)
            if arguments.interaction.isChat || screen.showsOutput {
                // The prompt adds two columns in front.
                let width = max(16, screen.columns() - 3)
                done.lines = done.lines.flatMap { $0.folded(to: width) }
            }
            return done
        }
    }

    private func run(_ arguments: CommandArguments) async throws -> CommandOutput {
        let item = try await book.lookup.find(arguments.text, isTrashed: nil)
        let output = arguments["--output"]
        let format: Format =
            try arguments.choice("--format") ?? output.flatMap { try Format(ofFile: $0) } ?? .txt
        let standing = try await review.flagged(item)
        var done = CommandOutput()
        done.quotesOthers = true
        if !standing.isEmpty {
            let count = Quantities.count(standing.count, "sentence")
            let marks = arguments.has("--marks") ? "with the marks" : "without marks"
            done.notices = [
                "\(WrittenLetter.mark): \(count), exported \(marks); "
                    + "chat letter show \(ItemKind.letter.id(item.id)) shows them."
            ]
        }
        guard let output else {
            if format.isBinary, library.formatted("") != nil || arguments.interaction.isChat {
                throw LetterError(.needsOutput)
            }
            done.document = try await bytes(item, as: format, standing: standing, arguments)
            return done
        }
        let file = try await ItemNoun(lookup: book.lookup, library: library).export(
            item, to: output, as: format.rawValue, arguments,
            members: [.init("flagged", JSONValue(standing.count))]
        ) { try await bytes(item, as: format, standing: standing, arguments) }
        (done.lines, done.json) = (file.lines, file.json)
        return done
    }

    // MARK: - Output

    private func bytes(
        _ item: LibraryItem, as format: Format, standing: [String], _ arguments: CommandArguments
    ) async throws -> [UInt8] {
        var letter = item
        if arguments.has("--marks") { letter.body = LetterMarks.marked(item.body, standing) }
        let text = LetterText(letter.body)
        switch format {
        case .txt: return Array(text.plain.utf8)
        case .md: return Array(text.markdown.utf8)
        case .json:
            return Array((JSONWriter.pretty(ItemTable.whole(letter)) + "\n").utf8)
        case .html: return page(letter, text)
        case .docx:
            let (language, size) = form(letter)
            return LetterDocument(language: language, size: size).bytes(text)
        case .pdf:
            return try await LetterPDF(variables: variables).bytes(of: page(letter, text))
        }
    }

    private func form(_ item: LibraryItem) -> (language: String, size: LetterPage.PaperSize) {
        let language = LetterDraft(item)?.language ?? ""
        return (language, LetterPage.PaperSize(language: language, variables: variables))
    }

    private func page(_ item: LibraryItem, _ text: LetterText) -> [UInt8] {
        let (language, size) = form(item)
        return Array(
            LetterPage(title: item.title.oneLine, language: language, size: size).html(text).utf8)
    }
}
