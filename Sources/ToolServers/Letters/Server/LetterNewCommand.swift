import AgentCore
import Base
import Persistence

/// `chat letter new`: handles the arguments, the preview of the request, and the output.
/// Reading and writing are done elsewhere.
///
/// The letter goes to stdout and everything about it to stderr. `--dry-run` prints the
/// request instead; so does `--show-request` if stdout is not a terminal, and the letter
/// then goes to stderr.
package struct LetterNewCommand: Sendable {
    let writer: LetterWriter
    let sources: LetterSources
    let inputs: LetterCurrentInputs
    let screen: LetterScreen
    /// Saves a name that the user was asked for.
    let setName: @Sendable (_ name: String) async throws -> Void

    var verb: Verb {
        Verb(
            "new", "write a letter from your résumé and a job advert",
            options: [
                .init("--resume FILE|-|ITEM", "your résumé: text, Markdown, JSON, PDF", .file),
                .init("--job FILE|-|ITEM", "the job advert", .file),
                .init(
                    "--tone", oneOf: LetterSettings.Tone.allCases.map(\.rawValue),
                    "default: professional"),
                .init(
                    "--length", oneOf: LetterSettings.Length.allCases.map(\.rawValue),
                    "120–200, 200–320 (default) or 320–450 words"),
                .init(
                    "--language L", "default: the language of the advert; en-GB, de",
                    .examples(LetterForm.tags)),
            ] + Self.writing + [
                .init("--yes", "send the first request of a résumé without asking")
            ], json: "id title text model words flagged faults missing exit",
            example: "--resume resume.md --job job.txt --tone warm"
        ) { try await run($0) }
    }

    /// Options shared with `again`.
    static let writing: [Verb.Option] = [
        .init("--emphasis TEXT", "what matters most, in your words"),
        .init("--start TEXT", "when you can begin, if the advert asks"),
        .init("--salary TEXT", "what you expect, if the advert asks"),
        .init("--hide-employers", "employers and schools are not sent either"),
        .init("--dry-run", "print the exact request; nothing is sent"),
        .init("--show-request", "print it whole, then send it"),
        .init("--offline", "a letter without a model: a draft from your own lines"),
        .init("--strict", "refuse a letter that claims what is not in your résumé"),
    ]

    // MARK: - Running

    private func run(_ arguments: CommandArguments) async throws -> CommandOutput {
        if arguments.has("--dry-run"), arguments.has("--show-request") {
            throw UsageError("--dry-run and --show-request cannot be combined.")
        }
        if arguments["--resume"] == "-", arguments["--job"] == "-" {
            throw UsageError("Only one of --resume and --job can be piped in.")
        }
        if arguments.interaction.isChat,
            ["--resume", "--job"].contains(where: { arguments[$0] == "-" })
        {
            throw UsageError(
                "At the prompt nothing is piped in.", hint: "chat letter new --job FILE")
        }
        let (found, settings) = try await chosen(arguments)
        // Saved before any model is called, so that a plain `new` continues from here even after a
        // failure.
        var value = LetterCurrentInputs.Value(
            resume: found.resume.source, job: found.job.source, settings: settings)
        try await inputs.write(value)
        let output = try await write(found, settings, arguments)
        if let id = output.json?["id"]?.stringValue.flatMap({ ItemID($0) }) {
            value.letter = id
            try await inputs.write(value)
        }
        return output
    }

    /// Writes from the chosen inputs, with the options `--dry-run`, `--show-request`, `--strict`
    /// and so on; `letter again` passes the inputs of an earlier letter.
    func write(
        _ found: LetterInputs, _ settings: LetterSettings, _ arguments: CommandArguments
    ) async throws -> CommandOutput {
        if arguments.has("--dry-run") { return try await dryRun(found, settings) }
        let consent = LetterConsent(
            book: writer.book, screen: screen, interaction: arguments.interaction,
            isConfirmed: arguments.isConfirmed, showsAll: arguments.has("--show-request"))
        let written = try await writer.write(
            found, settings,
            LetterWriter.Options(
                isOffline: arguments.has("--offline"), isStrict: arguments.has("--strict")),
            consent: { try await consent.ask($0) }, emit: arguments.interaction.emit)
        return output(written, arguments)
    }

    /// The inputs from options; without them the last used ones, or those the user is asked for.
    private func chosen(
        _ arguments: CommandArguments
    ) async throws -> (LetterInputs, LetterSettings) {
        var current = await inputs.read()
        // With both sources in the options, the user starts over.
        let isNew = arguments.has("--resume") && arguments.has("--job")
        var settings = isNew ? LetterSettings() : current?.settings ?? LetterSettings()
        // The file of the current inputs contains no text of the letter.
        if !isNew, let letter = current?.letter,
            let item = try await writer.book.library.item(letter)
        {
            settings.emphasis = LetterSettings(item.metadata).emphasis
        }
        try settings.take(arguments)
        let steps = LetterSteps(
            sources: sources, book: writer.book, interaction: arguments.interaction,
            isSeen: arguments.interaction.isChat || screen.showsErrors, columns: screen.columns)
        var resume = try await arguments["--resume"].asyncMap { try await sources.resume($0) }
        var job = try await arguments["--job"].asyncMap { try await sources.job($0) }
        let asks = resume == nil && job == nil && current?.resume == nil && current?.job == nil
        if resume == nil, job == nil, let one = current?.resume, let other = current?.job {
            // Use the revisions that `use` restored.
            do {
                let kept = try await sources.kept(one, other)
                (resume, job) = (kept.resume, kept.job)
            } catch is LibraryError {
                // The items were deleted: ask for new ones.
                current = nil
            }
        }
        if resume == nil, let kept = current?.resume {
            resume = try await sources.resume("\(kept.item)")
        }
        if job == nil, let kept = current?.job { job = try await sources.job("\(kept.item)") }
        if resume == nil { resume = try await steps.resume() }
        if job == nil { job = try await steps.job() }
        guard let resume else {
            throw LetterError(.needs("a résumé", option: "--resume resume.md --job job.txt"))
        }
        guard var job else {
            throw LetterError(.needs("a job advert", option: "--resume resume.md --job job.txt"))
        }
        if asks { try await steps.fill(&settings, isGiven: arguments.has) }
        if !arguments.isConfirmed, !arguments.has("--dry-run") { try await steps.fill(&job) }
        if !arguments.isConfirmed, !arguments.has("--dry-run"), resume.sender.name == nil,
            try await writer.dependencies.profile().sender.name == nil,
            let name = try await steps.name()
        {
            try await setName(name)
        }
        return (LetterInputs(resume: resume, job: job), settings)
    }

    private func dryRun(
        _ inputs: LetterInputs, _ settings: LetterSettings
    ) async throws -> CommandOutput {
        let (body, destination) = try await writer.dryRun(
            try await writer.request(inputs, settings))
        var output = CommandOutput()
        output.document = body
        if screen.showsErrors {
            let place = destination.map { "to \($0.host)" } ?? "once a model is connected"
            output.remarks = [
                StyledLine(
                    "\(Quantities.bytes(body.count)) would go \(place); nothing was sent.", .dim)
            ]
        }
        if let notSent = inputs.resume.notSent { output.remarks.append(StyledLine(notSent, .dim)) }
        return output
    }

    // MARK: - Output

    private func output(_ written: WrittenLetter, _ arguments: CommandArguments) -> CommandOutput {
        var output = CommandOutput(
            json: json(written), notices: written.notices, outcome: written.outcome)
        let isChat = arguments.interaction.isChat
        let text = written.reason == nil ? written.marked : "\(Self.label)\n\n\(written.marked)"
        let lines = Self.lines(
            text, columns: isChat || screen.showsOutput ? screen.columns() : nil,
            indent: isChat ? "  " : "")
        if arguments.has("--show-request"), !isChat, !screen.showsOutput {
            output.document = written.draft.requests.first.map { Array($0.utf8) } ?? []
            output.remarks = lines
        } else if isChat || screen.showsOutput {
            // The text already ends with an empty line.
            output.lines = [StyledLine("")] + lines
        } else if !arguments.wantsJSON {
            output.document = Array(text.utf8)
        }
        if let reason = written.reason {
            // The letter itself says that it is a draft.
            output.notices.insert(reason, at: 0)
        }
        let id = "l\(written.item.id.rawValue)"
        output.remarks += [
            summary(written),
            StyledLine("  chat letter edit \(id) · chat letter export \(id) -o FILE", .hint),
        ]
        if let language = written.formless {
            output.remarks.append(
                StyledLine(
                    "Date, greeting and closing are in English: chat has no letter form for "
                        + "the language \(language.oneLine).", .dim))
        }
        if !written.missing.isEmpty {
            let what = written.missing.joined(separator: ", ")
            let field = Self.field(written.missing)
            output.remarks.append(
                StyledLine([
                    .init("Left out because unknown: \(what)", .dim),
                    .init(" · chat profile set \(field)", .hint),
                ]))
        }
        // The letter is shaped by the untrusted advert.
        output.quotesOthers = true
        return output
    }

    package static let label = "draft, no model used"

    private static func field(_ missing: [String]) -> String {
        missing.first.map { $0 == "e-mail" ? "email" : $0 } ?? "name"
    }

    /// The line after a new letter:
    /// `✓ l12 Senior engineer · Acme · 243 words · gpt-5.5 · $0.004`.
    private func summary(_ written: WrittenLetter) -> StyledLine {
        var facts = [Quantities.count(written.words, "word")]
        if let model = written.draft.model { facts.append(model.model) }
        if let cost = written.draft.cost { facts.append(cost) }
        return StyledLine([
            .init("✓ l\(written.item.id.rawValue) ", .success),
            .init(written.item.title.oneLine),
            .init(" · \(facts.joined(separator: " · "))", .dim),
        ])
    }

    /// The text wrapped to the window, with coloured marks.
    static func lines(_ text: String, columns: Int?, indent: String = "") -> [StyledLine] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .flatMap { line -> [String] in
                guard let columns else { return [String(line)] }
                return WordWrap.texts(String(line), width: max(16, columns - 1 - indent.count))
            }.map { row in
                let isMarked = row.contains("⚠")
                return StyledLine(row.isEmpty ? "" : indent + row, isMarked ? .warning : .plain)
            }
    }

    private func json(_ written: WrittenLetter) -> JSONValue {
        [
            "id": .string("l\(written.item.id.rawValue)"), "title": .string(written.item.title),
            "text": .string(written.draft.body),
            "model": written.draft.model.map { .string($0.model) } ?? .null,
            "words": JSONValue(written.words),
            "flagged": .array(written.draft.flagged.map { .string($0) }),
            "faults": .array(written.draft.faults.map { .string($0.rawValue) }),
            "missing": .array(written.missing.map { .string($0) }),
            "exit": JSONValue(Int(written.outcome.rawValue)),
        ]
    }
}

extension LetterSettings {
    /// Takes the options that `new` and `again` have for them.
    mutating func take(_ arguments: CommandArguments) throws {
        tone = try arguments.choice("--tone", Tone.self) ?? tone
        length = try arguments.choice("--length", Length.self) ?? length
        language = arguments["--language"] ?? language
        if let emphasis = arguments["--emphasis"]?.trimmingSpace() {
            guard emphasis.count <= LetterWriter.emphasisLimit else {
                throw LetterError(.emphasisTooLong(emphasis.count))
            }
            self.emphasis = emphasis.isEmpty ? nil : emphasis
        }
        hidesEmployers = hidesEmployers || arguments.has("--hide-employers")
        start = arguments["--start"]?.oneLine ?? start
        salary = arguments["--salary"]?.oneLine ?? salary
    }
}

extension Optional where Wrapped: Sendable {
    fileprivate func asyncMap<Value>(
        _ body: (Wrapped) async throws -> Value
    ) async rethrows -> Value? {
        guard let self else { return nil }
        return try await body(self)
    }
}
