import AgentCore
import Foundation
import Synchronization

/// One accepted connection of a `LoopbackServer`: reads requests and plays
/// scripts, blocking, on a thread of the server.
final class ServerConnection: Sendable {
    private let socket: Int32
    private let number: Int
    private let bodyLimit: @Sendable (RecordedRequest) -> Int
    private let isClosed = Mutex(false)

    init(socket: Int32, number: Int, bodyLimit: @escaping @Sendable (RecordedRequest) -> Int) {
        self.socket = socket
        self.bodyLimit = bodyLimit
        self.number = number
    }

    /// Makes every pending read and write return; from any thread.
    func interrupt() {
        isClosed.withLock { isClosed in
            if !isClosed { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Serves request after request until the client or a script ends it.
    func serve(
        record: (RecordedRequest) -> Void, answer: (RecordedRequest) -> ServerScript
    ) {
        defer { close() }
        var input = Input(socket: socket)
        while let request = readRequest(&input) {
            record(request)
            guard play(answer(request), &input) else { return }
        }
    }

    private func close() {
        isClosed.withLock { isClosed in
            isClosed = true
            _ = Glibc.close(socket)
        }
    }

    // MARK: Reading

    private struct Input {
        let socket: Int32
        var pending: [UInt8] = []

        /// false at the end of the connection.
        mutating func fill() -> Bool {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { return false }
            pending += chunk[..<count]
            return true
        }

        mutating func line() -> String? {
            while true {
                if let end = pending.firstIndex(of: 10) {
                    let line = pending[..<end].filter { $0 != 13 }
                    pending.removeSubrange(...end)
                    return String(decoding: line, as: UTF8.self)
                }
                guard fill() else { return nil }
            }
        }

        mutating func bytes(_ count: Int) -> [UInt8]? {
            while pending.count < count { guard fill() else { return nil } }
            defer { pending.removeFirst(count) }
            return Array(pending[..<count])
        }
    }

    private func readRequest(_ input: inout Input) -> RecordedRequest? {
        guard let start = input.line() else { return nil }
        let words = start.split(separator: " ").map(String.init)
        guard words.count == 3 else { return nil }
        var request = RecordedRequest(
            method: words[0], path: words[1], headers: [], body: [], connection: number)
        while let line = input.line() {
            if line.isEmpty {
                guard let body = readBody(of: request, &input) else { return nil }
                request.body = body
                return request
            }
            guard let colon = line.firstIndex(of: ":") else { return nil }
            request.headers.append(
                HTTPHeader(
                    String(line[..<colon]),
                    line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)))
        }
        return nil
    }

    private func readBody(of request: RecordedRequest, _ input: inout Input) -> [UInt8]? {
        let limit = bodyLimit(request)
        if request[header: "transfer-encoding"]?.lowercased() == "chunked" {
            return readChunks(&input)
        }
        let length = request[header: "content-length"].flatMap(Int.init) ?? 0
        return input.bytes(min(length, limit))
    }

    private func readChunks(_ input: inout Input) -> [UInt8]? {
        var body: [UInt8] = []
        while let line = input.line(), let size = Int(line, radix: 16) {
            guard let chunk = input.bytes(size), input.line() != nil else { return nil }
            if size == 0 { return body }
            body += chunk
        }
        return nil
    }

    // MARK: Writing

    /// - Returns: whether the connection can serve another request.
    private func play(_ script: ServerScript, _ input: inout Input) -> Bool {
        for step in script.steps {
            let goesOn =
                switch step {
                case .head(let status, let headers): write(Self.head(status, headers))
                case .bytes(let bytes): write(bytes)
                case .chunk(let bytes): write(ServerScript.chunked(bytes))
                case .lastChunk: write([UInt8]("0\r\n\r\n".utf8))
                case .pieces(let bytes, let size): writePieces(bytes, size)
                case .wait(let gate): waited(gate)
                case .open(let gate): opened(gate)
                case .cut: false
                case .reset: reset()
                case .take(let count): taken(&input, count)
                case .drain(let tell): drained(&input, tell)
                case .stall: stall(&input)
                }
            guard goesOn else { return false }
        }
        return true
    }

    private static func head(_ status: Int, _ headers: [HTTPHeader]) -> [UInt8] {
        let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        return [UInt8]("HTTP/1.1 \(status) Scripted\r\n\(lines)\r\n".utf8)
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = UnsafeRawBufferPointer(rebasing: rest).withMemoryRebound(to: UInt8.self)
                {
                    send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    private func writePieces(_ bytes: [UInt8], _ size: Int) -> Bool {
        var start = 0
        while start < bytes.count {
            let end = min(start + size, bytes.count)
            guard write(Array(bytes[start..<end])) else { return false }
            start = end
        }
        return true
    }

    private func waited(_ gate: Gate) -> Bool {
        gate.block()
        return true
    }

    private func opened(_ gate: Gate) -> Bool {
        gate.open()
        return true
    }

    private func reset() -> Bool {
        // Closing with a linger time of zero sends RST instead of FIN.
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        return false
    }

    /// What comes is dropped at once: it may be more than fits in memory.
    private func taken(_ input: inout Input, _ count: Int) -> Bool {
        var left = count
        while true {
            let part = min(left, input.pending.count)
            input.pending.removeFirst(part)
            left -= part
            if left == 0 { return true }
            guard input.fill() else { return false }
        }
    }

    private func drained(_ input: inout Input, _ tell: (Int) -> Void) -> Bool {
        var count = input.pending.count
        input.pending = []
        while input.fill() {
            count += input.pending.count
            input.pending = []
        }
        tell(count)
        return false
    }

    private func stall(_ input: inout Input) -> Bool {
        while input.fill() {}
        return false
    }
}
