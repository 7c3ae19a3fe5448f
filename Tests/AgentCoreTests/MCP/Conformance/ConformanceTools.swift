import Synchronization
import TestSupport

@testable import AgentCore
@testable import Base

/// The tools that the official conformance suite of the Model Context Protocol asks of a
/// server, as far as ours has the means: answers in words, failures, progress, and calls
/// that go on until they are stopped.
struct ConformanceTools: ToolServer {
    let name = "conformance"
    let description = "The tools of the conformance suite."
    let timeline: Timeline
    let clock: ManualClock
    /// Opened by the host for each progress that it has read.
    let steps: [Gate]

    func listTools() -> [Tool] {
        ["test_simple_text", "test_error_handling", "test_tool_with_progress", "test_tool_slow"]
            .map {
                Tool(
                    name: $0, title: $0, description: "A tool of the suite.",
                    inputSchema: .object([.init("label", .string())]), toolClass: .read)
            }
    }

    func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        switch name {
        case "test_error_handling":
            throw ToolError.failed("This tool intentionally returns an error for testing")
        case "test_tool_with_progress":
            for (number, step) in steps.enumerated() {
                var progress = ToolProgress(activity: "Working", title: "")
                progress.fraction = Double(number + 1) / Double(steps.count)
                clock.advance(by: .seconds(1))
                emit(progress)
                await step.wait()
            }
        case "test_tool_slow":
            let stopped = Gate()
            await withTaskCancellationHandler {
                emit(ToolProgress(activity: "Waiting", title: ""))
                timeline.note("started")
                await stopped.wait()
            } onCancel: {
                stopped.open()
            }
            timeline.note("stopped")
            try Task.checkCancellation()
        default: break
        }
        let label = arguments["label"]?.stringValue ?? "This is a simple text response for testing."
        return ToolOutput(text: label)
    }
}
