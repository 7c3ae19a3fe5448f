/// Finds the quotations in a text by their marks.
///
/// A quotation never extends beyond its paragraph: one that is left open continues if the
/// next paragraph opens again, and ends with its own paragraph in any case. A missing mark
/// therefore costs at most one paragraph.
struct QuoteFinder {
    let bytes: [UInt8]
    let paragraphs: [Range<Int>]
    let marks: [QuoteMark]

    /// The quotations in order; they do not overlap.
    func quotations(_ style: QuoteStyle) -> [StorySpan] {
        if style.family == .script { return ScriptReader(bytes, paragraphs).speeches() }
        if style.family == .none { return [] }
        var found: [StorySpan] = []
        var wasOpen = false
        var mark = 0
        for (index, paragraph) in paragraphs.enumerated() {
            while mark < marks.count, marks[mark].range.lowerBound < paragraph.lowerBound {
                mark += 1
            }
            let first = mark
            while mark < marks.count, marks[mark].range.upperBound <= paragraph.upperBound {
                mark += 1
            }
            let own = marks[first..<mark]
            var quotes: [Range<Int>]
            let isOpen: Bool
            switch style.family {
            case .single: (quotes, isOpen) = single(own, in: paragraph)
            case .dash:
                (quotes, isOpen) = (dashed(own, in: paragraph), false)
                // French opens a conversation with «, and continues it with dashes.
                if quotes.isEmpty { (quotes, _) = paired(own, .guillemets, in: paragraph) }
            default: (quotes, isOpen) = paired(own, style.family, in: paragraph)
            }
            if quotes.isEmpty, style.family == .guillemets || style.family == .low {
                quotes = dashed(own, in: paragraph)
            }
            for (number, range) in quotes.enumerated() {
                found.append(
                    StorySpan(
                        range: range, kind: .quotation, paragraph: index,
                        continues: number == 0 && wasOpen
                            && range.lowerBound == paragraph.lowerBound))
            }
            wasOpen = isOpen
        }
        return found
    }

    // MARK: - Marks in pairs

    private enum Role { case opens, closes, either, neither }

    private func role(_ mark: QuoteMark, _ family: QuoteStyle.Family) -> Role {
        switch (family, mark.shape) {
        case (.double, .leftDouble), (.guillemets, .leftGuillemet),
            (.reversed, .rightGuillemet), (.low, .lowDouble):
            return .opens
        // “ closes if „ opened, and ” otherwise.
        case (.double, .rightDouble), (.guillemets, .rightGuillemet),
            (.reversed, .leftGuillemet), (.low, .leftDouble), (.low, .rightDouble):
            return .closes
        case (.double, .straightDouble), (.low, .straightDouble):
            return mark.looksOpening ? .opens : mark.looksClosing ? .closes : .either
        default: return .neither
        }
    }

    private func paired(
        _ marks: ArraySlice<QuoteMark>, _ family: QuoteStyle.Family, in paragraph: Range<Int>
    ) -> (quotes: [Range<Int>], isOpen: Bool) {
        var quotes: [Range<Int>] = []
        var start: Int?
        var depth = 0
        let own = marks.filter { role($0, family) != .neither }
        for (index, mark) in own.enumerated() {
            var role = role(mark, family)
            if role == .either { role = start == nil ? .opens : .closes }
            if role == .opens {
                guard let opened = start else {
                    start = mark.range.lowerBound
                    continue
                }
                if nests(own[(index + 1)...], family) {
                    depth += 1
                } else {
                    // The previous quotation has no closing mark.
                    quotes.append(opened..<trimmed(mark.range.lowerBound, from: opened))
                    start = mark.range.lowerBound
                }
            } else if let opened = start {
                if depth > 0 {
                    depth -= 1
                } else {
                    quotes.append(opened..<mark.range.upperBound)
                    start = nil
                }
            }
        }
        if let opened = start { quotes.append(opened..<paragraph.upperBound) }
        return (quotes.filter { !$0.isEmpty }, start != nil)
    }

    /// Whether the next two marks of a family both close, so that the quotation just opened
    /// is nested.
    private func nests(_ marks: ArraySlice<QuoteMark>, _ family: QuoteStyle.Family) -> Bool {
        let next = marks.prefix(2)
        return next.count == 2 && next.allSatisfy { role($0, family) == .closes }
    }

    private func trimmed(_ end: Int, from start: Int) -> Int {
        var end = end
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        return end
    }

    // MARK: - Single marks, which also serve as apostrophes

    private func single(
        _ marks: ArraySlice<QuoteMark>, in paragraph: Range<Int>
    ) -> (quotes: [Range<Int>], isOpen: Bool) {
        let own = marks.filter {
            $0.shape == .leftSingle || $0.shape == .rightSingle || $0.shape == .straightSingle
        }
        var quotes: [Range<Int>] = []
        var start: Int?
        for (index, mark) in own.enumerated() {
            if let opened = start {
                if closes(mark, before: own[(index + 1)...]) {
                    quotes.append(opened..<mark.range.upperBound)
                    start = nil
                } else if mark.shape != .rightSingle, mark.before == .space || mark.before == .stop,
                    mark.shape == .leftSingle || mark.looksOpening,
                    mark.after == .letter, endsSentence(before: mark.range.lowerBound),
                    !isElision(mark)
                {
                    // The previous quotation has no closing mark.
                    quotes.append(opened..<trimmed(mark.range.lowerBound, from: opened))
                    start = mark.range.lowerBound
                }
            } else if opens(mark, before: own[(index + 1)...], in: paragraph) {
                start = mark.range.lowerBound
            }
        }
        if let opened = start { quotes.append(opened..<paragraph.upperBound) }
        return (quotes, start != nil)
    }

    private func opens(
        _ mark: QuoteMark, before rest: ArraySlice<QuoteMark>, in paragraph: Range<Int>
    ) -> Bool {
        guard mark.shape != .rightSingle, mark.after != .space, mark.before != .letter else {
            return false
        }
        if mark.shape == .leftSingle { return true }
        guard mark.looksOpening || mark.before == .stop else { return false }
        guard isElision(mark) else { return true }
        // "'Tis so," or a quotation that starts with "'Tis so": the closing mark decides.
        return mark.range.lowerBound == paragraph.lowerBound
            && rest.contains { $0.followsStop && $0.range.upperBound <= paragraph.upperBound }
    }

    private func closes(_ mark: QuoteMark, before rest: ArraySlice<QuoteMark>) -> Bool {
        guard mark.shape != .leftSingle, mark.after != .letter else { return false }
        if mark.followsStop { return true }
        if mark.before == .space { return false }
        // "the boys' books": an apostrophe, if a surer mark closes before the next opens.
        for next in rest {
            if next.shape == .leftSingle || (next.looksOpening && next.after == .letter) {
                return true
            }
            if next.followsStop { return false }
        }
        return true
    }

    private func endsSentence(before index: Int) -> Bool {
        var index = index - 1
        while index >= 0, bytes[index] <= 0x20 { index -= 1 }
        return index >= 0
            && [UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?")].contains(bytes[index])
    }

    /// Whether an elided word follows: 'tis, 'em.
    private func isElision(_ mark: QuoteMark) -> Bool {
        let start = mark.range.upperBound
        var end = start
        while end < bytes.count, bytes[end] | 0x20 >= UInt8(ascii: "a"),
            bytes[end] | 0x20 <= UInt8(ascii: "z")
        { end += 1 }
        guard end - start < 8 else { return false }
        let word = String(decoding: bytes[start..<end].map { $0 | 0x20 }, as: UTF8.self)
        return Self.elisions.contains(word)
    }

    private static let elisions: Set<String> = [
        "tis", "twas", "twere", "twill", "twould", "twixt", "em", "ee", "un", "cause", "cos",
        "til", "till", "bout", "nuff", "ere", "ave", "ad", "im", "er", "alf", "ow", "e", "is",
        "n", "round", "neath", "midst", "gainst", "twasn", "tisn", "pon", "scuse", "spose",
    ]

    // MARK: - Dashes

    /// A paragraph that begins with a dash is speech; text between two later dashes that
    /// begins in lowercase is narration: "— Ja, — sagte er. — Gern."
    private func dashed(
        _ marks: ArraySlice<QuoteMark>, in paragraph: Range<Int>
    ) -> [Range<Int>] {
        guard let first = marks.first, first.shape == .dash,
            first.range.lowerBound == paragraph.lowerBound
        else { return [] }
        var quotes: [Range<Int>] = []
        var start: Int? = first.range.lowerBound
        for mark in marks.dropFirst() where mark.shape == .dash {
            if let opened = start {
                guard isLowercase(after: mark.range.upperBound), mark.before != .letter else {
                    continue
                }
                quotes.append(opened..<trimmed(mark.range.lowerBound, from: opened))
                start = nil
            } else {
                start = mark.range.lowerBound
            }
        }
        if let opened = start { quotes.append(opened..<paragraph.upperBound) }
        return quotes.filter { !$0.isEmpty }
    }

    private func isLowercase(after index: Int) -> Bool {
        var index = index
        while index < bytes.count, bytes[index] == 0x20 { index += 1 }
        guard index < bytes.count else { return false }
        if bytes[index] == 0xD0, index + 1 < bytes.count { return bytes[index + 1] >= 0xB0 }
        if bytes[index] == 0xC3, index + 1 < bytes.count { return bytes[index + 1] >= 0x9F }
        return bytes[index] == 0xD1
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[index])
    }
}
