import Base
import CCurl
import Glibc

/// One libcurl easy handle: the request as options, the callbacks, the parser of the head and the
/// deadlines. Above 400 lines because they share one lifetime.
///
/// Confined to the transport's thread: created, called back and freed there. `CurlLoop` decides
/// when it runs.
final class CurlHandle {
    let transfer: Transfer
    let easy: UnsafeMutableRawPointer
    var deadlines: TransferDeadlines
    /// Whether bytes were sent or received since the loop last looked.
    private var hadActivity = false
    /// Our own reason for aborting within a callback; libcurl only reports that the callback
    /// refused.
    private(set) var ownFailure: TransportError?
    private(set) var hasResponse = false

    private var parser: ResponseHeadParser
    private var uploaded: curl_off_t = 0
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var resolved: UnsafeMutablePointer<curl_slist>?
    private var reader: SliceReader?
    private var body: UnsafeMutableBufferPointer<UInt8>?
    private let words: UnsafeMutablePointer<CChar>

    /// - Throws: `TransportError` when the request cannot be set up.
    init(transfer: Transfer, caFile: String?, now: UInt64) throws(TransportError) {
        guard let easy = chat_curl_easy_init() else {
            throw TransportError(
                reason: .other, host: transfer.origin.name, detail: "out of memory")
        }
        self.transfer = transfer
        self.easy = easy
        let limits = transfer.request.limits
        deadlines = TransferDeadlines(limits: limits, start: now)
        parser = ResponseHeadParser(limitInBytes: limits.headBytes)
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))

        setConnection(caFile: caFile)
        if let route = transfer.request.route { try setRoute(route) }
        setCallbacks()
        try setHeaders()
        setBody()
    }

    deinit {
        chat_curl_easy_cleanup(easy)
        // Only after the handle has been freed: until then libcurl may read them.
        chat_curl_slist_free_all(headers)
        chat_curl_slist_free_all(resolved)
        body?.deallocate()
        words.deallocate()
    }

    // MARK: For the loop

    /// Whether bytes were sent or received since the last call.
    func takeActivity() -> Bool {
        var isActive = hadActivity
        hadActivity = false
        // Check as long as the request may be running: a response may begin before the request has
        // been sent completely.
        if !hasResponse || reader != nil, noteUpload() { isActive = true }
        return isActive
    }

    /// - Returns: whether more of the request was sent since the last call.
    private func noteUpload() -> Bool {
        var count: curl_off_t = 0
        // Counts the bytes that the system has taken, not those read to be sent.
        chat_curl_get_offset(easy, CURLINFO_SIZE_UPLOAD_T, &count)
        guard count != uploaded else { return false }
        uploaded = count
        if reader != nil { transfer.request.onUpload?(Int(count)) }
        return true
    }

    /// Whether the connection is established and the request can be sent.
    var isConnected: Bool {
        var time: curl_off_t = 0
        chat_curl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &time)
        return time > 0
    }

    /// The outcome as libcurl reports it at the end of the transfer.
    func outcome(_ code: CURLcode) -> TransportError? {
        _ = noteUpload()
        if let ownFailure { return ownFailure }
        if reader?.failure != nil {
            return error(.bodyUnreadable, "a file changed while it was sent")
        }
        guard code != CURLE_OK else { return nil }
        var systemError = 0
        var proxyStatus = 0
        chat_curl_get_long(easy, CURLINFO_OS_ERRNO, &systemError)
        chat_curl_get_long(easy, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
        let failure = CurlFailure(
            code: code, words: String(cString: words), systemError: Int32(clamping: systemError),
            proxyStatus: proxyStatus, readsFiles: reader != nil, afterResponse: hasResponse)
        return failure.error(for: transfer.origin, hiding: transfer.request.key)
    }

    func error(_ reason: TransportError.Reason, _ detail: ServerText) -> TransportError {
        TransportError(
            reason: reason, host: transfer.origin.name, detail: detail, afterResponse: hasResponse)
    }

    private func tooLarge(_ part: String, _ limit: Int) -> TransportError {
        let fact = "\(part) may have \(Quantities.bytes(limit))"
        return error(.tooLarge, ServerText(fact, hiding: nil) ?? "above the limit")
    }

    // MARK: Callbacks

    /// The context that libcurl passes to the callbacks. The handle outlives its easy
    /// handle (deinit frees it), so it is valid, unretained, in every one.
    private var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> CurlHandle? {
        pointer.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// - Returns: whether the transfer may continue.
    fileprivate func receive(line: UnsafeRawBufferPointer) -> Bool {
        hadActivity = true
        // One of the host's addresses was refused; that another connected does not help.
        if ownFailure != nil { return false }
        hasResponse = true
        switch parser.consume(line: line) {
        case .more:
            return true
        case .complete(let head):
            if let encoding = Self.unknownEncoding(of: head) {
                ownFailure = error(
                    .unsupportedEncoding,
                    ServerText(encoding, hiding: transfer.request.key, limit: 40) ?? "unnamed")
                return false
            }
            transfer.receive(head: head)
            return true
        case .tooLarge:
            ownFailure = tooLarge("the head of a response", transfer.request.limits.headBytes)
            return false
        }
    }

    /// The body's encoding, if libcurl does not decode it. Each of several encodings could hide a
    /// bomb in the next one.
    private static func unknownEncoding(of head: HTTPResponseHead) -> String? {
        let names = head.headers.filter { $0.name.lowercased() == "content-encoding" }
            .map { $0.value.lowercased() }.joined(separator: ",")
        let known = ["", "identity", "gzip", "x-gzip", "deflate"]
        return known.contains(names) ? nil : names
    }

    fileprivate func receive(bytes: UnsafeRawBufferPointer) -> Int {
        hadActivity = true
        switch transfer.receive(bytes: bytes) {
        case .taken:
            return bytes.count
        case .pause:
            deadlines.pause()
            return Int(CURL_WRITEFUNC_PAUSE)
        case .tooLarge:
            ownFailure = tooLarge("this response", transfer.request.limits.bodyBytes)
            return 0
        case .refused:
            return 0
        }
    }

    fileprivate func give(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        reader?.read(into: buffer) ?? Int(CURL_READFUNC_ABORT)
    }

    fileprivate func rewind() { reader?.rewind() }

    // MARK: Set-up

    private func setConnection(caFile: String?) {
        let limits = transfer.request.limits
        set(CURLOPT_URL, transfer.request.url)
        // By default libcurl would also accept ftp, file and others.
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        // libcurl would send `x-api-key` on to another host.
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_NOSIGNAL, 1)
        // Otherwise, removing a transfer would wait for a hanging name lookup.
        set(CURLOPT_QUICK_EXIT, 1)
        // 0 would mean libcurl's default of 300 s.
        set(CURLOPT_CONNECTTIMEOUT_MS, max(1, limits.connect.inMilliseconds))
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Decoded although not requested (`setHeaders`), since some proxies compress unasked. The
        // limit of the body counts decoded bytes.
        set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        // After suspension, the machine notices that its peer is gone.
        set(CURLOPT_TCP_KEEPALIVE, 1)
        // The proxy's answer to CONNECT is not the response.
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_ERRORBUFFER, pointer: words)

        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
        set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
        if let caFile { set(CURLOPT_CAINFO, caFile) }

        // An empty proxy overrides the variables, which libcurl reads otherwise.
        if transfer.origin.isLoopback { set(CURLOPT_PROXY, "") }
    }

    /// - Throws: `TransportError` when there is no memory.
    private func setRoute(_ route: DirectRoute) throws(TransportError) {
        set(CURLOPT_PROXY, "")
        // A kept-alive connection would bypass the check, and this one must not be reused either.
        set(CURLOPT_FRESH_CONNECT, 1)
        set(CURLOPT_FORBID_REUSE, 1)
        // A host that is an address is not looked up, and the colons of an IPv6 address would
        // separate the parts of an entry.
        if !route.addresses.isEmpty, !transfer.origin.host.contains(":") {
            // The plus lets the entry expire after a minute like every other: all transfers
            // share the cache of names.
            let addresses = route.addresses.map(\.description).joined(separator: ",")
            let line = "+\(transfer.origin.host):\(transfer.origin.port):\(addresses)"
            guard let list = chat_curl_slist_append(nil, line) else {
                throw error(.other, "out of memory")
            }
            resolved = list
            set(CURLOPT_RESOLVE, pointer: list)
        }
        set(CURLOPT_OPENSOCKETDATA, pointer: pointer)
        chat_curl_set_open_socket(easy) { me, _, address in
            guard let address, let handle = CurlHandle.at(me) else { return CURL_SOCKET_BAD }
            return handle.openSocket(to: address)
        }
    }

    /// Called by libcurl with the address it is about to connect to, however it was
    /// resolved.
    fileprivate func openSocket(
        to address: UnsafeMutablePointer<curl_sockaddr>
    ) -> curl_socket_t {
        let target = IPAddress(
            socketAddress: chat_curl_address(address), length: Int(address.pointee.addrlen))
        if let target, let policy = transfer.request.route?.policy,
            policy.refusal(of: target) == nil
        {
            return socket(
                address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
                address.pointee.protocol)
        }
        let kind = target.flatMap { transfer.request.route?.policy.refusal(of: $0) }
        ownFailure = error(
            .forbiddenAddress, ServerText(kind ?? "unknown", hiding: nil) ?? "unknown")
        return CURL_SOCKET_BAD
    }

    private func setCallbacks() {
        set(CURLOPT_HEADERDATA, pointer: pointer)
        set(CURLOPT_WRITEDATA, pointer: pointer)
        chat_curl_set_write(easy, CURLOPT_HEADERFUNCTION) { pointer, size, count, me in
            guard let handle = CurlHandle.at(me) else { return 0 }
            let line = UnsafeRawBufferPointer(start: pointer, count: size * count)
            return handle.receive(line: line) ? size * count : 0
        }
        chat_curl_set_write(easy, CURLOPT_WRITEFUNCTION) { pointer, size, count, me in
            guard let handle = CurlHandle.at(me) else { return 0 }
            return handle.receive(
                bytes: UnsafeRawBufferPointer(start: pointer, count: size * count))
        }
    }

    private func setHeaders() throws(TransportError) {
        var lines: [String] = []
        for header in transfer.request.headers {
            let bytes = [header.name, header.value].flatMap(\.utf8)
            guard !bytes.contains(where: { $0 == 10 || $0 == 13 || $0 == 0 }) else {
                // A pasted key with a line break could add headers of its own.
                throw error(.other, "a header contains a line break")
            }
            // libcurl's notation for a header without a value is a semicolon.
            lines.append(
                header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        // Servers that ignore `Expect: 100-continue` would cost a second.
        lines.append("Expect:")
        // Compressed events would be late: nothing is sent before a block is full.
        lines.append("Accept-Encoding:")
        if !hasContentType {
            // libcurl would claim that the bytes are a web form.
            lines.append("Content-Type:")
        }
        for line in lines {
            guard let list = chat_curl_slist_append(headers, line) else {
                throw error(.other, "out of memory")
            }
            headers = list
        }
        set(CURLOPT_HTTPHEADER, pointer: headers)
    }

    private var hasContentType: Bool {
        transfer.request.headers.contains { $0.name.lowercased() == "content-type" }
    }

    private func setBody() {
        let method = transfer.request.method
        switch transfer.request.body {
        case .none where method == "HEAD":
            set(CURLOPT_NOBODY, 1)
            return
        case .none where method == "POST":
            set(CURLOPT_POST, 1)
            set(CURLOPT_POSTFIELDSIZE_LARGE, offset: 0)
            set(CURLOPT_POSTFIELDS, pointer: words)  // Zero bytes of it are read.
            return
        case .none:
            set(CURLOPT_HTTPGET, 1)
        case .bytes(let bytes):
            // libcurl keeps the pointer, so the bytes need a stable address.
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, bytes.count))
            _ = copy.initialize(from: bytes)
            body = copy
            set(CURLOPT_POST, 1)
            set(CURLOPT_POSTFIELDSIZE_LARGE, offset: curl_off_t(bytes.count))
            set(CURLOPT_POSTFIELDS, pointer: copy.baseAddress)
        case .slices(let slices):
            setReader(SliceReader(slices))
        }
        let isDefault =
            if case .none = transfer.request.body { method == "GET" } else { method == "POST" }
        if !isDefault { set(CURLOPT_CUSTOMREQUEST, method) }
    }

    private func setReader(_ reader: SliceReader) {
        self.reader = reader
        // libcurl retries a request that failed on a kept-alive connection being closed, but not
        // once part of a body has been sent.
        set(CURLOPT_FRESH_CONNECT, 1)
        set(CURLOPT_POST, 1)
        set(CURLOPT_POSTFIELDSIZE_LARGE, offset: curl_off_t(reader.size))
        set(CURLOPT_READDATA, pointer: pointer)
        set(CURLOPT_SEEKDATA, pointer: pointer)
        chat_curl_set_read(easy, CURLOPT_READFUNCTION) { buffer, size, count, me in
            guard let buffer, let handle = CurlHandle.at(me) else {
                return Int(CURL_READFUNC_ABORT)
            }
            return handle.give(
                into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        }
        chat_curl_set_seek(easy, CURLOPT_SEEKFUNCTION) { me, offset, origin in
            guard offset == 0, origin == SEEK_SET, let handle = CurlHandle.at(me) else {
                return CURL_SEEKFUNC_FAIL
            }
            handle.rewind()
            return CURL_SEEKFUNC_OK
        }
    }

    private func set(_ option: CURLoption, _ value: Int) {
        chat_curl_set_long(easy, option, value)
    }

    private func set(_ option: CURLoption, _ value: String) {
        chat_curl_set_string(easy, option, value)
    }

    private func set(_ option: CURLoption, offset: curl_off_t) {
        chat_curl_set_offset(easy, option, offset)
    }

    private func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) {
        chat_curl_set_pointer(easy, option, pointer)
    }
}

/// Reads a body of slices while libcurl sends it, in pieces as large as libcurl asks for. Confined
/// to the transport's thread.
///
/// It knows how much is left of each slice; `failure` is the reason why it stopped. libcurl knows
/// how much of the data has been sent.
final class SliceReader {
    let size: Int
    private(set) var failure: OpenFile.Failure?
    private let slices: [BodySlice]
    private var index = 0
    /// Offset within the current slice.
    private var offset = 0

    init(_ slices: [BodySlice]) {
        self.slices = slices
        size = slices.reduce(0) { $0 + $1.count }
    }

    /// Fills the buffer from one slice; 0 at the end, nil if a file has changed, so that the server
    /// does not get different content.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while index < slices.count {
            let slice = slices[index]
            let count = min(slice.count - offset, buffer.count)
            guard count > 0 else {
                if buffer.isEmpty { return 0 }
                (index, offset) = (index + 1, 0)
                continue
            }
            switch slice {
            case .bytes(let bytes):
                buffer.copyBytes(from: bytes[offset..<(offset + count)])
            case .file(let file, let start, _):
                do throws(OpenFile.Failure) {
                    let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
                    guard try file.read(at: start + offset, into: room) == count else {
                        throw OpenFile.Failure(reason: .changed, path: file.path)
                    }
                    // After reading, so that a change during the read is noticed.
                    try file.checkUnchanged()
                } catch {
                    failure = error
                    return nil
                }
            }
            offset += count
            return count
        }
        return 0
    }

    /// Restarts the body: a kept-alive connection turned out to be closed.
    func rewind() {
        (index, offset) = (0, 0)
    }
}
