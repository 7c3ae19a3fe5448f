import Synchronization

/// Records every request that is sent. A transport writes a row before it sends, and sends nothing
/// if its row could not be written.
package protocol SendLedger: Sendable {
    /// Returns when the row is on the disk.
    ///
    /// - Parameter bytes: the size of the body.
    /// - Returns: the number of the row.
    /// - Throws: `TransportError` (`notRecorded`).
    func open(_ outgoing: Outgoing, host: String, bytes: Int) async throws -> Int64

    /// Whether bodies are kept.
    var keepsBodies: Bool { get }

    /// Returns when the body of the request is on the disk.
    ///
    /// - Throws: `TransportError` (`notRecorded`).
    func keep(_ request: HTTPRequest, host: String, of row: Int64) async throws

    /// Adds the response later; must not block.
    func close(_ row: Int64, _ answer: SentAnswer)

    /// A request was sent without a row.
    func missed(_ reason: TransportError)
}

extension SendLedger {
    package var keepsBodies: Bool { false }
    package func keep(_ request: HTTPRequest, host: String, of row: Int64) async throws {}
}

/// The response to a request, as the ledger records it.
package struct SentAnswer: Sendable, Equatable {
    /// Nil if there was no response.
    package var status: Int?
    /// Number of bytes of the body read so far.
    package var bytes = 0
    /// Tokens used, if a model answered.
    package var usage = Usage()
    /// The body, or its beginning; nil if bodies are not kept.
    package var body: [UInt8]?

    package init(status: Int? = nil, bytes: Int = 0, usage: Usage = Usage()) {
        self.status = status
        self.bytes = bytes
        self.usage = usage
    }
}

/// The ledger row of a request on its way. It is closed when the response can no longer be
/// read.
package final class SendReceipt: Sendable {
    private let row: Int64
    private let ledger: any SendLedger
    private let answer = Mutex(SentAnswer())

    /// Bytes of a body that are kept.
    package static let bodyLimit = 4 << 20

    private init(row: Int64, ledger: any SendLedger) {
        self.row = row
        self.ledger = ledger
        if ledger.keepsBodies { answer.withLock { $0.body = [] } }
    }

    deinit { ledger.close(row, answer.withLock { $0 }) }

    /// - Returns: nil for a request that may be sent without a row, and has none.
    /// - Throws: `TransportError` (`notRecorded`); nothing may be sent then.
    static func write(
        _ request: HTTPRequest, host: String, in ledger: any SendLedger
    ) async throws -> SendReceipt? {
        do {
            let row = try await ledger.open(
                request.outgoing, host: host, bytes: request.body.count)
            if ledger.keepsBodies { try await ledger.keep(request, host: host, of: row) }
            return SendReceipt(row: row, ledger: ledger)
        } catch let error as TransportError where request.outgoing.purpose.mayGoUnrecorded {
            ledger.missed(error)
            return nil
        }
    }

    func note(status: Int) { answer.withLock { $0.status = status } }
    func note(_ bytes: [UInt8]) {
        answer.withLock { answer in
            answer.bytes += bytes.count
            if answer.bytes <= Self.bodyLimit { answer.body? += bytes }
        }
    }
    package func note(_ usage: Usage) { answer.withLock { $0.usage = usage } }
}
