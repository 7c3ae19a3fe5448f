import Synchronization

/// The record of every request that leaves. A transport writes a row before it sends, and
/// sends nothing whose row could not be written.
package protocol SendLedger: Sendable {
    /// Returns when the row is on the disk.
    ///
    /// - Parameter bytes: of the body.
    /// - Returns: the number of the row.
    /// - Throws: `TransportError` (`notRecorded`).
    func open(_ outgoing: Outgoing, host: String, bytes: Int) async throws -> Int64

    /// Adds what came back, soon: it must not wait.
    func close(_ row: Int64, _ answer: SentAnswer)

    /// A request has left without a row.
    func missed(_ reason: TransportError)
}

/// What came back for a request.
package struct SentAnswer: Sendable, Equatable {
    /// Nil where no response came.
    package var status: Int?
    /// Of the body, as far as it was read.
    package var bytes = 0
    /// Of a model.
    package var usage = Usage()

    package init(status: Int? = nil, bytes: Int = 0, usage: Usage = Usage()) {
        self.status = status
        self.bytes = bytes
        self.usage = usage
    }
}

/// The row of a request on its way. It is closed when nobody can read the response any more.
package final class SendReceipt: Sendable {
    private let row: Int64
    private let ledger: any SendLedger
    private let answer = Mutex(SentAnswer())

    private init(row: Int64, ledger: any SendLedger) {
        self.row = row
        self.ledger = ledger
    }

    deinit { ledger.close(row, answer.withLock { $0 }) }

    /// - Returns: nil for a request that may go without a row and has none.
    /// - Throws: `TransportError` (`notRecorded`); nothing may be sent then.
    static func write(
        _ request: HTTPRequest, host: String, in ledger: any SendLedger
    ) async throws -> SendReceipt? {
        do {
            let row = try await ledger.open(
                request.outgoing, host: host, bytes: request.body.count)
            return SendReceipt(row: row, ledger: ledger)
        } catch let error as TransportError where request.outgoing.purpose.mayGoUnrecorded {
            ledger.missed(error)
            return nil
        }
    }

    func note(status: Int) { answer.withLock { $0.status = status } }
    func note(bytes: Int) { answer.withLock { $0.bytes += bytes } }
    package func note(_ usage: Usage) { answer.withLock { $0.usage = usage } }
}
