import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

/// Bodies of slices on real sockets.
final class CurlTransportUploadTests: XCTestCase {
    private let client = Client()

    func testFormArrivesAsItIs() async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try OpenFile(try folder.write(bytes, to: "private name.m4a"))
        let form = MultipartBody(
            [
                MultipartBody.Part(name: "model", text: "whisper-1"),
                MultipartBody.Part(name: "empty", text: ""),
                MultipartBody.Part(
                    name: "file", filename: "audio.m4a", contentType: "audio/mp4",
                    content: [
                        .bytes([1, 2, 3]), .file(file, offset: 100_000, count: 100_000),
                        .file(file, offset: 5, count: 0), .file(file, offset: 0, count: 70_000),
                    ]),
            ], boundary: "b")
        let server = try LoopbackServer(always: .text(200, "fine"))
        defer { server.stop() }
        let counts = Counts()
        let body = try await client.send(form.slices, form.contentType, to: server, counts)
        XCTAssertEqual(body, "fine")
        let request = try XCTUnwrap(server.requests.first)
        let received = try MultipartForm(request)
        XCTAssertEqual(received.parts.map(\.name), ["model", "empty", "file"])
        XCTAssertEqual(
            received.parts.map(\.body),
            [
                [UInt8]("whisper-1".utf8), [],
                [1, 2, 3] + bytes[100_000...] + bytes[..<70_000],
            ])
        XCTAssertEqual(received.parts[2].filename, "audio.m4a")
        XCTAssertEqual(received.parts[2].type, "audio/mp4")
        // The whole request is told in growing numbers that end at its size.
        XCTAssertEqual(counts.all, counts.all.sorted())
        XCTAssertEqual(counts.all.last, request.body.count)
        XCTAssertEqual(request[header: "content-length"], String(request.body.count))
        XCTAssertNil(request[header: "transfer-encoding"])
        XCTAssertNil(request[header: "expect"])
    }

    func testEmptyBodyIsABodyOfNoBytes() async throws {
        let server = try LoopbackServer(always: .text(200, "fine"))
        defer { server.stop() }
        let body = try await client.send([], "audio/wav", to: server)
        XCTAssertEqual(body, "fine")
        XCTAssertEqual(server.requests.map(\.body), [[]])
        XCTAssertEqual(server.requests.first?[header: "content-length"], "0")
        XCTAssertEqual(server.requests.first?[header: "content-type"], "audio/wav")
    }

    func testNobodyIsAskedToAwaitTheUpload() async throws {
        let server = try LoopbackServer(always: .text(200, ""))
        defer { server.stop() }
        let body = [UInt8](repeating: 1, count: 3 << 20)
        _ = try await client.transport.send(
            HTTPRequest(method: "POST", url: server.url(), body: .bytes(body))
        ).body.all()
        _ = try await client.send([.bytes(body)], to: server)
        XCTAssertEqual(server.requests.map { $0[header: "expect"] }, [nil, nil])
        XCTAssertEqual(server.requests.map(\.body), [body, body])
    }

    /// The server stops reading in the middle, so that the change happens while
    /// the body is sent and not before or after.
    func testFileThatChangesWhileItIsSentIsNoSuccess() async throws {
        for (name, size) in [("shrunk", 1 << 20), ("grown", 33 << 20)] {
            let folder = try TemporaryFolder()
            let path = try folder.write([], to: name)
            XCTAssertEqual(truncate(path, 32 << 20), 0)
            let file = try OpenFile(path)
            let isSending = Gate()
            let goOn = Gate()
            let received = Mutex(0)
            let server = try LoopbackServer(
                bodyLimit: { _ in 100_000 },
                { _ in
                    ServerScript([
                        .open(isSending), .wait(goOn),
                        .drain { count in received.withLock { $0 = count } },
                    ])
                })
            defer { server.stop() }
            let task = Task { [client] in
                try await client.send([.file(file, offset: 0, count: file.size)], to: server)
            }
            await isSending.wait()
            XCTAssertEqual(truncate(path, size), 0)
            goOn.open()
            let reason = await failure(of: task)
            XCTAssertEqual(reason, .bodyUnreadable, name)
            server.stop()
            XCTAssertLessThan(received.withLock { $0 }, 31 << 20, name)
        }
    }

    func testFileWhoseNameIsRemovedIsSentWhole() async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 >> 8) }
        let path = try folder.write(bytes, to: "a")
        let file = try OpenFile(path)
        XCTAssertEqual(unlink(path), 0)
        try folder.write([0], to: "a")
        let server = try LoopbackServer(always: .text(200, ""))
        defer { server.stop() }
        _ = try await client.send([.file(file, offset: 0, count: file.size)], to: server)
        XCTAssertEqual(server.requests.map(\.body), [bytes])
    }

    /// A kept connection may be about to be closed, which an upload notices
    /// when part of it has left.
    func testUploadHasAConnectionOfItsOwnAndLeavesItToOthers() async throws {
        let server = try LoopbackServer(always: .text(200, "fine"))
        defer { server.stop() }
        func get() async throws {
            let request = HTTPRequest(method: "GET", url: server.url())
            _ = try await client.transport.send(request).body.all()
        }
        try await get()
        _ = try await client.send([.bytes([1])], to: server)
        _ = try await client.send([.bytes([2])], to: server)
        try await get()
        XCTAssertEqual(server.requests.map(\.body), [[], [1], [2], []])
        XCTAssertEqual(server.requests.prefix(3).map(\.connection), [0, 1, 2])
        XCTAssertEqual(server.connectionCount, 3)
    }

    func testBytesThatTheServerTakesAreNoSilence() async throws {
        let steps = (0..<6).map { _ in Gate() }
        let silent = try LoopbackServer(always: ServerScript([.stall]))
        defer { silent.stop() }
        let size = 64 << 20
        let server = try LoopbackServer(
            bodyLimit: { _ in 1000 },
            { _ in
                ServerScript(
                    steps.flatMap { [.wait($0), .take(6 << 20)] }
                        + [.take(size - 1000 - 6 * (6 << 20))]
                        + ServerScript.text(200, "slow").steps)
            })
        defer { server.stop() }
        let task = Task { [client] in
            try await client.send(
                [.bytes([UInt8](repeating: 3, count: size))], to: server, idle: .milliseconds(300))
        }
        // Another transfer's silence is the clock: together the steps last
        // longer than the limit, none alone does.
        for step in steps {
            let error = await failure(
                of: Task { [client] in
                    try await client.send([], to: silent, idle: .milliseconds(100))
                })
            XCTAssertEqual(error, .idleTimeout)
            step.open()
        }
        let body = try await task.value
        XCTAssertEqual(body, "slow")
    }

    func testServerThatTakesNoMoreIsTimedOutAndTheCountIsExact() async throws {
        let goOn = Gate()
        let isDrained = Gate()
        let drained = Mutex(0)
        let server = try LoopbackServer(
            bodyLimit: { _ in 300_000 },
            { _ in
                ServerScript([
                    .wait(goOn),
                    .drain { count in
                        drained.withLock { $0 = count }
                        isDrained.open()
                    },
                ])
            })
        defer { server.stop() }
        let counts = Counts()
        let task = Task { [client] in
            try await client.send(
                [.bytes([UInt8](repeating: 3, count: 64 << 20))], to: server, counts,
                idle: .milliseconds(300))
        }
        let reason = await failure(of: task)
        XCTAssertEqual(reason, .idleTimeout)
        // What the system took reaches the server after all, and not a byte more.
        goOn.open()
        await isDrained.wait()
        XCTAssertEqual(counts.all.last, 300_000 + drained.withLock { $0 })
    }

    func testMemoryDoesNotGrowWithTheFile() async throws {
        let size = 200 << 20
        let folder = try TemporaryFolder()
        let path = try folder.write([], to: "big")
        XCTAssertEqual(truncate(path, size), 0)
        let file = try OpenFile(path)
        let server = try LoopbackServer(
            bodyLimit: { _ in 0 },
            { request in
                let length = request[header: "content-length"].flatMap { Int($0) } ?? 0
                return ServerScript([.take(length)] + ServerScript.text(200, "fine").steps)
            })
        defer { server.stop() }
        // Code and buffers of a first upload are not the file's.
        _ = try await client.send([.file(file, offset: 0, count: 4 << 20)], to: server)
        let before = try Self.residentBytes()
        let most = Mutex(0)
        var request = HTTPRequest(
            method: "POST", url: server.url(),
            body: .slices([.file(file, offset: 0, count: size)]))
        request.onUpload = { count in
            guard count % (8 << 20) < 1 << 16 else { return }
            let now = (try? Self.residentBytes()) ?? .max
            most.withLock { $0 = max($0, now) }
        }
        _ = try await client.transport.send(request).body.all()
        let growth = most.withLock { $0 } - before
        print("resident bytes grew by \(growth)")
        XCTAssertLessThan(growth, 16 << 20)
        XCTAssertGreaterThan(most.withLock { $0 }, 0)
    }

    private static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = try XCTUnwrap(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return pages * 4096
    }

    func testCancellationInTheMiddleOfTheUploadIsAtOnce() async throws {
        let isSending = Gate()
        let server = try LoopbackServer(
            bodyLimit: { _ in 100_000 }, { _ in ServerScript([.open(isSending), .stall]) })
        defer { server.stop() }
        let task = Task { [client] in
            try await client.send([.bytes([UInt8](repeating: 3, count: 64 << 20))], to: server)
        }
        await isSending.wait()
        task.cancel()
        // The server reads no more: without the cancellation this would not end.
        switch await task.result {
        case .success: XCTFail("not cancelled")
        case .failure(let error): XCTAssertTrue(error is CancellationError, "\(error)")
        }
    }

    // MARK: - Answers before the end

    func testAnswerBeforeTheEndOfTheUploadIsTheAnswer() async throws {
        for status in [401, 413, 429, 500] {
            for headers in [[], [HTTPHeader("Connection", "close")]] {
                let goOn = Gate()
                let server = try LoopbackServer(
                    bodyLimit: { _ in 100_000 },
                    { _ in
                        ServerScript(
                            ServerScript.response(
                                status, headers: headers, body: [UInt8]("no".utf8)
                            ).steps + [.wait(goOn), .reset])
                    })
                defer { server.stop() }
                defer { goOn.open() }
                let answer = try await self.answer(of: server)
                XCTAssertEqual(answer, "\(status) no")
            }
        }
    }

    /// The reset may overtake the answer on its way: libcurl gives up at the
    /// failed write, if that comes before it looks for what can be read.
    func testResetAfterAnAnswerSeldomHidesIt() async throws {
        for end in [ServerScript.Step.cut, .reset] {
            let server = try LoopbackServer(
                bodyLimit: { _ in 100_000 },
                { _ in ServerScript(ServerScript.text(413, "no").steps + [end]) })
            defer { server.stop() }
            var answers = 0
            for _ in 1...20 {
                do {
                    let answer = try await self.answer(of: server)
                    XCTAssertEqual(answer, "413 no")
                    answers += 1
                } catch let error as TransportError {
                    XCTAssertEqual(error.reason, .connectionLost)
                }
            }
            XCTAssertGreaterThan(answers, 12)
        }
    }

    private func answer(of server: LoopbackServer) async throws -> String {
        let response = try await client.transport.send(
            HTTPRequest(
                method: "POST", url: server.url(),
                body: .slices([.bytes([UInt8](repeating: 3, count: 16 << 20))])))
        let body = try await response.body.all()
        return "\(response.head.status) \(String(decoding: body, as: UTF8.self))"
    }

    func testServerThatClosesDuringTheUploadIsALostConnection() async throws {
        for end in [ServerScript.Step.cut, .reset] {
            let server = try LoopbackServer(
                bodyLimit: { _ in 1 << 20 }, { _ in ServerScript([end]) })
            defer { server.stop() }
            let counts = Counts()
            let task = Task { [client] in
                try await client.send(
                    [.bytes([UInt8](repeating: 3, count: 24 << 20))], to: server, counts)
            }
            let reason = await failure(of: task)
            XCTAssertEqual(reason, .connectionLost)
            let sent = counts.all.last ?? 0
            XCTAssertTrue((1 << 20..<24 << 20).contains(sent), "\(sent)")
        }
    }

    // MARK: -

    /// What the transport has told of the upload.
    private final class Counts: Sendable {
        private let counts = Mutex<[Int]>([])
        var all: [Int] { counts.withLock { $0 } }
        func add(_ count: Int) { counts.withLock { $0.append(count) } }
    }

    private struct Client: Sendable {
        let transport = CurlTransport()

        func send(
            _ slices: [BodySlice], _ type: String = "audio/wav", path: String = "/",
            to server: LoopbackServer, _ counts: Counts = Counts(), idle: Duration = .seconds(60)
        ) async throws -> String {
            var request = HTTPRequest(
                method: "POST", url: server.url(path), headers: [HTTPHeader("Content-Type", type)],
                body: .slices(slices), limits: TransferLimits(idle: idle))
            request.onUpload = { counts.add($0) }
            let response = try await transport.send(request)
            return String(decoding: try await response.body.all(), as: UTF8.self)
        }
    }

    private func failure(of task: Task<String, any Error>) async -> TransportError.Reason? {
        switch await task.result {
        case .success: nil
        case .failure(let error): (error as? TransportError)?.reason
        }
    }
}
