import AgentCore
import Base
import ChatKit
import Outside
import Persistence

/// `chat tools`: the model's available tools, and its past calls.
package struct ToolsCommand {
    static let noun = ProgramNoun.tools.rawValue
    let services: Services
    /// Columns of the output.
    var columns = 80

    /// Number of calls listed by default.
    private static let usual = 50

    var command: Command {
        Command(
            name: Self.noun, summary: "what the model can do here, and what it did",
            verbs: [
                Verb("list", "every tool with its class", json: "name title class server rule") {
                    _ in try await list()
                },
                Verb(
                    "log", "every call, who allowed it and how it went; the latest first",
                    options: [.init("--limit N", "at most N; default \(Self.usual)")],
                    json: "time conversation title tool class arguments approval reason outcome "
                        + "ms bytes undo"
                ) { try await log($0) },
            ])
    }

    // MARK: - Tools

    private func list() async throws -> CommandOutput {
        var servers = services.registry.servers.map {
            (name: $0.name, description: $0.description, tools: $0.listTools())
        }
        let others = try await services.external?.overview() ?? []
        servers += others.map { ($0.name, "another program", $0.tools) }
        servers.removeAll { $0.tools.isEmpty }
        var json: [JSONValue] = []
        var rows: [[StyledLine.Span]] = []
        for (server, _, tools) in servers {
            for tool in tools {
                let rule = rule(for: tool.name)
                rows.append([
                    .init(tool.name, .accent), .init(tool.toolClass.rawValue),
                    .init(tool.title, .dim), .init(rule.map { " · rule: \($0)" } ?? ""),
                ])
                json.append([
                    "name": .string(tool.name), "title": .string(tool.title),
                    "class": .string(tool.toolClass.rawValue), "server": .string(server),
                    "rule": rule.map { .string($0) } ?? .null,
                ])
            }
        }
        // A single table, so that the columns of all servers are aligned.
        var table = StyledLine.table(rows, columns: 2, indent: "  ")[...]
        let lines = servers.flatMap { server, description, tools in
            defer { table = table.dropFirst(tools.count) }
            return [StyledLine("\(server): \(description)", .bold)] + table.prefix(tools.count)
        }
        return CommandOutput(
            lines: lines, json: .array(json),
            notices: services.unknownRules + others.flatMap(\.leftOut), sources: [])
    }

    /// The rule for the tool with any arguments; rules about an argument are shown as written.
    private func rule(for tool: String) -> String? {
        let rules = services.settings.toolRules
        let words = [("deny", rules.deny), ("ask", rules.ask), ("allow", rules.allow)].compactMap {
            name, rules in
            let texts = rules.filter { $0.names(tool) }.map(\.text)
            return texts.isEmpty ? nil : "\(name) \(texts.joined(separator: ", "))"
        }
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }

    // MARK: - Log

    private func log(_ arguments: CommandArguments) async throws -> CommandOutput {
        let limit = try arguments.number("--limit", upTo: 10_000) ?? Self.usual
        let calls = try await services.store().toolCalls(limit: limit)
        let json = JSONValue.array(calls.map(Self.json))
        guard !calls.isEmpty else {
            return CommandOutput(
                lines: [StyledLine("No model has called a tool yet.", .dim)], json: json,
                sources: [])
        }
        let zone = LocalTime()
        let today = zone.civil(at: services.environment.now()).date
        let heads = StyledLine.table(
            calls.map { logged in
                let made = zone.civil(at: logged.made)
                let call = logged.call
                let isGood = call.outcome == .ok
                return [
                    .init("\(made.date.text(asOf: today)) \(made.clockText)", .dim),
                    .init(call.tool, .accent), .init(call.toolClass?.rawValue ?? "?"),
                    .init(call.approval),
                    .init(call.outcome.rawValue, isGood ? .plain : .warning),
                    .init(Quantities.seconds(call.duration / .seconds(1)), .dim),
                    .init(Quantities.bytes(call.resultBytes), .dim),
                ]
            }, columns: 7, alignsRight: [5, 6])
        let lines = zip(calls, heads).flatMap { logged, head -> [StyledLine] in
            let details = DisplayWidth.cut(Self.details(of: logged), to: max(20, columns - 6))
            return [head] + (details.isEmpty ? [] : [StyledLine("    " + details, .dim)])
        }
        // Arguments and titles may be untrusted text.
        return CommandOutput(lines: lines, json: json)
    }

    /// The conversation, the command that undoes the call, the reason for a refusal, and the
    /// arguments.
    private static func details(of logged: LoggedToolCall) -> String {
        let call = logged.call
        var parts = logged.title.isEmpty ? [] : [DisplayWidth.cut(logged.title, to: 24)]
        if !call.undoSteps.isEmpty { parts.append("undo \(call.undoSteps.joined(separator: " "))") }
        if let reason = call.reason { parts.append("\"\(reason)\"") }
        let arguments = ToolCallLine.arguments(call.arguments)
        if !arguments.isEmpty { parts.append(arguments) }
        return parts.joined(separator: " · ")
    }

    private static func json(_ logged: LoggedToolCall) -> JSONValue {
        let call = logged.call
        return [
            "time": .string(LocalTime().isoText(logged.made)),
            "conversation": .string(logged.conversation), "title": .string(logged.title),
            "tool": .string(call.tool),
            "class": call.toolClass.map { .string($0.rawValue) } ?? .null,
            "arguments": .object(call.arguments), "approval": .string(call.approval),
            "reason": call.reason.map { .string($0) } ?? .null,
            "outcome": .string(call.outcome.rawValue),
            "ms": .integer(Int64(call.duration / .milliseconds(1))),
            "bytes": .integer(Int64(call.resultBytes)),
            "undo": .array(call.undoSteps.map(JSONValue.string)),
        ]
    }
}

extension Services {
    /// One sentence for each rule that no tool can match.
    var unknownRules: [String] {
        let names = registry.tools.map(\.name)
        // An external tool may still appear.
        let unmatched = settings.toolRules.unmatched(among: names).filter { !$0.contains("__") }
        return unmatched.map { rule in
            let name = String(rule.prefix { $0 != "(" })
            let nearest = NearestWord.find(name, among: names)
            return "No tool is called \"\(name)\", so the rule \"\(rule)\" does nothing."
                + (nearest.map { " Did you mean \($0)?" } ?? "")
        }
    }
}
