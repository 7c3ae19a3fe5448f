/// Detects the quotation style of a text.
extension QuoteFinder {
    /// The most common quotation style of the text, by counting unambiguous marks.
    func style() -> QuoteStyle {
        if ScriptReader(bytes, paragraphs).isScript { return .script }
        var counts: [QuoteStyle: Int] = [:]
        for mark in marks {
            switch mark.shape {
            case .leftDouble where mark.after != .space: counts[.doubleCurly, default: 0] += 2
            case .straightDouble: counts[.doubleStraight, default: 0] += 1
            // An apostrophe never follows a period or comma.
            case .rightSingle where mark.followsStop: counts[.singleCurly, default: 0] += 2
            case .straightSingle where mark.followsStop && mark.before == .stop:
                counts[.singleStraight, default: 0] += 2
            // French puts spaces inside guillemets, German does not.
            case .leftGuillemet:
                let opens = mark.before == .space || mark.after == .letter
                counts[opens ? .guillemets : .reversedGuillemets, default: 0] += 2
            case .rightGuillemet:
                if mark.after == .letter, mark.before != .letter, mark.before != .stop {
                    counts[.reversedGuillemets, default: 0] += 1
                }
            case .lowDouble: counts[.lowHigh, default: 0] += 3
            default: break
            }
        }
        var mark = marks.startIndex
        for paragraph in paragraphs {
            while mark < marks.endIndex, marks[mark].range.lowerBound < paragraph.lowerBound {
                mark += 1
            }
            if mark < marks.endIndex, marks[mark].shape == .dash,
                marks[mark].range.lowerBound == paragraph.lowerBound,
                marks[mark].range.count > 1, marks[mark].after != .stop,
                paragraph.count > marks[mark].range.count + 2
            {
                counts[.dash, default: 0] += 2
            }
        }
        // The order of the cases breaks ties.
        let best = QuoteStyle.allCases.filter { counts[$0, default: 0] > 0 }
            .max { counts[$0, default: 0] < counts[$1, default: 0] }
        return best ?? .none
    }
}
