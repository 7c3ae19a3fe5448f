import AgentCore
import Base
import Documents
import Library
import Persistence

/// Application letters as a capability: `chat letter …`, and `letter_create` for the model, which
/// never sees the sender's identity.
///
/// It has no rules of its own: writing is done by `LetterWriter`, saving by `LetterBook`.
package struct LetterServer: ToolServer {
    package static let noun = "letter"
    package let name = "letters"
    package let description =
        "Writes letters of application; whom they are from stays on this machine."

    private let new: LetterNewCommand
    private let history: LetterHistoryCommand
    private var writer: LetterWriter { new.writer }
    private var inputs: LetterCurrentInputs { new.inputs }
    var sources: LetterSources { new.sources }

    /// - Parameters:
    ///   - library: the library's actions on items, for `delete` and `export`.
    ///   - variables: the environment variables.
    package init(
        writer: LetterWriter, sources: LetterSources, inputs: LetterCurrentInputs,
        screen: LetterScreen, setName: @escaping @Sendable (_ name: String) async throws -> Void,
        library: LibraryServer.Dependencies, variables: [String: String]
    ) {
        new = LetterNewCommand(
            writer: writer, sources: sources, inputs: inputs, screen: screen, setName: setName)
        history = LetterHistoryCommand(new: new, library: library, variables: variables)
    }

    /// The check of a letter, for other code that changes one.
    package var review: LetterReview { history.review }

    package var commands: [Command] {
        [
            Command(
                name: Self.noun, summary: "cover letters that never tell a model who you are",
                verbs: [new.verb] + history.verbs)
        ]
    }
}

/// The tool for models.
extension LetterServer {
    package static let createName = "letter_create"

    package var toolsInUse: [String] { inputs.areUsed ? [Self.createName] : [] }

    package func listTools() -> [Tool] {
        [
            Tool(
                name: Self.createName, title: "Write a letter of application",
                description: """
                    Writes and keeps a letter of application from the user's résumé and a job \
                    advert, else the last one. You get placeholders such as [NAME] in place of \
                    personal details; the user sees the letter with /letter show.
                    """,
                inputSchema: .object([
                    .init("job", .string(description: "Text of the advert, or its item: i12")),
                    .init("resume", .string(description: "Item of the résumé")),
                    .init(
                        "tone", .string(choices: LetterSettings.Tone.allCases.map(\.rawValue))),
                    .init(
                        "length",
                        .string(choices: LetterSettings.Length.allCases.map(\.rawValue))),
                    .init("language", .string(description: "Such as de")),
                    .init("emphasis", .string(description: "What matters most")),
                ]), toolClass: .outward,
                cues: """
                    letter* apply application* cover+letter cv résumé advert job+ad bewerb* \
                    anschreiben* motivationsschreiben* lebenslauf* stellenanzeige*
                    """)
        ]
    }

    package func preview(of name: String, arguments: JSONObject) async -> CallPreview {
        do {
            let source = try await found(arguments, keeps: false).resume
            guard let destination = try await writer.destination() else { return .touches(nil) }
            // The latest revision is the one sent.
            let item = try await writer.book.library.item(source.item)
            let latest = LetterDraft.Source(
                item: source.item, revision: item?.revision ?? source.revision)
            try await demandConsent(latest, as: nil, to: destination.host)
            return .touches(
                "résumé \(latest.item), without who you are, to \(destination.host)")
        } catch let error as ToolError {
            return .fails(ToolOutput(error))
        } catch {
            // The call itself reports the error.
            return .touches(nil)
        }
    }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        guard name == Self.createName else { throw ToolError.toolNotFound(name: name) }
        let chosen = try await found(arguments, keeps: true)
        guard let job = chosen.job else {
            throw ToolError.failed("Which job? Give the text of the advert as \"job\".")
        }
        // Employers that the user hides stay hidden when a model asks for a letter.
        var settings = LetterSettings(
            hidesEmployers: await inputs.read()?.settings.hidesEmployers ?? false)
        settings.tone =
            arguments["tone"]?.stringValue.flatMap { .init(rawValue: $0) } ?? settings.tone
        settings.length =
            arguments["length"]?.stringValue.flatMap { .init(rawValue: $0) } ?? settings.length
        settings.language = arguments["language"]?.stringValue
        settings.emphasis = arguments["emphasis"]?.stringValue.map {
            String($0.prefix(LetterWriter.emphasisLimit))
        }
        let found = LetterInputs(
            resume: try await sources.resume("\(chosen.resume.item)"), job: job)
        // The confirmation of the call does not show the request; the user must have seen
        // and approved it before.
        let written = try await writer.write(
            found, settings,
            consent: {
                try await demandConsent(
                    $0.resume.source, as: $0.sentResume, to: $0.destination?.host)
            },
            emit: emit)
        try await inputs.write(
            LetterCurrentInputs.Value(
                resume: found.resume.source, job: found.job.source, settings: settings))
        return try await answer(written, found, settings)
    }

    /// - Throws: `ToolError` if the user has not yet seen what is sent of that revision of
    ///   a résumé.
    private func demandConsent(
        _ source: LetterDraft.Source, as text: String?, to host: String?
    ) async throws {
        guard try await LetterConsent.isGiven(source, as: text, to: host, in: writer.book) else {
            throw ToolError.failed(
                "Nothing was sent: the user has not yet seen what is sent of résumé "
                    + "\(source.item) to this provider. They see it with /letter new, and need "
                    + "to say yes there once for each version of the résumé.")
        }
    }

    /// The answer for the model, with placeholders only: restored values are for the user.
    private func answer(
        _ written: WrittenLetter, _ found: LetterInputs, _ settings: LetterSettings
    ) async throws -> ToolOutput {
        let id = "l\(written.item.id.rawValue)"
        var text = "Kept as \(id); the user sees it whole with /letter show \(id).\n\n"
        if written.reason == nil {
            text += LetterAnswer(written.draft.answer).text
        } else {
            text += "No model wrote it: it is a draft from lines of the résumé.\n"
        }
        if !written.claims.isEmpty {
            text +=
                "\n\n(\(Quantities.count(written.claims.count, "sentence")) of it "
                + "neither résumé nor advert backs; they are marked for the user.)"
        }
        if written.draft.faults.contains(.length) {
            text +=
                "\n\n(It has \(written.words) words, not what \(settings.length.rawValue) means.)"
        }
        return ToolOutput(
            text: text,
            summary: "✓ \(id) \(ItemTable.title(written.item)) · \(written.words) words · /undo",
            isUntrusted: true)
    }

    /// A model names items; only the user may name files.
    /// - Parameter keeps: whether an advert's text is saved as an item; otherwise none is
    ///   read.
    private func found(
        _ arguments: JSONObject, keeps: Bool
    ) async throws -> (resume: LetterDraft.Source, job: LetterInputs.Job?) {
        let current = await inputs.read()
        let library = writer.book.library
        let resume: LetterDraft.Source
        if let words = arguments["resume"]?.stringValue {
            resume = try await Self.item(words, .resume, in: library)
        } else if let kept = current?.resume {
            resume = kept
        } else if let last = try await library.items(ItemFilter(kinds: [.resume], limit: 1)).first {
            resume = LetterDraft.Source(item: last.id, revision: last.revision)
        } else {
            throw ToolError.failed(
                "The user has given no résumé yet. They do so with /letter new.")
        }
        let words = arguments["job"]?.stringValue?.trimmingSpace() ?? ""
        if ItemID(words) != nil {
            let source = try await Self.item(words, .job, in: library)
            return (resume, keeps ? try await sources.job("\(source.item)") : nil)
        }
        if !words.isEmpty { return (resume, keeps ? try await sources.jobText(words) : nil) }
        guard let kept = current?.job else { return (resume, nil) }
        return (resume, keeps ? try await sources.job("\(kept.item)") : nil)
    }

    private static func item(
        _ words: String, _ kind: ItemKind, in library: LibraryStore
    ) async throws -> LetterDraft.Source {
        let found = try await library.matches(words, in: ItemFilter(kinds: [kind]))
        guard let first = found.first else { throw ToolError.noMatch(query: words) }
        guard found.count == 1 else {
            // Titles of résumés may be names, so only ids are listed.
            throw ToolError.ambiguous(query: words, candidates: found.map { "\($0.id)" })
        }
        return LetterDraft.Source(item: first.id, revision: first.revision)
    }
}
