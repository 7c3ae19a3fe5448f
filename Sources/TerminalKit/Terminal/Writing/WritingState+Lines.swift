import Base

/// The writing tools without cursor movement: letters and Enter.
///
/// ```
///   Writing tools: p Proofread, r Rewrite, Enter for none: p
///   Proofread … Ctrl-C stops.
///   The cat sat on the mat
///   1  “teh” → “The”
///   2  “teh” → “the”
///   a accept all, numbers to accept (1 2), e edit, r or Enter for none:
/// ```
extension WritingState {
    mutating func listing(width: Int) -> [StyledLine] {
        var lines = problem.map { [StyledLine("  “\($0)” is not one of these.", .warning)] } ?? []
        problem = nil
        if !isListed, case .review(_, let review) = step {
            isListed = true
            lines += Self.lines(review)
        }
        return lines
    }

    private static func lines(_ review: ReviewState) -> [StyledLine] {
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
            let fact = review.version.facts.contains(number - 1) ? "  (a fact: not with a)" : ""
            lines.append(StyledLine("  \(number)  \(words)\(local)\(fact)"))
        }
        return lines
    }

    var question: String {
        guard case .review(_, let review) = step else {
            let names = tools.compactMap { tool in
                tool.key.map { "\($0) \(HostileText.line(tool.title))" }
            }
            return "  Writing tools: \(names.joined(separator: ", ")), Enter for none: "
        }
        let count = review.version.changeCount
        let numbers = count == 1 ? "1 accept it" : "numbers to accept (1 \(count))"
        return "  a accept all, \(numbers), e edit, r or Enter for none: "
    }

    mutating func take(line: String) -> Effect? {
        let text = line.trimmingSpace().lowercased()
        if case .review(_, let review) = step { return answer(text, review).map(Effect.review) }
        if text.isEmpty || text == "q" { return .review(.leave) }
        let tool = tools.first { $0.key.map(String.init) == text || $0.name == text }
        if tool == nil { problem = text }
        return tool.map { begin($0) }
    }

    /// `a`, `r`, `e`, or numbers with spaces or commas between them.
    private mutating func answer(_ text: String, _ review: ReviewState) -> ReviewState.Effect? {
        switch text {
        case "a", "y", "yes", "all": return .done(review.text(rest: true))
        case "", "r", "n", "no", "none", "q": return .leave
        case "e": return .edit(review.text(rest: true))
        default: break
        }
        var numbers: Set<Int> = []
        for word in text.split(whereSeparator: { $0 == " " || $0 == "," }) {
            guard let number = Int(word), (1...review.version.changeCount).contains(number) else {
                problem = text
                return nil
            }
            numbers.insert(number - 1)
        }
        return .done(review.text(accepting: numbers))
    }
}
