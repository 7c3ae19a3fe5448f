/// The dates of HTTP (RFC 9110 §5.6.7): IMF-fixdate and the two obsolete forms
/// that a recipient still has to accept. Always GMT, always English.
package enum HTTPDate {
    /// nil for anything else, such as a day that does not exist.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT    IMF-fixdate
    ///     Sunday, 06-Nov-94 08:49:37 GMT   RFC 850
    ///     Sun Nov  6 08:49:37 1994         asctime
    package static func secondsSince1970(_ text: String) -> Double? {
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
            let month = CivilDate.monthNames.firstIndex(of: String(fields.month)),
            let year = year(fields.year),
            let date = CivilDate(year: year, month: month + 1, day: day),
            let seconds = secondsOfDay(fields.time)
        else { return nil }
        return Double(date.dayNumber * 86_400 + seconds)
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count),
            text.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return Int(text)
    }

    private static func year(_ text: Substring) -> Int? {
        if let short = number(text, digits: 2...2) {
            // The recipient has to choose the century: none of these dates is long past.
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
}
