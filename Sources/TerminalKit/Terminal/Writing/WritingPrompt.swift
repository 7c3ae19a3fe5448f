import Base

/// The writing tools where there is no cursor to move (`TERM=dumb`, screen
/// readers): letters and Enter.
///
/// ```
///   Writing tools: p Proofread, r Rewrite, Enter for none: p
///   Proofread … Ctrl-C stops.
///   The cat sat on the mat
///   1  “teh” → “The”
///   2  “teh” → “the”
///   a accept all, numbers to accept (1 2), e edit, r or Enter for none:
/// ```
struct WritingPrompt: Sendable {
    enum Answer: Equatable {
        case accept(Set<Int>)
        case edit, none
        case unclear(String)
    }

    let assistant: WritingAssistant
    let style: Style

    func run(
        _ selection: LineSelection, _ tools: [WritingAssistant.Tool], on terminal: TerminalSession
    ) async -> WritingAssistant.Outcome {
        guard let tool = await choose(tools, terminal) else { return .unchanged([]) }
        await write([StyledLine("  \(tool.title) … Ctrl-C stops.")], terminal)
        let version: WritingAssistant.Version
        do {
            version = try await assistant.apply(tool, selection.text) { _ in }
        } catch {
            return .unchanged(WritingScreen.words(error, assistant))
        }
        if version.changeCount == 0 { return .unchanged(WritingScreen.nothing(tool, version)) }
        let review = ReviewState(version)
        await write(Self.lines(review), terminal)
        while true {
            let prompt =
                "  a accept all, \(Self.range(version.changeCount)), e edit, "
                + "r or Enter for none: "
            guard case .line(let line) = await terminal.readLine(prompt: prompt) else {
                return .unchanged([])
            }
            switch Self.answer(line, version.changeCount) {
            case .none: return .unchanged([])
            case .accept(let numbers): return .replaced(review.text(accepting: numbers))
            case .edit:
                let edited = await assistant.edit(review.text(rest: true))
                return edited.map { .replaced($0) } ?? .unchanged([])
            case .unclear(let words): await write([StyledLine("  \(words)", .warning)], terminal)
            }
        }
    }

    private func choose(
        _ tools: [WritingAssistant.Tool], _ terminal: TerminalSession
    ) async -> WritingAssistant.Tool? {
        let names = tools.compactMap { tool in
            tool.key.map { "\($0) \(HostileText.line(tool.title))" }
        }
        let prompt = "  Writing tools: \(names.joined(separator: ", ")), Enter for none: "
        while true {
            guard case .line(let line) = await terminal.readLine(prompt: prompt) else { return nil }
            let answer = line.trimmingSpace().lowercased()
            if answer.isEmpty || answer == "q" { return nil }
            if let tool = tools.first(where: {
                $0.key.map(String.init) == answer || $0.name == answer
            }) {
                return tool
            }
            await write([StyledLine("  “\(answer)” is not one of these.", .warning)], terminal)
        }
    }

    private func write(_ lines: [StyledLine], _ terminal: TerminalSession) async {
        await terminal.write(lines.flatMap { style.bytes($0) })
    }

    // MARK: Lines

    static func lines(_ review: ReviewState) -> [StyledLine] {
        var lines = review.text(rest: true).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).map { StyledLine("  \($0)") }
        if let warning = review.version.warning {
            lines.append(StyledLine("  ! \(warning)", .warning))
        }
        var number = 0
        for case .change(let old, let new) in review.version.pieces {
            number += 1
            let words =
                old.isEmpty
                ? "put in “\(new)”" : new.isEmpty ? "take out “\(old)”" : "“\(old)” → “\(new)”"
            let local = review.version.isLocal ? "  (local)" : ""
            lines.append(StyledLine("  \(number)  \(words)\(local)"))
        }
        return lines
    }

    private static func range(_ count: Int) -> String {
        count == 1 ? "1 accept it" : "numbers to accept (1 \(count))"
    }

    // MARK: Answers

    /// `a`, `r`, `e`, or numbers with spaces or commas between them.
    static func answer(_ line: String, _ count: Int) -> Answer {
        let text = line.trimmingSpace().lowercased()
        switch text {
        case "a", "y", "yes", "all": return .accept(Set(0..<count))
        case "", "r", "n", "no", "none", "q": return .none
        case "e": return .edit
        default: break
        }
        var numbers: Set<Int> = []
        for word in text.split(whereSeparator: { $0 == " " || $0 == "," }) {
            guard let number = Int(word), (1...count).contains(number) else {
                return .unclear("“\(text)” is not one of these.")
            }
            numbers.insert(number - 1)
        }
        return .accept(numbers)
    }
}
