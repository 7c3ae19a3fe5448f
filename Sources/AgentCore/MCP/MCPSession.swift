import AgentCore
import Base

/// Our side of one connection with a host: takes its messages and returns actions. Pure; it runs
/// nothing and writes nothing.
///
/// It supports both eras at once, as revision 2026-07-28 allows ("Versioning"): a request with the
/// modern `_meta` is answered separately, `initialize` begins a legacy session.
package struct MCPSession: Sendable {
    /// A call of an offered tool.
    package struct Call: Sendable, Equatable {
        /// Unlike the host's id never used twice.
        package var number: Int
        package var tool: Tool
        package var arguments: JSONObject
        /// The host as it names itself.
        package var host: String
    }

    package enum Action: Sendable, Equatable {
        case send(JSONRPCMessage)
        case run(Call)
        case cancel(number: Int)
    }

    private struct Running {
        var id: JSONRPCID
        var isModern: Bool
        var progress: MCPProgress?
    }

    private let identity: MCPIdentity
    private let instructions: String
    /// Tools that are offered.
    private let tools: [Tool]
    /// Tools that are not offered, and would have to be allowed at the start of the server.
    private let withheld: [Tool]
    private var nextNumber = 1
    private var running: [Int: Running] = [:]
    /// Open `subscriptions/listen` requests.
    private var listening: [JSONRPCID] = []
    /// Set by `initialize`; nil before.
    private var legacyHost: String?

    package init(
        identity: MCPIdentity, instructions: String, tools: [Tool], withheld: [Tool]
    ) {
        self.identity = identity
        self.instructions = instructions
        self.tools = tools
        self.withheld = withheld
    }

    // MARK: - From the host

    package mutating func receive(_ line: MessageLines.Line) -> [Action] {
        let bytes: [UInt8]
        switch line {
        case .message(let message): bytes = message
        case .tooLong(let limit):
            let error = JSONRPCError(
                JSONRPCError.invalidRequest, "A message may have \(limit) bytes.")
            return [.send(.failure(id: nil, error))]
        }
        do throws(JSONRPCMessage.Malformed) {
            switch try JSONRPCMessage(parsing: bytes) {
            case .request(let id, let method, let params):
                return receive(id, method, params)
            case .notification(let method, let params): return receive(method, params)
            // We send no requests, so an answer cannot belong to one.
            case .result, .failure: return []
            }
        } catch {
            return error.needsAnswer ? [.send(.failure(id: error.id, error.error))] : []
        }
    }

    private mutating func receive(_ method: String, _ params: JSONObject) -> [Action] {
        guard method == "notifications/cancelled",
            let id = params["requestId"].flatMap(JSONRPCID.init)
        else { return [] }
        listening.removeAll { $0 == id }
        guard let number = running.first(where: { $0.value.id == id })?.key else { return [] }
        running[number] = nil
        return [.cancel(number: number)]
    }

    private mutating func receive(
        _ id: JSONRPCID, _ method: String, _ params: JSONObject
    ) -> [Action] {
        do throws(JSONRPCError) {
            if listening.contains(id) || running.values.contains(where: { $0.id == id }) {
                throw JSONRPCError(
                    JSONRPCError.invalidRequest, "The id of a request that is not answered yet.")
            }
            let meta = params["_meta"]?.objectValue ?? JSONObject()
            let isModern = meta[.protocolVersion] != nil
            if isModern {
                try checkModern(meta)
            } else if method == "initialize" {
                return [.send(.result(id: id, .object(try initialize(params))))]
            } else if method == "ping" {
                return [.send(.result(id: id, [:]))]
            } else if legacyHost == nil {
                throw JSONRPCError(
                    JSONRPCError.invalidParams,
                    "Say which revision it is: with \"\(MCPProtocol.MetaKey.protocolVersion.rawValue)\""
                        + " in \"_meta\", or with \"initialize\" first.")
            }
            return try receive(id, method, params, meta: meta, isModern: isModern)
        } catch {
            return [.send(.failure(id: id, error))]
        }
    }

    private mutating func receive(
        _ id: JSONRPCID, _ method: String, _ params: JSONObject, meta: JSONObject, isModern: Bool
    ) throws(JSONRPCError) -> [Action] {
        switch method {
        case "tools/list":
            if let cursor = params["cursor"], !cursor.isNull {
                throw JSONRPCError(JSONRPCError.invalidParams, "There is only one page of tools.")
            }
            let list = JSONObject([.init("tools", .array(tools.map(\.mcp)))])
            return [answer(id, list, isModern: isModern)]
        case "tools/call":
            let call = try call(params, host: host(meta, isModern: isModern))
            let token = meta[.progressToken].flatMap { JSONRPCID($0) }
            running[call.number] = Running(
                id: id, isModern: isModern, progress: token.map { MCPProgress(token: $0.json) })
            return [.run(call)]
        case "server/discover" where isModern:
            let facts = JSONObject([
                .init("supportedVersions", .array(MCPProtocol.versions.map { .string($0) })),
                .init("capabilities", Self.capabilities),
                .init("instructions", .string(instructions)),
            ])
            return [answer(id, facts, isModern: true)]
        case "subscriptions/listen" where isModern:
            // Our lists do not change while we run, so no notification is promised.
            listening.append(id)
            let params = JSONObject([
                .init("_meta", Self.subscription(id)), .init("notifications", [:]),
            ])
            return [
                .send(
                    .notification(
                        method: "notifications/subscriptions/acknowledged", params: params))
            ]
        default:
            throw JSONRPCError(
                JSONRPCError.methodNotFound, "There is no method \"\(Self.short(method))\".")
        }
    }

    private mutating func initialize(_ params: JSONObject) throws(JSONRPCError) -> JSONObject {
        guard let wanted = params["protocolVersion"]?.stringValue else {
            throw JSONRPCError(JSONRPCError.invalidParams, "\"protocolVersion\" is missing.")
        }
        legacyHost = Self.name(params["clientInfo"])
        // A different version from the requested one: the host decides whether to go on.
        let version =
            MCPProtocol.legacyVersions.contains(wanted) ? wanted : MCPProtocol.legacyVersions[0]
        return JSONObject([
            .init("protocolVersion", .string(version)), .init("capabilities", Self.capabilities),
            .init("serverInfo", identity.json), .init("instructions", .string(instructions)),
        ])
    }

    private func checkModern(_ meta: JSONObject) throws(JSONRPCError) {
        guard let version = meta[.protocolVersion]?.stringValue else {
            throw JSONRPCError(JSONRPCError.invalidParams, "The protocol version must be a string.")
        }
        guard version == MCPProtocol.modernVersion else {
            throw MCPProtocol.unsupported(version)
        }
        guard meta[.clientCapabilities]?.objectValue != nil else {
            let key = MCPProtocol.MetaKey.clientCapabilities.rawValue
            throw JSONRPCError(
                JSONRPCError.invalidParams, "\"\(key)\" is missing in \"_meta\".")
        }
    }

    private mutating func call(
        _ params: JSONObject, host: String
    ) throws(JSONRPCError) -> Call {
        func invalid(_ message: String) -> JSONRPCError {
            JSONRPCError(JSONRPCError.invalidParams, message)
        }
        guard let name = params["name"]?.stringValue else {
            throw invalid("\"name\" is missing: the name of the tool.")
        }
        guard let tool = tools.first(where: { $0.name == name }) else {
            if let tool = withheld.first(where: { $0.name == name }) {
                let what = tool.toolClass == .outward ? "sends something elsewhere" : "deletes"
                throw invalid(
                    "\(name) is not offered, because it \(what). The user can allow it where the "
                        + "server is configured: chat mcp serve --allow \(name)")
            }
            throw invalid("Unknown tool: \(Self.short(name))")
        }
        var arguments = JSONObject()
        if let given = params["arguments"], !given.isNull {
            guard let object = given.objectValue else {
                throw invalid("\"arguments\" must be an object.")
            }
            arguments = object
        }
        defer { nextNumber += 1 }
        return Call(number: nextNumber, tool: tool, arguments: arguments, host: host)
    }

    // MARK: - To the host

    /// The answer to a call that has finished; nil for a cancelled call, which gets none.
    package mutating func finished(_ number: Int, _ result: ToolResult) -> JSONRPCMessage? {
        guard let call = running.removeValue(forKey: number) else { return nil }
        return message(call.id, result.mcp, isModern: call.isModern)
    }

    /// The message about the progress of a call; nil if the host did not ask for it, or was sent
    /// one just before.
    package mutating func progressed(
        _ number: Int, _ progress: ToolProgress, at now: Double
    ) -> JSONRPCMessage? {
        running[number]?.progress?.notification(progress, at: now)
    }

    /// The messages to send before the connection ends.
    package mutating func ended() -> [JSONRPCMessage] {
        defer { listening = [] }
        return listening.map {
            .result(id: $0, ["resultType": "complete", "_meta": Self.subscription($0)])
        }
    }

    private func answer(_ id: JSONRPCID, _ result: JSONObject, isModern: Bool) -> Action {
        var result = result
        if isModern {
            // Valid as long as this process; another user's may differ.
            result.members.append(.init("ttlMs", 300_000))
            result.members.append(.init("cacheScope", "private"))
        }
        return .send(message(id, result, isModern: isModern))
    }

    private func message(
        _ id: JSONRPCID, _ result: JSONObject, isModern: Bool
    ) -> JSONRPCMessage {
        guard isModern else { return .result(id: id, .object(result)) }
        let meta = JSONObject([.init(MCPProtocol.MetaKey.serverInfo.rawValue, identity.json)])
        let members =
            [JSONObject.Member("resultType", "complete")] + result.members
            + [.init("_meta", .object(meta))]
        return .result(id: id, .object(JSONObject(members)))
    }

    // MARK: - Parts

    private static let capabilities: JSONValue = ["tools": [:]]

    private static func subscription(_ id: JSONRPCID) -> JSONValue {
        .object(JSONObject([.init(MCPProtocol.MetaKey.subscriptionID.rawValue, id.json)]))
    }

    private func host(_ meta: JSONObject, isModern: Bool) -> String {
        isModern ? Self.name(meta[.clientInfo]) : legacyHost ?? Self.name(nil)
    }

    /// The host's name for itself, on one line.
    private static func name(_ information: JSONValue?) -> String {
        let name = information?["name"]?.stringValue ?? ""
        return name.isEmpty ? "MCP host" : short(name)
    }

    private static func short(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(100)))
    }
}

extension JSONObject {
    fileprivate subscript(key: MCPProtocol.MetaKey) -> JSONValue? { self[key.rawValue] }
}
