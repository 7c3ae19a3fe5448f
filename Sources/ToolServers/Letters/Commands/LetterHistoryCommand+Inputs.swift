import AgentCore
import Base
import Library
import Persistence

/// `again`, `use` and `status`: reuse the inputs of earlier letters.
extension LetterHistoryCommand {
    static let inputsMembers = "letter resume job tone length language emphasis hidesEmployers"

    /// Writes from the same revisions; options replace the letter's settings.
    func again(_ arguments: CommandArguments) async throws -> CommandOutput {
        let item = try await book.lookup.find(arguments.text)
        let draft = try Self.draft(item)
        var settings = draft.settings
        try settings.take(arguments)
        let found = try await new.sources.kept(draft.resume, draft.job)
        return try await new.write(found, settings, arguments)
    }

    func use(_ arguments: CommandArguments) async throws -> CommandOutput {
        let item = try await book.lookup.find(arguments.text)
        let draft = try Self.draft(item)
        for source in [draft.resume, draft.job] {
            guard let found = try await library.store.item(source.item), found.trashed == nil else {
                throw LetterError(.noSources(item.id))
            }
        }
        let value = LetterCurrentInputs.Value(
            resume: draft.resume, job: draft.job, settings: draft.settings, letter: item.id)
        try await inputs.write(value)
        var output = try await shown(value)
        output.lines.insert(
            StyledLine("✓ using what \(book.lookup.name(item)) was made from", .success), at: 0
        )
        return output
    }

    func status() async throws -> CommandOutput {
        guard let value = try await current() else {
            return CommandOutput(
                lines: [
                    StyledLine(
                        "Nothing is chosen yet: chat letter new --resume FILE --job FILE", .hint)
                ], json: .object(JSONObject(Self.members(LetterCurrentInputs.Value()))))
        }
        return try await shown(value)
    }

    /// The current inputs with the emphasis of the letter they were restored from, since
    /// their file contains no text of the letter.
    private func current() async throws -> LetterCurrentInputs.Value? {
        guard var value = await inputs.read() else { return nil }
        if let letter = value.letter, let item = try await library.store.item(letter) {
            value.settings.emphasis = LetterSettings(item.metadata).emphasis
        }
        return value
    }

    private static func draft(_ item: LibraryItem) throws -> LetterDraft {
        guard let draft = LetterDraft(item) else { throw LetterError(.noSources(item.id)) }
        return draft
    }

    private func shown(_ value: LetterCurrentInputs.Value) async throws -> CommandOutput {
        let settings = value.settings
        var rows: [(String, StyledLine.Span, String)] = []
        rows.append(try await row("résumé", value.resume))
        rows.append(try await row("job", value.job))
        rows.append(("tone", .init(settings.tone.rawValue), ""))
        let range = settings.length.words
        rows.append(
            (
                "length", .init(settings.length.rawValue),
                "\(range.lowerBound)–\(range.upperBound) words"
            ))
        rows.append(
            settings.language.map { ("language", .init($0.oneLine), "") }
                ?? ("language", .init("as the advert", .dim), ""))
        if let emphasis = settings.emphasis {
            rows.append(("emphasis", .init(emphasis.oneLine), ""))
        }
        if settings.hidesEmployers { rows.append(("employers", .init("not sent"), "")) }
        let width = library.width() ?? 200
        let lines = rows.map { name, text, detail in
            var text = text
            text.text = DisplayWidth.cut(text.text, to: max(12, width - 13))
            let end = "  " + detail
            let isRoom = DisplayWidth.of(text.text) + DisplayWidth.of(end) + 13 <= width
            return StyledLine([
                .init("  " + DisplayWidth.pad(name, to: 9) + " ", .dim), text,
                .init(isRoom && !detail.isEmpty ? end : "", .dim),
            ])
        }
        var output = CommandOutput(
            lines: lines, json: .object(JSONObject(Self.members(value))))
        output.quotesOthers = true
        return output
    }

    /// `i3 My résumé`, and whether it has changed since.
    private func row(
        _ name: String, _ source: LetterDraft.Source?
    ) async throws -> (String, StyledLine.Span, String) {
        guard let source else { return (name, .init("none", .dim), "") }
        guard let item = try await library.store.item(source.item) else {
            return (name, .init("\(source.item) is gone", .warning), "")
        }
        if item.trashed != nil {
            return (name, .init("\(source.item) is in the trash", .warning), "")
        }
        let isOld = item.revision != source.revision
        return (
            name, .init(ItemTable.name(item)),
            isOld ? "revision \(source.revision) of \(item.revision)" : ""
        )
    }

    private static func members(_ value: LetterCurrentInputs.Value) -> [JSONObject.Member] {
        [
            .init("letter", value.letter.map { .string(ItemKind.letter.id($0)) } ?? .null),
            .init("resume", value.resume?.json ?? .null),
            .init("job", value.job?.json ?? .null),
        ] + value.settings.members
    }
}
