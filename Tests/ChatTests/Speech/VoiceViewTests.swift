import Base
import Foundation
import TestSupport
import XCTest

@testable import ChatKit
@testable import TerminalKit
@testable import Transcription
@testable import chat

/// Recording, uploading and reading aloud as they look at the usual widths, and
/// that they fit every other.
final class VoiceViewTests: XCTestCase {
    /// A running upload, event by event, each with its time.
    private static let upload: [(String, Double, TranscriptionProgress)] = [
        ("looking for pauses", 0, .preparing(done: 750, of: 2_400)),
        ("the first piece", 1, .piece(1, of: 3, wasDone: true)),
        ("the second", 1, .piece(2, of: 3, wasDone: false)),
        ("its first bytes", 1.2, .sent(bytes: 65_536, of: 9_600_000)),
        ("going on", 3.2, .sent(bytes: 2_400_000, of: 9_600_000)),
        (
            "a bad answer", 4,
            .retrying(reason: TranscriptionError(reason: .serverFailure), after: 4, attempt: 1)
        ),
        ("again", 8, .sent(bytes: 4_800_000, of: 9_600_000)),
        ("all of it", 10, .sent(bytes: 9_600_000, of: 9_600_000)),
        ("waiting", 10, .waiting),
        ("words", 12, .text("And so my fellow Americans, ask not what your country ")),
        (
            "more of them", 13,
            .text(
                "can do for you \u{1B}[2J ask what you can do for your country. "
                    + "日本語の勉強を毎日続けるための計画を立てる。 Thank you very much, all of you.")
        ),
        ("the third piece", 15, .piece(3, of: 3, wasDone: false)),
        ("half of it", 17, .sent(bytes: 2_000_000, of: 4_000_000)),
    ]

    private func recordings(_ glyphs: VoiceGlyphs) -> [(String, RecordingView)] {
        let quiet = RecordingView(cap: 3_600, glyphs: glyphs)
        return [
            ("at the start", quiet),
            ("speech", with(quiet) { ($0.elapsed, $0.loudness, $0.peak) = (12.9, -24, -14) }),
            (
                "too loud",
                with(quiet) {
                    ($0.elapsed, $0.loudness, $0.peak, $0.problem) = (754, -1, 0, .tooLoud)
                }
            ),
            ("muted", with(quiet) { ($0.elapsed, $0.problem) = (3, .muted) }),
            ("stalled", with(quiet) { $0.problem = .stalled }),
            (
                "near the cap",
                with(quiet) { ($0.elapsed, $0.loudness, $0.peak) = (3_555.5, -38, -31) }
            ),
            ("stopping", with(quiet) { ($0.elapsed, $0.isStopping) = (61, true) }),
        ]
    }

    private func with(
        _ view: RecordingView, _ change: (inout RecordingView) -> Void
    ) -> RecordingView {
        var view = view
        change(&view)
        return view
    }

    private func playbacks(_ glyphs: VoiceGlyphs) -> [(String, PlaybackView)] {
        let long =
            "In a hole in the ground there lived a hobbit: not a nasty, dirty, wet hole, filled "
            + "with the ends of worms and an oozy smell, nor yet a dry, bare, sandy hole."
        return [
            (
                "a short sentence",
                PlaybackView(sentence: "Good.", number: 3, count: 12, glyphs: glyphs)
            ),
            (
                "a long one, paused",
                PlaybackView(
                    sentence: long, number: 12, count: 12, isPaused: true, glyphs: glyphs)
            ),
            (
                "while the sound device wakes",
                PlaybackView(
                    sentence: "Good.", number: 1, count: 12, isWaking: true, glyphs: glyphs)
            ),
            (
                "while it is still written",
                PlaybackView(sentence: "日本語 \u{1B}]0;x\u{7}", number: 1, glyphs: glyphs)
            ),
        ]
    }

    private func picture(_ columns: Int, _ style: Style) -> String {
        let glyphs = VoiceGlyphs(usesUnicode: style.usesUnicode)
        var text = ""
        func add(_ name: String, _ lines: [StyledLine]) {
            text += "-- \(name)\n"
            for line in lines {
                let shown = style.text(line)
                XCTAssertLessThan(DisplayWidth.of(shown), columns, shown)
                text += shown + "\n"
            }
        }
        for (name, view) in recordings(glyphs) { add(name, view.lines(columns: columns)) }
        for (name, view) in playbacks(glyphs) { add(name, view.lines(columns: columns)) }
        var meter = TranscriptionMeter(title: "interview with the mayor.m4a")
        for (name, time, event) in Self.upload {
            meter.take(event, at: time)
            let view = ProgressView(progress: meter.progress(at: time + 0.5), glyphs: glyphs)
            add(name, view.lines(columns: columns))
            add("in the shell", [StyledLine(view.line(columns: columns))])
        }
        return text
    }

    func testTheViewsAtTwoWidthsInUnicodeAndASCII() throws {
        var text = ""
        for columns in [80, 40] {
            for usesUnicode in [true, false] {
                text += "== \(columns) columns, \(usesUnicode ? "Unicode" : "ASCII")\n"
                text += picture(columns, Style(usesColor: false, usesUnicode: usesUnicode))
            }
        }
        try GoldenFile.check(text, "voice-views.txt")
    }

    func testEveryWidthFromTwentyColumnsIsKept() {
        for columns in Array(20...32) + stride(from: 33, through: 130, by: 9) {
            for usesUnicode in [true, false] {
                _ = picture(columns, Style(usesColor: false, usesUnicode: usesUnicode))
            }
        }
    }

    func testNumbersStayInTheirPlacesWhileTheyGrow() {
        let glyphs = VoiceGlyphs(usesUnicode: true)
        var widths: Set<Int> = []
        for elapsed in stride(from: 0.0, through: 3_599, by: 7) {
            let view = RecordingView(elapsed: elapsed, cap: 3_600, glyphs: glyphs)
            let lines = view.lines(columns: 80)
            XCTAssertEqual(lines.count, 3)
            widths.insert(DisplayWidth.of(lines[0].text))
        }
        XCTAssertEqual(widths.count, 1)
        var meter = TranscriptionMeter(title: "x.wav")
        var percentEnds: Set<Int> = []
        for bytes in stride(from: 0, through: 20_000_000, by: 250_000) {
            let now = Double(bytes) / 1e6
            meter.take(.sent(bytes: bytes, of: 20_000_000), at: now)
            let view = ProgressView(progress: meter.progress(at: now), glyphs: glyphs)
            let bar = view.lines(columns: 80)[1]
            percentEnds.insert(DisplayWidth.of(bar.text))
        }
        XCTAssertEqual(percentEnds.count, 1)
    }
}
