import AgentCore

/// Divides a long recording at its pauses into pieces within a service's limits. Pure.
///
/// Each cut is in the middle of the longest pause between 5 and 10 minutes after the
/// previous cut, else between 10 minutes and the cap, else in the quietest moment there is.
/// A smaller byte limit shortens all of that in proportion. Pieces adjoin and do not
/// overlap: no word is in two of them.
package struct AudioCuts: Sendable {
    package static let shortestSeconds = 300
    package static let targetSeconds = 600
    package static let capSeconds = 720
    /// A day; longer recordings are not divided.
    package static let longestSeconds = 24 * 3_600
    /// Minimum length of a pause in windows; a breath between two words is shorter.
    private static let pauseWindows = 10
    /// Number of windows of a gap between two words spoken without a pause.
    private static let gapWindows = 3

    private let map: LoudnessMap
    /// Maximum frames in a piece.
    private let most: Int

    /// - Parameters:
    ///   - bytesPerFrame: frame size of the upload, which consists of the file's own
    ///     samples.
    ///   - limitInBytes: size of one upload, including the header of 44 bytes. If too small
    ///     for a single frame, pieces have one frame.
    package init(_ map: LoudnessMap, bytesPerFrame: Int, limitInBytes: Int) {
        self.map = map
        let room = max(1, (limitInBytes - WaveHeader.writtenBytes) / max(1, bytesPerFrame))
        most = min(Self.capSeconds * map.rate, room)
    }

    /// The pieces in order: one if the recording fits, none if it has no frames.
    package var pieces: [AudioPiece] {
        var pieces: [AudioPiece] = []
        var start = 0
        while map.frames - start > most {
            let cut = cut(after: start)
            pieces.append(AudioPiece(start: start, end: cut))
            start = cut
        }
        if start < map.frames { pieces.append(AudioPiece(start: start, end: map.frames)) }
        return pieces
    }

    private func cut(after start: Int) -> Int {
        let last = start + most
        let cap = Self.capSeconds * map.rate
        // In proportion if the byte limit is below the cap.
        func scaled(_ seconds: Int) -> Int {
            start + (most < cap ? most * seconds / Self.capSeconds : seconds * map.rate)
        }
        let (first, target) = (scaled(Self.shortestSeconds), scaled(Self.targetSeconds))
        let quiet =
            Self.pause(in: map, from: first, to: target)
            ?? Self.pause(in: map, from: target, to: last)
            ?? Self.quietest(in: map, from: first, to: last)
        return min(max(quiet ?? last, start + 1), last)
    }

    /// Two pieces in place of one that the server found too large, cut in a pause near the
    /// middle; nil if it is too short for that.
    package static func halves(of piece: AudioPiece, in map: LoudnessMap) -> [AudioPiece]? {
        guard piece.frames >= map.rate * 2 else { return nil }
        let (first, last) = (piece.start + piece.frames / 3, piece.end - piece.frames / 3)
        let cut =
            pause(in: map, from: first, to: last) ?? quietest(in: map, from: first, to: last)
            ?? piece.start + piece.frames / 2
        return [
            AudioPiece(start: piece.start, end: cut), AudioPiece(start: cut, end: piece.end),
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

    /// The frame in the middle of the quietest moment as long as a gap between two words;
    /// the later of two equally quiet ones. Nil if there is no room for one.
    private static func quietest(in map: LoudnessMap, from: Int, to: Int) -> Int? {
        let first = (from + map.framesPerWindow - 1) / map.framesPerWindow
        let last = min(to / map.framesPerWindow, map.levels.count) - gapWindows
        guard first <= last else { return nil }
        func level(_ at: Int) -> Int {
            map.levels[at..<at + gapWindows].reduce(0) { $0 + Int($1) }
        }
        var best = first
        for at in first...last where level(at) <= level(best) { best = at }
        return (2 * best + gapWindows) * map.framesPerWindow / 2
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
/// recording; the end is exclusive.
package struct AudioPiece: Sendable, Equatable {
    package var start: Int
    package var end: Int

    package init(start: Int, end: Int) {
        self.start = start
        self.end = end
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
