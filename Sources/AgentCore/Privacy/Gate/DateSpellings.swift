/// The spellings of a date of birth: in digits in each order, and with the names of the
/// months that `RedactionWords` lists. Pure.
enum DateSpellings {
    /// The spellings of a value. One that is not a date is searched for unchanged.
    static func needles(_ value: String) -> [LeakNeedle] {
        // Both readings of 03.04.1990.
        let days = ScannedDate.dates(in: ScannedText(value)).flatMap(\.days)
        return (days.flatMap(spellings) + [value])
            .map { LeakNeedle(LeakNeedle.words($0), .birthDate, .date) }
            .filter { $0.letters >= 6 }
    }

    private static func spellings(_ date: ScannedDate.Day) -> [String] {
        func ways(_ number: Int) -> [String] {
            number < 10 ? ["0\(number)", "\(number)"] : ["\(number)"]
        }
        let months = RedactionWords.monthNumbers.filter { $0.value == date.month }.keys.map {
            String(String.UnicodeScalarView($0.compactMap { Unicode.Scalar($0) }))
        }
        let year = "\(date.year)"
        var texts: [String] = []
        for day in ways(date.day) {
            for month in ways(date.month) {
                texts += [
                    "\(year) \(month) \(day)", "\(day) \(month) \(year)",
                    "\(month) \(day) \(year)",
                ]
                if day.count + month.count == 4 {
                    texts.append("\(day) \(month) \(year.suffix(2))")
                }
            }
            for name in Set(months + months.map { String($0.prefix(3)) }) {
                for ordinal in ["", "st", "nd", "rd", "th"] {
                    texts += [
                        "\(day)\(ordinal) \(name) \(year)", "\(name) \(day)\(ordinal) \(year)",
                    ]
                }
                texts.append("\(day) de \(name) de \(year)")
            }
        }
        return texts
    }
}
