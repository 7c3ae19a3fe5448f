import AgentCore
import Synchronization

/// A ledger in memory, for transports in tests.
package final class MemoryLedger: SendLedger {
    package struct Row: Sendable, Equatable {
        package var outgoing: Outgoing
        package var host: String
        package var bytes: Int
        package var answer: SentAnswer?

        package init(outgoing: Outgoing, host: String, bytes: Int) {
            (self.outgoing, self.host, self.bytes) = (outgoing, host, bytes)
        }
    }

    private struct State {
        var rows: [Row] = []
        var missed: [TransportError] = []
    }

    private let state = Mutex(State())
    /// What each attempt to write a row meets.
    private let failure: TransportError?

    package init(failing failure: TransportError? = nil) { self.failure = failure }

    package var rows: [Row] { state.withLock { $0.rows } }
    package var missed: [TransportError] { state.withLock { $0.missed } }

    package func open(_ outgoing: Outgoing, host: String, bytes: Int) async throws -> Int64 {
        if let failure { throw failure }
        return state.withLock { state in
            state.rows.append(Row(outgoing: outgoing, host: host, bytes: bytes))
            return Int64(state.rows.count - 1)
        }
    }

    package func close(_ row: Int64, _ answer: SentAnswer) {
        state.withLock { $0.rows[Int(row)].answer = answer }
    }

    package func missed(_ reason: TransportError) { state.withLock { $0.missed.append(reason) } }
}

extension CurlTransport {
    /// With a ledger that nobody reads.
    package convenience init(caFile: String? = nil) {
        self.init(ledger: MemoryLedger(), caFile: caFile)
    }
}

extension HTTPRequest {
    /// For tests of the transport, to which its purpose does not matter.
    package init(
        method: String, url: String, headers: [HTTPHeader] = [], body: Body = .none,
        limits: TransferLimits = TransferLimits()
    ) {
        self.init(
            Outgoing(Outgoing.Purpose(rawValue: "test")), method: method, url: url,
            headers: headers, body: body, limits: limits)
    }
}
