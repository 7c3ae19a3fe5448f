/// The periods in a résumé, and the lengths that follow from them: someone who worked from
/// 2018 to 2023 may say "five years", and with an earlier job from 2015 on "eight". Pure.
///
/// Lines that name a school or a degree count by themselves, not towards the years at work.
struct WorkSpans: Sendable {
    private struct Moment {
        /// Months since year 0.
        var month: Int
        /// Whether only the year is known.
        var isYear: Bool
    }

    private struct Span {
        var start: Moment
        var end: Moment
        var isEducation: Bool
    }

    /// The lengths, in months.
    private(set) var lengths: Set<Int> = []

    /// - Parameter now: months since year 0, as the end of current jobs.
    init(_ text: String, now: Int) {
        var spans: [Span] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var isEducation: [Bool] = []
        let words = ClaimWords.shared
        let tokens = lines.map { line in ClaimText(String(line)).sentences.flatMap(\.tokens) }
        for line in tokens {
            isEducation.append(line.contains { words.education.contains($0.stem) })
        }
        for (index, line) in tokens.enumerated() {
            // A line of dates alone belongs to the neighbouring lines.
            let isBare = line.count { $0.kind == .word && words.months[$0.key] == nil } < 2
            let nearby =
                isEducation[index]
                || isBare
                    && (index > 0 && isEducation[index - 1]
                        || index + 1 < lines.count && isEducation[index + 1])
            for (start, end) in Self.pairs(line, now: now) where end.month >= start.month {
                spans.append(Span(start: start, end: end, isEducation: nearby))
            }
        }
        for span in spans { add(span.start, span.end) }
        let work = spans.filter { !$0.isEducation }.sorted { $0.start.month < $1.start.month }
        for (index, first) in work.enumerated().prefix(60) {
            var end = first.end
            for next in work[index...].prefix(60) {
                // A gap of more than a year does not count as time at work.
                if next.start.month > end.month + 12 { break }
                if next.end.month > end.month { end = next.end }
                add(first.start, end)
            }
        }
    }

    /// - Parameter months: the length claimed in the letter.
    func follows(_ months: Double, isAtLeast: Bool, isNearly: Bool) -> Bool {
        guard let longest = lengths.max() else { return false }
        // "over five years" is true of eight, and also of five.
        if isAtLeast, months >= 12, Int(months) <= longest { return true }
        if isNearly, lengths.contains(where: { abs(Double($0) - months) <= 12 }) { return true }
        return lengths.contains(Int(months))
    }

    /// Adds a length, and the whole years to which it is usually rounded.
    private mutating func add(_ start: Moment, _ end: Moment) {
        var exact = end.month - start.month
        // Both end months count: June to August is three months.
        if !start.isYear, !end.isYear { exact += 1 }
        if start.isYear || end.isYear {
            let years = (end.month / 12) - (start.month / 12)
            lengths.insert(years * 12)
            if !(start.isYear && end.isYear) { lengths.insert(exact / 12 * 12) }
            return
        }
        lengths.formUnion([exact, exact - 1, exact / 12 * 12, (exact - 1) / 12 * 12])
        if exact >= 12 { lengths.insert((exact + 6) / 12 * 12) }
        if exact >= 12, exact % 12 >= 3 { lengths.insert(exact / 12 * 12 + 6) }
    }

    // MARK: - Dates of a line

    private static func pairs(
        _ tokens: [ClaimText.Token], now: Int
    ) -> [(Moment, Moment)] {
        let words = ClaimWords.shared
        var pairs: [(Moment, Moment)] = []
        var index = 0
        while index < tokens.count {
            guard let start = moment(tokens, at: index) else {
                index += 1
                continue
            }
            index = start.end
            let isSince = start.first > 0 && words.since.contains(tokens[start.first - 1].key)
            var next = index
            while next < tokens.count, words.until.contains(tokens[next].key) { next += 1 }
            let isRange = next > index
            if isRange, next < tokens.count, let end = moment(tokens, at: next) {
                pairs.append((start.moment, end.moment))
                index = end.end
            } else if isRange,
                next == tokens.count
                    || words.present.contains(tokens[min(next, tokens.count - 1)].key)
                    || tokens[min(next, tokens.count - 1)].key == "the"
            {
                pairs.append((start.moment, Moment(month: now, isYear: false)))
                index = next
            } else if isRange, next < tokens.count, let end = shortYear(tokens[next], start.moment)
            {
                pairs.append((start.moment, end))
                index = next + 1
            } else if isSince {
                pairs.append((start.moment, Moment(month: now, isYear: false)))
            }
        }
        return pairs
    }

    /// `2018-21`
    private static func shortYear(_ token: ClaimText.Token, _ start: Moment) -> Moment? {
        guard token.kind == .number, token.text.count == 2, let year = Int(token.text) else {
            return nil
        }
        let century = start.month / 12 / 100 * 100
        return Moment(month: (century + year) * 12, isYear: true)
    }

    /// `2018`, `March 2018`, `03/2018`, `03.2018`, `2018-03`.
    private static func moment(
        _ tokens: [ClaimText.Token], at index: Int
    ) -> (moment: Moment, first: Int, end: Int)? {
        let words = ClaimWords.shared
        let token = tokens[index]
        if token.kind == .word, let month = words.months[token.key] {
            var next = index + 1
            if next < tokens.count, [",", ".", "'"].contains(tokens[next].key) { next += 1 }
            guard next < tokens.count, let year = year(tokens[next].text) else { return nil }
            return (Moment(month: year * 12 + month - 1, isYear: false), index, next + 1)
        }
        guard token.kind == .number else { return nil }
        let groups = token.text.split { !$0.isNumber }.map(String.init)
        // 03.2018 and 01.03.2018
        if groups.count > 1, let year = groups.last.flatMap(year) {
            guard let month = Int(groups[groups.count - 2]), 1...12 ~= month else { return nil }
            return (Moment(month: year * 12 + month - 1, isYear: false), index, index + 1)
        }
        func month(_ index: Int) -> Int? {
            guard index < tokens.count, tokens[index].kind == .number,
                tokens[index].text.count <= 2, let month = Int(tokens[index].text), 1...12 ~= month
            else { return nil }
            return month
        }
        if let year = year(token.text) {
            // 2018-03 is a month if another date or nothing follows; 2018-21 is not, since
            // there is no month 21.
            if index + 2 < tokens.count, ["-", "/"].contains(tokens[index + 1].key),
                !tokens[index + 1].isApart, !tokens[index + 2].isApart, let found = month(index + 2)
            {
                var end = index + 3
                // 2018-03-01
                if end + 1 < tokens.count, tokens[end].key == "-", !tokens[end].isApart,
                    !tokens[end + 1].isApart, tokens[end + 1].text.count == 2
                {
                    end += 2
                }
                return (Moment(month: year * 12 + found - 1, isYear: false), index, end)
            }
            return (Moment(month: year * 12, isYear: true), index, index + 1)
        }
        // 03/2018
        if let found = month(index), index + 2 < tokens.count,
            ["/", "-"].contains(tokens[index + 1].key), let year = year(tokens[index + 2].text)
        {
            return (Moment(month: year * 12 + found - 1, isYear: false), index, index + 3)
        }
        return nil
    }

    private static func year(_ text: String) -> Int? {
        guard text.count == 4, let year = Int(text), 1950...2099 ~= year else { return nil }
        return year
    }
}
