import Foundation
import TestSupport
import XCTest

@testable import Sound

final class AudioCutsTests: XCTestCase {
    /// 100 frames a second keep a day small: two frames a window.
    private let rate = 100

    /// Levels by seconds: a voice, but for the pauses.
    private func map(seconds: Double, pauses: [(at: Double, seconds: Double)]) -> LoudnessMap {
        let frames = Int(seconds * Double(rate))
        var levels = [UInt16](repeating: 3_000, count: (frames + 1) / 2)
        for (at, length) in pauses {
            for index in Int(at * 50)..<Int((at + length) * 50) { levels[index] = 20 }
        }
        return LoudnessMap(rate: rate, frames: frames, levels: levels)
    }

    private func pieces(_ map: LoudnessMap, limit: Int = 25_000_000) -> [AudioPiece] {
        AudioCuts(map, bytesPerFrame: 2, limitInBytes: limit).pieces
    }

    private func cuts(_ map: LoudnessMap, limit: Int = 25_000_000) -> [Double] {
        pieces(map, limit: limit).dropLast().map { Double($0.end) / Double(map.rate) }
    }

    func testWhatFitsIsOnePiece() {
        XCTAssertEqual(pieces(map(seconds: 0, pauses: [])), [])
        for frames in [1, 10, 72_000] {
            let map = map(seconds: Double(frames) / 100, pauses: [])
            XCTAssertEqual(pieces(map), [AudioPiece(start: 0, end: frames)])
        }
    }

    func testTheLongestPauseInTheWindowIsTaken() {
        let recording = map(
            seconds: 1_500,
            pauses: [(100, 5), (310, 0.5), (420, 2), (560, 1), (650, 8), (900, 1), (950, 0.3)])
        // From 5 to 10 minutes after the last cut, in the middle.
        XCTAssertEqual(cuts(recording), [421, 900.5])
        XCTAssertEqual(pieces(recording)[1], AudioPiece(start: 42_100, end: 90_050))
    }

    func testOfTwoPausesAsLongTheLaterIsTaken() {
        XCTAssertEqual(cuts(map(seconds: 900, pauses: [(350, 1), (500, 1), (550, 0.4)])), [500.5])
    }

    func testAPauseBehindTheTargetIsBetterThanNone() {
        XCTAssertEqual(cuts(map(seconds: 900, pauses: [(100, 3), (650, 0.5)])), [650.25])
    }

    func testWithoutAnyPauseItIsCutInTheQuietestMomentAndAtTheCapIfAllAreEqual() {
        XCTAssertEqual(cuts(map(seconds: 2_000, pauses: [])), [719.97, 1_439.93])
        // A gap between two words is no pause, and better than the middle of a word.
        XCTAssertEqual(cuts(map(seconds: 800, pauses: [(400, 0.06), (420, 0.02)])), [400.03])
    }

    func testAQuietRoomIsSilentOnlyBesideAVoice() {
        // Noise of 400, voices of 3,000, and a noise that is all there is.
        let noise: [UInt16] = (0..<50_000).map { UInt16($0 % 7) * 10 + 380 }
        var levels = noise
        for index in levels.indices where index % 100 < 80 { levels[index] = 3_000 }
        let talk = LoudnessMap(rate: rate, frames: 100_000, levels: levels)
        XCTAssertEqual(cuts(talk).count, 1)
        XCTAssertLessThan(cuts(talk)[0], 600)
        let hum = LoudnessMap(rate: rate, frames: 100_000, levels: noise)
        XCTAssertEqual(cuts(hum).count, 1)
    }

    func testPureSilenceIsCutInTheMiddleOfTheWindow() {
        let silence = LoudnessMap(
            rate: rate, frames: 100_000, levels: Array(repeating: 0, count: 50_000))
        XCTAssertEqual(cuts(silence), [450])
    }

    func testASmallLimitMakesPiecesShorterInProportion() {
        // 72 seconds of 200 bytes a second.
        let limit = 44 + 72 * 200
        let pauses = stride(from: 10.0, to: 290, by: 10).map { (at: $0, seconds: 0.4) }
        let recording = map(seconds: 300, pauses: pauses)
        for piece in pieces(recording, limit: limit) {
            XCTAssertLessThanOrEqual(44 + piece.frames * 2, limit)
        }
        XCTAssertEqual(cuts(recording, limit: limit), [50.2, 100.2, 150.2, 200.2, 250.2])
    }

    func testADayIsCutInTime() {
        let pauses = stride(from: 7.0, to: 86_000, by: 13).map { (at: $0, seconds: 0.6) }
        let recording = map(seconds: 86_400, pauses: pauses)
        var found: [AudioPiece] = []
        let time = ProcessorTime.measure { found = pieces(recording) }
        check(found, recording, limit: 25_000_000)
        XCTAssertGreaterThan(found.count, 86_400 / 720)
        XCTAssertLessThan(found.count, 86_400 / 300)
        XCTAssertLessThan(time, .seconds(20))
    }

    func testPiecesCoverEveryRecordingExactlyOnceAndNeverPassTheLimit() {
        let rounds = ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 120 : 1_500
        var random = SplitMix(seed: 1_984)
        for _ in 0..<rounds {
            let rate = [8, 50, 100, 333].randomElement(using: &random) ?? 8
            let frames = Int.random(in: 1...(rate * 4_000), using: &random)
            let perWindow = LoudnessMap.framesPerWindow(rate: rate)
            // Runs of one loudness, as speech has.
            var levels: [UInt16] = []
            let count = (frames + perWindow - 1) / perWindow
            let top = UInt16([40, 5_000, 65_535].randomElement(using: &random) ?? 40)
            while levels.count < count {
                let level = UInt16.random(in: 0...top, using: &random)
                let run = Int.random(in: 1...2_000, using: &random)
                levels += Array(repeating: level, count: min(run, count - levels.count))
            }
            let map = LoudnessMap(rate: rate, frames: frames, levels: levels)
            let limit =
                random.once(in: 3)
                ? 25_000_000 : Int.random(in: (44 + rate * 2)...(44 + rate * 3_000), using: &random)
            let found = pieces(map, limit: limit)
            check(found, map, limit: limit)
            for piece in found.prefix(3) { checkHalves(of: piece, map) }
        }
    }

    func testALimitBelowOneFrameStillEnds() {
        let found = pieces(map(seconds: 1, pauses: []), limit: 10)
        XCTAssertEqual(found.count, 100)
    }

    private func check(_ pieces: [AudioPiece], _ map: LoudnessMap, limit: Int) {
        var end = 0
        for piece in pieces {
            XCTAssertEqual(piece.start, end)
            XCTAssertGreaterThan(piece.end, piece.start)
            XCTAssertLessThanOrEqual(44 + piece.frames * 2, limit)
            XCTAssertLessThanOrEqual(piece.frames, AudioCuts.capSeconds * map.rate)
            end = piece.end
        }
        XCTAssertEqual(end, map.frames)
    }

    private func checkHalves(of piece: AudioPiece, _ map: LoudnessMap) {
        guard let halves = AudioCuts.halves(of: piece, in: map) else {
            return XCTAssertLessThan(piece.frames, map.rate * 2)
        }
        XCTAssertEqual(halves.count, 2)
        XCTAssertEqual(halves.first?.start, piece.start)
        XCTAssertEqual(halves.first?.end, halves.last?.start)
        XCTAssertEqual(halves.last?.end, piece.end)
        for half in halves { XCTAssertGreaterThan(half.frames, 0) }
    }

    func testAPieceIsHalvedInAPauseAgainAndAgain() throws {
        let recording = map(seconds: 600, pauses: [(250, 0.4), (280, 2), (350, 1)])
        let whole = try XCTUnwrap(pieces(recording).first)
        let halves = try XCTUnwrap(AudioCuts.halves(of: whole, in: recording))
        XCTAssertEqual(
            halves,
            [AudioPiece(start: 0, end: 28_100), AudioPiece(start: 28_100, end: 60_000)])
        var piece = whole
        var count = 0
        while let next = AudioCuts.halves(of: piece, in: recording)?.first {
            XCTAssertLessThan(next.frames, piece.frames)
            (piece, count) = (next, count + 1)
        }
        XCTAssertLessThan(count, 20)
    }
}
