import AgentCore
import Base
import MCP

/// A resource that a server offers, for `@server:uri`.
package struct ServerResource: Sendable, Equatable {
    package var server: String
    package var uri: String
    /// Foreign text.
    package var title: String

    init?(_ value: JSONValue, of server: String) {
        guard let uri = value["uri"]?.stringValue, !uri.isEmpty, uri.utf8.count <= 2_000,
            uri == ForeignText.cleaned(uri)
        else { return nil }
        self.server = server
        self.uri = uri
        let title = value["title"]?.stringValue ?? value["name"]?.stringValue ?? ""
        self.title = ForeignText.line(title, limit: 80)
    }

    /// As it is typed after an `@`.
    package var word: String { "\(server):\(uri)" }
}

/// Words that a server has ready for a message: `/server:name`.
package struct ServerPrompt: Sendable, Equatable {
    package var server: String
    package var name: String
    /// Foreign text.
    package var title: String
    package var arguments: [(name: String, isRequired: Bool)]

    package static func == (one: ServerPrompt, other: ServerPrompt) -> Bool {
        one.word == other.word && one.title == other.title
            && one.arguments.map(\.name) == other.arguments.map(\.name)
    }

    init?(_ value: JSONValue, of server: String) {
        guard let name = value["name"]?.stringValue, !name.isEmpty, name.utf8.count <= 100,
            !name.contains(where: \.isWhitespace), name == ForeignText.cleaned(name)
        else { return nil }
        self.server = server
        self.name = name
        let title = value["title"]?.stringValue ?? value["description"]?.stringValue ?? ""
        self.title = ForeignText.line(title, limit: 80)
        arguments = (value["arguments"]?.arrayValue ?? []).compactMap { argument in
            argument["name"]?.stringValue.map { ($0, argument["required"]?.boolValue ?? false) }
        }
    }

    /// As it is typed after a `/`.
    package var word: String { "\(server):\(name)" }
    package var usage: String {
        ([word] + arguments.map { $0.isRequired ? "\($0.name)=…" : "[\($0.name)=…]" })
            .joined(separator: " ")
    }

    /// `name=text`, or the texts in the order of the arguments.
    func values(_ words: [String]) throws(UsageError) -> JSONObject {
        var given: [(String, String)] = []
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, let known = arguments.first(where: { $0.name == parts[0] }) {
                given.append((known.name, String(parts[1])))
            } else if let next = arguments.first(where: { argument in
                !given.contains { $0.0 == argument.name }
            }) {
                given.append((next.name, word))
            } else {
                throw UsageError("/\(self.word) does not take \"\(word)\".", hint: "/\(usage)")
            }
        }
        for argument in arguments where argument.isRequired {
            guard given.contains(where: { $0.0 == argument.name }) else {
                throw UsageError("/\(word) needs \(argument.name).", hint: "/\(usage)")
            }
        }
        return JSONObject(given.map { .init($0.0, .string($0.1)) })
    }
}

/// What servers have besides tools. Only the user asks for it, by name.
extension ExternalServers {
    /// Of the servers that run now.
    package func resources() async -> [ServerResource] {
        var all: [ServerResource] = []
        for server in await running() { all += await server.resources }
        return all
    }

    package func prompts() async -> [ServerPrompt] {
        var all: [ServerPrompt] = []
        for server in await running() { all += await server.prompts }
        return all
    }

    /// Starts all that may run, for a list of what they have.
    func startApproved(_ emit: Emitter) async throws {
        try await startAll(take(try await book.read()), emit)
    }

    /// A resource as a file, which has to be text or a picture.
    ///
    /// - Parameter word: `server:uri`.
    /// - Returns: nil where no server is called so.
    /// - Throws: `MCPClientError`, `ToolError`, `CancellationError`.
    package func read(_ word: String) async throws -> (name: String, bytes: [UInt8])? {
        guard let (server, uri) = try await server(of: word) else { return nil }
        let result = try await server.request(
            "resources/read", JSONObject([.init("uri", .string(uri))]))
        let contents = result["contents"]?.arrayValue ?? []
        let name = ForeignText.line(
            uri.split(separator: "/").last.map(String.init) ?? uri, limit: 80)
        // Several are texts that belong together.
        let texts = contents.compactMap { $0["text"]?.stringValue }.map(ForeignText.cleaned)
        if !texts.isEmpty { return (name, Array(texts.joined(separator: "\n\n").utf8)) }
        guard
            let bytes = contents.lazy.compactMap({ $0["blob"]?.stringValue }).first
                .flatMap(Base64.bytes)
        else { throw ToolError.failed("\(word) is empty.") }
        return (name, bytes)
    }

    /// The words of a prompt, for the line at the prompt.
    ///
    /// - Returns: nil where no server is called so.
    /// - Throws: `UsageError`, `MCPClientError`, `CancellationError`.
    package func prompt(_ word: String, _ words: [String]) async throws -> String? {
        guard let (server, name) = try await server(of: word) else { return nil }
        _ = try await server.client()
        let prompts = await server.prompts
        guard let prompt = prompts.first(where: { $0.name == name }) else {
            let nearest = NearestWord.find(name, among: prompts.map(\.name))
            throw UsageError(
                "\(server.entry.name) has no prompt \(name).",
                hint: nearest.map { "Did you mean /\(server.entry.name):\($0)?" }
                    ?? "/mcp prompts lists them.")
        }
        let result = try await server.request(
            "prompts/get",
            JSONObject([
                .init("name", .string(name)), .init("arguments", .object(try prompt.values(words))),
            ]))
        let texts = (result["messages"]?.arrayValue ?? []).compactMap { message in
            let content = message["content"]
            return content?["text"]?.stringValue
                ?? content?["resource"].map(MCPCallResult.resource)
        }
        return texts.map(ForeignText.cleaned).joined(separator: "\n\n")
    }

    private func server(of word: String) async throws -> (ExternalServer, rest: String)? {
        guard let colon = word.firstIndex(of: ":") else { return nil }
        let name = String(word[..<colon])
        let rest = String(word[word.index(after: colon)...])
        guard ServerEntry.isName(name), !rest.isEmpty else { return nil }
        let content = try await book.read()
        guard content.entry(name) != nil else { return nil }
        guard let server = await take(content).first(where: { $0.entry.name == name }) else {
            throw ToolError.failed(
                "\(name) is disabled or not what you approved: chat mcp check \(name)")
        }
        return (server, rest)
    }
}
