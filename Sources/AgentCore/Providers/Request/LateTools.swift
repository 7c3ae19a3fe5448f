/// Places tools after the `find_tools` result that offered them, so that the list at the head, and
/// with it the prompt cache, does not change. Pure.
///
/// The stored results decide, so that later requests use the same place. Responses has
/// `additional_tools` for this, Messages has `tool_addition` in a system message, in beta
/// (platform.claude.com, "Mid-conversation system messages and tool changes").
struct LateTools {
    static let adjustment = "late tools"

    let head: [Tool]
    /// The tools placed after a message, by its index.
    private(set) var behind: [Int: [Tool]] = [:]

    init(
        of request: ModelRequest, in messages: [Message], _ format: WireFormat, isVendor: Bool,
        _ adjustments: RequestAdjustments
    ) {
        let later =
            isVendor && adjustments.sends("tools")
                && Self.areTaken(by: request.model, format, adjustments)
            ? request.tools.dropFirst(request.firstTools) : []
        var late: Set<String> = []
        for (index, names) in Self.given(in: messages) where !later.isEmpty {
            behind[index, default: []] += later.filter {
                names.contains($0.name) && late.insert($0.name).inserted
            }
        }
        head = request.tools.filter { !late.contains($0.name) }
    }

    static func areTaken(
        by model: String, _ format: WireFormat, _ adjustments: RequestAdjustments
    ) -> Bool {
        ModelCatalog.takesLateTools(model, format) && adjustments.sends(adjustment)
            && (format != .messages
                || adjustments.sends("system") && adjustments.sends("anthropic-beta"))
    }

    /// The names offered by results of `find_tools`, each with the index of its message.
    fileprivate static func given(in messages: [Message]) -> [(Int, Set<String>)] {
        messages.enumerated().flatMap { index, message in
            message.parts.compactMap { part in
                guard case .toolResult(let result) = part, result.name == FindTools.toolName,
                    !result.isError
                else { return nil }
                return (index, FindTools.names(givenBy: result.text))
            }
        }
    }
}

extension ToolOffer {
    /// Number of joinings that changed the head of the requests, each at most one cache miss.
    ///
    /// - Parameter messages: those of the conversation, for a model that accepts late tools.
    package func misses(appendedIn messages: [Message]) -> Int {
        let late = LateTools.given(in: messages).reduce(into: Set()) { $0.formUnion($1.1) }
        return joined.dropFirst().count { !late.isSuperset(of: $0) }
    }
}
