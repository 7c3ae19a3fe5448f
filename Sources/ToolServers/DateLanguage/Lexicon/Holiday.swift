import Base

/// The holidays that people use in dates.
enum Holiday: Sendable, Equatable {
    case fixed(month: Int, day: Int)
    /// Days after Easter Sunday.
    case easter(Int)
    /// The nth (or last, -1) weekday of a month.
    case nth(Int, weekday: Int, month: Int, plus: Int)

    func date(in year: Int) -> CivilDate? {
        switch self {
        case .fixed(let month, let day): return CivilDate(year: year, month: month, day: day)
        case .easter(let days): return Self.easterSunday(of: year)?.adding(days: days)
        case .nth(let ordinal, let weekday, let month, let plus):
            return DateArithmetic.nth(ordinal, weekday: weekday, month: month, year: year)?
                .adding(days: plus)
        }
    }

    /// The Gregorian computus (Meeus, Jones, Butcher).
    static func easterSunday(of year: Int) -> CivilDate? {
        let (a, b, c) = (year % 19, year / 100, year % 100)
        let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30
        let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7
        let m = (a + 11 * h + 22 * l) / 451
        let sum = h + l - 7 * m + 114
        return CivilDate(year: year, month: sum / 31, day: sum % 31 + 1)
    }

    /// The holiday whose name begins at `index`, and the end of the name.
    static func named(
        _ words: [String], at index: Int, isAmerican: Bool
    ) -> (value: Holiday, end: Int)? {
        guard let match = names.match(words, from: index) else { return nil }
        // Mothering Sunday, the fourth of Lent.
        let isMothers = match.meaning == .nth(2, weekday: 0, month: 5, plus: 0)
        let isBritish = isMothers && !isAmerican && words[index] != "muttertag"
        return (isBritish ? .easter(-21) : match.meaning, match.end)
    }

    private static let names = PatternTable("holidays") { Holiday($0) }

    /// Parses a value in the form used by `english.txt`: `fixed 12 24`.
    private init?(_ row: String) {
        let words = row.split(separator: " ")
        let numbers = words.compactMap { Int($0) }
        switch (words.first, numbers.count) {
        case ("fixed", 2): self = .fixed(month: numbers[0], day: numbers[1])
        case ("easter", 1): self = .easter(numbers[0])
        case ("nth", 4):
            self = .nth(numbers[0], weekday: numbers[1], month: numbers[2], plus: numbers[3])
        default: return nil
        }
    }
}
