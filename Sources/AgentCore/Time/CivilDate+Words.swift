/// Days as people read them in lists, echoes and alerts: "Sun 22 Nov",
/// "tomorrow, Sun 22 Nov". The same words everywhere.
extension CivilDate {
    /// From Sunday on, as `weekday` counts.
    package static let weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    package static let monthNames = longMonthNames.map { String($0.prefix(3)) }
    package static let longMonthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// `Sun 22 Nov`, with the year where it is another than today's.
    package func text(asOf today: CivilDate) -> String {
        // A weekday is 0…6, a month 1…12.
        let text = "\(Self.weekdayNames[weekday]) \(day) \(Self.monthNames[month - 1])"
        return year == today.year ? text : "\(text) \(year)"
    }

    /// `tomorrow, Sun 22 Nov`; of days that have no such name the day alone.
    package func nearText(asOf today: CivilDate) -> String {
        (nearName(asOf: today).map { $0 + ", " } ?? "") + text(asOf: today)
    }

    /// `Tomorrow, Sun 22 Nov`.
    package func heading(asOf today: CivilDate) -> String {
        let text = nearText(asOf: today)
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// `today`, `tomorrow`, `yesterday`.
    package func nearName(asOf today: CivilDate) -> String? {
        switch dayNumber - today.dayNumber {
        case 0: "today"
        case 1: "tomorrow"
        case -1: "yesterday"
        default: nil
        }
    }
}
