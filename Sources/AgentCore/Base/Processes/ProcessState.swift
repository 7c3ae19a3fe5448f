/// The state of a running child and its waiting callers: bounded bytes in both directions,
/// and its end.
///
/// Pure except for the stored continuations: each event returns those to be resumed, which
/// happens outside of the lock.
///
///     input    open ── closeInput ─→ closing ── all written ─→ closed
///              open ── child reads no more, end, stop ──────→ closed
///     output   open ── end of file, or silence after the end ─→ ended
struct ProcessState {
    typealias Status = Subprocess.Result.Status
    typealias Reader = CheckedContinuation<[UInt8]?, any Error>
    typealias Writer = CheckedContinuation<Bool, any Error>

    /// The use of a child's input and output.
    enum Streams {
        /// Callers write and read while it runs.
        case live(writes: Bool, reads: Bool, pipeBytes: Int?)
        /// All of its input is given at once (nil is `/dev/null`), and the first bytes of its
        /// output are kept.
        case whole(input: [UInt8]?, outputBytes: Int)
    }

    /// A caller and its answer.
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

    private enum Input { case open, closing, closed }

    /// Maximum bytes that `read` returns, and that wait for it here.
    static let outputBytes = 64 << 10

    private var inputBytes = 64 << 10
    private let errorBytes: Int
    /// Maximum bytes of kept output; nil if it is given to readers.
    private var keptBytes: Int?
    private var input: Input
    private(set) var unwritten: ArraySlice<UInt8> = []
    private var outputHasEnded = false
    private(set) var output: [UInt8] = []
    private(set) var outputWasCut = false
    private var status: Status?
    private var errors: [UInt8] = []
    private var readers: [(id: UInt64, reader: Reader)] = []
    private var writers: [(id: UInt64, bytes: [UInt8], writer: Writer)] = []
    private var statusWaiters: [CheckedContinuation<Status, Never>] = []

    init(_ streams: Streams, errorBytes: Int) {
        self.errorBytes = errorBytes
        switch streams {
        case .live(let writes, let reads, let pipeBytes):
            if let pipeBytes { inputBytes = pipeBytes }
            input = writes ? .open : .closed
            outputHasEnded = !reads
        case .whole(let bytes, let outputBytes):
            unwritten = bytes?[...] ?? []
            input = .closing
            keptBytes = outputBytes
        }
    }

    var inputIsDone: Bool { input == .closed || (input == .closing && unwritten.isEmpty) }
    var keepsOutput: Bool { keptBytes != nil }
    var outputRoom: Int {
        if outputHasEnded { return 0 }
        return keepsOutput ? Self.outputBytes : Self.outputBytes - output.count
    }
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

    /// Refuses further and waiting writes.
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

    mutating func received(_ bytes: ArraySlice<UInt8>) -> [Answer] {
        guard let keptBytes else {
            output += bytes
            return giveOutput()
        }
        let room = keptBytes - output.count
        if bytes.count > room { outputWasCut = true }
        output += bytes.prefix(room)
        return []
    }

    mutating func outputEnded() -> [Answer] {
        outputHasEnded = true
        return giveOutput()
    }

    mutating func receivedErrors(_ bytes: ArraySlice<UInt8>) -> [Answer] {
        errors += bytes
        // Trimmed now and then, not at each read.
        if errors.count > 2 * errorBytes { errors = errorOutput }
        return []
    }

    mutating func ended(_ status: Status) -> [Answer] {
        self.status = status
        defer { statusWaiters = [] }
        return statusWaiters.map { .status($0, status) }
    }

    // MARK: -

    /// A write is accepted as a whole once fewer bytes than the bound are waiting, so that a
    /// cancelled one has written nothing.
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
