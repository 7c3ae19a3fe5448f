import AgentCore

/// Where a long recording is cut: in its pauses, into pieces that a service
/// takes. Pure.
///
///     |----------------- kept ----------------|------- kept -------
///     |------------------- piece ----------------|
///                                          |------- next piece ---
///                                          |--|--| overlap of one second
///
/// Each cut is in the middle of the longest pause between 5 and 10 minutes
/// after the one before, else between 10 minutes and the cap, else at the cap.
/// A smaller limit of bytes makes all of that shorter in proportion.
package struct AudioCuts: Sendable {
    package static let shortestSeconds = 300
    package static let targetSeconds = 600
    package static let capSeconds = 720
    /// A day: what is longer is not cut up.
    package static let longestSeconds = 24 * 3_600
    /// A breath between two words is shorter.
    private static let pauseWindows = 10

    private let map: LoudnessMap
    /// Frames in a piece at most, both overlaps included.
    private let most: Int
    /// On each side of a cut.
    private let overlap: Int

    /// - Parameters:
    ///   - bytesPerFrame: of what is sent, which is the file's own samples.
    ///   - limitInBytes: of one upload, the header of 44 bytes included. One
    ///     that is too small for a single frame gives pieces of one frame.
    package init(_ map: LoudnessMap, bytesPerFrame: Int, limitInBytes: Int) {
        self.map = map
        let room = max(1, (limitInBytes - WaveHeader.writtenBytes) / max(1, bytesPerFrame))
        most = min(Self.capSeconds * map.rate, room)
        overlap = Self.overlap(map.rate, most: most)
    }

    private static func overlap(_ rate: Int, most: Int) -> Int { min(rate / 2, most / 20) }

    /// The pieces in order; one where the recording fits, none for no frames.
    package var pieces: [AudioPiece] {
        var pieces: [AudioPiece] = []
        var kept = 0
        while kept < map.frames {
            let start = max(0, kept - overlap)
            guard map.frames - start > most else {
                pieces.append(
                    AudioPiece(start: start, end: map.frames, keepFrom: kept, keepTo: map.frames))
                break
            }
            let cut = cut(after: kept, notAfter: start + most - overlap)
            pieces.append(
                AudioPiece(start: start, end: cut + overlap, keepFrom: kept, keepTo: cut))
            kept = cut
        }
        return pieces
    }

    /// `notAfter` is above `kept`: the overlaps are a tenth of a piece at most.
    private func cut(after kept: Int, notAfter last: Int) -> Int {
        let room = last - kept
        let cap = Self.capSeconds * map.rate
        // In proportion where the limit is nearer than the cap.
        func scaled(_ seconds: Int) -> Int {
            kept + (most < cap ? room * seconds / Self.capSeconds : min(room, seconds * map.rate))
        }
        let (first, target) = (scaled(Self.shortestSeconds), scaled(Self.targetSeconds))
        let pause =
            Self.pause(in: map, from: first, to: target)
            ?? Self.pause(in: map, from: target, to: last)
        return min(max(pause ?? last, kept + 1), last)
    }

    /// Two pieces instead of one that the server found too large, cut in a
    /// pause near the middle; nil where it is too short for that.
    package static func halves(of piece: AudioPiece, in map: LoudnessMap) -> [AudioPiece]? {
        let length = piece.keepTo - piece.keepFrom
        guard length >= map.rate * 2 else { return nil }
        let overlap = overlap(map.rate, most: length)
        let third = length / 3
        let cut =
            pause(in: map, from: piece.keepFrom + third, to: piece.keepTo - third)
            ?? piece.keepFrom + length / 2
        return [
            AudioPiece(
                start: piece.start, end: min(piece.end, cut + overlap), keepFrom: piece.keepFrom,
                keepTo: cut),
            AudioPiece(
                start: max(piece.start, cut - overlap), end: piece.end, keepFrom: cut,
                keepTo: piece.keepTo),
        ]
    }

    /// The frame in the middle of the longest pause that is wholly between two
    /// frames; of two as long, the later. Nil where there is no pause.
    static func pause(in map: LoudnessMap, from: Int, to: Int) -> Int? {
        let first = (from + map.framesPerWindow - 1) / map.framesPerWindow
        let last = min(to / map.framesPerWindow, map.levels.count)
        guard last - first >= pauseWindows else { return nil }
        let silence = silence(map.levels[first..<last])
        var best: Range<Int>?
        map.levels.withUnsafeBufferPointer { levels in
            var begin = first
            var at = first
            // Up to and with `last`, which ends a pause that is still open.
            while at <= last {
                if at == last || levels[at] > silence {
                    if at - begin >= max(pauseWindows, best?.count ?? 0) { best = begin..<at }
                    begin = at + 1
                }
                at += 1
            }
        }
        return best.map { ($0.lowerBound + $0.upperBound) * map.framesPerWindow / 2 }
    }

    /// The loudness up to which it is a pause, in this stretch of this
    /// recording: above its noise, well below its voices.
    private static func silence(_ levels: ArraySlice<UInt16>) -> UInt16 {
        // Every eighth is enough for a quantile, and ten times as quick.
        let sorted = stride(from: levels.startIndex, to: levels.endIndex, by: 8)
            .map { Int(levels[$0]) }.sorted()
        guard let loudest = sorted.last else { return 0 }
        let noise = sorted[sorted.count / 20]
        let voice = max(sorted[sorted.count * 9 / 10], loudest / 4)
        // 33 is -60 dB: nothing that is heard.
        return UInt16(clamping: max(33, min(noise * 2, voice / 4)))
    }
}

/// A stretch of a recording that is sent by itself, in frames from the
/// recording's beginning; ends are exclusive.
///
/// It is sent from `start` to `end` and counts from `keepFrom` to `keepTo`:
/// neighbours overlap, so that a word at a cut is whole in one of them, and
/// what is kept covers the recording exactly once.
package struct AudioPiece: Sendable, Equatable {
    package var start: Int
    package var end: Int
    package var keepFrom: Int
    package var keepTo: Int

    package init(start: Int, end: Int, keepFrom: Int, keepTo: Int) {
        self.start = start
        self.end = end
        self.keepFrom = keepFrom
        self.keepTo = keepTo
    }

    package var frames: Int { end - start }
}

/// A piece as it is sent: a header of 44 bytes and the file's own samples, read
/// while they leave. No sample is copied or changed.
package struct PieceAudio: Sendable {
    /// Nil where the file is not a WAV that we cut up.
    package static func slices(_ piece: AudioPiece, of audio: AudioFile) -> [BodySlice]? {
        guard let wave = audio.wave, wave.isCuttable, piece.start >= 0, piece.start <= piece.end,
            piece.end <= wave.frames
        else { return nil }
        let count = piece.frames * wave.bytesPerFrame
        return [
            .bytes(wave.bytes(dataBytes: count)),
            .file(
                audio.file, offset: wave.dataOffset + piece.start * wave.bytesPerFrame, count: count
            ),
        ]
    }

    /// Seconds from the recording's beginning.
    package static func seconds(_ frame: Int, _ wave: WaveHeader) -> Double {
        Double(frame) / Double(wave.format.rate)
    }
}
