import AgentCore
import Base
import FoundationEssentials
import Glibc
import Persistence
import Synchronization

/// The ledger of sent data in the conversations' database, and the lazy opening of that
/// database. Bodies are kept beside it.
package final class SendBook: SendLedger {
    private struct State {
        var opened: Result<ConversationStore, SQLiteError>?
        /// Answers not written yet.
        var answers: [(Int64, SentAnswer)] = []
        var missed: TransportError?
        /// The secrets of the requests under way, to be kept out of the responses.
        var keys: [Int64: String] = [:]
    }

    /// Number of answers kept while the disk is full; the oldest are dropped.
    private static let limit = 1_000

    private let path: String
    private let environment: Environment
    /// Number of days for which bodies are kept; 0 keeps none.
    private let bodyDays: Int
    private let state = Mutex(State())

    package init(path: String, environment: Environment, bodyDays: Int = 0) {
        self.path = path
        self.environment = environment
        self.bodyDays = bodyDays
    }

    package var bodies: SentBodies { SentBodies(beside: path) }
    package var keepsBodies: Bool { bodyDays > 0 }

    /// The conversation store, opened once. A failure is remembered, so that it is reported the
    /// same way each time. The first call blocks.
    package func store() throws(SQLiteError) -> ConversationStore {
        let result = state.withLock { state in
            if let result = state.opened { return result }
            let result: Result<ConversationStore, SQLiteError>
            do throws(SQLiteError) {
                result = .success(try ConversationStore(path: path, environment: environment))
            } catch {
                result = .failure(error)
            }
            state.opened = result
            let days = Double(bodyDays) * 86_400
            bodies.prune(before: environment.now().addingTimeInterval(bodyDays == 0 ? 1 : -days))
            return result
        }
        return try result.get()
    }

    package func open(_ outgoing: Outgoing, host: String, bytes: Int) async throws -> Int64 {
        let answers = takeAnswers()
        do {
            let store = try await QueueExecutor.run("chat.ledger") {
                () throws(SQLiteError) in try self.store()
            }
            return try await store.recordSending(
                outgoing, host: host, bytes: bytes, closing: answers)
        } catch {
            keep(answers)
            throw Self.failure(error, host)
        }
    }

    private static func failure(_ error: SQLiteError, _ host: String) -> TransportError {
        TransportError(
            reason: .notRecorded, host: host,
            detail: ServerText(error.diagnostic.what, hiding: nil) ?? "the database failed")
    }

    package func keep(_ request: HTTPRequest, host: String, of row: Int64) async throws {
        if let key = request.key { state.withLock { $0.keys[row] = key } }
        do throws(SQLiteError) {
            try await QueueExecutor.run("chat.ledger") { [bodies] () throws(SQLiteError) in
                let text: String
                do throws(OpenFile.Failure) {
                    text = try SentBody.text(of: request)
                } catch {
                    throw SQLiteError.system("read", path: error.path, error: EIO)
                }
                try bodies.keep(text, as: .request, of: row)
            }
        } catch { throw Self.failure(error, host) }
    }

    package func close(_ row: Int64, _ answer: SentAnswer) {
        keep([(row, answer)])
        // The first of these tasks to run writes all; `finish` waits for the others.
        Task { await writeAnswers() }
    }

    package func missed(_ reason: TransportError) { state.withLock { $0.missed = reason } }

    /// A notice about requests that were sent but not recorded; returned once.
    package func takeNotice() -> String? {
        let missed = state.withLock { state in
            defer { state.missed = nil }
            return state.missed
        }
        return missed.map { "Sent to \($0.host) without a record of it: \($0.detail)" }
    }

    /// Writes the pending answers; called before the rows are read.
    package func writeAnswers() async {
        let answers = takeAnswers()
        if answers.isEmpty { return }
        for (row, answer) in answers {
            let key = state.withLock { $0.keys.removeValue(forKey: row) }
            guard let body = answer.body else { continue }
            await QueueExecutor.run("chat.ledger") { [bodies] in
                let text = SentBody.text(body, of: answer.bytes, hiding: key)
                // If a response cannot be stored, its row has only its length.
                try? bodies.keep(text, as: .response, of: row)
            }
        }
        do {
            try await store().recordAnswers(answers)
        } catch {
            keep(answers)
        }
    }

    /// Writes the pending answers and closes the database, if it was opened.
    package func finish() async {
        await writeAnswers()
        if case .success(let store) = state.withLock({ $0.opened }) { await store.close() }
    }

    private func takeAnswers() -> [(Int64, SentAnswer)] {
        state.withLock { state in
            defer { state.answers = [] }
            return state.answers
        }
    }

    private func keep(_ answers: [(Int64, SentAnswer)]) {
        state.withLock { $0.answers = ($0.answers + answers).suffix(Self.limit) }
    }
}
