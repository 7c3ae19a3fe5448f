/// A date with its day in a text, in any common notation; if day and month are ambiguous,
/// both readings. Pure.
struct ScannedDate: Sendable {
    struct Day: Sendable, Hashable {
        var year: Int
        var month: Int
        var day: Int

        fileprivate var isReal: Bool {
            (1900...2099).contains(year) && (1...12).contains(month) && (1...31).contains(day)
        }
    }

    var units: Range<Int>
    var days: [Day]

    static func dates(in text: ScannedText) -> [ScannedDate] {
        var found: [ScannedDate] = []
        var end = 0
        for (index, word) in text.words.enumerated() where word.start >= end {
            if let date = date(at: index, in: text) {
                found.append(date)
                end = date.units.upperBound
            }
        }
        return found
    }

    /// The date that begins with a word.
    static func date(at index: Int, in text: ScannedText) -> ScannedDate? {
        let word = text.words[index]
        guard word.hasDigit else { return named(monthAt: index, text) }
        if word.isNumber, word.count == 8 { return run(word, text) }
        if !word.isNumber, let date = signed(word, text) ?? glued(word, text) { return date }
        return numeric(index, text) ?? named(dayAt: index, text)
    }

    // MARK: - Notations

    /// A date of three numbers: 1990-05-14, 14.05.1990, 5/14/90, 14 05 1990.
    private static func numeric(_ index: Int, _ text: ScannedText) -> ScannedDate? {
        guard index + 2 < text.words.count else { return nil }
        let words = Array(text.words[index...index + 2])
        guard words.allSatisfy(\.isNumber),
            let one = separator(Range.span(words[0].end, words[1].start), text),
            one == separator(Range.span(words[1].end, words[2].start), text)
        else { return nil }
        // A version or an address continues with another number.
        if one != 0x20, text.ascii(words[2].end) == one, text.isDigit(words[2].end + 1) {
            return nil
        }
        if text.ascii(words[0].start - 1) == one, text.isDigit(words[0].start - 2) { return nil }
        let values = words.map { number($0, text) }
        let (a, b, c) = (values[0], values[1], values[2])
        let days: [Day] =
            switch (words[0].count, words[1].count, words[2].count) {
            case (4, 1...2, 1...2):
                [Day(year: a, month: b, day: c), Day(year: a, month: c, day: b)]
            case (1...2, 1...2, 4):
                [Day(year: c, month: b, day: a), Day(year: c, month: a, day: b)]
            case (1...2, 1...2, 2):
                [1900, 2000].flatMap {
                    [Day(year: $0 + c, month: b, day: a), Day(year: $0 + c, month: a, day: b)]
                } + [1900, 2000].map { Day(year: $0 + a, month: b, day: c) }
            default: []
            }
        return date(words[0].start..<words[2].end, days)
    }

    /// 19900514 and 14051990.
    private static func run(_ word: ScannedText.Word, _ text: ScannedText) -> ScannedDate? {
        let value = number(word, text)
        return date(
            word.start..<word.end,
            [
                Day(year: value / 10000, month: value / 100 % 100, day: value % 100),
                Day(year: value % 10000, month: value / 10000 % 100, day: value / 1_000_000),
                Day(year: value % 10000, month: value / 1_000_000, day: value / 10000 % 100),
            ])
    }

    /// 1990年5月14日, with blanks or without.
    private static func signed(_ word: ScannedText.Word, _ text: ScannedText) -> ScannedDate? {
        var values: [Int] = []
        var index = word.start
        for _ in 0..<3 {
            var end = index
            while text.isDigit(end) { end += 1 }
            guard end > index, end - index <= 4 else { return nil }
            values.append(number(ScannedText.Word(start: index, end: end), text))
            var signs = 0
            while text.has(.unspaced, end), !text.isDigit(end), signs < 3 {
                end += 1
                signs += 1
            }
            guard signs > 0 else { return nil }
            index = end
            if values.count < 3 { index = text.skippingSpace(index) }
        }
        return date(word.start..<index, [Day(year: values[0], month: values[1], day: values[2])])
    }

    /// 14MAY1990, as tickets have it.
    private static func glued(_ word: ScannedText.Word, _ text: ScannedText) -> ScannedDate? {
        let month = (word.start..<word.end).drop(while: text.isDigit).prefix { !text.isDigit($0) }
        let day = ScannedText.Word(start: word.start, end: month.startIndex)
        let year = ScannedText.Word(start: month.endIndex, end: word.end)
        guard (1...2).contains(day.count), year.count == 4,
            let number = RedactionWords.monthNumbers[Array(text.units[month])]
        else { return nil }
        return date(
            word.start..<word.end,
            years(year, text).map { Day(year: $0, month: number, day: Self.number(day, text)) })
    }

    /// 14 May 1990, 14th of May, 1990, 14. Mai 1990, 14 de mayo de 1990.
    private static func named(dayAt index: Int, _ text: ScannedText) -> ScannedDate? {
        guard let day = dayNumber(text.words[index], text), index + 1 < text.words.count else {
            return nil
        }
        var next = index + 1
        if isOf(text.words[next], text) { next += 1 }
        guard next + 1 < text.words.count, isNear(index, next, text),
            let month = RedactionWords.monthNumbers[text.folded(text.words[next])]
        else { return nil }
        var last = next + 1
        if isOf(text.words[last], text), last + 1 < text.words.count { last += 1 }
        guard isNear(next, last, text), text.words[last].isNumber else { return nil }
        return date(
            text.words[index].start..<text.words[last].end,
            years(text.words[last], text).map { Day(year: $0, month: month, day: day) })
    }

    /// May 14, 1990.
    private static func named(monthAt index: Int, _ text: ScannedText) -> ScannedDate? {
        let word = text.words[index]
        guard (3...14).contains(word.count), index + 2 < text.words.count,
            text.words[index + 1].hasDigit,
            let month = RedactionWords.monthNumbers[text.folded(word)],
            let day = dayNumber(text.words[index + 1], text),
            isNear(index, index + 1, text), isNear(index + 1, index + 2, text),
            text.words[index + 2].isNumber
        else { return nil }
        return date(
            word.start..<text.words[index + 2].end,
            years(text.words[index + 2], text).map { Day(year: $0, month: month, day: day) })
    }

    // MARK: - Pieces

    private static func date(_ units: Range<Int>, _ days: [Day]) -> ScannedDate? {
        let real = days.filter(\.isReal)
        return real.isEmpty ? nil : ScannedDate(units: units, days: real)
    }

    /// The sign, or a blank.
    private static func separator(_ gap: Range<Int>, _ text: ScannedText) -> UInt8? {
        guard (1...3).contains(gap.count) else { return nil }
        let signs = gap.filter { !text.has(.space, $0) }
        guard let sign = signs.first else { return gap.count == 1 ? 0x20 : nil }
        return signs.count == 1 && [0x2E, 0x2F, 0x2D].contains(text.ascii(sign))
            ? text.ascii(sign) : nil
    }

    private static func isNear(_ one: Int, _ two: Int, _ text: ScannedText) -> Bool {
        let gap = Range.span(text.words[one].end, text.words[two].start)
        return gap.count <= 6
            && gap.allSatisfy {
                text.has([.space, .letter], $0)
                    || [0x2E, 0x2C, 0x2D, 0x2F].contains(text.ascii($0))
            }
    }

    private static func isOf(_ word: ScannedText.Word, _ text: ScannedText) -> Bool {
        word.count <= 3 && ["of", "de", "del", "di", "do"].contains(text.text(word))
    }

    private static func dayNumber(_ word: ScannedText.Word, _ text: ScannedText) -> Int? {
        var end = word.start
        while text.isDigit(end), end < word.end { end += 1 }
        guard (1...2).contains(end - word.start),
            ["", "st", "nd", "rd", "th", "er", "e", "o", "a", "eme"].contains(
                text.text(end..<word.end))
        else { return nil }
        let value = number(ScannedText.Word(start: word.start, end: end), text)
        return (1...31).contains(value) ? value : nil
    }

    private static func years(_ word: ScannedText.Word, _ text: ScannedText) -> [Int] {
        let value = number(word, text)
        return switch word.count {
        case 4: [value]
        case 2: [1900 + value, 2000 + value]
        default: []
        }
    }

    private static func number(_ word: ScannedText.Word, _ text: ScannedText) -> Int {
        (word.start..<min(word.end, word.start + 9)).reduce(0) { value, index in
            value * 10 + Int(text.ascii(index)) - 0x30
        }
    }
}
