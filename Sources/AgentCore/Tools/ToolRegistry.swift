import Base

/// The tool servers of this process, and which server owns which tool.
///
/// Lookup is by exact name: a name that differs in case or by a look-alike letter is unknown.
package struct ToolRegistry: Sendable {
    /// The servers in the given order, which is the order of help and prompts.
    package let servers: [any ToolServer]
    package let tools: [Tool]
    private let owners: [String: Int]

    /// - Precondition: no two servers offer a tool of the same name.
    package init(servers: [any ToolServer]) {
        var owners: [String: Int] = [:]
        var tools: [Tool] = []
        for (index, server) in servers.enumerated() {
            for tool in server.listTools() {
                precondition(owners[tool.name] == nil, "two tools are named \(tool.name)")
                owners[tool.name] = index
                tools.append(tool)
            }
        }
        self.servers = servers
        self.tools = tools
        self.owners = owners
    }

    private init(_ registry: ToolRegistry, tools: [Tool]) {
        servers = registry.servers
        owners = registry.owners
        self.tools = tools
    }

    /// A copy with only these tools, in this order; unknown names are ignored.
    package func offering(_ names: [String]) -> ToolRegistry {
        let byName = Dictionary(uniqueKeysWithValues: tools.map { ($0.name, $0) })
        return ToolRegistry(self, tools: names.compactMap { byName[$0] })
    }

    /// A copy with another server.
    package func adding(_ server: any ToolServer) -> ToolRegistry {
        ToolRegistry(servers: servers + [server]).offering(
            tools.map(\.name) + server.listTools().map(\.name))
    }

    package func tool(named name: String) -> Tool? {
        tools.first { $0.name == name }
    }

    package func server(ofTool name: String) -> (any ToolServer)? {
        owners[name].map { servers[$0] }
    }

    /// - Throws: `UsageError` for a name given with `--allow` that is not a tool's: otherwise a
    ///   misspelling would be noticed only by a denied call.
    /// - Parameter others: tools of other programs.
    package func checkAllowed(
        _ names: some Sequence<String>, others: [String] = []
    ) throws(UsageError) {
        let known = tools.map(\.name) + others
        for name in names where !known.contains(name) {
            let nearest = NearestWord.find(name, among: known)
            throw UsageError(
                "--allow names a tool that does not exist: \"\(name)\".",
                hint: nearest.map { "Did you mean \($0)?" }
                    ?? "Available: \(known.joined(separator: ", ")).")
        }
    }

    /// A call that may be run, or the reason why not.
    package func prepare(_ call: ToolCall) -> Result<PreparedCall, ToolError> {
        guard let tool = tool(named: call.name) else {
            return .failure(.toolNotFound(name: call.name))
        }
        if call.arguments == ToolCall.notKept {
            return .failure(
                .unreadableArguments(
                    reason: "they have more than \(Quantities.bytes(ToolCall.argumentLimit)), "
                        + "or the id more than \(ToolCall.wordLimit) bytes"))
        }
        let value: JSONValue
        do {
            let text = call.arguments.isEmpty ? "{}" : call.arguments
            value = try JSONParser.parse(text, rejectsLoneSurrogates: true)
        } catch {
            return .failure(
                .unreadableArguments(reason: "\(error.reason.rawValue) at byte \(error.offset)"))
        }
        guard let arguments = value.objectValue else {
            return .failure(.unreadableArguments(reason: "not a JSON object"))
        }
        let violations = tool.inputSchema.violations(in: value)
        if !violations.isEmpty { return .failure(.invalidArguments(violations)) }
        // Null means "not given" in an optional member.
        let given = JSONObject(arguments.members.filter { !$0.value.isNull })
        return .success(PreparedCall(call, tool, given))
    }

    /// The call with its effects in the present state.
    package func withEffects(_ prepared: PreparedCall) async -> PreparedCall {
        let server = server(ofTool: prepared.tool.name)
        guard
            let effects = await server?.effects(
                of: prepared.tool.name, arguments: prepared.arguments), !effects.isEmpty
        else { return prepared }
        var prepared = prepared
        prepared.effects = effects
        return prepared
    }
}

/// A call whose tool exists and whose arguments have passed its schema.
package struct PreparedCall: Sendable, Equatable {
    package var call: ToolCall
    package var tool: Tool
    package var arguments: JSONObject
    /// The effects of the call; never empty.
    package var effects: [CallEffect]

    package init(_ call: ToolCall, _ tool: Tool, _ arguments: JSONObject) {
        self.call = call
        self.tool = tool
        self.arguments = arguments
        effects = [CallEffect(tool, arguments)]
    }

    /// The class of its worst effect.
    package var toolClass: ToolClass { effects.worst.toolClass }
}
