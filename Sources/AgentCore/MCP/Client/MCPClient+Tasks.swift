import Base

/// Handles calls that a server answers with a task: it is polled until it ends, and cancelled if
/// the turn ends first. Both eras are supported: the extension `io.modelcontextprotocol/tasks` of
/// 2026-07-28, where the server decides, and tools of 2025-11-25 that only run as tasks, whose
/// result is requested separately.
extension MCPClient {
    /// Limit for a task in seconds, counted from its first answer.
    private static let longestTask = 3_600.0

    /// - Parameters:
    ///   - asTask: whether the tool, of the older era, only runs as a task.
    ///   - emit: gets the progress of the call, or the task's status message.
    /// - Throws: `MCPClientError`, `CancellationError`.
    package func call(
        _ params: JSONObject, asTask: Bool = false,
        emit: @escaping @Sendable (MCPServerProgress) -> Void
    ) async throws -> JSONObject {
        var params = params
        if asTask { params["task"] = ["ttl": .integer(Int64(Self.longestTask) * 1_000)] }
        let result = try await request("tools/call", params, limit: limits.call, emit: emit)
        let isTask = result["resultType"]?.stringValue == "task"
        guard let seed = isTask ? .object(result) : asTask ? result["task"] : nil else {
            return result
        }
        let id = JSONObject([.init("taskId", seed["taskId"] ?? "")])
        do {
            return try await follow(seed, id, isOlder: asTask, emit: emit)
        } catch let end as TaskEnd {
            throw MCPClientError(server, end.reason)
        } catch {
            // The server decides whether to stop; the turn does not wait for that.
            post("tasks/cancel", id)
            throw error
        }
    }

    /// The task has ended without a result.
    private struct TaskEnd: Error {
        var reason: MCPClientError.Reason
    }

    private func follow(
        _ seed: JSONValue, _ id: JSONObject, isOlder: Bool,
        emit: @Sendable (MCPServerProgress) -> Void
    ) async throws -> JSONObject {
        var task = seed
        let end = uptime + Self.longestTask
        while true {
            let message = task["statusMessage"]?.stringValue ?? ""
            switch task["status"]?.stringValue {
            case "working": emit(MCPServerProgress(message: message))
            case "completed" where isOlder, "failed" where isOlder:
                return try await request("tasks/result", id)
            case "completed":
                guard let result = task["result"]?.objectValue else {
                    throw TaskEnd(reason: .invalidAnswer("a completed task without a result"))
                }
                return result
            case "failed":
                let said = task["error"]?["message"]?.stringValue ?? message
                let code = task["error"]?["code"]?.integerValue ?? 0
                throw TaskEnd(reason: .refused(JSONRPCError(code, said)))
            case "cancelled":
                throw TaskEnd(reason: .invalidAnswer("its task was cancelled"))
            case "input_required":
                throw MCPClientError(
                    server, .invalidAnswer("its task asks for input, which chat does not give"))
            default: throw MCPClientError(server, .invalidAnswer("a task of an unknown state"))
            }
            if uptime > end { throw MCPClientError(server, .silent(.seconds(Self.longestTask))) }
            let pause = task[isOlder ? "pollInterval" : "pollIntervalMs"]?.doubleValue ?? 1_000
            try await sleep(.milliseconds(min(max(pause, 100), 30_000)))
            task = .object(try await request("tasks/get", id))
        }
    }
}
