import AgentCore
import Base

/// Serves one host: receives its messages, runs the calls, and sends the answers. `MCPSession`
/// decides the content of messages, the channel how they are transferred.
///
/// Reads run at the same time. A call waits for the writes before it, so that a host
/// that sends several at once gets what it would get one by one.
package actor MCPServer {
    /// Sends and receives the messages.
    package struct Channel: Sendable {
        /// Waits for the next line; nil at the end.
        package var next: @Sendable () async -> MessageLines.Line?
        /// One call at a time. False once nothing more can be written.
        package var send: @Sendable (JSONRPCMessage) async -> Bool
        /// Makes `next` return nil.
        package var close: @Sendable () -> Void

        package init(
            next: @escaping @Sendable () async -> MessageLines.Line?,
            send: @escaping @Sendable (JSONRPCMessage) async -> Bool,
            close: @escaping @Sendable () -> Void
        ) {
            self.next = next
            self.send = send
            self.close = close
        }
    }

    /// Maximum number of running calls; at the limit nothing more is read and the host waits.
    private static let callLimit = 64
    /// Time for the last calls: hosts wait about two seconds for our end before they kill.
    private static let lastCalls = Duration.milliseconds(1500)
    private static let cancelledCalls = Duration.milliseconds(300)

    private var session: MCPSession
    private let runner: ToolRunner
    private let channel: Channel
    private let environment: Environment
    /// Nil if results are sent without redaction.
    private let redaction: HostRedaction?
    /// Reports system failures to this machine's user.
    private let note: @Sendable (String) -> Void

    private var calls: [Int: Task<Void, Never>] = [:]
    private var lastWrite: Task<Void, Never>?
    private var lastLine: Task<Bool, Never>?
    private var waiting: CheckedContinuation<Void, Never>?
    private var isLate = false

    package init(
        session: MCPSession, runner: ToolRunner, channel: Channel, environment: Environment,
        redaction: HostRedaction? = nil,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.session = session
        self.runner = runner
        self.channel = channel
        self.environment = environment
        self.redaction = redaction
        self.note = note
    }

    /// Runs until the input ends or the channel is closed. Running calls then get a moment
    /// to finish.
    package func run() async {
        while let line = await channel.next() {
            for action in session.receive(line) { await perform(action) }
            while calls.count >= Self.callLimit { await change() }
        }
        await wait(within: Self.lastCalls) { !$0.calls.isEmpty }
        for call in calls.values { call.cancel() }
        await wait(within: Self.cancelledCalls) { !$0.calls.isEmpty }
        for message in session.ended() { await send(message) }
    }

    private func perform(_ action: MCPSession.Action) async {
        switch action {
        case .send(let message): await send(message)
        case .cancel(let number): calls[number]?.cancel()
        case .run(let call):
            let before = lastWrite
            let task = Task {
                await before?.value
                await self.carryOut(call)
            }
            calls[call.number] = task
            switch call.tool.toolClass {
            case .write, .destroy: lastWrite = task
            // Sending may take minutes, and no other call depends on it.
            case .read, .outward: break
            }
        }
    }

    private func carryOut(_ call: MCPSession.Call) async {
        let result = await result(of: call)
        if let message = session.finished(call.number, result) { await send(message) }
        calls[call.number] = nil
        goOn()
    }

    private func result(of call: MCPSession.Call) async -> ToolResult {
        let name = call.tool.name
        let arguments = await redaction?.restored(call.arguments) ?? call.arguments
        var result = await runner.run(
            ToolCall(
                id: "\(call.number)", name: name, arguments: JSONWriter.string(.object(arguments))),
            as: ToolCaller(model: call.host, conversation: nil)
        ) { event in
            switch event {
            case .toolProgress(let progress?, _): await self.show(progress, of: call.number)
            case .toolFinished(let result, let summary?, _) where result.isError:
                self.note(summary)
            default: break
            }
        }
        guard let redaction else { return result }
        do {
            result.text = try await redaction.redacted(result.text)
        } catch {
            note("\(name): the profile cannot be read, so the result was not given to the host")
            result.text = "The result is withheld: the user's profile cannot be read."
            result.isError = true
        }
        return result
    }

    private func show(_ progress: ToolProgress, of number: Int) async {
        let message = session.progressed(number, progress, at: environment.uptime())
        if let message { await send(message) }
    }

    /// Sends one message at a time, in the order of the calls: those of several tasks must not be
    /// mixed.
    private func send(_ message: JSONRPCMessage) async {
        let before = lastLine
        let task = Task { [channel] in
            if let before, await !before.value { return false }
            return await channel.send(message)
        }
        lastLine = task
        if await !task.value {
            for call in calls.values { call.cancel() }
            channel.close()
        }
    }

    /// Waits while the condition holds, at most for `limit`.
    private func wait(within limit: Duration, while condition: (isolated MCPServer) -> Bool) async {
        guard condition(self) else { return }
        isLate = false
        let timer = Task {
            // It throws if the waiting ended before the limit.
            if (try? await environment.sleep(limit)) == nil { return }
            isLate = true
            goOn()
        }
        while condition(self), !isLate { await change() }
        timer.cancel()
    }

    /// Waits until `goOn` is called.
    private func change() async { await withCheckedContinuation { waiting = $0 } }

    private func goOn() {
        waiting?.resume()
        waiting = nil
    }
}
