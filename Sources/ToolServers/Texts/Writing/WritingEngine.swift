import AgentCore
import Base
import Privacy

/// Applies a writing tool to a text: a text in, a result out. No file, no terminal.
///
/// ```
///   text ── too short, secret ──► refused, nothing is sent
///    │
///    ├─ a model ──► parts, each: masked ─► TextRecipe ─► guards ─► spans back, verified
///    │
///    └─ none, or --offline ──► proofread: the program's own rules; else refused
/// ```
///
/// A part whose answer is refused stays unchanged and is named in the result;
/// if all of them are refused, an error is thrown.
package struct WritingEngine: Sendable {
    /// - Parameter language: given by the user; nil guesses.
    package typealias Proofread =
        @Sendable (_ text: String, _ language: String?) async throws -> Proofreading

    private let generator: any TextGenerator
    private let proofread: Proofread
    /// The built-in tools and the user's own.
    package let tools: @Sendable () async -> [WritingTool]

    package init(
        generator: any TextGenerator, proofread: @escaping Proofread,
        tools: @escaping @Sendable () async -> [WritingTool] = { WritingTool.builtIn }
    ) {
        self.generator = generator
        self.proofread = proofread
        self.tools = tools
    }

    // MARK: - What is refused

    static let leastWords = 3
    static let leastLetters = 15

    /// The reason why no tool can be used on the text: titles, names and keywords are too short,
    /// and keys and passwords are not sent. Nil if tools can be used.
    package static func refusal(of text: String) -> WritingError? {
        let core = text.trimmingSpace()
        if SecretText.isFound(in: core) { return WritingError(.secret) }
        // The beginning is sufficient.
        let words = core.prefix(400).split(whereSeparator: \.isWhitespace).count {
            $0.contains { $0.isLetter || $0.isNumber }
        }
        if words < leastWords && core.prefix(400).count < 400 { return WritingError(.tooShort) }
        // "The cat sat." is short but not a title: a sentence ends with a mark.
        let isSentence = core.last.map { ".!?…".contains($0) } ?? false
        let isShort = core.prefix(leastLetters).count < leastLetters
        return isShort && !isSentence ? WritingError(.tooShort) : nil
    }

    /// The tool with that name.
    /// - Throws: `unknownTool` with the nearest one.
    package func tool(named name: String) async throws -> WritingTool {
        let all = await tools()
        if let tool = all.first(where: { $0.name == name }) { return tool }
        throw WritingError(.unknownTool(name, known: all.map(\.name)))
    }

    // MARK: - Applying

    /// - Parameters:
    ///   - isOffline: uses no model.
    ///   - name: a name of the text, for the progress; untrusted text.
    ///   - withheld: data to withhold: the model is given placeholders, and the
    ///     originals are put back into the result. Nil for a text that is sent
    ///     unchanged.
    ///   - emit: reports the progress of a text in several parts.
    /// - Returns: a partial result if the task was cancelled after some parts were done.
    /// - Throws: `WritingError`, `GenerationError`, `CancellationError`.
    package func apply(
        _ tool: WritingTool, to text: String, isOffline: Bool = false, language: String? = nil,
        name: String = "", withheld: PersonalData? = nil, emit: Emitter = .none
    ) async throws -> WritingResult {
        if let refusal = Self.refusal(of: text) { throw refusal }
        if isOffline {
            guard tool.isProofreading else { throw WritingError(.needsModel(tool.title)) }
            return try await local(text, language, because: nil)
        }
        do {
            return try await asked(
                tool, text, language: language, name: name, withheld: withheld, emit: emit)
        } catch let error as GenerationError {
            let diagnostic = Diagnostic(of: error)
            guard diagnostic.exit == .needsKeyOrNetwork else { throw error }
            if tool.isProofreading {
                return try await local(
                    text, language, because: error.reason == .noModel ? nil : diagnostic.what)
            }
            if error.reason == .noModel { throw WritingError(.needsModel(tool.title)) }
            throw error
        }
    }

    private func local(
        _ text: String, _ language: String?, because reason: String?
    ) async throws -> WritingResult {
        let found = try await proofread(text, language)
        var result = WritingResult(original: text, text: text, isLocal: true)
        result.proofreading = found
        result.localReason = reason
        if found.corrections.isEmpty { return result }
        let (corrected, count) = Correction.applied(found.corrections, to: text)
        // A correction that would break code or a link is not used.
        if ProtectedText(text).violation(in: corrected) == nil {
            result.text = corrected
            result.corrections = count
        }
        return result
    }

    // MARK: - By a model

    private func asked(
        _ tool: WritingTool, _ whole: String, language: String?, name: String,
        withheld: PersonalData?, emit: Emitter
    ) async throws -> WritingResult {
        var map = RedactionMap(avoiding: whole)
        let text = withheld.map { Redactor($0).redact(whole, into: &map) } ?? whole
        let parts = TextSplitter.parts(of: text)
        var done: [String] = []
        var result = WritingResult(original: whole, text: whole)
        var refusals: [WritingError] = []
        let asking = parts.count { Self.hasProse($0) }
        var answered = 0
        var progress = ToolProgress(activity: tool.activity, title: name)
        if asking > 1 { progress.hint = "what is done is kept" }
        for part in parts {
            guard Self.hasProse(part) else {
                done.append(part)
                continue
            }
            if asking > 1 {
                progress.part = "part \(answered + refusals.count + 1) of \(asking)"
                progress.fraction = Double(answered + refusals.count) / Double(asking)
            }
            emit(progress)
            do {
                let (text, model) = try await answer(
                    tool, part, language: language, withheld: withheld)
                done.append(text)
                result.model = model
                answered += 1
            } catch let error as WritingError {
                refusals.append(error)
                done.append(part)
            } catch {
                // Earlier parts are not lost.
                guard answered > 0 else { throw error }
                result.isPartial = true
                result.failure = error is CancellationError ? nil : Diagnostic(of: error)
                break
            }
        }
        if answered == 0, let refusal = refusals.first { throw refusal }
        result.text = (done + parts.dropFirst(done.count)).joined()
        result.leftOut = refusals.map { $0.reasonText }
        if let violation = ProtectedText(text).violation(in: result.text) {
            throw WritingError(.mangled(violation))
        }
        result.text = map.restore(result.text)
        result.judge(tool)
        return result
    }

    /// Checks a text that a model wrote for a tool like an answer to that tool.
    /// - Throws: `WritingError` if a protected span has changed.
    static func checked(
        _ text: String, _ tool: WritingTool, against original: String
    ) throws(WritingError) -> WritingResult {
        if let refusal = refusal(of: original)
            ?? (SecretText.isFound(in: text) ? WritingError(.secret) : nil)
        {
            throw refusal
        }
        let cleaned: String
        do throws(AnswerGuards.Fault) {
            cleaned = try AnswerGuards.cleaned(text, for: original)
        } catch {
            throw WritingError(.answer(error))
        }
        if let violation = ProtectedText(original).violation(in: cleaned) {
            throw WritingError(.mangled(violation))
        }
        var result = WritingResult(original: original, text: cleaned)
        result.judge(tool)
        return result
    }

    private func answer(
        _ tool: WritingTool, _ part: String, language: String?, withheld: PersonalData?
    ) async throws -> (text: String, model: String) {
        let protected = ProtectedText(part)
        let masked = protected.masked
        let recipe = WritingRecipe.recipe(
            tool, masked: masked.replacing("\r\n", with: "\n"), language: language,
            withheld: withheld)
        let made: GeneratedText
        do {
            made = try await generator.generate(recipe, emit: nil)
        } catch let error as GenerationError {
            switch error.reason {
            case .refused: throw WritingError(.declined)
            case .truncated: throw WritingError(.cut)
            case .empty: throw WritingError(.answer(.empty))
            case .noModel, .overBudget, .provider, .wrongShape: throw error
            }
        }
        let cleaned: String
        do throws(AnswerGuards.Fault) {
            cleaned = try AnswerGuards.cleaned(made.text, for: masked)
        } catch {
            throw WritingError(.answer(error))
        }
        do throws(ProtectedText.Violation) {
            return (try protected.unmask(cleaned), made.model.model)
        } catch {
            throw WritingError(.mangled(error))
        }
    }

    private static func hasProse(_ part: String) -> Bool {
        ProtectedText(part).prose.contains(where: \.isLetter)
    }
}

/// The result of a writing tool.
package struct WritingResult: Sendable, Equatable {
    package var original: String
    package var text: String
    /// Whether the built-in rules made it, without a model.
    package var isLocal = false
    /// The report of those rules; nil if a model was used.
    package var proofreading: Proofreading?
    /// The reason why a connected model was not used; nil without one, or if none was wanted.
    package var localReason: String?
    /// Whether a proofread changed so many words that it requires consent.
    package var isRewrite = false
    /// Facts that a model changed, which require consent.
    package var facts = FactChanges()
    /// Whether it was stopped: the rest of the text is unchanged.
    package var isPartial = false
    /// The error that stopped it; nil if the user did.
    package var failure: Diagnostic?
    /// The reason why parts of the text stayed unchanged.
    package var leftOut: [String] = []
    /// Number of changes, each of a word or a few.
    package var corrections = 0

    /// The name of the model that wrote it.
    package var model: String?

    /// Counts the changes, finds those of facts, and distinguishes a rewrite from a
    /// proofread.
    mutating func judge(_ tool: WritingTool) {
        let diff = TextDiff(original, text)
        corrections = diff.changes.count
        facts = FactChanges(diff, isProofread: tool.isProofreading)
        isRewrite = tool.isProofreading && AnswerGuards.isRewrite(diff)
    }

    /// The question to ask before it is used; nil for no question.
    var doubt: String? {
        if let facts = facts.sentence { return facts }
        guard isRewrite else { return nil }
        let share = TextDiff(original, text).changedShare
        return "Proofreading changed \(Int((share * 100).rounded())) % of the words: "
            + "that is a rewrite."
    }

    package var isChanged: Bool { !text.utf8.elementsEqual(original.utf8) }

    /// The exit code of a command with this result.
    package var outcome: ExitCode {
        if let failure { return failure.exit }
        if isPartial { return .interrupted }
        return leftOut.isEmpty ? .ok : .degraded
    }
}
