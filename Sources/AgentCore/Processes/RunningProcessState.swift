/// What is known of a running child, and who waits for it: bytes in both
/// directions within bounds, its end.
///
/// Pure but for the continuations it keeps: each event returns those that are
/// to be resumed, which happens outside of the lock.
///
///     input    open ── closeInput ─→ closing ── all written ─→ closed
///              open ── child reads no more, end, stop ──────→ closed
///     output   open ── end of file, or silence after the end ─→ ended
struct RunningProcessState {
    typealias Status = Subprocess.Result.Status
    typealias Reader = CheckedContinuation<[UInt8]?, any Error>
    typealias Writer = CheckedContinuation<Bool, any Error>

    /// A caller and what it is told.
    enum Answer {
        case read(Reader, [UInt8]?)
        case wrote(Writer, Bool)
        case cancelledRead(Reader)
        case cancelledWrite(Writer)
        case status(CheckedContinuation<Status, Never>, Status)

        func give() {
            switch self {
            case .read(let reader, let bytes): reader.resume(returning: bytes)
            case .wrote(let writer, let isTaken): writer.resume(returning: isTaken)
            case .cancelledRead(let reader): reader.resume(throwing: CancellationError())
            case .cancelledWrite(let writer): writer.resume(throwing: CancellationError())
            case .status(let waiter, let status): waiter.resume(returning: status)
            }
        }
    }

    enum Input { case open, closing, closed }

    /// The most that `read` gives, and that waits for it here.
    static let outputBytes = 64 << 10

    private let inputBytes: Int
    private let errorBytes: Int
    private(set) var input: Input
    private(set) var unwritten: ArraySlice<UInt8> = []
    private(set) var outputHasEnded: Bool
    private(set) var status: Status?
    private var output: [UInt8] = []
    private var errors: [UInt8] = []
    private var readers: [(id: UInt64, reader: Reader)] = []
    private var writers: [(id: UInt64, bytes: [UInt8], writer: Writer)] = []
    private var statusWaiters: [CheckedContinuation<Status, Never>] = []

    init(_ options: RunningProcess.Options) {
        inputBytes = options.pipeBytes ?? 64 << 10
        errorBytes = options.errorBytes
        input = options.writesInput ? .open : .closed
        outputHasEnded = !options.readsOutput
    }

    var outputRoom: Int { outputHasEnded ? 0 : Self.outputBytes - output.count }
    var errorOutput: [UInt8] { Array(errors.suffix(errorBytes)) }

    // MARK: - From callers

    mutating func write(_ bytes: [UInt8], _ id: UInt64, _ writer: Writer) -> [Answer] {
        if input != .open { return [.wrote(writer, false)] }
        writers.append((id, bytes, writer))
        return takeWrites()
    }

    mutating func read(_ id: UInt64, _ reader: Reader) -> [Answer] {
        readers.append((id, reader))
        return giveOutput()
    }

    mutating func waitForStatus(_ waiter: CheckedContinuation<Status, Never>) -> [Answer] {
        if let status { return [.status(waiter, status)] }
        statusWaiters.append(waiter)
        return []
    }

    mutating func cancel(_ id: UInt64) -> [Answer] {
        if let index = readers.firstIndex(where: { $0.id == id }) {
            return [.cancelledRead(readers.remove(at: index).reader)]
        }
        if let index = writers.firstIndex(where: { $0.id == id }) {
            return [.cancelledWrite(writers.remove(at: index).writer)]
        }
        return []
    }

    /// No further writes; those that wait are refused.
    mutating func closeInput() -> [Answer] {
        if input == .open { input = .closing }
        return refuseWrites()
    }

    // MARK: - From the loop

    mutating func written(_ count: Int) -> [Answer] {
        unwritten = unwritten.dropFirst(count)
        return takeWrites()
    }

    mutating func inputClosed() -> [Answer] {
        input = .closed
        unwritten = []
        return refuseWrites()
    }

    mutating func received(_ bytes: some Sequence<UInt8>) -> [Answer] {
        output += bytes
        return giveOutput()
    }

    mutating func outputEnded() -> [Answer] {
        outputHasEnded = true
        return giveOutput()
    }

    mutating func receivedErrors(_ bytes: some Sequence<UInt8>) {
        errors += bytes
        // Cut now and then, not at each read.
        if errors.count > 2 * errorBytes { errors = errorOutput }
    }

    mutating func ended(_ status: Status) -> [Answer] {
        self.status = status
        defer { statusWaiters = [] }
        return statusWaiters.map { .status($0, status) }
    }

    // MARK: -

    /// A write is taken whole once less than the bound waits, so that a
    /// cancelled one has left nothing.
    private mutating func takeWrites() -> [Answer] {
        var answers: [Answer] = []
        while unwritten.count < inputBytes, let first = writers.first {
            unwritten += first.bytes
            answers.append(.wrote(first.writer, true))
            writers.removeFirst()
        }
        return answers
    }

    private mutating func refuseWrites() -> [Answer] {
        defer { writers = [] }
        return writers.map { .wrote($0.writer, false) }
    }

    private mutating func giveOutput() -> [Answer] {
        guard let first = readers.first, outputHasEnded || !output.isEmpty else { return [] }
        if output.isEmpty {
            defer { readers = [] }
            return readers.map { .read($0.reader, nil) }
        }
        readers.removeFirst()
        let answer = Answer.read(first.reader, output)
        output = []
        return [answer] + giveOutput()
    }
}
