extension ToolError {
    /// What the model is told: short, in the terms of its own call, and with
    /// what would work. Words of the model's own are repeated only so far.
    package var modelText: String {
        switch self {
        case .toolNotFound(let name): "There is no tool named \(Self.short(name))."
        case .invalidArguments(let violations):
            "Invalid arguments: "
                + violations.prefix(5).map { "\(Self.short($0.path)) \($0.problem)" }.joined(
                    separator: "; ")
                + "."
        case .unreadableArguments(let reason): "The arguments are not valid JSON: \(reason)."
        case .permissionDenied(let tool): "The user did not allow \(tool)."
        case .noMatch(let query): "Nothing matches \"\(Self.short(query))\"."
        case .ambiguous(let query, let candidates):
            "\"\(Self.short(query))\" matches several. Ask which one is meant, or use its id:\n"
                + candidates.prefix(20).joined(separator: "\n")
        case .failed(let text): text
        }
    }

    /// The words may be those of an item that others wrote. A server that knows
    /// better returns an output of its own.
    package var mayQuoteOthers: Bool {
        switch self {
        case .ambiguous, .failed: true
        case .toolNotFound, .invalidArguments, .unreadableArguments, .permissionDenied, .noMatch:
            false
        }
    }

    private static func short(_ text: String) -> String {
        text.utf8.count <= 200 ? text : String(text.unicodeScalars.prefix(100)) + "…"
    }
}

extension ToolOutput {
    package init(_ error: ToolError) {
        self.init(text: error.modelText, isError: true, isForeign: error.mayQuoteOthers)
    }
}

extension ToolError: DescribedError {
    package var diagnostic: Diagnostic {
        var diagnostic = sentence
        diagnostic.namesCommands = true
        return diagnostic
    }

    private var sentence: Diagnostic {
        switch self {
        case .toolNotFound(let name): return Diagnostic("There is no tool \(name).", exit: .usage)
        case .invalidArguments(let violations):
            let first = violations.first.map { "\($0.path.dropFirst(2)) \($0.problem)" }
            return Diagnostic("That cannot be used: \(first ?? "invalid arguments").", exit: .usage)
        case .unreadableArguments(let reason):
            return Diagnostic("Not readable: \(reason).", exit: .usage)
        case .permissionDenied(let tool):
            return Diagnostic(
                "\(tool) was not allowed.", todo: "In one-shot mode: --allow \(tool)",
                exit: .refused)
        case .noMatch(let query): return Diagnostic("Nothing matches \"\(query)\".")
        case .ambiguous(let query, let candidates):
            let shown = candidates.prefix(5).joined(separator: " · ")
            return Diagnostic(
                "\"\(query)\" matches several: \(shown)", todo: "Use more words, or the id.")
        case .failed(let text): return Diagnostic(text)
        }
    }
}
