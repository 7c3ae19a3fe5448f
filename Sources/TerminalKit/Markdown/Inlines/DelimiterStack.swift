/// The runs of `*`, `_` and `~` of a text, and their pairing: the procedure "process
/// emphasis" of the specification's appendix.
struct DelimiterStack {
    struct Run {
        let piece: Int
        let mark: UInt8
        let length: Int
        let canOpen: Bool
        let canClose: Bool
        /// Number of its marks that are still text.
        var count: Int
        var previous: Int
        var next: Int
        var opens: [InlineText.Style] = []
        var closes: [InlineText.Style] = []
    }

    private(set) var runs: [Run] = []
    private var last = -1

    var isEmpty: Bool { runs.isEmpty }
    var count: Int { runs.count }

    /// Whether a run waits for its closing one.
    var hasOpener: Bool {
        var index = last
        while index >= 0 {
            if runs[index].canOpen { return true }
            index = runs[index].previous
        }
        return false
    }

    mutating func push(piece: Int, mark: UInt8, count: Int, canOpen: Bool, canClose: Bool) {
        if last >= 0 { runs[last].next = runs.count }
        runs.append(
            Run(
                piece: piece, mark: mark, length: count, canOpen: canOpen, canClose: canClose,
                count: count, previous: last, next: -1))
        last = runs.count - 1
    }

    /// Pairs the runs pushed after `bottom`.
    mutating func match(above bottom: Int) {
        // Below these there are no openers left for such a closer; this keeps the procedure linear.
        var floors = [Int](repeating: bottom, count: 18)
        var closer = firstLinked(above: bottom)
        while closer >= 0 {
            let run = runs[closer]
            guard run.canClose else {
                closer = run.next
                continue
            }
            let kind = run.mark == UInt8(ascii: "*") ? 0 : run.mark == UInt8(ascii: "_") ? 1 : 2
            let floor = kind * 6 + run.length % 3 * 2 + (run.canOpen ? 1 : 0)
            var opener = run.previous
            while opener > floors[floor], !fits(runs[opener], run) {
                opener = runs[opener].previous
            }
            if opener > floors[floor] {
                closer = kind == 2 ? strike(opener, closer) : pair(opener, closer)
            } else {
                floors[floor] = run.previous
                if !run.canOpen { unlink(closer) }
                closer = run.next
            }
        }
    }

    /// Drops the runs pushed after `bottom`, so that their marks are text.
    mutating func drop(above bottom: Int) {
        while last > bottom { unlink(last) }
    }

    /// Treats open runs as closed at the end; returns the styles to close there.
    mutating func takeOpeners() -> [InlineText.Style] {
        var closes: [InlineText.Style] = []
        var index = last
        while index >= 0 {
            if runs[index].canOpen {
                var styles: [InlineText.Style]
                if runs[index].mark == UInt8(ascii: "~") {
                    styles = runs[index].count == 2 ? [.strike] : []
                } else {
                    styles = Array(repeating: .strong, count: min(1, runs[index].count / 2))
                    if runs[index].count % 2 == 1 { styles.append(.emphasis) }
                }
                if !styles.isEmpty { runs[index].count = 0 }
                runs[index].opens += styles
                closes += styles
            }
            index = runs[index].previous
        }
        return closes
    }

    private func firstLinked(above bottom: Int) -> Int {
        var index = last
        var first = -1
        while index > bottom {
            first = index
            index = runs[index].previous
        }
        return first
    }

    /// The rule of three: a run that can both open and close is paired only if the lengths allow
    /// it.
    private func fits(_ opener: Run, _ closer: Run) -> Bool {
        guard opener.canOpen, opener.mark == closer.mark else { return false }
        guard closer.canOpen || opener.canClose else { return true }
        return closer.length % 3 == 0 || (opener.length + closer.length) % 3 != 0
    }

    private mutating func pair(_ opener: Int, _ closer: Int) -> Int {
        unlinkBetween(opener, closer)
        let isStrong = runs[opener].count >= 2 && runs[closer].count >= 2
        let style = isStrong ? InlineText.Style.strong : .emphasis
        let used = isStrong ? 2 : 1
        runs[opener].opens.append(style)
        runs[closer].closes.append(style)
        runs[opener].count -= used
        runs[closer].count -= used
        let next = runs[closer].next
        if runs[opener].count == 0 { unlink(opener) }
        guard runs[closer].count == 0 else { return closer }
        unlink(closer)
        return next
    }

    /// Runs of different lengths are not paired, and no others may be paired across them.
    private mutating func strike(_ opener: Int, _ closer: Int) -> Int {
        unlinkBetween(opener, closer)
        if runs[opener].length == runs[closer].length {
            runs[opener].opens.append(.strike)
            runs[closer].closes.append(.strike)
            runs[opener].count = 0
            runs[closer].count = 0
        }
        let next = runs[closer].next
        unlink(opener)
        unlink(closer)
        return next
    }

    private mutating func unlinkBetween(_ opener: Int, _ closer: Int) {
        runs[opener].next = closer
        runs[closer].previous = opener
    }

    private mutating func unlink(_ index: Int) {
        let (previous, next) = (runs[index].previous, runs[index].next)
        if previous >= 0 { runs[previous].next = next }
        if next >= 0 { runs[next].previous = previous } else if last == index { last = previous }
    }
}
