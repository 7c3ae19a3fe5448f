import AgentCore

/// A length of time as people type one: `30m`, `1h30m`, `2 hours`, `an hour
/// and a half`, `a week`. Pure.
struct SpokenLength: Sendable, Equatable {
    let duration: CalendarDuration

    init?(_ text: String) {
        var words: [String] = []
        // Digits and letters apart, so that "1h30m" is four words.
        for character in text.lowercased() {
            let isNumber = character.isNumber || character == "." || character == ","
            if character.isLetter || isNumber, let last = words.last?.last,
                isNumber == (last.isNumber || last == "." || last == ",")
            {
                words[words.count - 1].append(character)
            } else if character.isLetter || isNumber {
                words.append(String(character))
            } else if words.last != "" {
                words.append("")
            }
        }
        words.removeAll { $0.isEmpty || $0 == "and" || $0 == "of" }
        // "a half", "a couple": the article is no number there.
        for index in words.indices.dropLast().reversed()
        where ["a", "an"].contains(words[index]) && ["half", "couple"].contains(words[index + 1]) {
            words.remove(at: index)
        }
        var minutes = 0.0
        var number: Double?
        var lastUnit: Double?
        var parts = 0
        for word in words {
            if let value = Double(word.map { $0 == "," ? "." : String($0) }.joined()) {
                guard number == nil, value < 100_000 else { return nil }
                number = value
            } else if let value = Self.numbers[word] {
                if word == "half", let unit = lastUnit, number == nil {
                    // "an hour and a half"
                    minutes += unit / 2
                } else if word == "half" {
                    // "two and a half hours"
                    number = (number ?? 0) + 0.5
                } else {
                    number = number ?? value
                }
            } else if let unit = Self.units[word] {
                minutes += (number ?? 1) * unit
                number = nil
                lastUnit = unit
                parts += 1
            } else {
                return nil
            }
        }
        if let number {
            // A number alone is minutes.
            guard parts == 0 else { return nil }
            minutes = number
        }
        guard minutes >= 1, minutes < 5_000_000, minutes == minutes.rounded() else { return nil }
        let whole = Int(minutes)
        // Whole days keep the clock, over a change of the clocks too.
        duration =
            whole % 1440 == 0 && lastUnit.map { $0 >= 1440 } == true
            ? CalendarDuration(days: whole / 1440) : CalendarDuration(seconds: whole * 60)
    }

    private static let numbers: [String: Double] = [
        "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
        "seven": 7, "eight": 8, "ten": 10, "fifteen": 15, "twenty": 20, "thirty": 30,
        "couple": 2, "half": 0.5, "ein": 1, "eine": 1, "einen": 1, "zwei": 2, "drei": 3,
    ]

    private static let units: [String: Double] = [
        "m": 1, "min": 1, "mins": 1, "minute": 1, "minutes": 1, "minuten": 1,
        "h": 60, "hr": 60, "hrs": 60, "hour": 60, "hours": 60, "stunde": 60, "stunden": 60,
        "d": 1440, "day": 1440, "days": 1440, "tag": 1440, "tage": 1440,
        "w": 10_080, "week": 10_080, "weeks": 10_080, "fortnight": 20_160, "woche": 10_080,
        "wochen": 10_080,
    ]
}
