import Base

/// Our side of one connection with a server: our requests and the server's messages in,
/// actions out. Pure; it knows no pipe, no address and no clock.
///
/// It finds out which era the server is of (revision 2026-07-28, "Versioning"):
///
///     discovering ── DiscoverResult ─────────────────────→ ready, modern
///     discovering ── any other error, or silence ─→ initializing
///     initializing ── result of a version that we know ──→ ready, legacy
///     initializing ── a late DiscoverResult ─────────────→ ready, modern
///     either ── a version that we do not know, a refusal ─→ over
///
/// It follows tasks (`MCPClient+Tasks`), and offers no roots, sampling or elicitation; a
/// server that asks for one gets an error.
package struct MCPClientSession: Sendable {
    package enum Era: String, Sendable {
        case modern, legacy
    }

    package enum Answer: Sendable, Equatable {
        case result(JSONObject)
        case error(JSONRPCError)
        /// Invalid by the protocol; described in our own text.
        case invalid(String)
    }

    package enum Action: Sendable, Equatable {
        case send(JSONRPCMessage)
        /// Requests can be made.
        case ready(MCPServerFacts)
        case answered(number: Int, Answer)
        case progressed(number: Int, MCPServerProgress)
        case toolsChanged
        /// The session cannot be used.
        case over(MCPClientError.Reason)
    }

    private enum State {
        case idle
        case discovering(probe: Int)
        /// - Parameter probe: a request for discovery that is not answered yet.
        case initializing(number: Int, probe: Int?)
        /// `initialize` was refused, and the probe may still be answered.
        case refused(probe: Int, JSONRPCError)
        case ready(Era)
        case over
    }

    private struct Pending {
        let method: String
        /// The last reported progress; it has to grow.
        var progress = -Double.infinity
    }

    private let identity: MCPIdentity
    private var state = State.idle
    private var nextNumber = 1
    private var pending: [Int: Pending] = [:]
    private var listening: Int?

    package init(identity: MCPIdentity) { self.identity = identity }

    package var era: Era? { if case .ready(let era) = state { era } else { nil } }
    /// Whether a stream of changes is open.
    package var isListening: Bool { listening != nil }

    // MARK: - What we want

    /// - Parameter era: the era found the last time; nil if unknown.
    package mutating func start(era: Era? = nil) -> [Action] {
        era == .legacy ? initialize(probe: nil) : discover()
    }

    private mutating func discover() -> [Action] {
        let number = newNumber()
        state = .discovering(probe: number)
        return [send(number, "server/discover", JSONObject(), isModern: true)]
    }

    /// The time for the probe has passed: old servers do not answer before `initialize`.
    package mutating func probeWasSilent() -> [Action] {
        guard case .discovering(let probe) = state else { return [] }
        return initialize(probe: probe)
    }

    private mutating func initialize(probe: Int?) -> [Action] {
        let number = newNumber()
        state = .initializing(number: number, probe: probe)
        let params = JSONObject([
            .init("protocolVersion", .string(MCPProtocol.legacyVersions[0])),
            .init("capabilities", [:]), .init("clientInfo", identity.json),
        ])
        return [send(number, "initialize", params, isModern: false)]
    }

    /// - Precondition: it is ready.
    package mutating func request(
        _ method: String, _ params: JSONObject = JSONObject(), wantsProgress: Bool = false
    ) -> (number: Int, message: JSONRPCMessage) {
        let number = newNumber()
        pending[number] = Pending(method: method)
        return (
            number,
            message(
                number, method, params, isModern: era == .modern,
                progressToken: wantsProgress ? number : nil)
        )
    }

    /// Ignores all further messages about it. `initialize` cannot be cancelled.
    package mutating func cancel(_ number: Int, reason: String) -> [Action] {
        guard pending.removeValue(forKey: number) != nil else { return [] }
        let params = JSONObject([
            .init("requestId", JSONValue(number)), .init("reason", .string(reason)),
        ])
        return [.send(.notification(method: "notifications/cancelled", params: params))]
    }

    /// Subscribes to changes of a modern server's tools; a legacy one reports them unasked.
    package mutating func listen() -> [Action] {
        guard era == .modern, listening == nil else { return [] }
        let number = newNumber()
        listening = number
        let params = JSONObject([.init("notifications", ["toolsListChanged": true])])
        return [send(number, "subscriptions/listen", params, isModern: true)]
    }

    // MARK: - From the server

    package mutating func receive(_ message: JSONRPCMessage) -> [Action] {
        switch message {
        case .result(.integer(let id), let result):
            return answered(Int(clamping: id), .success(result))
        case .failure(.integer(let id)?, let error):
            return answered(Int(clamping: id), .failure(error))
        // We use no other ids; an error without an id belongs to no known request.
        case .result, .failure: return []
        case .request(let id, let method, _):
            if method == "ping" { return [.send(.result(id: id, [:]))] }
            let error = JSONRPCError(
                JSONRPCError.methodNotFound, "This client does not offer that.")
            return [.send(.failure(id: id, error))]
        case .notification(let method, let params): return noted(method, params)
        }
    }

    private mutating func answered(
        _ number: Int, _ answer: Result<JSONValue, JSONRPCError>
    ) -> [Action] {
        switch state {
        case .discovering(number): return discovered(answer)
        case .initializing(number, let probe): return initialized(answer, probe: probe)
        case .initializing(_, probe: number), .refused(probe: number, _):
            if case .success(let value) = answer { return discovered(.success(value)) }
            if case .refused(_, let error) = state { return end(.refused(error)) }
            if case .initializing(let initialize, _) = state {
                state = .initializing(number: initialize, probe: nil)
            }
            return []
        case .idle, .discovering, .initializing, .refused, .ready, .over: break
        }
        if number == listening {
            listening = nil
            return []
        }
        guard let asked = pending.removeValue(forKey: number) else { return [] }
        switch answer {
        case .failure(let error): return [.answered(number: number, .error(error))]
        case .success(let value):
            guard let result = value.objectValue else {
                return [.answered(number: number, .invalid("the result is not an object"))]
            }
            return [.answered(number: number, Self.checked(result, of: asked.method))]
        }
    }

    /// An unknown kind of result is an invalid one (revision 2026-07-28, "Results").
    private static func checked(_ result: JSONObject, of method: String) -> Answer {
        switch result["resultType"]?.stringValue {
        case nil, "complete": .result(result)
        case "task" where method == "tools/call" && result["taskId"]?.stringValue != nil:
            .result(result)
        case "input_required"
        where result["inputRequests"] == nil
            && result["requestState"]?.stringValue != nil:
            .result(result)
        case "input_required": .invalid("it asks for input, which chat does not give")
        case let kind?: .invalid("the kind of result \"\(kind.prefix(40))\" is unknown")
        }
    }

    private mutating func discovered(_ answer: Result<JSONValue, JSONRPCError>) -> [Action] {
        let versions: [JSONValue]
        var facts: MCPServerFacts?
        switch answer {
        case .success(let value):
            guard let list = value["supportedVersions"]?.arrayValue else {
                return initialize(probe: nil)
            }
            versions = list
            if list.contains(.string(MCPProtocol.modernVersion)) {
                facts = MCPServerFacts(discovered: value)
            }
        case .failure(let error):
            // Only these codes prove that the server knows the modern form.
            guard JSONRPCError.modernRange.contains(error.code) else {
                return initialize(probe: nil)
            }
            guard error.code == JSONRPCError.unsupportedVersion,
                let list = error.data?["supported"]?.arrayValue
            else { return end(.refused(error)) }
            versions = list
        }
        if let facts {
            state = .ready(.modern)
            return [.ready(facts)]
        }
        if MCPProtocol.legacyVersions.contains(where: { versions.contains(.string($0)) }) {
            return initialize(probe: nil)
        }
        return end(.unsupportedVersion(versions.compactMap(\.stringValue)))
    }

    private mutating func initialized(
        _ answer: Result<JSONValue, JSONRPCError>, probe: Int?
    ) -> [Action] {
        switch answer {
        case .failure(let error):
            // A modern server that started late may still answer the probe.
            if let probe {
                state = .refused(probe: probe, error)
                return []
            }
            return end(.refused(error))
        case .success(let value):
            let version = value["protocolVersion"]?.stringValue
            guard let version, MCPProtocol.legacyVersions.contains(version) else {
                return end(.unsupportedVersion(version.map { [$0] } ?? []))
            }
            state = .ready(.legacy)
            return [
                .send(
                    .notification(method: "notifications/initialized", params: JSONObject())),
                .ready(MCPServerFacts(initialized: value, version: version)),
            ]
        }
    }

    private mutating func noted(_ method: String, _ params: JSONObject) -> [Action] {
        if method == "notifications/progress" {
            guard let number = params["progressToken"]?.integerValue,
                let progress = MCPServerProgress(params), let known = pending[number],
                progress.value > known.progress
            else { return [] }
            pending[number]?.progress = progress.value
            return [.progressed(number: number, progress)]
        }
        guard method == "notifications/tools/list_changed", case .ready = state else { return [] }
        return [.toolsChanged]
    }

    // MARK: - Parts

    private mutating func end(_ reason: MCPClientError.Reason) -> [Action] {
        state = .over
        return [.over(reason)]
    }

    private mutating func newNumber() -> Int {
        defer { nextNumber += 1 }
        return nextNumber
    }

    private func send(
        _ number: Int, _ method: String, _ params: JSONObject, isModern: Bool
    ) -> Action {
        .send(message(number, method, params, isModern: isModern))
    }

    private func message(
        _ number: Int, _ method: String, _ params: JSONObject, isModern: Bool,
        progressToken: Int? = nil
    ) -> JSONRPCMessage {
        var meta: [JSONObject.Member] = []
        if let progressToken {
            meta.append(
                .init(MCPProtocol.MetaKey.progressToken.rawValue, JSONValue(progressToken)))
        }
        if isModern {
            meta += [
                .init(
                    MCPProtocol.MetaKey.protocolVersion.rawValue,
                    .string(MCPProtocol.modernVersion)),
                .init(MCPProtocol.MetaKey.clientInfo.rawValue, identity.json),
                .init(
                    MCPProtocol.MetaKey.clientCapabilities.rawValue,
                    ["extensions": [MCPProtocol.tasks: [:]]]),
            ]
        }
        var params = params
        if !meta.isEmpty { params.members.append(.init("_meta", .object(JSONObject(meta)))) }
        return .request(id: .integer(Int64(number)), method: method, params: params)
    }
}

/// The progress of the server with one call, in its own units.
package struct MCPServerProgress: Sendable, Equatable {
    package var value: Double
    package var total: Double?
    /// Untrusted text.
    package var message: String

    /// The progress of a task: it has a message and no number.
    init(message: String) {
        value = 0
        self.message = UntrustedText.line(message, limit: 120)
    }

    init?(_ params: JSONObject) {
        guard let value = params["progress"]?.doubleValue, value.isFinite else { return nil }
        self.value = value
        total = params["total"]?.doubleValue.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        message = UntrustedText.line(params["message"]?.stringValue ?? "", limit: 120)
    }
}

/// A server's description of itself at the start. Its `instructions` are dropped: they are an
/// untrusted party's orders to our model.
package struct MCPServerFacts: Sendable, Equatable {
    /// Untrusted text.
    package var name: String
    package var version: String
    /// The protocol revision.
    package var revision: String
    package var hasTools: Bool
    /// Whether it announces changes of its tools.
    package var tellsChanges: Bool
    /// Whether tools may be called as tasks; only in the older era.
    package var runsTasks: Bool
    /// Whether it serves skills, which are not used.
    package var hasSkills: Bool

    init(discovered value: JSONValue) {
        let information = value["_meta"]?[MCPProtocol.MetaKey.serverInfo.rawValue]
        self.init(information, value["capabilities"], MCPProtocol.modernVersion)
    }

    init(initialized value: JSONValue, version: String) {
        self.init(value["serverInfo"], value["capabilities"], version)
    }

    private init(_ information: JSONValue?, _ capabilities: JSONValue?, _ revision: String) {
        name = UntrustedText.line(information?["name"]?.stringValue ?? "", limit: 80)
        version = UntrustedText.line(information?["version"]?.stringValue ?? "", limit: 40)
        self.revision = revision
        hasTools = capabilities?["tools"]?.objectValue != nil
        tellsChanges = capabilities?["tools"]?["listChanged"]?.boolValue == true
        runsTasks = capabilities?["tasks"]?["requests"]?["tools"]?["call"] != nil
        hasSkills =
            capabilities?["extensions"]?[MCPProtocol.skills] != nil
            || capabilities?["skills"] != nil
    }
}
