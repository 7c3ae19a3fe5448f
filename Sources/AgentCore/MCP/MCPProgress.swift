import AgentCore
import Base

/// Turns the progress of one call into `notifications/progress`: each number above the previous
/// one, at most ten in a second. Pure.
struct MCPProgress: Sendable {
    private static let interval = 0.1

    let token: JSONValue
    private var last = 0.0
    private var time = -Double.infinity

    init(token: JSONValue) { self.token = token }

    /// Nil for progress that is not sent.
    /// - Parameter now: seconds on a clock that is never set back.
    mutating func notification(_ progress: ToolProgress, at now: Double) -> JSONRPCMessage? {
        guard now - time >= Self.interval else { return nil }
        // Without a fraction, only the order is known: 1, 2, 3.
        let value = progress.fraction.map { min(max($0, 0), 1) } ?? (last + 1)
        guard value > last else { return nil }
        (last, time) = (value, now)
        // The title and the text are untrusted. A result marks them as data; here they would be
        // taken for our own words.
        let words = [progress.activity, progress.part].filter { !$0.isEmpty }
        return .notification(
            method: "notifications/progress",
            params: JSONObject(
                [
                    .init("progressToken", token), .init("progress", JSONValue(value)),
                    progress.fraction.map { _ in .init("total", 1) },
                    .init("message", .string(words.joined(separator: ", "))),
                ].compactMap(\.self)))
    }
}
