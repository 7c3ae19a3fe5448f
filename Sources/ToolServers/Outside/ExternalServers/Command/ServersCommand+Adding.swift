import AgentCore
import Base

/// `chat mcp add` and `import`: adds servers, without writing secrets to the file.
extension ServersCommand {
    func add(_ arguments: CommandArguments) async throws -> CommandOutput {
        let name = arguments.plain[0]
        let entry = try entry(named: name, arguments)
        do {
            _ = try entry.launch()
        } catch {
            // It is in no file yet.
            throw UsageError("The tool server \(name) cannot be used: \(error.what).")
        }
        if try await book.read().entry(name) != nil {
            throw UsageError(
                "There is already a tool server \(name).", hint: "chat mcp remove \(name)")
        }
        return try await take(entry, arguments)
    }

    private func entry(named name: String, _ arguments: CommandArguments) throws -> ServerEntry {
        var command = Array(arguments.plain.dropFirst())
        var entry: ServerEntry
        switch (command.isEmpty, arguments["--url"]) {
        case (true, let url?):
            var headers: [String: String] = [:]
            for text in arguments.values("--header") {
                let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2 else {
                    throw UsageError("--header needs NAME=TEXT.")
                }
                if Self.isSecret(parts[0], parts[1]) {
                    throw UsageError(
                        "A secret is never an argument and not kept in mcp.json.",
                        hint:
                            "chat mcp key \(name) asks for it; or --header '\(parts[0])=${NAME}'"
                    )
                }
                headers[parts[0]] = parts[1]
            }
            if !arguments.values("--env").isEmpty {
                throw UsageError("--env is for a program; an address has --header.")
            }
            entry = ServerEntry(name: name, address: url, headers: headers)
        case (false, nil):
            if !arguments.values("--header").isEmpty {
                throw UsageError("--header is for an address; a program has --env.")
            }
            var variables: [String: String] = [:]
            for text in arguments.values("--env") {
                let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                let value = parts.count == 2 ? parts[1] : "${\(text)}"
                if Self.isSecret(parts[0], value) {
                    throw UsageError(
                        "A secret is never an argument and not kept in mcp.json.",
                        hint: "export \(parts[0])=… where you start chat, and --env \(parts[0])")
                }
                variables[parts[0]] = value
            }
            if command.contains(where: { KeyShape.isFound(in: $0) }) {
                throw UsageError(
                    "A key in a command line can be read by other programs.",
                    hint: "export it where you start chat, and --env NAME")
            }
            command[0] = Self.absolute(command[0])
            entry = ServerEntry(name: name, command: command, variables: variables)
        case (true, nil):
            throw UsageError(
                "\(arguments.name) needs a program or an address.",
                hint: "chat mcp add time -- uvx mcp-server-time")
        case (false, _?): throw UsageError("A program or --url, not both.")
        }
        let readers = arguments.values("--read").flatMap { $0.split(separator: ",") }
        if !readers.isEmpty {
            var json = entry.json
            json.members.append(.init("read", .array(readers.map { .string(String($0)) })))
            entry = ServerEntry(name: name, json: json)
        }
        return entry
    }

    /// A path in a shell command is relative to the user's folder.
    private static func absolute(_ program: String) -> String {
        guard program.contains("/"), !program.hasPrefix("/"), !program.hasPrefix("~")
        else { return program }
        return FilePath.real(program) ?? program
    }

    /// Whether a value must not be in a file: it looks like a key, or is named like one.
    static func isSecret(_ name: String, _ value: String) -> Bool {
        if value.contains("${") || value.isEmpty { return false }
        if KeyShape.isFound(in: value) || KeyShape.isLikely(value) { return true }
        let name = name.uppercased()
        return ["TOKEN", "KEY", "SECRET", "PASSWORD", "AUTHORIZATION", "COOKIE"]
            .contains { name.contains($0) }
    }

    /// Shows the entry, asks, and stores it with the approval.
    private func take(_ entry: ServerEntry, _ arguments: CommandArguments) async throws
        -> CommandOutput
    {
        // No question if the program does not exist.
        _ = try ExternalServers.launch(entry, servers.variables)
        let report = try await check(entry, ServerPin(), arguments)
        if report.outcome == .refused {
            // Keep nothing of a refused server.
            try await book.setPin(entry.name, nil)
            await servers.forget(entry.name)
            throw ServerAddRefusal(name: entry.name)
        }
        try await book.setEntry(entry.name, entry)
        return report
    }

    // MARK: - import

    func importEntries(_ arguments: CommandArguments) async throws -> CommandOutput {
        let path = FilePath.expanding(arguments.plain[0], home: home)
        let found = try await book.entries(importedFrom: path)
        if found.isEmpty {
            throw UsageError("\(path) names no servers.", hint: "It needs an object mcpServers.")
        }
        var output = CommandOutput()
        let known = try await book.read().entries.map(\.name)
        for entry in found {
            if known.contains(entry.name) {
                output.notices.append("\(entry.name) already exists and was not changed.")
                continue
            }
            do {
                let (clean, left) = Self.withoutSecrets(entry)
                let report = try await take(clean, arguments)
                output.lines += report.lines
                for name in left {
                    output.notices.append(
                        clean.json["url"] == nil
                            ? "\(name) of \(entry.name) is not kept: export \(name)=… where you start chat."
                            : "\(name) of \(entry.name) is not kept: chat mcp key \(entry.name)")
                }
                if report.outcome != .ok { output.outcome = .degraded }
            } catch let error as any DescribedError {
                let what = error.diagnostic
                output.lines.append(
                    StyledLine([.init("✗ \(entry.name)  ", .failure), .init(what.what)]))
                output.outcome = .degraded
            }
        }
        return output
    }

    /// Replaces secrets by names of variables, and removes headers that contain one.
    private static func withoutSecrets(_ entry: ServerEntry) -> (ServerEntry, left: [String]) {
        var left: [String] = []
        var json = entry.json
        for (index, member) in json.members.enumerated() {
            guard ["env", "headers"].contains(member.name),
                let values = member.value.objectValue
            else { continue }
            let isHeader = member.name == "headers"
            let kept = values.members.compactMap { value -> JSONObject.Member? in
                guard let text = value.value.stringValue, isSecret(value.name, text) else {
                    return value
                }
                left.append(value.name)
                return isHeader ? nil : .init(value.name, .string("${\(value.name)}"))
            }
            json.members[index].value = .object(JSONObject(kept))
        }
        return (ServerEntry(name: entry.name, json: json), left)
    }
}

/// The user refused a new server.
private struct ServerAddRefusal: Error, DescribedError {
    var name: String

    var diagnostic: Diagnostic {
        Diagnostic(
            "\(name) was not added.", todo: "Without a terminal: --yes", exit: .refused)
    }
}
