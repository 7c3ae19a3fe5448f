import Base

/// The symbols of the voice views, in Unicode and in ASCII, and the bars made of them.
/// Pure; every text has exactly the requested number of columns.
package struct VoiceGlyphs: Sendable, Equatable {
    package let usesUnicode: Bool

    package init(usesUnicode: Bool) {
        self.usesUnicode = usesUnicode
    }

    package var recording: String { usesUnicode ? "●" : "*" }
    package var playing: String { usesUnicode ? "▶" : ">" }
    package var paused: String { usesUnicode ? "⏸" : "=" }
    package var dot: String { usesUnicode ? " · " : " - " }

    /// A progress bar in two parts: done and remaining.
    func bar(_ fraction: Double, columns: Int) -> (done: String, rest: String) {
        let columns = max(0, columns)
        let bounded = Self.bounded(fraction)
        // Never full before the end, never empty after the beginning.
        var full = Int(bounded * Double(columns))
        if bounded > 0, full == 0 { full = min(1, columns) }
        return (
            String(repeating: usesUnicode ? "━" : "#", count: full),
            String(repeating: usesUnicode ? "─" : ".", count: columns - full)
        )
    }

    /// A level in eighths of a column, with a mark at the recent peak.
    package func meter(_ level: Double, peak: Double, columns: Int) -> [Character] {
        guard columns > 0 else { return [] }
        let eighths = Int((Self.bounded(level) * Double(columns * 8)).rounded())
        let marked = min(columns - 1, Int(Self.bounded(peak) * Double(columns)))
        return (0..<columns).map { column in
            let filled = min(8, max(0, eighths - column * 8))
            if filled == 8 { return usesUnicode ? "█" : "#" }
            if column == marked, peak > 0 { return usesUnicode ? "│" : "|" }
            if filled == 0 { return usesUnicode ? "·" : "." }
            // Seven partial blocks; `filled` is 1…7 here.
            return usesUnicode ? Self.parts[filled - 1] : filled >= 4 ? "#" : "."
        }
    }

    private static let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    private static func bounded(_ fraction: Double) -> Double {
        fraction.isFinite ? min(1, max(0, fraction)) : 0
    }

    /// The text, cut with an ellipsis that the terminal can show.
    package func cut(_ text: String, to columns: Int) -> String {
        guard DisplayWidth.of(text) > columns else { return text }
        if usesUnicode { return DisplayWidth.cut(text, to: columns) }
        guard columns > 3 else { return String(DisplayWidth.cut(text, to: columns).dropLast()) }
        return DisplayWidth.cut(text, to: columns - 2).dropLast() + "..."
    }

    /// `0:05`, `12:30`, `1:02:05`.
    package static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e8 else { return "?" }
        let whole = Int(seconds)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
        return hours > 0
            ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
    }

    /// The first form that fits.
    package static func fitting(_ forms: [String], _ columns: Int) -> String {
        forms.first { DisplayWidth.of($0) <= columns } ?? ""
    }
}
