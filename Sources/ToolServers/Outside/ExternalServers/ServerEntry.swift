import AgentCore
import Base
import MCP

/// One server in `mcp.json`: a program or an address, in the form common to such programs.
/// A value; unknown members are kept.
package struct ServerEntry: Sendable, Equatable {
    package enum Launch: Sendable, Equatable {
        case program([String], variables: [String: String], folder: String?)
        case address(String, headers: [String: String])
    }

    package let name: String
    /// The entry as it is in the file.
    package let json: JSONObject

    package init(name: String, json: JSONObject) {
        self.name = name
        self.json = json
    }

    package init(name: String, command: [String], variables: [String: String]) {
        var members: [JSONObject.Member] = [
            .init("command", .string(command.first ?? "")),
            .init("args", .array(command.dropFirst().map { .string($0) })),
        ]
        if !variables.isEmpty { members.append(.init("env", Self.object(variables))) }
        self.init(name: name, json: JSONObject(members))
    }

    package init(name: String, address: String, headers: [String: String]) {
        var members: [JSONObject.Member] = [
            .init("type", "http"), .init("url", .string(address)),
        ]
        if !headers.isEmpty { members.append(.init("headers", Self.object(headers))) }
        self.init(name: name, json: JSONObject(members))
    }

    private static func object(_ values: [String: String]) -> JSONValue {
        .object(
            JSONObject(values.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }))
    }

    // MARK: - Members

    /// - Throws: a short reason why it cannot be used.
    package func launch() throws(ServerEntryError) -> Launch {
        func failed(_ what: String) -> ServerEntryError { ServerEntryError(name: name, what: what) }
        guard Self.isName(name) else {
            throw failed("a name has 1 to 24 letters, digits and hyphens")
        }
        let (command, url) = (json["command"]?.stringValue, json["url"]?.stringValue)
        switch (command, url) {
        case (_?, _?): throw failed("it has both a command and a url")
        case (let command?, nil):
            guard !command.isEmpty else { throw failed("its command is empty") }
            let words = json["args"]?.arrayValue ?? []
            guard words.allSatisfy({ $0.stringValue != nil }),
                let variables = strings("env")
            else { throw failed("args has to be a list of texts, env an object of texts") }
            return .program(
                [command] + words.compactMap(\.stringValue), variables: variables,
                folder: json["cwd"]?.stringValue)
        case (nil, let url?):
            let type = json["type"]?.stringValue ?? "http"
            guard ["http", "streamable-http", "streamableHttp"].contains(type) else {
                throw failed("its type \(type) is not supported; http is")
            }
            guard let origin = KeyOrigin(url) else { throw failed("its url is not an address") }
            // An origin can only fail by its scheme.
            guard (try? BaseURL(origin.description)) != nil else {
                throw failed("its url has to be https; http is for this machine alone")
            }
            guard let headers = strings("headers") else {
                throw failed("headers has to be an object of texts")
            }
            return .address(url, headers: headers)
        case (nil, nil): throw failed("it has neither a command nor a url")
        }
    }

    private func strings(_ member: String) -> [String: String]? {
        guard let value = json[member], !value.isNull else { return [:] }
        guard let members = value.objectValue?.members else { return nil }
        var strings: [String: String] = [:]
        for member in members {
            guard let text = member.value.stringValue else { return nil }
            strings[member.name] = text
        }
        return strings
    }

    package var isDisabled: Bool { json["disabled"]?.boolValue ?? false }

    /// Tools that the user has marked as read-only, by the server's names for them.
    package var readers: [String] {
        json["read"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// Time limit of a call; some programs write milliseconds.
    package var timeout: Duration? {
        guard let value = json["timeout"]?.doubleValue, value > 0 else { return nil }
        return .seconds(min(value > 600 ? value / 1000 : value, 600))
    }

    /// Whether the name can be a part of its tools' names: unambiguous, and short enough.
    package static func isName(_ name: String) -> Bool {
        (1...24).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                byte.isASCIILetterOrDigit || byte == UInt8(ascii: "-")
            }
    }

    // MARK: - For the pin and for display

    /// The content of the user's approval: the program or address, the values given to it,
    /// and the tools that run without asking. Values, which may be secrets, are stored as
    /// hashes of their written form.
    /// - Parameter program: the absolute path that was found.
    package func pinned(_ launch: Launch, program: String?) -> JSONValue {
        func names(_ values: [String: String]) -> JSONValue {
            .array(values.keys.sorted().map { .string($0) })
        }
        func hashes(_ values: [String: String]) -> JSONValue? {
            values.isEmpty
                ? nil : Self.object(values.mapValues { MCPToolDefinition.hash(.string($0)) })
        }
        let readers = readers.isEmpty ? nil : JSONValue.array(readers.sorted().map { .string($0) })
        return switch launch {
        case .program(let words, let variables, let folder):
            .compact([
                "program": program.map(JSONValue.string),
                "words": .array(words.map { .string($0) }), "variables": names(variables),
                "values": hashes(variables), "folder": folder.map(JSONValue.string),
                "read": readers,
            ])
        case .address(let url, let headers):
            .compact([
                "url": .string(url), "headers": names(headers), "values": hashes(headers),
                "read": readers,
            ])
        }
    }

    /// The complete command line or address.
    package var line: String {
        if let url = json["url"]?.stringValue { return url }
        let words = json["args"]?.arrayValue?.compactMap(\.stringValue) ?? []
        return ([json["command"]?.stringValue ?? ""] + words).map(ShellTokenizer.quoted)
            .joined(separator: " ")
    }
}

/// An entry cannot be used.
package struct ServerEntryError: Error, Sendable, Equatable, DescribedError {
    package var name: String
    /// The reason, in our own words.
    package var what: String

    package var diagnostic: Diagnostic {
        Diagnostic(
            "The tool server \(name) cannot be used: \(what).",
            todo: "chat mcp remove \(name), or change it in mcp.json", exit: .usage,
            namesCommands: true)
    }
}

/// Expands values with `${NAME}` and `${NAME:-otherwise}`, as other programs write them.
package struct VariableText {
    let variables: [String: String]
    /// Names of variables with our own keys, which no other program gets.
    let ownKeys: Set<String>

    package init(variables: [String: String], ownKeys: Set<String> = []) {
        self.variables = variables
        self.ownKeys = ownKeys
    }

    package func expanded(_ text: String) throws(MCPClientError.Reason) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            result += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            guard let end = rest.firstIndex(of: "}") else {
                return result + "${" + rest
            }
            let inner = rest[..<end]
            rest = rest[rest.index(after: end)...]
            let mark = inner.firstRange(of: ":-")
            let name = String(inner[..<(mark?.lowerBound ?? inner.endIndex)])
            if ownKeys.contains(name) { throw .ownKey(name) }
            let value = variables[name].flatMap { $0.isEmpty ? nil : $0 }
            guard let value = value ?? mark.map({ String(inner[$0.upperBound...]) }) else {
                throw .missingVariable(name)
            }
            result += value
        }
        return result + rest
    }
}
