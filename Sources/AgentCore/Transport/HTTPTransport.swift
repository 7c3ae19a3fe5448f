import Base

/// Access to the network: one request, one response whose body streams.
///
/// The implementation for the real network writes each request into a ledger before it is sent.
/// Implementations never follow a redirect, always verify TLS, and apply the request's limits. A
/// cancelled task ends the transfer at once, and the call or the pending read throws
/// `CancellationError`.
package protocol HTTPTransport: Sendable {
    /// Returns when the final response head has arrived (1xx and proxy heads
    /// are skipped), whatever its status.
    /// - Throws: `TransportError`, `CancellationError`.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse

    /// Cancels running transfers and ends the threads; before the process exits. No call
    /// may follow.
    func shutDown()
}

extension HTTPTransport {
    package func shutDown() {}
}

package struct HTTPRequest: Sendable {
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Read while it is sent, never in memory as a whole, on a separate connection; fails if a
        /// file has changed since it was opened.
        case slices([BodySlice])

        /// Size in bytes.
        var count: Int {
            switch self {
            case .none: 0
            case .bytes(let bytes): bytes.count
            case .slices(let slices): slices.reduce(0) { $0 + $1.count }
            }
        }
    }

    /// The request's entry in the ledger.
    package var outgoing: Outgoing
    package var method: String
    /// Absolute; `https`, or `http` if the caller has allowed it.
    package var url: String
    /// Sent unchanged. Secrets occur only here, and are never logged.
    package var headers: [HTTPHeader]
    package var body: Body
    package var limits: TransferLimits
    /// Called with the number of bytes sent of a body of slices, on the transport's thread: it must
    /// be quick. The number grows up to the size of the body.
    package var onUpload: (@Sendable (_ bytes: Int) -> Void)?
    /// The route to a host that the user did not configure; nil for a configured one.
    package var route: DirectRoute?

    package init(
        _ outgoing: Outgoing, method: String, url: String, headers: [HTTPHeader] = [],
        body: Body = .none, limits: TransferLimits = TransferLimits()
    ) {
        self.outgoing = outgoing
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limits = limits
    }

    /// See `headers.key`.
    package var key: String? { headers.key }
}

extension [HTTPHeader] {
    /// The secret that authenticates us; hidden in any text of the server.
    package var key: String? {
        lazy.compactMap { header in
            switch header.name.lowercased() {
            case "x-api-key": header.value
            case "authorization": header.value.split(separator: " ").last.map(String.init)
            default: nil
            }
        }.first
    }
}

/// A route directly to the host: never through a proxy, which would connect in our place, and on a
/// separate connection, because a kept-alive one was not checked.
package struct DirectRoute: Sendable, Equatable {
    /// Judges each address when it is connected to.
    package var policy: AddressPolicy
    /// The host's resolved addresses, used instead of a lookup. If empty, the host is looked up.
    package var addresses: [IPAddress]

    package init(policy: AddressPolicy, addresses: [IPAddress]) {
        self.policy = policy
        self.addresses = addresses
    }
}

/// A part of a body that is read while it is sent.
package enum BodySlice: Sendable {
    case bytes([UInt8])
    case file(OpenFile, offset: Int, count: Int)

    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, _, let count): count
        }
    }
}

package struct HTTPHeader: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

package struct TransferLimits: Sendable, Equatable {
    /// Limit for name lookup, connection and TLS together.
    package var connect: Duration
    /// The longest silence of the server, before and within the body.
    package var idle: Duration
    /// Limit for the whole transfer; streams have none.
    package var total: Duration?
    /// Bytes of body after decoding; more is an error.
    package var bodyBytes: Int
    package var headBytes: Int

    package init(
        connect: Duration = .seconds(10), idle: Duration = .seconds(300), total: Duration? = nil,
        bodyBytes: Int = 64 << 20, headBytes: Int = 256 << 10
    ) {
        self.connect = connect
        self.idle = idle
        self.total = total
        self.bodyBytes = bodyBytes
        self.headBytes = headBytes
    }
}

package struct HTTPResponse: Sendable {
    package var head: HTTPResponseHead
    package var body: ResponseBody
    /// The request's row in the ledger; nil if none could be written.
    package var receipt: SendReceipt?

    package init(head: HTTPResponseHead, body: ResponseBody, receipt: SendReceipt? = nil) {
        self.head = head
        self.body = body
        self.receipt = receipt
    }
}

package struct HTTPResponseHead: Sendable, Equatable {
    package var status: Int
    /// The headers in order of arrival, with names as sent.
    package var headers: [HTTPHeader]

    package init(status: Int, headers: [HTTPHeader]) {
        self.status = status
        self.headers = headers
    }

    /// The value of the first header with that name, ignoring case.
    package subscript(name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }
}

/// The bytes of a response as they arrive; one consumer.
///
/// Memory is bounded: the transfer is paused while unread bytes are above a
/// high watermark. Dropping the value without reading to the end cancels the
/// transfer.
package struct ResponseBody: Sendable {
    private let read: @Sendable () async throws -> [UInt8]?

    package init(_ read: @escaping @Sendable () async throws -> [UInt8]?) {
        self.read = read
    }

    /// All bytes that have arrived since the last call (at least one), or nil
    /// at the regular end.
    /// - Throws: `TransportError` when the transfer broke, `CancellationError`.
    package func next() async throws -> [UInt8]? {
        try await read()
    }

    /// The whole rest. The transfer's `bodyBytes` limit bounds it.
    package func all() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = try await next() { bytes += chunk }
        return bytes
    }
}
