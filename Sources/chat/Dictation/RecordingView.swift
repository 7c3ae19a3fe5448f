import Base
import ChatKit
import TerminalKit

/// The display of a recording in progress. Pure; every line fits the width, and numbers
/// keep their columns.
///
/// ```
///   ● Recording    0:12   ██████████▌·······│··········
///   no sound is coming in: is the microphone muted?
///   Enter stops · Esc cancels
/// ```
struct RecordingView: PanelScreen, Equatable {
    enum Effect: Sendable { case stop, cancel }

    enum Problem: Sendable, Equatable {
        /// The recorder sends nothing.
        case stalled
        case muted
        /// Sound without speech.
        case quiet
        case tooLoud
    }

    /// Seconds of sound.
    var elapsed = 0.0
    /// The loudness in dB relative to full scale: 0 … −96.
    var loudness = -96.0
    var peak = -96.0
    var problem: Problem?
    /// Seconds after which it ends by itself.
    var cap: Double
    /// Whether the recorder was asked to end and is delivering the rest.
    var isStopping = false
    var glyphs: VoiceGlyphs

    /// Remaining seconds from which a countdown is shown.
    private static let nearCap = 60.0
    /// Lower end of the meter's scale; a quiet room is below it.
    private static let floor = -60.0

    mutating func take(_ key: PanelKey, on size: ScreenSize) -> Effect? {
        switch key {
        case .enter, .character(" "):
            isStopping = true
            return .stop
        case .escape, .interrupt: return .cancel
        default: return nil
        }
    }

    func lines(on size: ScreenSize) -> [StyledLine] { lines(columns: size.columns) }

    func lines(columns: Int) -> [StyledLine] {
        let width = max(18, columns - 1)
        return [meter(width), note(width), keys(width)]
    }

    private func meter(_ width: Int) -> StyledLine {
        let clock = DisplayWidth.padLeft(
            VoiceGlyphs.clock(elapsed), to: max(5, VoiceGlyphs.clock(cap).count))
        let word = width >= 38 ? "Recording " : ""
        let used = 4 + word.count + clock.count + 2
        let columns = min(48, width - used)
        var spans = [
            StyledLine.Span("  "), StyledLine.Span(glyphs.recording, .failure),
            StyledLine.Span(" "), StyledLine.Span(word, .bold), StyledLine.Span(clock),
            StyledLine.Span("  "),
        ]
        let cells = glyphs.meter(
            Self.scale(loudness), peak: Self.scale(peak), columns: columns)
        // Green up to three quarters, the range of normal speech.
        let bounds = [0, columns * 3 / 4, columns * 19 / 20, columns]
        let styles: [StyledLine.Style] = [.success, .warning, .failure]
        for (index, style) in styles.enumerated() {
            let part = cells[bounds[index]..<max(bounds[index], bounds[index + 1])]
            // The part of the bar that is not reached is dimmed.
            let reached = part.prefix { $0 != "·" && $0 != "." }
            spans.append(StyledLine.Span(String(reached), style))
            spans.append(StyledLine.Span(String(part.dropFirst(reached.count)), .dim))
        }
        return StyledLine(spans.filter { !$0.text.isEmpty })
    }

    private static func scale(_ decibels: Double) -> Double {
        decibels.isFinite ? min(1, max(0, 1 - decibels / floor)) : 0
    }

    /// Always present, so that nothing below it moves.
    private func note(_ width: Int) -> StyledLine {
        let left = cap - elapsed
        if isStopping { return StyledLine("  stopping", .dim) }
        let forms: [String]
        switch problem {
        case .stalled:
            forms = ["no sound is coming in: the recorder sends nothing", "no sound coming in"]
        case .muted:
            forms = ["no sound is coming in: is the microphone muted?", "no sound: muted?"]
        case .tooLoud where left > Self.nearCap:
            forms = ["too loud: move away from the microphone", "too loud"]
        case .quiet where left > Self.nearCap: forms = ["no speech heard", "silence"]
        default:
            guard left <= Self.nearCap else { return StyledLine("") }
            let clock = VoiceGlyphs.clock(max(0, left).rounded(.up))
            forms = ["stops by itself in \(clock)", "stops in \(clock)"]
        }
        return StyledLine("  " + VoiceGlyphs.fitting(forms, width - 2), .warning)
    }

    private func keys(_ width: Int) -> StyledLine {
        let dot = glyphs.dot
        return StyledLine(
            "  "
                + VoiceGlyphs.fitting(
                    [
                        "Enter stops\(dot)Esc cancels and keeps nothing",
                        "Enter stops\(dot)Esc cancels", "Enter\(dot)Esc",
                    ], width - 2), .dim)
    }
}
