import Base
import Glibc
import Synchronization

/// The program's requests to the terminal's thread: bytes to show, and actions. Any task may write
/// it; only that thread reads it, woken by a pipe. It does no terminal I/O.
final class TerminalMailbox: Sendable {
    enum Request: Sendable {
        case readLine(LineRequest, CheckedContinuation<LineResult, Never>)
        case ask(String, Question.Mode, QuestionID, CheckedContinuation<Question.Answer, Never>)
        case panel(PanelMailbox, CheckedContinuation<Bool, Never>)
        case release(CheckedContinuation<Void, Never>)
        case reclaim(CheckedContinuation<Void, Never>)
        case flush(CheckedContinuation<Void, Never>)
        case title(String)
        case close(CheckedContinuation<Void, Never>)
    }

    struct LineRequest: Sendable {
        var prompt: String
        var draft: LineDraft
        var offersWriting: Bool
        var takesClipboard = false
    }

    typealias QuestionID = Int
    typealias Status = @Sendable (_ columns: Int) -> StyledLine

    private struct State {
        var lastQuestion = 0
        /// Questions whose answer is no longer awaited, shown already or not.
        var withdrawn: Set<QuestionID> = []
        var bytes: [UInt8] = []
        var requests: [Request] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// Whether the thread was notified of bytes that it has not fetched yet.
        var isAnnounced = false
        var isClosed = false
        /// The terminal's last focus report; nil before one.
        var isFocused: Bool?
        var status: Status?
        /// Whether the completion candidates have changed.
        var hasCompletionNews = false
    }

    /// Number of unfetched bytes above which a writer waits.
    static let highWater = 64 * 1024

    /// Readable when there are requests to fetch.
    let wake: Int32
    /// A byte written here wakes the thread; also from a signal handler.
    let waker: Int32
    private let state = Mutex(State())
    private let stopCount = Atomic(0)
    private let failure = Atomic<Int32>(0)

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        // Two descriptors, which pipe2 has set.
        wake = ends[0]
        waker = ends[1]
    }

    deinit {
        Glibc.close(wake)
        Glibc.close(waker)
    }

    private func signal() {
        var one: UInt8 = 1
        // A full pipe wakes as well.
        _ = Glibc.write(waker, &one, 1)
    }

    /// Wakes the thread for reasons other than bytes or a request.
    func wakeUp() { signal() }

    /// Number of times the program was stopped: earlier drawings are elsewhere on the
    /// screen.
    var stops: Int { stopCount.load(ordering: .relaxed) }
    func noteStop() { stopCount.add(1, ordering: .relaxed) }

    /// Queues bytes; false after the end, when they cannot be written.
    func post(_ bytes: [UInt8]) async -> Bool {
        guard !bytes.isEmpty else { return true }
        let (isOpen, isFull, announces) = state.withLock { state in
            guard !state.isClosed else { return (false, false, false) }
            state.bytes += bytes
            let announces = !state.isAnnounced
            state.isAnnounced = true
            return (true, state.bytes.count > Self.highWater, announces)
        }
        if announces { signal() }
        if isFull {
            await withCheckedContinuation { continuation in
                let isRoom = state.withLock { state in
                    if state.bytes.count <= Self.highWater || state.isClosed { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isRoom { continuation.resume() }
            }
        }
        return isOpen
    }

    /// Queues a request; false after the end.
    func post(_ request: Request) -> Bool {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.requests.append(request) }
            return !state.isClosed
        }
        if isOpen { signal() }
        return isOpen
    }

    /// Creates the id of a question before it is shown, so that it can be withdrawn at any time.
    func newQuestion() -> QuestionID {
        state.withLock { state in
            state.lastQuestion += 1
            return state.lastQuestion
        }
    }

    func withdraw(_ question: QuestionID) {
        state.withLock { _ = $0.withdrawn.insert(question) }
        signal()
    }

    func isWithdrawn(_ question: QuestionID) -> Bool {
        state.withLock { $0.withdrawn.contains(question) }
    }

    /// Takes the bytes and resumes waiting writers.
    func takeBytes() -> [UInt8] {
        let (bytes, waiting) = state.withLock { state in
            let taken = (state.bytes, state.waiting)
            state.bytes = []
            state.waiting = []
            state.isAnnounced = false
            return taken
        }
        for writer in waiting { writer.resume() }
        return bytes
    }

    /// The line below the text at a prompt, in a window of that width.
    func status(columns: Int) -> StyledLine? { state.withLock { $0.status }?(columns) }

    func setStatus(_ status: Status?) {
        state.withLock { $0.status = status }
        signal()
    }

    func noteCompletionNews() {
        state.withLock { $0.hasCompletionNews = true }
        signal()
    }

    func takeCompletionNews() -> Bool {
        state.withLock { state in
            defer { state.hasCompletionNews = false }
            return state.hasCompletionNews
        }
    }

    func noteFocus(_ isFocused: Bool?) { state.withLock { $0.isFocused = isFocused } }

    var isFocused: Bool? { state.withLock { $0.isFocused } }

    var hasBytes: Bool { state.withLock { !$0.bytes.isEmpty } }

    func takeRequests() -> [Request] {
        state.withLock { state in
            let requests = state.requests
            state.requests = []
            return requests
        }
    }

    /// Empties the pipe.
    func acknowledge() {
        var bytes = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        while read(wake, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
    }

    /// The `errno` of an output that is not a terminal, or 0.
    var outputFailure: Int32 { failure.load(ordering: .relaxed) }
    func noteOutputFailure(_ code: Int32) { failure.store(code, ordering: .relaxed) }

    /// Closes the mailbox: later posts are refused; earlier ones are returned.
    func close() -> (bytes: [UInt8], requests: [Request]) {
        let (bytes, requests, waiting) = state.withLock { state in
            state.isClosed = true
            let taken = (state.bytes, state.requests, state.waiting)
            state.bytes = []
            state.requests = []
            state.waiting = []
            return taken
        }
        for writer in waiting { writer.resume() }
        return (bytes, requests)
    }
}
