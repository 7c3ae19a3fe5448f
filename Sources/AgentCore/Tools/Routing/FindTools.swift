import Base

/// The tool with which a model requests tools that are not in its request.
///
/// The tools it finds join the conversation's offer (`ToolOutput.offers`); calls of them need the
/// same approvals as before. While untrusted text is in the context, it offers nothing that deletes
/// or sends unless the user's own message named it: the model's query may come from that text.
package struct FindTools: ToolServer {
    package static let toolName = "find_tools"
    package let name = "tools"
    package let description = "Gives the model more tools."

    private let registry: ToolRegistry
    private let router: ToolRouter
    private let isNamed: @Sendable (String) -> Bool

    /// - Parameters:
    ///   - registry: the tools that can be found.
    ///   - isNamed: whether the user's message mentions the purpose of a tool.
    package init(
        _ registry: ToolRegistry, router: ToolRouter,
        isNamed: @escaping @Sendable (_ tool: String) -> Bool
    ) {
        self.registry = registry
        self.router = router
        self.isNamed = isNamed
    }

    package func listTools() -> [Tool] {
        [
            Tool(
                name: Self.toolName, title: "Find tools",
                description: """
                    Gives you more tools. Call it before saying that something cannot be done \
                    here. There are tools for: \(subjects.joined(separator: ", ")).
                    """,
                inputSchema: .object([
                    .init(
                        "words", .string(description: "What to do, such as: delete event"),
                        isRequired: true)
                ]), toolClass: .read)
        ]
    }

    private static let lead = "You can call these now:"

    /// The tools that a result has offered.
    static func names(givenBy result: String) -> Set<String> {
        let lines = result.split(separator: "\n")
        guard lines.first.map({ $0 == lead }) ?? false else { return [] }
        return Set(lines.dropFirst().compactMap { $0.split(separator: ":").first.map(String.init) })
    }

    /// The names of servers with tools; for external servers, those given by the user.
    private var subjects: [String] {
        var names: [String] = []
        for tool in registry.tools {
            // Tools of external servers are `server__tool`.
            let place = tool.isUntrusted ? tool.name.firstRange(of: "__") : nil
            let name =
                place.map { String(tool.name[..<$0.lowerBound]) }
                ?? registry.server(ofTool: tool.name)?.name ?? ""
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        let found = router.find(arguments["words"]?.stringValue ?? "")
        guard !found.isEmpty else {
            let names = registry.tools.filter { !$0.isUntrusted }.map(\.name)
            return ToolOutput(
                text: "Nothing was found. There are: \(names.joined(separator: ", ")).",
                summary: "no tool found")
        }
        let isTrusted = !ToolCallContext.hasUntrustedText
        let mayJoin = found.filter { tool in
            isTrusted || !tool.toolClass.deletesOrSends || isNamed(tool.name)
        }
        var lines = mayJoin.map { "\($0.name): \($0.description)" }
        if !lines.isEmpty { lines.insert(Self.lead, at: 0) }
        let withheld = found.filter { !mayJoin.contains($0) }.map(\.name)
        if !withheld.isEmpty {
            lines.append(
                "Not given, because untrusted text is in this conversation and the user's "
                    + "message does not ask for it: \(withheld.joined(separator: ", ")).")
        }
        var output = ToolOutput(
            text: lines.joined(separator: "\n"),
            summary: mayJoin.isEmpty ? "none" : mayJoin.map(\.name).joined(separator: ", "),
            isUntrusted: mayJoin.contains(where: \.isUntrusted))
        output.offers = mayJoin.map(\.name)
        return output
    }
}
