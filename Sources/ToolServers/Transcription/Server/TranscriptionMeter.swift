import AgentCore
import Base
import Synchronization

/// Turns the events of a transcription into the displayed progress. Pure; `now`
/// is in seconds on a clock that does not go back.
package struct TranscriptionMeter: Sendable, Equatable {
    enum Stage: Sendable, Equatable {
        case starting
        /// A long recording is being cut: seconds analysed, and in total.
        case preparing(done: Double, of: Double)
        case sending(bytes: Int, of: Int)
        /// Everything has been sent; since when.
        case waiting(since: Double)
        case words
        case retrying(TranscriptionError.Reason, until: Double)
    }

    /// The name of the recording; untrusted if it is a file name.
    let title: String
    /// Lines for a recording that only we know of.
    let reminder: [StyledLine]
    private(set) var stage = Stage.starting
    /// Counted from 1.
    private(set) var piece = 1
    private(set) var pieces = 1
    /// The last words of this piece so far.
    private(set) var words = ""
    private(set) var rate = TransferRate()
    /// Durations of the pieces sent in this run.
    private var pieceSeconds: [Double] = []
    private var pieceBegan: Double?
    private var pieceWasSent = false

    /// Number of characters kept, more than any window shows.
    private static let kept = 2_000

    init(title: String, reminder: [StyledLine] = []) {
        self.title = title
        self.reminder = reminder
    }

    mutating func take(_ event: TranscriptionProgress, at now: Double) {
        switch event {
        case .preparing(let done, let all): stage = .preparing(done: done, of: all)
        case .piece(let number, let count, _):
            if let pieceBegan, pieceWasSent, number > piece {
                pieceSeconds.append(now - pieceBegan)
                // The newest are the best predictors.
                if pieceSeconds.count > 4 { pieceSeconds.removeFirst() }
            }
            (piece, pieces, pieceBegan, pieceWasSent) = (max(1, number), max(1, count), now, false)
            (rate, words, stage) = (TransferRate(), "", .starting)
        case .sent(let bytes, let total):
            pieceWasSent = true
            // Words may arrive before the last byte is counted.
            if case .words = stage { return }
            rate.note(bytes, of: total, at: now)
            stage = .sending(bytes: bytes, of: total)
        case .waiting: stage = .waiting(since: now)
        case .text(let more):
            words += more
            if words.count > 2 * Self.kept { words = String(words.suffix(Self.kept)) }
            stage = .words
        case .restarted: (words, rate, stage) = ("", TransferRate(), .starting)
        case .retrying(let error, let seconds, _):
            stage = .retrying(error.reason, until: now + max(0, seconds))
        }
    }

    // MARK: - Shown

    func progress(at now: Double) -> ToolProgress {
        var shown = ToolProgress(activity: "Transcribing", title: title)
        if pieces > 1 { shown.part = "piece \(piece) of \(pieces)" }
        shown.fraction = fraction
        shown.facts = facts(at: now)
        if case .retrying = stage { shown.isProblem = true }
        shown.text = words
        shown.hint = "the recording is kept"
        let done = piece - 1
        if pieces > 1, done > 0 {
            let kept = "\(done) of \(pieces) pieces \(done == 1 ? "is" : "are") kept."
            shown.kept = [StyledLine("\(kept) Run the same command to continue.", .dim)]
        }
        shown.kept += reminder
        return shown
    }

    /// Progress of all pieces; nil while there is nothing to measure.
    var fraction: Double? {
        let inPiece: Double
        switch stage {
        case .preparing(let done, let all): return all > 0 ? done / all : nil
        case .sending(let bytes, let total): inPiece = total > 0 ? Double(bytes) / Double(total) : 0
        case .waiting, .words: inPiece = 1
        case .starting, .retrying: inPiece = 0
        }
        return (Double(piece - 1) + inPiece) / Double(pieces)
    }

    /// The known facts, the most important first.
    private func facts(at now: Double) -> [String] {
        var facts: [String]
        switch stage {
        case .starting: facts = ["starting"]
        case .preparing(let done, let all):
            facts = ["looking for pauses", "\(Self.clock(done)) of \(Self.clock(all))"]
        case .sending(let bytes, let total):
            facts = ["\(Self.size(bytes)) of \(Self.size(total))"]
            facts.append(rate.perSecond(at: now).map { Self.size(Int($0)) + "/s" } ?? "")
        case .waiting(let since): facts = ["waiting for the words", Self.clock(now - since)]
        case .words: facts = ["the words are coming"]
        case .retrying(let reason, let until):
            let seconds = max(0, Int((until - now).rounded(.up)))
            return ["trying again in \(seconds) s", Self.name(of: reason)]
        }
        if let left = secondsLeft(at: now) { facts.append(Self.left(left)) }
        return facts
    }

    /// Seconds until the end; nil if unknown.
    func secondsLeft(at now: Double) -> Double? {
        let later = pieces - piece
        let mean =
            pieceSeconds.isEmpty ? nil : pieceSeconds.reduce(0, +) / Double(pieceSeconds.count)
        if later > 0 || pieces > 1 {
            guard let mean, let pieceBegan else { return nil }
            return max(0, mean - (now - pieceBegan)) + Double(later) * mean
        }
        guard case .sending = stage else { return nil }
        return rate.secondsLeft(at: now)
    }

    /// Whole steps that grow with the time, for a calm display.
    static func left(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 360_000 else { return "a long time left" }
        switch seconds {
        case ..<1.5: return "a moment left"
        case ..<10: return "\(Int(seconds.rounded())) s left"
        case ..<57.5: return "\(Int((seconds / 5).rounded()) * 5) s left"
        case ..<3_570: return "\(max(1, Int((seconds / 60).rounded()))) min left"
        default:
            let minutes = Int((seconds / 60).rounded())
            return "\(minutes / 60) h \(minutes % 60) min left"
        }
    }

    /// Decimal units, as in the limits of services, with one decimal so that
    /// the width does not change all the time.
    package static func size(_ bytes: Int) -> String {
        if bytes < 1_000_000 { return "\((max(0, bytes) + 500) / 1_000) KB" }
        let tenths = (bytes + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) MB"
    }

    /// The time in complete seconds.
    private static func clock(_ seconds: Double) -> String {
        TranscriptFacts.clock(seconds.rounded(.down))
    }

    private static func name(of reason: TranscriptionError.Reason) -> String {
        switch reason {
        case .transport: "the connection failed"
        case .rateLimited: "too many requests at once"
        case .serverFailure: "the server reported an error"
        case .cut, .malformed: "the answer was cut off"
        case .tooLarge: "too much at once"
        default: "it was rejected"
        }
    }
}

/// Emits the progress of one transcription, even while no events arrive:
/// waiting times advance.
final class MeteredTranscription: Sendable {
    private static let tick = Duration.milliseconds(200)

    private let emit: Emitter
    private let environment: Base.Environment
    private let meter: Mutex<TranscriptionMeter>

    init(
        title: String, reminder: [StyledLine], emit: Emitter,
        environment: Base.Environment
    ) {
        self.emit = emit
        self.environment = environment
        meter = Mutex(TranscriptionMeter(title: title, reminder: reminder))
    }

    /// Called from any thread, in order.
    func observe(_ event: TranscriptionProgress) {
        let now = environment.uptime()
        meter.withLock { meter in
            meter.take(event, at: now)
            emit(meter.progress(at: now))
        }
    }

    func run<Value: Sendable>(
        _ body: @Sendable (MeteredTranscription) async throws -> Value
    ) async throws -> Value {
        guard emit.isShown else { return try await body(self) }
        show()
        let ticking = Task { [environment] in
            // Only cancellation throws.
            while (try? await environment.sleep(Self.tick)) != nil { show() }
        }
        defer { ticking.cancel() }
        return try await body(self)
    }

    private func show() {
        emit(meter.withLock { $0.progress(at: environment.uptime()) })
    }
}
