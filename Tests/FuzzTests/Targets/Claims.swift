import Base

@testable import AgentCore

extension FuzzTarget {
    /// A message and an answer, parted by a zero byte: what the answer claims is the same each time,
    /// and with a call that did everything it claims no more.
    static let claims = FuzzTarget("claims") { bytes in
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let (message, answer) =
            parts.count > 1 ? (parts[0], parts[1]) : ("set a reminder", parts[0])
        let origin = ModelOrigin(provider: .local, format: .chat, model: "m")
        let turn = Turn(
            status: .done,
            messages: [
                Message(role: .user, parts: [.text(message)]),
                Message(role: .assistant, parts: [.text(answer)], origin: origin),
            ])
        let undone = ActClaims(turn, acts: { _ in true }).undone
        try demand(ActClaims(turn, acts: { _ in true }).undone == undone, "not the same again")
        for sentence in ActClaimText(answer, words: .shared).sentences {
            for tokens in sentence.clauses {
                var reader = ActClaimReader(
                    tokens: tokens, words: .shared, isTheirs: { _ in false })
                reader.read()
                try demand(reader.claims.count <= tokens.count, "more claims than words")
            }
        }
    }
}
