import Base
import Persistence
import Stories
import XCTest

@testable import ChatKit

/// The line that says what plays behind the prompt.
final class StoryStatusTests: XCTestCase {
    private let glyphs = VoiceGlyphs(usesUnicode: true)

    private func state(_ phase: StoryPlayer.State.Phase) -> StoryPlayer.State {
        var state = StoryPlayer.State(
            phase: phase, item: ItemID(rawValue: 1), title: "Alice’s Adventures in Wonderland")
        (state.segment, state.segments) = (11, 240)
        (state.speaker, state.isNarrator) = ("White Rabbit", false)
        (state.fraction, state.secondsLeft) = (0.234, 4_360)
        return state
    }

    private func line(_ phase: StoryPlayer.State.Phase, _ columns: Int) throws -> String {
        let status = try XCTUnwrap(StoryStatus(state(phase)))
        return status.line(columns: columns, glyphs).text
    }

    func testItSaysWhoIsHeardHowFarItIsAndHowToStopIt() throws {
        XCTAssertEqual(
            try line(.playing, 100),
            "  ▶ Alice’s Adventures in Wonderland · White Rabbit · 23 % · 73 min left · /pause · /stop"
        )
        XCTAssertEqual(
            try line(.playing, 80),
            "  ▶ Alice’s Adventures in Wonderl… · White Rabbit · 23 % · 73 min left · /pause")
        XCTAssertEqual(
            try line(.playing, 40), "  ▶ Alice’s Adve… · White Rabbit · 23 %")
    }

    func testItSaysWhyItIsSilentAndHowItGoesOn() throws {
        XCTAssertEqual(
            try line(.paused(.user), 80),
            "  ⏸ Alice’s Adventures in Wonderland · paused · /play resumes · /stop")
        XCTAssertEqual(
            try line(.paused(.speech), 100),
            "  ⏸ Alice’s Adventures in Wonderland"
                + " · paused for something else that is read aloud · /play")
        XCTAssertEqual(
            try line(.paused(.alert), 40), "  ⏸ Alice’s Adventure… · paused · /play")
    }

    func testItFitsEveryWindowAndShowsNoSequence() throws {
        for columns in 12...120 {
            for phase: StoryPlayer.State.Phase in [
                .preparing, .waiting, .playing, .paused(.deviceGone),
            ] {
                XCTAssertLessThan(DisplayWidth.of(try line(phase, columns)), columns)
            }
        }
        var hostile = state(.playing)
        hostile.title = "\u{1B}[2Jx"
        let text = StoryStatus(hostile)?.line(columns: 80, glyphs).text ?? ""
        XCTAssertFalse(text.contains("\u{1B}"))
    }

    func testNothingIsSaidOfWhatHasEnded() {
        XCTAssertNil(StoryStatus(nil))
        XCTAssertNil(StoryStatus(state(.ended)))
    }

    func testItChangesOnlyWithWhatItShows() {
        var later = state(.playing)
        later.fraction += 0.001
        later.secondsLeft -= 1
        later.line = 3..<9
        XCTAssertEqual(StoryStatus(state(.playing)), StoryStatus(later))
        later.fraction += 0.01
        XCTAssertNotEqual(StoryStatus(state(.playing)), StoryStatus(later))
    }
}
