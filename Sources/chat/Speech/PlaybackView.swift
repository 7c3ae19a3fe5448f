import Base
import ChatKit
import TerminalKit

/// The display of reading aloud. Pure; every line fits the width.
///
/// ```
///   ▶ Reading   3 of 12
///     The sentence that is heard now, on two rows at most.
///
///   Space pauses · ← → sentence · Esc stops
/// ```
struct PlaybackView: PanelScreen, Equatable {
    enum Effect: Sendable {
        case togglePause
        case skip(Int)
        case stop, interrupt
    }

    /// The current sentence: untrusted text. Empty before the first.
    var sentence = ""
    /// Counted from 1.
    var number = 1
    /// Nil while more sentences may arrive.
    var count: Int?
    var isPaused = false
    /// Whether the sound device is still starting.
    var isWaking = false
    var glyphs: VoiceGlyphs

    private static let rows = 2

    func take(_ key: PanelKey, on size: ScreenSize) -> Effect? {
        switch key {
        case .character(" "), .enter: .togglePause
        case .right, .down, .character("n"): .skip(1)
        case .left, .up, .character("p"): .skip(-1)
        case .escape, .character("q"): .stop
        case .interrupt: .interrupt
        default: nil
        }
    }

    func lines(on size: ScreenSize) -> [StyledLine] {
        sentence.isEmpty ? [] : lines(columns: size.columns)
    }

    func lines(columns: Int) -> [StyledLine] {
        let width = max(18, columns - 1)
        return [heading(width)] + text(width) + [keys(width)]
    }

    private func heading(_ width: Int) -> StyledLine {
        let word = isPaused ? " Paused   " : " Reading  "
        let digits = count.map { "\($0)".count } ?? 1
        let place = DisplayWidth.padLeft("\(number)", to: digits)
        return StyledLine([
            StyledLine.Span("  "),
            StyledLine.Span(isPaused ? glyphs.paused : glyphs.playing, .accent),
            StyledLine.Span(width >= 30 ? word : " ", .bold),
            StyledLine.Span(place + (count.map { " of \($0)" } ?? "")),
            StyledLine.Span(isWaking ? waking(width) : "", .dim),
        ])
    }

    private func waking(_ width: Int) -> String {
        let note = glyphs.dot + "waiting for the sound device"
        return width >= 60 ? note : width >= 30 ? glyphs.dot + "waking" : ""
    }

    /// Always the same number of rows, so that nothing below them moves.
    private func text(_ width: Int) -> [StyledLine] {
        let all = WordWrap.texts(HostileText.line(sentence), width: width - 4)
        var rows = Array(all.prefix(Self.rows))
        if all.count > rows.count, let last = rows.popLast() {
            rows.append(glyphs.cut(last + " " + all[Self.rows], to: width - 4))
        }
        while rows.count < Self.rows { rows.append("") }
        return rows.map { StyledLine($0.isEmpty ? "" : "    " + $0) }
    }

    private func keys(_ width: Int) -> StyledLine {
        let dot = glyphs.dot
        let space = isPaused ? "Space resumes" : "Space pauses"
        let arrows = glyphs.usesUnicode ? "← →" : "Left/Right"
        return StyledLine(
            "  "
                + VoiceGlyphs.fitting(
                    [
                        "\(space)\(dot)\(arrows) sentence\(dot)Esc stops",
                        "\(space)\(dot)\(arrows)\(dot)Esc", "\(space)\(dot)Esc", "Esc stops",
                    ], width - 2), .dim)
    }
}
