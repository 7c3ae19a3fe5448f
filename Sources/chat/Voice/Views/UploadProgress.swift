import ToolServers

/// How far a transcription has come: its events in, facts to be shown out. Pure;
/// `now` are seconds on a clock that does not go back.
struct UploadProgress: Sendable, Equatable {
    enum Stage: Sendable, Equatable {
        case starting
        /// A long recording is cut: seconds looked at, of all.
        case preparing(done: Double, of: Double)
        case sending(bytes: Int, of: Int)
        /// Everything has left; since when.
        case waiting(since: Double)
        case words
        case retrying(TranscriptionError.Reason, until: Double)
    }

    private(set) var stage = Stage.starting
    /// Counted from 1.
    private(set) var piece = 1
    private(set) var pieces = 1
    /// The end of what was said in this piece.
    private(set) var words = ""
    private(set) var rate = TransferRate()
    /// How long pieces took that were sent in this run.
    private var pieceSeconds: [Double] = []
    private var pieceBegan: Double?
    private var pieceWasSent = false

    /// More of the words than any window shows.
    private static let kept = 2_000

    mutating func take(_ event: TranscriptionProgress, at now: Double) {
        switch event {
        case .preparing(let done, let all): stage = .preparing(done: done, of: all)
        case .piece(let number, let count, _):
            if let pieceBegan, pieceWasSent, number > piece {
                pieceSeconds.append(now - pieceBegan)
                // The newest tell most.
                if pieceSeconds.count > 4 { pieceSeconds.removeFirst() }
            }
            (piece, pieces, pieceBegan, pieceWasSent) = (max(1, number), max(1, count), now, false)
            (rate, words, stage) = (TransferRate(), "", .starting)
        case .sent(let bytes, let total):
            pieceWasSent = true
            // Words may come before the last byte was counted.
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

    /// Of all pieces; nil while there is nothing to measure.
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

    /// Seconds until the end; nil when nobody can tell.
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

    /// "3 of 8 pieces are kept."; nil where there are none.
    var keptPieces: String? {
        let done = piece - 1
        guard pieces > 1, done > 0 else { return nil }
        return "\(done) of \(pieces) pieces \(done == 1 ? "is" : "are") kept."
    }
}
