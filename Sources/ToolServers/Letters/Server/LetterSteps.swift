import AgentCore
import Base
import Documents
import Persistence

/// Asks step by step for the inputs of a letter, at a terminal. If there is no user to ask,
/// every step returns nil.
struct LetterSteps: Sendable {
    let sources: LetterSources
    let book: LetterBook
    let interaction: Interaction
    /// Whether there is a terminal where the user can answer.
    let isSeen: Bool
    /// Width of the window.
    let columns: @Sendable () -> Int

    /// Maximum number of items offered.
    private static let offered = 5
    /// Maximum number of attempts at an answer.
    private static let attempts = 4

    // MARK: - Résumé and advert

    func resume() async throws -> LetterInputs.Resume? {
        try await source(
            .resume, heading: "Your résumé",
            hint: "A file (text, Markdown, JSON Resume, PDF), or Enter to paste it in your editor.",
            file: "resume.md", named: sources.resume, pasted: sources.resumeText)
    }

    func job() async throws -> LetterInputs.Job? {
        try await source(
            .job, heading: "The job advert", hint: "A file, or Enter to paste it in your editor.",
            file: "job.txt", named: sources.job, pasted: sources.jobText)
    }

    private func source<Value: Sendable>(
        _ kind: ItemKind, heading: String, hint: String, file: String,
        named: (String) async throws -> Value, pasted: (String) async throws -> Value
    ) async throws -> Value? {
        let items = try await book.library.items(
            ItemFilter(kinds: [kind], limit: Self.offered), bodyLimit: 1)
        for attempt in 0..<Self.attempts {
            var (lines, prompt) = ([StyledLine](), "Again, or Ctrl-C: ")
            if attempt == 0 {
                lines = [StyledLine("  \(heading)", .bold), StyledLine("  \(hint)", .dim)]
                lines += items.map(Self.line)
                prompt = "File\(items.isEmpty ? "" : " or item"): "
            }
            guard let answer = try await ask(lines, prompt) else { return nil }
            if let value = try await read(answer, file: file, named: named, pasted: pasted) {
                return value
            }
        }
        return nil
    }

    /// - Returns: nil for an invalid answer; the problem was shown.
    private func read<Value: Sendable>(
        _ answer: String, file: String, named: (String) async throws -> Value,
        pasted: (String) async throws -> Value
    ) async throws -> Value? {
        do {
            if !answer.isEmpty { return try await named(answer) }
            switch await interaction.edit("", file) {
            case .changed(let text): return try await pasted(text)
            case .unchanged:
                await interaction.show([StyledLine("  Nothing was pasted.", .warning)])
            case .failed(let why): await interaction.show([StyledLine("  \(why)", .warning)])
            case .holdsKey(let path):
                await interaction.show([
                    StyledLine("  The text contains an API key; it is at \(path).", .warning)
                ])
            }
            return nil
        } catch let error as CancellationError {
            throw error
        } catch {
            let diagnostic = Diagnostic(of: error)
            await interaction.show([StyledLine("  \(diagnostic.what)", .warning)])
            return nil
        }
    }

    private static func line(_ item: LibraryItem) -> StyledLine {
        StyledLine([
            .init("    \(item.id)  ", .accent), .init(item.title.oneLine, .dim),
        ])
    }

    // MARK: - Settings

    /// - Parameter isGiven: whether the option of that name was given.
    func fill(_ settings: inout LetterSettings, isGiven: (String) -> Bool) async throws {
        if !isGiven("--tone"),
            let tone: LetterSettings.Tone = try await choice("Tone", settings.tone)
        {
            settings.tone = tone
        }
        if !isGiven("--length"),
            let length: LetterSettings.Length = try await choice("Length", settings.length)
        {
            settings.length = length
        }
        if !isGiven("--emphasis"),
            let emphasis = try await ask([], "What matters most? (Enter for nothing special) "),
            !emphasis.isEmpty
        {
            settings.emphasis = String(emphasis.prefix(LetterWriter.emphasisLimit))
        }
    }

    /// Asks for details that the advert does not state clearly.
    func fill(_ job: inout LetterInputs.Job) async throws {
        func answer(_ question: String) async throws -> String? {
            try await ask([], question).flatMap { $0.isEmpty ? nil : $0.oneLine }
        }
        if job.advert.role == nil {
            job.advert.role = try await answer("The job's title (Enter for none): ")
        }
        if job.advert.company == nil {
            job.advert.company = try await answer("The employer (Enter for none): ")
        }
    }

    /// Asks for the user's name if neither profile nor résumé has it.
    func name() async throws -> String? {
        let answer = try await ask(
            [StyledLine("  Your résumé does not show your name. It stays on this machine.", .dim)],
            "Your name, for the letter: ")
        return answer.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Asks for one of the cases; a prefix is enough: `w` for warm.
    private func choice<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ standard: Word
    ) async throws -> Word? {
        let words = Word.allCases.map(\.rawValue)
        let lines = [StyledLine("  \(name): \(CommandArguments.alternatives(words))", .dim)]
        for attempt in 0..<Self.attempts {
            guard
                let answer = try await ask(
                    attempt == 0 ? lines : [], "\(name) (Enter for \(standard.rawValue)): ")?
                    .lowercased(), !answer.isEmpty
            else { return nil }
            let found = Word.allCases.filter { $0.rawValue.hasPrefix(answer) }
            if found.count == 1 { return found.first }
        }
        return nil
    }

    private func ask(_ lines: [StyledLine], _ question: String) async throws -> String? {
        guard isSeen else { return nil }
        if !lines.isEmpty { await interaction.show(lines) }
        return try await interaction.ask(question, false)?.trimmingSpace()
    }
}
