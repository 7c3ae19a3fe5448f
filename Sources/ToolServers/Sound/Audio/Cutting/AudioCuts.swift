import AgentCore

/// Divides a long recording at its pauses into pieces within a service's limits. Pure.
///
///     |----------------- kept ----------------|------- kept -------
///     |------------------- piece ----------------|
///                                          |------- next piece ---
///                                          |--|--| overlap of one second
///
/// Each cut is in the middle of the longest pause between 5 and 10 minutes after the
/// previous cut, else between 10 minutes and the cap, else at the cap. A smaller byte limit
/// shortens all of that in proportion.
package struct AudioCuts: Sendable {
    package static let shortestSeconds = 300
    package static let targetSeconds = 600
    package static let capSeconds = 720
    /// A day; longer recordings are not divided.
    package static let longestSeconds = 24 * 3_600
    /// Minimum length of a pause in windows; a breath between two words is shorter.
    private static let pauseWindows = 10

    private let map: LoudnessMap
    /// Maximum frames in a piece, including both overlaps.
    private let most: Int
    /// Overlap on each side of a cut, in frames.
    private let overlap: Int

    /// - Parameters:
    ///   - bytesPerFrame: frame size of the upload, which consists of the file's own
    ///     samples.
    ///   - limitInBytes: size of one upload, including the header of 44 bytes. If too small
    ///     for a single frame, pieces have one frame.
    package init(_ map: LoudnessMap, bytesPerFrame: Int, limitInBytes: Int) {
        self.map = map
        let room = max(1, (limitInBytes - WaveHeader.writtenBytes) / max(1, bytesPerFrame))
        most = min(Self.capSeconds * map.rate, room)
        overlap = Self.overlap(map.rate, most: most)
    }

    private static func overlap(_ rate: Int, most: Int) -> Int { min(rate / 2, most / 20) }

    /// The pieces in order: one if the recording fits, none if it has no frames.
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

    /// `notAfter` is above `kept`, because the overlaps are at most a tenth of a piece.
    private func cut(after kept: Int, notAfter last: Int) -> Int {
        let room = last - kept
        let cap = Self.capSeconds * map.rate
        // In proportion if the byte limit is below the cap.
        func scaled(_ seconds: Int) -> Int {
            kept + (most < cap ? room * seconds / Self.capSeconds : min(room, seconds * map.rate))
        }
        let (first, target) = (scaled(Self.shortestSeconds), scaled(Self.targetSeconds))
        let pause =
            Self.pause(in: map, from: first, to: target)
            ?? Self.pause(in: map, from: target, to: last)
        return min(max(pause ?? last, kept + 1), last)
    }

    /// Two pieces in place of one that the server found too large, cut in a pause near the
    /// middle; nil if it is too short for that.
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

    /// The frame in the middle of the longest pause that is wholly between two frames; the
    /// later of two equally long ones. Nil if there is no pause.
    static func pause(in map: LoudnessMap, from: Int, to: Int) -> Int? {
        let first = (from + map.framesPerWindow - 1) / map.framesPerWindow
        let last = min(to / map.framesPerWindow, map.levels.count)
        guard last - first >= pauseWindows else { return nil }
        let silence = silence(map.levels[first..<last])
        var best: Range<Int>?
        map.levels.withUnsafeBufferPointer { levels in
            var begin = first
            var at = first
            // Includes `last`, which ends a pause that is still open.
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

    /// The loudness threshold of a pause in this part of the recording: above its noise,
    /// well below its voices.
    private static func silence(_ levels: ArraySlice<UInt16>) -> UInt16 {
        // Every eighth value is enough for a quantile, and ten times as fast.
        let sorted = stride(from: levels.startIndex, to: levels.endIndex, by: 8)
            .map { Int(levels[$0]) }.sorted()
        guard let loudest = sorted.last else { return 0 }
        let noise = sorted[sorted.count / 20]
        let voice = max(sorted[sorted.count * 9 / 10], loudest / 4)
        // 33 is -60 dB, which is inaudible.
        return UInt16(clamping: max(33, min(noise * 2, voice / 4)))
    }
}

/// A part of a recording that is sent on its own, in frames from the start of the
/// recording; ends are exclusive.
///
/// It is sent from `start` to `end`, and its transcript is used from `keepFrom` to
/// `keepTo`. Neighbours overlap, so that a word at a cut is whole in one of them, and the
/// used parts cover the recording exactly once.
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

/// The upload of a piece: a header of 44 bytes and the file's own samples, read while they
/// are sent. No sample is copied or changed.
package struct PieceAudio: Sendable {
    /// The parts of the upload; nil if the file is not a WAV that we can divide.
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

    /// Seconds from the start of the recording.
    package static func seconds(_ frame: Int, _ wave: WaveHeader) -> Double {
        Double(frame) / Double(wave.format.rate)
    }
}
