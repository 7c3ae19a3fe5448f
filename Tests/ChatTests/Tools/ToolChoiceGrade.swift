import Base
import Foundation
import Letters
import Outside
import Stories
import TestSupport
import XCTest

@testable import AgentCore
@testable import ChatKit
@testable import chat

/// Which tools a message is sent with, by a set that was written without a look at what
/// chooses them: language, message, the tools that it needs (`|` between those of which one
/// is enough, `+` where it needs each, `-` for none), and what is going on.
final class ToolChoiceGrade: XCTestCase {
    private struct Task {
        var message: String
        /// Each with what may stand in for it.
        var needs: [[String]]
        var state: String
    }

    private func tasks(_ name: String, known: Set<String>) throws -> [Task] {
        let folder = try XCTUnwrap(Bundle.module.resourceURL)
        let text = try String(
            contentsOf: folder.appending(path: "Fixtures/tools/\(name)"), encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t").map(String.init)
            if fields.count < 4 { return nil }
            let needs =
                fields[2] == "-"
                ? []
                : fields[2].split(separator: "+").map { each in
                    each.split(separator: "|").map(String.init).filter(known.contains)
                }
            // What only other programs are offered cannot be asked for here.
            if needs.contains(where: \.isEmpty) { return nil }
            return Task(message: fields[1], needs: needs, state: fields[3])
        }
    }

    func testTheToolsThatAMessageNeedsAreSentOrFound() async throws {
        let folder = try TemporaryFolder()
        let services = try App(
            variables: ["CHAT_HOME": folder.path, "HOME": folder.path, "PATH": folder.path],
            environment: ManualClock().environment
        ).services(for: .repl(ReplOptions()))
        let project = try TemporaryFolder()
        try services.open(folder: project.path)
        let search = WebSearchPermission(host: "api.example.org")
        let closed = services.alwaysOffered.adding(search)
        let open = services.registry.adding(search)
        let always = Set(closed.servers.flatMap(\.toolsInUse))
        let inUse = [
            "story playing": StoryServer.steering,
            "letter being written": [LetterServer.createName],
            "folder open": open.servers.flatMap(\.toolsInUse),
        ]
        let known = Set(open.tools.map(\.name))
        let all = try (1...3).flatMap { try tasks("tools-\($0).tsv", known: known) }
        var (sent, found, bytes) = (0, 0, [Int]())
        var misses: [String] = []
        let needy = Grade.sample(all.filter { !$0.needs.isEmpty })
        let others = Grade.sample(all.filter(\.needs.isEmpty))
        for task in needy + others {
            let registry = task.state == "folder open" ? open : closed
            let router = ToolRouter(registry)
            let judged = IntentRouter.judge(PlainMessage(task.message), by: registry.servers)
            let names = router.tools(
                for: task.message, suggested: Set(judged.flatMap(\.match.suggestedTools)),
                inUse: always.union(inUse[task.state] ?? []), fills: true)
            let finder = FindTools(registry, router: router) { _ in true }
            let tools = registry.offering(names).tools + finder.listTools()
            bytes.append(Self.bytes(of: tools))
            if task.needs.isEmpty { continue }
            let isSent = task.needs.allSatisfy { !$0.allSatisfy { !names.contains($0) } }
            sent += isSent ? 1 : 0
            // A model looks for what it wants to do, in the words that tools have.
            let reached = task.needs.allSatisfy { each in
                each.contains { name in
                    let words = name.split(separator: "_").joined(separator: " ")
                    return router.find(words).contains { $0.name == name }
                }
            }
            found += reached ? 1 : 0
            if !isSent || !reached {
                misses.append("\(task.needs.map { $0.joined(separator: "|") }): \(task.message)")
            }
        }
        let mean = bytes.reduce(0, +) / max(1, bytes.count)
        print("tools and system text of a request: \(mean) bytes, at most \(bytes.max() ?? 0)")
        Grade.check(
            // 110 of the first half, by which the cues were chosen, and 100 of the second.
            "tools: in the first set", right: sent, of: needy.count, atLeast: 0.95,
            misses.joined(separator: "\n"))
        Grade.check("tools: found in one step", right: found, of: needy.count, atLeast: 1)
        XCTAssertLessThanOrEqual(bytes.max() ?? 0, 6_000)
        await services.close()
    }

    /// With the system text, as Chat Completions has it.
    private static func bytes(of tools: [Tool]) -> Int {
        var request = ModelRequest(model: "", system: SystemText.standard, turns: [])
        request.tools = tools
        let body = OpenAIChatRequest.body(request, messages: [], isVendor: true)
        return JSONWriter.bytes(body["tools"] ?? .null).count
            + JSONWriter.bytes(body["messages"] ?? .null).count
    }
}
