import Base
import Persistence
import Sound
import Stories
import StoryKit
import TerminalKit
import TestSupport
import XCTest

@testable import ChatKit

/// What a story that plays looks like, in wide, narrow and low windows.
final class StoryPlayViewTests: XCTestCase {
    private static let passages = [
        StoryPlayView.Passage(
            sentences: [
                "Alice was not a bit hurt, and she jumped up on to her feet in a moment.",
                "She looked up, but it was all dark overhead.",
            ], isOver: true),
        StoryPlayView.Passage(
            speaker: "The White Rabbit", party: 1, sentences: ["“Oh my ears and whiskers!"],
            isOver: true),
        StoryPlayView.Passage(sentences: ["cried the Rabbit."], isOver: true),
        StoryPlayView.Passage(
            speaker: "Alice", party: 0,
            sentences: [
                "“Curiouser and curiouser!",
                "Now I’m opening out like the largest telescope that ever was!",
                "Good-bye, feet!”",
            ], current: 1),
        StoryPlayView.Passage(
            sentences: ["(for when she looked down at her feet, they seemed to be far off)."]),
        StoryPlayView.Passage(
            speaker: "アリス", party: 9, sentences: ["「まあ、なんてことでしょう」と言いました。"]),
        StoryPlayView.Passage(
            speaker: "Unknown", sentences: [String(repeating: "Donaudampfschiff", count: 9)]),
    ]

    private func view(
        _ phase: StoryPlayer.State.Phase = .playing, usesUnicode: Bool = true
    ) -> StoryPlayView {
        var state = StoryPlayer.State(
            phase: phase, item: ItemID(rawValue: 3), title: "Alice’s Adventures in Wonderland")
        (state.segment, state.segments) = (11, 1_240)
        (state.speaker, state.isNarrator, state.tier) = ("Alice", false, .guess)
        state.chapter = .init(number: 2, count: 12, title: "The Pool of Tears")
        (state.fraction, state.secondsLeft) = (0.234, 4_360)
        var view = StoryPlayView(state: state, glyphs: VoiceGlyphs(usesUnicode: usesUnicode))
        view.passages = Self.passages
        view.keys.hasBackground = true
        return view
    }

    private func views(_ usesUnicode: Bool) -> [(String, StoryPlayView)] {
        func changed(_ change: (inout StoryPlayView) -> Void) -> StoryPlayView {
            var view = view(usesUnicode: usesUnicode)
            change(&view)
            return view
        }
        return [
            ("playing", changed { _ in }),
            (
                "paused for an alert, faster",
                changed {
                    $0.state.phase = .paused(.alert)
                    $0.state.rate = 1.2
                }
            ),
            (
                "the device is gone",
                changed {
                    $0.state.phase = .paused(.deviceGone)
                    $0.state.problems = ["aplay ended (status 1): no such device."]
                }
            ),
            (
                "looking for a place",
                changed { for key in "g40%" { _ = $0.keys.take(.character(key)) } }
            ),
            (
                "who says it",
                changed {
                    $0.keys.offer(
                        .speaker, title: "Who says it?",
                        ["Alice", "The White Rabbit", "Queen of Hearts", "Hatter"].map {
                            (label: $0, detail: $0 == "Hatter" ? "the Mad Hatter" : "")
                        }, at: 0)
                    _ = $0.keys.take(.character("r"))
                }
            ),
            ("the keys", changed { _ = $0.keys.take(.character("?")) }),
            ("kept", changed { $0.note = StyledLine("✓ bookmark 2", .success) }),
        ]
    }

    private func picture(_ size: ScreenSize, _ usesUnicode: Bool) -> String {
        let style = Style(usesColor: false, usesUnicode: usesUnicode)
        var text = ""
        for (name, view) in views(usesUnicode) {
            text += "-- \(name)\n"
            let lines = view.lines(on: size)
            XCTAssertLessThan(lines.count, size.rows, name)
            for line in lines {
                let shown = style.text(line)
                XCTAssertLessThan(DisplayWidth.of(shown), size.columns, shown)
                text += String(shown.reversed().drop { $0 == " " }.reversed()) + "\n"
            }
        }
        return text
    }

    func testTheScreenAt80By24AndAt40By12() throws {
        var text = ""
        for (size, usesUnicode) in [
            (ScreenSize(columns: 80, rows: 24), true), (ScreenSize(columns: 40, rows: 12), true),
            (ScreenSize(columns: 80, rows: 24), false),
        ] {
            text += "== \(size.columns) by \(size.rows), \(usesUnicode ? "Unicode" : "ASCII")\n"
            text += picture(size, usesUnicode)
        }
        try GoldenFile.check(text, "story-play.txt")
    }

    func testEveryWindowIsKept() {
        for columns in stride(from: 40, through: 140, by: 4) {
            for rows in [8, 11, 14, 24, 60] {
                _ = picture(ScreenSize(columns: columns, rows: rows), columns % 2 == 0)
            }
        }
    }

    func testWhatTakesLongBeforeItBeginsIsSaid() {
        var state = StoryPlayer.State(
            phase: .preparing, item: ItemID(rawValue: 3), title: "The Tide")
        var view = StoryPlayView(state: state, glyphs: VoiceGlyphs(usesUnicode: true))
        func said() -> [String] {
            view.lines(on: ScreenSize(columns: 40, rows: 12)).map(\.text)
        }
        XCTAssertTrue(said().contains("  Finding out who speaks …"), "\(said())")
        state.trial = VoiceTrial(done: 34, count: 102)
        view.state = state
        XCTAssertTrue(said().contains("  Trying voices 34/102 …"), "\(said())")
    }

    func testTheSentenceThatIsHeardIsSeenAndMarkedInEveryWindow() throws {
        for (columns, rows) in [(80, 24), (40, 12)] {
            let lines = view().lines(on: ScreenSize(columns: columns, rows: rows))
            let row = try XCTUnwrap(lines.first { $0.text.contains("▸") }, "\(columns)")
            XCTAssertTrue(row.text.contains("Now I’m"), row.text)
            XCTAssertTrue(
                row.spans.contains { $0.style == .bold && $0.text.hasPrefix("Now") }, "\(row)")
        }
    }

    func testEachOfTheCastHasAColourAndTheNarratorNone() throws {
        let style = Style(usesColor: true, usesUnicode: true)
        let shown = view().lines(on: ScreenSize(columns: 80, rows: 24)).map(style.text)
        let alice = try XCTUnwrap(shown.first { $0.contains("Alice  ") })
        let rabbit = try XCTUnwrap(shown.first { $0.contains("The White") })
        XCTAssertTrue(alice.contains("\u{1B}[38;5;67mAlice"), alice.debugDescription)
        XCTAssertTrue(rabbit.contains("\u{1B}[38;5;131mThe White"), rabbit.debugDescription)
    }

    func testHostileTextIsShownAndDoesNothing() {
        var view = view()
        view.state.title = "A\u{1B}]0;x\u{07}\u{202E}b"
        view.passages = [
            StoryPlayView.Passage(
                speaker: "\u{1B}[2JEve", party: 0, sentences: ["\u{1B}[31mred\r\nx\u{9B}1A"],
                current: 0)
        ]
        view.note = StyledLine("“\u{1B}c” was not found.", .warning)
        view.state.speaker = "\u{1B}[2JEve"
        for line in view.lines(on: ScreenSize(columns: 80, rows: 24)) {
            let shown = Style(usesColor: false, usesUnicode: true).text(line)
            XCTAssertFalse(
                shown.unicodeScalars.contains {
                    $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
                },
                shown.debugDescription)
            XCTAssertFalse(shown.contains("\u{202E}"))
        }
    }
}
