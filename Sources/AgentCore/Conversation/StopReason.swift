/// Why the model stopped, in one vocabulary for all wire formats.
package enum StopReason: Sendable, Equatable {
    case end
    case toolUse
    case stopSequence
    /// The output limit cut the answer.
    case maxTokens
    /// The context window is full.
    case contextWindow
    /// The model declined.
    case refusal
    /// The provider's filter ended the answer.
    case contentFilter
    /// The provider wants the same conversation sent again to go on.
    case pause
    /// A reason this version does not know.
    case unknown(String)

    /// The word used in `--output json` and in the database.
    package var name: String {
        switch self {
        case .end: "end"
        case .toolUse: "tool_use"
        case .stopSequence: "stop_sequence"
        case .maxTokens: "max_tokens"
        case .contextWindow: "context_window"
        case .refusal: "refusal"
        case .contentFilter: "content_filter"
        case .pause: "pause"
        case .unknown(let word): word
        }
    }
}
