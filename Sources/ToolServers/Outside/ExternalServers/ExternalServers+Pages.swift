import AgentCore
import Base
import MCP

/// A resource that a server offers, for `@server:uri`.
package struct ServerResource: Sendable, Equatable {
    package var server: String
    package var uri: String
    /// Untrusted text.
    package var title: String

    init?(_ value: JSONValue, of server: String) {
        guard let uri = value["uri"]?.stringValue, !uri.isEmpty, uri.utf8.count <= 2_000,
            uri == UntrustedText.cleaned(uri)
        else { return nil }
        self.server = server
        self.uri = uri
        let title = value["title"]?.stringValue ?? value["name"]?.stringValue ?? ""
        self.title = UntrustedText.line(title, limit: 80)
    }

    /// As typed after an `@`.
    package var word: String { "\(server):\(uri)" }
}

/// A prompt offered by a server: `/server:name`.
package struct ServerPrompt: Sendable, Equatable {
    package var server: String
    package var name: String
    /// Untrusted text.
    package var title: String
    package var arguments: [(name: String, isRequired: Bool)]

    package static func == (one: ServerPrompt, other: ServerPrompt) -> Bool {
        one.word == other.word && one.title == other.title
            && one.arguments.map(\.name) == other.arguments.map(\.name)
    }

    init?(_ value: JSONValue, of server: String) {
        guard let name = value["name"]?.stringValue, !name.isEmpty, name.utf8.count <= 100,
            !name.contains(where: \.isWhitespace), name == UntrustedText.cleaned(name)
        else { return nil }
        self.server = server
        self.name = name
        let title = value["title"]?.stringValue ?? value["description"]?.stringValue ?? ""
        self.title = UntrustedText.line(title, limit: 80)
        arguments = (value["arguments"]?.arrayValue ?? []).compactMap { argument in
            argument["name"]?.stringValue.map { ($0, argument["required"]?.boolValue ?? false) }
        }
    }

    /// As typed after a `/`.
    package var word: String { "\(server):\(name)" }
    package var usage: String {
        ([word] + arguments.map { $0.isRequired ? "\($0.name)=…" : "[\($0.name)=…]" })
            .joined(separator: " ")
    }

    /// Parses `name=text`, or the texts in the order of the arguments.
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

/// Resources and prompts of servers. Only the user can request them, by name.
extension ExternalServers {
    /// Resources of the servers that are running.
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

    /// Starts all approved servers, so that their offers can be listed.
    func startApproved(_ emit: Emitter) async throws {
        try await startAll(take(try await book.read()), emit)
    }

    /// A resource as a file, which has to be text or an image.
    ///
    /// - Parameter word: `server:uri`.
    /// - Returns: nil if there is no such server.
    /// - Throws: `MCPClientError`, `ToolError`, `CancellationError`.
    package func read(_ word: String) async throws -> (name: String, bytes: [UInt8])? {
        guard let (server, uri) = try await server(of: word) else { return nil }
        let result = try await server.request(
            "resources/read", JSONObject([.init("uri", .string(uri))]))
        let contents = result["contents"]?.arrayValue ?? []
        let name = UntrustedText.line(
            uri.split(separator: "/").last.map(String.init) ?? uri, limit: 80)
        // Several texts belong together.
        let texts = contents.compactMap { $0["text"]?.stringValue }.map(UntrustedText.cleaned)
        if !texts.isEmpty { return (name, Array(texts.joined(separator: "\n\n").utf8)) }
        guard
            let bytes = contents.lazy.compactMap({ $0["blob"]?.stringValue }).first
                .flatMap(Base64.bytes)
        else { throw ToolError.failed("\(word) is empty.") }
        return (name, bytes)
    }

    /// The text of a prompt, for the prompt's line.
    ///
    /// - Returns: nil if there is no such server.
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
        return texts.map(UntrustedText.cleaned).joined(separator: "\n\n")
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
