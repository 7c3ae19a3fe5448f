import AgentCore

/// Times that nobody can say the hour of: "later", "in a bit", "irgendwann".
extension PhraseGrammar {
    func vaguePiece(_ index: Int) -> Piece? {
        guard let match = Self.vague.match(tokens, at: index),
            isEdge(match.end) || isFirst(index) || isWhen(match.end),
            // "gleich nach dem Essen", "3 days later"
            !has(match.end, .after), !has(match.end, .before),
            token(index - 1)?.lexeme.unit == nil, !isWord(index - 1, "no", "not", "so", "very")
        else { return nil }
        return Piece(value: .vague, tokens: index..<match.end)
    }

    private static let vague = PhraseTable<Void>([
        ("later|later on|soon|shortly|sometime|some time|someday|some day|eventually", ()),
        ("in a bit|in a little bit|in a while|in a little while|in a moment|in a sec", ()),
        ("all week|all month|all year|the whole week|die ganze woche", ()),
        ("at some point|one of these days|some other time|whenever", ()),
        ("später|gleich|bald|demnächst|irgendwann|irgendwann mal|nachher|in kürze", ()),
    ])
}
