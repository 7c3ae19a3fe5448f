extension ToolError {
    /// What the model is told: short, in the terms of its own call, and with
    /// what would work.
    package var modelText: String {
        switch self {
        case .toolNotFound(let name): "There is no tool named \(name)."
        case .invalidArguments(let violations):
            "Invalid arguments: "
                + violations.prefix(5).map { "\($0.path) \($0.problem)" }.joined(separator: "; ")
                + "."
        case .unreadableArguments(let reason): "The arguments are not valid JSON: \(reason)."
        case .permissionDenied(let tool): "The user did not allow \(tool)."
        case .noMatch(let query): "Nothing matches \"\(query)\"."
        case .ambiguous(let query, let candidates):
            "\"\(query)\" matches several. Ask which one is meant, or use its id:\n"
                + candidates.prefix(20).joined(separator: "\n")
        case .failed(let text): text
        }
    }
}
