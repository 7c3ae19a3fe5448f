import Foundation
import Glibc
import TestSupport

/// A child process with pipes on its three standard streams, drained by
/// threads while it runs, so that it never waits for the test.
///
/// It knows nothing of `chat`; that is `ChatProgram`.
final class RunningProgram: Sendable {
    /// What it wrote, and how it ended: its exit code, or minus the signal.
    struct Result: Equatable {
        var output: [UInt8]
        var errors: [UInt8]
        var exit: Int32

        var text: String { String(decoding: output, as: UTF8.self) }
        var errorText: String { String(decoding: errors, as: UTF8.self) }
        var errorLines: [String] {
            errorText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                .filter { !$0.isEmpty }
        }
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let pid: pid_t
    private let input: Int32
    private let output: Drain
    private let errors: Drain
    private let status = StatusBox()

    /// - Parameter closesOutput: the program starts without a standard output.
    init(
        _ program: String, _ arguments: [String], environment: [String: String],
        closesOutput: Bool = false
    ) throws {
        // Here, not in the child, which gets every signal's default: a program may
        // end before it has read what the test writes to it.
        Glibc.signal(SIGPIPE, SIG_IGN)
        let (inputRead, inputWrite) = try Self.pipe()
        let (outputRead, outputWrite) = try Self.pipe()
        let (errorsRead, errorsWrite) = try Self.pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputRead, 0)
        posix_spawn_file_actions_adddup2(&actions, outputWrite, 1)
        posix_spawn_file_actions_adddup2(&actions, errorsWrite, 2)
        if closesOutput { posix_spawn_file_actions_addclose(&actions, 1) }
        // The sockets of this process's servers have no business in a child: a
        // connection would stay open after its server has closed it.
        for descriptor in Int32(3)..<256 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        sigfillset(&all)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables =
            TestMachine.apart(environment).map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var child: pid_t = 0
        let error = posix_spawn(&child, program, &actions, &attributes, words, variables)
        for end in [inputRead, outputWrite, errorsWrite] { close(end) }
        guard error == 0 else {
            throw Failure(
                description: "cannot start \(program): \(String(cString: strerror(error)))")
        }
        pid = child
        input = inputWrite
        output = Drain(outputRead)
        errors = Drain(errorsRead)
        Thread.detachNewThread { [pid, status] in
            var value: Int32 = 0
            while waitpid(pid, &value, 0) < 0, errno == EINTR {}
            status.set(value)
        }
    }

    /// Writes to its standard input; a program that does not read is no error.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    func endInput() { close(input) }

    func signal(_ number: Int32) { kill(pid, number) }

    /// Waits until its output contains the text.
    func waitFor(output text: String) throws { try output.wait(for: text) }
    func waitFor(errors text: String) throws { try errors.wait(for: text) }
    /// Waits for a line of its output, and gives it without its end.
    func waitForLine(where isWanted: (String) -> Bool) throws -> String {
        try output.waitForLine(where: isWanted)
    }

    /// Closes the reading end of its output, as `head` does when it has enough.
    func closeOutput() { output.close() }

    /// Waits for its end. A program that hangs is killed and is a failure.
    func finish(limit: Double = 180) throws -> Result {
        guard let value = status.wait(limit: limit) else {
            signal(SIGKILL)
            _ = status.wait(limit: 5)
            throw Failure(
                description: "it hangs; so far: \(output.text)\nand: \(errors.text)")
        }
        let number = value & 0x7F
        return Result(
            output: output.all(), errors: errors.all(),
            exit: number == 0 ? (value >> 8) & 0xFF : -number)
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw Failure(description: "no pipe: \(errno)") }
        // Above 2, so that no `dup2` in the child overwrites an end it needs.
        let pair = ends.map { low in
            defer { close(low) }
            return fcntl(low, F_DUPFD_CLOEXEC, 3)
        }
        // A pipe has two ends.
        return (pair[0], pair[1])
    }
}

extension RunningProgram {
    /// Waits until the text is in the database or its log.
    static func waitUntilStored(_ text: String, in database: String) throws {
        let wanted = Data(text.utf8)
        let end = Date(timeIntervalSinceNow: 20)
        while Date() < end {
            for file in [database, database + "-wal"] {
                // `try?`: the log is not there before the first write.
                if let data = try? Data(contentsOf: URL(fileURLWithPath: file)),
                    data.range(of: wanted) != nil
                {
                    return
                }
            }
            // No event tells of another process's write: yield, look again.
            sched_yield()
        }
        throw Failure(description: "“\(text)” was never stored")
    }
}

/// The status of `waitpid`, once it is there.
private final class StatusBox: @unchecked Sendable {
    // Proof for @unchecked: `value` is only touched under `condition`.
    private let condition = NSCondition()
    private var value: Int32?

    func set(_ status: Int32) {
        condition.withLock {
            value = status
            condition.broadcast()
        }
    }

    func wait(limit: Double) -> Int32? {
        let end = Date(timeIntervalSinceNow: limit)
        condition.lock()
        defer { condition.unlock() }
        while value == nil, condition.wait(until: end) {}
        return value
    }
}

/// Reads one descriptor to its end on a thread of its own.
private final class Drain: @unchecked Sendable {
    // Proof for @unchecked: the state is only touched under `condition`.
    private let condition = NSCondition()
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private var hasEnded = false
    private var isClosed = false

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        Thread.detachNewThread { [self] in run() }
    }

    private func run() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // A time limit only so that `close` is noticed.
            _ = poll(&request, 1, 50)
            condition.lock()
            if isClosed {
                hasEnded = true
                Glibc.close(descriptor)
                condition.broadcast()
                condition.unlock()
                return
            }
            condition.unlock()
            if request.revents == 0 { continue }
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            condition.lock()
            if count > 0 { bytes += buffer[..<count] } else { hasEnded = true }
            condition.broadcast()
            condition.unlock()
            if count <= 0 {
                Glibc.close(descriptor)
                return
            }
        }
    }

    /// Returns when the descriptor is closed.
    func close() {
        condition.lock()
        isClosed = true
        while !hasEnded { condition.wait() }
        condition.unlock()
    }

    var text: String { condition.withLock { String(decoding: bytes, as: UTF8.self) } }

    func wait(for text: String) throws {
        let end = Date(timeIntervalSinceNow: 30)
        condition.lock()
        defer { condition.unlock() }
        while !String(decoding: bytes, as: UTF8.self).contains(text) {
            guard !hasEnded, condition.wait(until: end) else {
                throw RunningProgram.Failure(
                    description:
                        "never saw “\(text)”: \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    func waitForLine(where isWanted: (String) -> Bool) throws -> String {
        let end = Date(timeIntervalSinceNow: 30)
        condition.lock()
        defer { condition.unlock() }
        while true {
            let whole = bytes.lastIndex(of: 0x0A).map { bytes[...$0] } ?? []
            let lines = String(decoding: whole, as: UTF8.self).split(separator: "\n")
            if let line = lines.first(where: { isWanted(String($0)) }) { return String(line) }
            guard !hasEnded, condition.wait(until: end) else {
                throw RunningProgram.Failure(
                    description: "never saw the line: \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    func all() -> [UInt8] {
        let end = Date(timeIntervalSinceNow: 10)
        condition.lock()
        defer { condition.unlock() }
        while !hasEnded, condition.wait(until: end) {}
        return bytes
    }
}
