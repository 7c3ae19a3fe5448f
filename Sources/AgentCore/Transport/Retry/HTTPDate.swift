/// The dates of HTTP (RFC 9110 §5.6.7): IMF-fixdate and the two obsolete forms
/// that a recipient still has to accept. Always GMT, always English.
enum HTTPDate {
    /// nil for anything else, such as a day that does not exist.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT    IMF-fixdate
    ///     Sunday, 06-Nov-94 08:49:37 GMT   RFC 850
    ///     Sun Nov  6 08:49:37 1994         asctime
    static func secondsSince1970(_ text: String) -> Double? {
        let words = text.split { " -,".contains($0) }
        let fields: (day: Substring, month: Substring, year: Substring, time: Substring)
        switch words.count {
        case 6 where words[5] == "GMT" || words[5] == "UTC":
            fields = (words[1], words[2], words[3], words[4])
        case 5:
            fields = (words[2], words[1], words[4], words[3])
        default:
            return nil
        }
        guard let day = number(fields.day, digits: 1...2),
            let month = months.firstIndex(of: fields.month).map({ $0 + 1 }),
            let year = year(fields.year)
        else { return nil }
        return secondsSince1970(year: year, month: month, day: day, time: fields.time)
    }

    /// `time` is `hh:mm:ss`, GMT.
    static func secondsSince1970(
        year: Int, month: Int, day: Int, time: Substring
    ) -> Double? {
        guard let seconds = secondsOfDay(time), (1...12).contains(month),
            (1...daysInMonth(month, of: year)).contains(day)
        else { return nil }
        return Double(daysSince1970(year: year, month: month, day: day) * 86_400 + seconds)
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count),
            text.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return Int(text)
    }

    private static func year(_ text: Substring) -> Int? {
        if let short = number(text, digits: 2...2) {
            // The reader has to choose the century: none of these is history.
            return short < 70 ? 2000 + short : 1900 + short
        }
        return number(text, digits: 4...4)
    }

    private static func secondsOfDay(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            .map { number($0, digits: 2...2) }
        // 60 is a leap second.
        guard parts.count == 3, let hour = parts[0], let minute = parts[1],
            let second = parts[2], hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    private static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days of the proleptic Gregorian calendar, counted in years that begin
    /// in March, so that the leap day is the last of its year.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
