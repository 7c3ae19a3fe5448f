/// The ways in which a date of birth is written: in digits in each order, and with the
/// name of the month in the languages letters are written in. Pure.
enum DateSpellings {
    /// A value that is not a date is searched for as it is.
    static func needles(_ value: String) -> [LeakNeedle] {
        var needles = dates(in: value).flatMap(spellings)
        let whole = LeakNeedle(LeakNeedle.words(value), .birthDate, .date)
        if whole.letters >= 6 { needles.append(whole) }
        return needles
    }

    private struct Day {
        var year: Int
        var month: Int
        var day: Int
    }

    /// Both readings of 03.04.1990.
    private static func dates(in value: String) -> [Day] {
        let words = LeakNeedle.words(value).map { String(decoding: $0, as: UTF8.self) }
        var numbers = words.compactMap { Int($0.filter(\.isNumber)) }
        if let month = words.lazy.compactMap(month).first {
            guard let year = numbers.first(where: { $0 > 31 }),
                let day = numbers.first(where: { $0 <= 31 })
            else { return [] }
            return valid([Day(year: year, month: month, day: day)])
        }
        if numbers.count == 1, let only = numbers.first, only > 10_000_000 {
            numbers = [only / 10_000, only / 100 % 100, only % 100]
        }
        guard numbers.count == 3 else { return [] }
        if numbers[0] > 31 {
            return valid([Day(year: numbers[0], month: numbers[1], day: numbers[2])])
        }
        return valid([
            Day(year: numbers[2], month: numbers[1], day: numbers[0]),
            Day(year: numbers[2], month: numbers[0], day: numbers[1]),
        ])
    }

    private static func valid(_ days: [Day]) -> [Day] {
        days.filter {
            (1_900...2_100).contains($0.year) && (1...12).contains($0.month)
                && (1...31).contains($0.day)
        }
    }

    private static func spellings(_ date: Day) -> [LeakNeedle] {
        func two(_ number: Int) -> [String] {
            number < 10 ? ["0\(number)", "\(number)"] : ["\(number)"]
        }
        var texts: [[String]] = []
        for day in two(date.day) {
            for month in two(date.month) {
                texts += [
                    ["\(date.year)", month, day], [day, month, "\(date.year)"],
                    [month, day, "\(date.year)"],
                ]
                if date.day > 9 && date.month > 9 || day.count + month.count == 4 {
                    texts.append([day, month, two(date.year % 100)[0]])
                }
            }
            for name in months.compactMap({
                $0.indices.contains(date.month - 1) ? $0[date.month - 1] : nil
            }) {
                let short = String(name.prefix(3))
                for word in [name, short] {
                    texts += [
                        [day, word, "\(date.year)"], [word, day, "\(date.year)"],
                        [day, "de", word, "de", "\(date.year)"],
                    ]
                }
            }
            for end in ["st", "nd", "rd", "th"] {
                texts.append([day + end, months[0][date.month - 1], "\(date.year)"])
                texts.append([months[0][date.month - 1], day + end, "\(date.year)"])
            }
        }
        return texts.filter { $0.joined().count >= 6 }.map {
            LeakNeedle($0.map { Array($0.utf8) }, .birthDate, .date)
        }
    }

    private static func month(_ word: String) -> Int? {
        guard word.count >= 3, word.allSatisfy(\.isLetter) else { return nil }
        for names in months {
            if let index = names.firstIndex(where: { $0 == word || $0.prefix(3) == word }) {
                return index + 1
            }
        }
        return nil
    }

    /// Folded; in Polish as they stand after a day.
    private static let months: [[String]] = [
        "january february march april may june july august september october november december",
        "januar februar marz april mai juni juli august september oktober november dezember",
        "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia",
        "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
        "januari februari maart april mei juni juli augustus september oktober november december",
    ].map { $0.split(separator: " ").map(String.init) }
}
