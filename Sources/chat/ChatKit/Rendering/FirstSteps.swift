import AgentCore
import Base

/// The first screen of a new user: one thing to type that works now, and how to connect a model.
/// Pure; the caller has looked for local servers.
package enum FirstSteps {
    /// The usual program for local models, and a model that most machines can run.
    private static let install = "from ollama.com: ollama pull llama3.2"
    /// Minimum window for the tools that a question about the program carries.
    private static let leastForTools = 8_192

    /// - Parameters:
    ///   - isConnected: whether a model was chosen, by a key or by the settings.
    ///   - server: a model server on this machine.
    package static func lines(
        isConnected: Bool, server: Connector.LocalServer?, columns: Int
    ) -> [StyledLine] {
        let local = "remind me to call mom tomorrow at 9"
        var rows: [(String, String)] = []
        if isConnected {
            var question = "what can you do here?"
            if let server, let model = server.model {
                let reads = server.window.map { ", which reads \(Quantities.grouped($0)) tokens" }
                rows = [("this machine", "\(model) at \(server.host)\(reads ?? "")")]
                if server.window.map({ $0 < leastForTools }) ?? true {
                    question = "explain the tides in three sentences"
                }
            }
            rows += [("ask", question), ("or type", local)]
        } else {
            var machine = "no server answers; \(install)"
            if let server, let model = server.model {
                machine = "\(model) answers: /config set local.base_url http://\(server.host)/v1"
            } else if let server {
                machine = "\(server.host) answers, but has no model yet: ollama pull llama3.2"
            }
            rows = [
                ("type this", local), ("a key", "/keys set claude, or openai; then ask anything"),
                ("this machine", machine),
                ("no model", "reminders, calendar, search and reading aloud need none"),
            ]
        }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.flatMap { label, text in
            StyledLine([
                .init("  " + label + String(repeating: " ", count: width - label.count + 2), .dim),
                .init(text),
            ]).folded(to: max(16, columns - 1), indent: columns < 60 ? 4 : width + 4)
        }
    }
}
