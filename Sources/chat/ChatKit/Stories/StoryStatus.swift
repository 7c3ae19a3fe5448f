import Base
import Stories
import TerminalKit

/// The status line of a story playing in the background. Pure; changes only with its
/// contents.
package struct StoryStatus: Sendable, Equatable {
    private var title: String
    private var speaker: String
    private var pause: String?
    private var percent: Int
    private var minutes: Int

    /// Nil for a story that has ended.
    package init?(_ state: StoryPlayer.State?) {
        guard let state, state.phase != .ended else { return nil }
        title = HostileText.line(state.title)
        speaker = state.segment > 0 ? HostileText.line(state.speakerName) : ""
        if case .paused(let why) = state.phase { pause = "paused" + why.text }
        percent = Int(state.fraction * 100)
        minutes = Int((state.secondsLeft / 60).rounded(.up))
    }

    /// `  ▶ Alice in Wonderland · Alice · 23 % · 73 min left · /pause /stop /play`
    package func line(columns: Int, _ glyphs: VoiceGlyphs) -> StyledLine {
        let width = max(10, columns - 1)
        let dot = glyphs.dot
        let left = minutes > 0 ? "\(dot)\(minutes) min left" : ""
        let ways: [String]
        if let pause {
            ways = [
                "\(dot)\(pause)\(dot)/play resumes\(dot)/stop", "\(dot)\(pause)\(dot)/play",
                "\(dot)paused\(dot)/play", "\(dot)paused", "",
            ]
        } else {
            let name = speaker.isEmpty ? "" : dot + glyphs.cut(speaker, to: 20)
            ways = [
                "\(name)\(dot)\(percent) %\(left)\(dot)/pause\(dot)/stop",
                "\(name)\(dot)\(percent) %\(left)\(dot)/pause", "\(name)\(dot)\(percent) %",
                "\(dot)\(percent) %", "",
            ]
        }
        // The title keeps at least a third of the width if it needs that.
        let least = min(DisplayWidth.of(title), max(8, width / 3))
        let facts = ways.first { DisplayWidth.of($0) + least + 4 <= width } ?? ""
        let shown = glyphs.cut(title, to: max(1, width - 4 - DisplayWidth.of(facts)))
        return StyledLine([
            .init("  "), .init(pause == nil ? glyphs.playing : glyphs.paused, .accent),
            .init(" " + shown + facts, .dim),
        ])
    }
}
