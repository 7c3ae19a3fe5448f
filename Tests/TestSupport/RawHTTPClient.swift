import Foundation
import XCTest

/// One connection to an HTTP server on this machine, byte by byte: for requests that no
/// real client would send, and for streams that are read while they come. Blocking; not
/// for tasks.
package final class RawHTTPClient {
    package struct Answer: Equatable {
        package var status: Int
        /// Names in lower case.
        package var headers: [String: String]
        package var body: [UInt8]

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// A guard against a hang.
    private static let limit = timeval(tv_sec: 30, tv_usec: 0)

    private let descriptor: Int32
    private var rest: [UInt8] = []
    private var isClosed = false

    package init(port: UInt16, isIPv6: Bool = false) throws {
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = Self.limit
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var yes: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes,
            socklen_t(MemoryLayout<Int32>.size))
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        four.sin_addr.s_addr = inet_addr("127.0.0.1")
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        six.sin6_addr = in6addr_loopback
        let result = isIPv6 ? Self.connect(descriptor, &six) : Self.connect(descriptor, &four)
        guard result == 0 else {
            let code = errno
            close()
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ECONNREFUSED)
        }
    }

    deinit { close() }

    private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    package func close() {
        if !isClosed { Glibc.close(descriptor) }
        isClosed = true
    }

    /// Half of the connection: nothing more is sent.
    package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    // MARK: - Sending

    /// False once the server takes nothing more.
    @discardableResult
    package func send(_ bytes: some Sequence<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    package func send(_ text: String) -> Bool { send(text.utf8) }

    // MARK: - Reading

    /// The next answer, whole; nil where the connection ended first.
    package func answer() -> Answer? {
        guard var answer = head() else { return nil }
        if answer.headers["transfer-encoding"] == "chunked" {
            while let chunk = chunk() { answer.body += chunk }
            return answer
        }
        let length = answer.headers["content-length"].flatMap(Int.init) ?? 0
        guard let body = bytes(length) else { return nil }
        answer.body = body
        return answer
    }

    /// Status and headers of the next answer.
    package func head() -> Answer? {
        guard let first = line() else { return nil }
        let status = first.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        var answer = Answer(status: status, headers: [:], body: [])
        while let line = line(), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            answer.headers[parts[0].lowercased()] =
                parts.dropFirst().first?.trimmingCharacters(in: .whitespaces) ?? ""
        }
        return answer
    }

    /// The data of the next event of a stream in chunks; nil at its end.
    package func event() -> String? {
        guard let chunk = chunk() else { return nil }
        let text = String(decoding: chunk, as: UTF8.self)
        XCTAssert(text.hasPrefix("data: ") && text.hasSuffix("\n\n"), text)
        return text.dropFirst("data: ".count).trimmingCharacters(in: .newlines)
    }

    private func chunk() -> [UInt8]? {
        guard let line = line(), let length = Int(line, radix: 16), let chunk = bytes(length),
            bytes(2) != nil
        else { return nil }
        return chunk.isEmpty ? nil : chunk
    }

    /// Whether the server has ended the connection; waits for it.
    package func isEnded() -> Bool { rest.isEmpty && !fill() }

    private func line() -> String? {
        while true {
            if let end = rest.firstIndex(of: 0x0A) {
                let line = rest[..<end]
                rest.removeSubrange(...end)
                return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
            }
            guard fill() else { return nil }
        }
    }

    private func bytes(_ count: Int) -> [UInt8]? {
        while rest.count < count { guard fill() else { return nil } }
        defer { rest.removeFirst(count) }
        return Array(rest[..<count])
    }

    private func fill() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        rest += buffer[..<count]
        return true
    }
}
