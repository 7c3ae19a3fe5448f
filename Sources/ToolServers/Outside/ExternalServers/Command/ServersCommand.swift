import AgentCore
import Base
import Glibc
import MCP

/// `chat mcp add|list|check|remove|import|key`: the external servers that a model may use.
/// The user sees the complete command and the tools' descriptions, and nothing is used
/// without approval; a model can neither ask this nor answer it.
package struct ServersCommand: Sendable {
    package typealias Token =
        @Sendable (_ server: String, KeyOrigin, CommandArguments) async throws -> CommandOutput

    let servers: ExternalServers
    /// Asks for a server's token and stores it, or deletes it with `--remove`.
    private let token: Token
    let home: String

    package init(_ servers: ExternalServers, home: String, token: @escaping Token) {
        self.servers = servers
        self.home = home
        self.token = token
    }

    var book: ServerBook { servers.book }

    package var verbs: [Verb] {
        let name = Verb.Argument("NAME", "the name of a server", .server)
        let optional = Verb.Argument("NAME", "the name of a server", .server, isOptional: true)
        return [
            Verb(
                "list", "the servers whose tools a model may use",
                json: "name state tools command url"
            ) { _ in try await list() },
            Verb(
                "add", "use the tools of a program, or of an address",
                [
                    Verb.Argument("NAME", "a name for the server"),
                    Verb.Argument(
                        "-- COMMAND", "the program and its arguments", isOptional: true,
                        repeats: true),
                ],
                options: [
                    .init("--url URL", "an address (Streamable HTTP) in place of a program"),
                    .init(
                        "--env NAME", "give it this variable of yours; NAME=TEXT for a fixed text",
                        repeats: true),
                    .init("--header NAME=TEXT", "send this with each request", repeats: true),
                    .init("--read TOOL,TOOL", "tools that only read: no question before a call"),
                    Self.whole,
                ], example: "time -- uvx mcp-server-time"
            ) { try await add($0) },
            Verb(
                "check", "start servers, and show and approve what has changed", [optional],
                options: [Self.whole], json: "name ok tools revision server left_out problem"
            ) { try await check($0) },
            Verb("remove", "forget a server and its approvals", [name]) {
                try await remove($0)
            },
            Verb(
                "import", "add the servers of another program's mcpServers",
                [Verb.Argument("FILE", "a JSON file", .file)],
                example: "~/.config/Claude/claude_desktop_config.json"
            ) { try await importEntries($0) },
            Verb(
                "key", "keep a bearer token for a server that has an address", [name],
                options: [.init("--remove", "forget it")]
            ) { try await keepToken($0) },
        ]
    }

    private static let whole = Verb.Option(
        "--whole", "show every word that tools say of themselves")

    // MARK: - list, remove, key

    private func list() async throws -> CommandOutput {
        let content = try await book.read()
        if content.entries.isEmpty {
            return CommandOutput(
                lines: [
                    StyledLine(
                        "No tool servers. To use one: chat mcp add NAME -- COMMAND", .hint)
                ], json: [], sources: [])
        }
        var rows: [[StyledLine.Span]] = []
        var json: [JSONValue] = []
        for entry in content.entries {
            let pin = content.pin(entry.name)
            let (state, style) = state(entry, pin)
            rows.append([
                .init(entry.name, .accent), .init(state, style),
                .init(pin.tools.isEmpty ? "" : Quantities.count(pin.tools.count, "tool"), .dim),
                .init(entry.line, .dim),
            ])
            json.append(
                .compact([
                    "name": .string(entry.name), "state": .string(state),
                    "tools": JSONValue(pin.tools.count),
                    "command": entry.json["command"] == nil ? nil : .string(entry.line),
                    "url": entry.json["url"],
                ]))
        }
        return CommandOutput(lines: StyledLine.table(rows, columns: 3), json: .array(json))
    }

    private func state(_ entry: ServerEntry, _ pin: ServerPin) -> (String, StyledLine.Style) {
        if entry.isDisabled { return ("disabled", .dim) }
        do {
            let launch = try ExternalServers.launch(entry, servers.variables)
            if pin.launch == nil { return ("not approved", .warning) }
            if !pin.isApproved(launch) || pin.toolsDiffer { return ("changed", .warning) }
            return pin.tools.isEmpty ? ("no tools approved", .warning) : ("approved", .success)
        } catch let error as ServerEntryError {
            return (error.what, .failure)
        } catch {
            return ("not installed", .failure)
        }
    }

    private func remove(_ arguments: CommandArguments) async throws -> CommandOutput {
        let entry = try await entry(arguments.plain[0])
        try await book.setEntry(entry.name, nil)
        try await book.setPin(entry.name, nil)
        await servers.forget(entry.name)
        var output = CommandOutput(lines: [StyledLine("✓ removed: \(entry.name)", .success)])
        let again = entry.json["url"] == nil ? "-- \(entry.line)" : "--url \(entry.line)"
        output.remarks = [StyledLine("To add it again: chat mcp add \(entry.name) \(again)", .hint)]
        return output
    }

    private func keepToken(_ arguments: CommandArguments) async throws -> CommandOutput {
        let entry = try await entry(arguments.plain[0])
        guard case .address(let url, _) = try entry.launch(), let origin = KeyOrigin(url) else {
            throw UsageError(
                "\(entry.name) is a program: it gets its token in a variable.",
                hint: "chat mcp add \(entry.name) --env TOKEN -- …")
        }
        return try await token(entry.name, origin, arguments)
    }

    func entry(_ name: String) async throws -> ServerEntry {
        let content = try await book.read()
        if let entry = content.entry(name) { return entry }
        let names = content.entries.map(\.name)
        let nearest = NearestWord.find(name, among: names).map { "Did you mean \($0)?" }
        throw UsageError(
            "There is no tool server \"\(KeyShape.shown(name))\".",
            hint: nearest
                ?? (names.isEmpty ? nil : "Available: \(names.joined(separator: ", ")).")
                    ?? "chat mcp add adds one.",
            exit: .failure)
    }

    // MARK: - check

    private func check(_ arguments: CommandArguments) async throws -> CommandOutput {
        let content = try await book.read()
        let chosen =
            if let name = arguments.plain.first { [try await entry(name)] } else {
                content.entries.filter { !$0.isDisabled }
            }
        if chosen.isEmpty { return try await list() }
        var output = CommandOutput(json: [])
        var json: [JSONValue] = []
        for entry in chosen {
            let report = try await check(entry, content.pin(entry.name), arguments)
            output.lines += report.lines
            output.notices += report.notices
            if report.outcome != .ok { output.outcome = report.outcome }
            if let value = report.json { json.append(value) }
        }
        output.json = .array(json)
        return output
    }

    /// Starts one server and asks the user about its changes.
    func check(
        _ entry: ServerEntry, _ pin: ServerPin, _ arguments: CommandArguments
    ) async throws -> CommandOutput {
        func problem(_ error: any Error, _ outcome: ExitCode? = nil) -> CommandOutput {
            let what = Diagnostic(of: error)
            var output = CommandOutput(
                lines: [
                    StyledLine([
                        .init("✗ \(entry.name)  ", .failure), .init(what.what),
                    ])
                ],
                json: [
                    "name": .string(entry.name), "ok": false, "problem": .string(what.what),
                ], outcome: outcome ?? what.exit)
            if let todo = what.todo { output.lines.append(StyledLine("    \(todo)", .hint)) }
            return output
        }
        var pin = pin
        do {
            let launch = try ExternalServers.launch(entry, servers.variables)
            if !pin.isApproved(launch) {
                guard try await approveLaunch(entry, from: pin.launch, to: launch, arguments) else {
                    return problem(ServerRefusal(name: entry.name), .refused)
                }
                pin.launch = launch
                try await book.setPin(entry.name, pin)
            }
            let server = await started(entry, pin, arguments)
            if let failure = await server.failure { throw failure }
            let now = await server.definitions
            let differences = pin.differences(from: now)
            if !differences.isEmpty {
                await servers.note(differs: !pin.tools.isEmpty, of: entry.name, pin)
                guard try await approveTools(entry, differences, arguments) else {
                    return problem(ServerRefusal(name: entry.name), .refused)
                }
                pin.tools = now
                pin.toolsDiffer = false
            }
            let leftOut = await server.leftOut
            pin.leftOut = leftOut
            let facts = await server.facts
            pin.facts = facts.map { "\($0.name) \($0.version)".trimmingSpace() } ?? ""
            pin.era = facts.map { $0.revision == MCPProtocol.modernVersion ? .modern : .legacy }
            try await book.setPin(entry.name, pin)
            await server.setPin(pin)
            return CommandOutput(
                lines: [
                    StyledLine([
                        .init("✓ \(entry.name)  ", .success),
                        .init(Quantities.count(now.count, "tool")),
                        .init(" · \(pin.facts) · \(facts?.revision ?? "")", .dim),
                    ])
                ]
                    + leftOut.map {
                        StyledLine("  ! \($0.sentence(of: entry.name))", .warning)
                    }
                    + (facts?.hasSkills == true
                        ? [StyledLine("  Its skills are not supported; its tools are.", .dim)]
                        : []),
                json: [
                    "name": .string(entry.name), "ok": true, "tools": JSONValue(now.count),
                    "revision": .string(facts?.revision ?? ""), "server": .string(pin.facts),
                    "left_out": .array(
                        leftOut.map { ["name": .string($0.name), "why": .string($0.why)] }),
                ])
        } catch let error as MCPClientError {
            return problem(error)
        } catch let error as ServerEntryError {
            return problem(error)
        }
    }

    private func started(
        _ entry: ServerEntry, _ pin: ServerPin, _ arguments: CommandArguments
    ) async -> ExternalServer {
        arguments.interaction.emit(ToolProgress(activity: "Starting", title: entry.name))
        return await servers.started(entry, pin: pin)
    }

    // MARK: - Questions

    /// The complete command, and the previous one; no is the default.
    private func approveLaunch(
        _ entry: ServerEntry, from old: JSONValue?, to new: JSONValue, _ arguments: CommandArguments
    ) async throws -> Bool {
        var lines: [StyledLine] = []
        let isProgram = new["words"] != nil
        if let old {
            lines.append(
                StyledLine("  \(entry.name) is not what you approved:", .warning))
            lines += LaunchText.lines(of: old).map { StyledLine("  - \($0)", .deleted) }
            lines += LaunchText.lines(of: new, after: old).map {
                StyledLine("  + \($0)", .inserted)
            }
        } else {
            lines.append(
                StyledLine(
                    "  \(entry.name) "
                        + (isProgram
                            ? "runs this program, with your rights:" : "is at this address:")))
            lines += LaunchText.lines(of: new).map { StyledLine("    \($0)", .accent) }
        }
        return await ask(
            lines, isProgram ? "Run it for its tools?" : "Connect to it for its tools?", arguments)
    }

    /// The tools in two lines each, or their changes; the complete text with `--whole`.
    private func approveTools(
        _ entry: ServerEntry, _ differences: [ToolDifference], _ arguments: CommandArguments
    ) async throws -> Bool {
        let names = ToolNames.names(
            of: differences.map(\.name), server: entry.name)
        var lines: [StyledLine] = []
        for difference in differences {
            let name = names[difference.name] ?? difference.name
            lines += difference.lines(as: name, isWhole: arguments.has("--whole"))
        }
        if !arguments.has("--whole"), differences.contains(where: \.isAddition) {
            lines.append(
                StyledLine("  That is the short form; --whole shows every word of it.", .hint))
        }
        lines.append(
            StyledLine(
                "  These descriptions are \(entry.name)'s own. Before each call you are asked"
                    + (entry.readers.isEmpty
                        ? "." : ", except for \(entry.readers.joined(separator: ", "))."),
                .dim))
        // Removed tools need no question.
        if !differences.contains(where: \.needsApproval) {
            await arguments.interaction.show(lines)
            return true
        }
        return await ask(lines, "Let models use them?", arguments)
    }

    private func ask(
        _ lines: [StyledLine], _ question: String, _ arguments: CommandArguments
    ) async -> Bool {
        await arguments.interaction.show(lines)
        if arguments.isConfirmed { return true }
        return await arguments.interaction.confirm(nil, question)
    }
}

/// The user said no, or could not be asked.
struct ServerRefusal: Error, DescribedError {
    var name: String

    var diagnostic: Diagnostic {
        Diagnostic(
            "\(name) was not approved, so none of its tools are used.",
            todo: "chat mcp check \(name) asks again; --yes answers without a terminal",
            exit: .refused, namesCommands: true)
    }
}
