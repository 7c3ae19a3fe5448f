import Base
import FoundationEssentials

/// Times in transferred files: ISO 8601 in UTC, to the millisecond.
package enum FileTime {
    package static func text(_ date: Date) -> String {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
        let second = milliseconds / 1_000 - (milliseconds % 1_000 < 0 ? 1 : 0)
        let rest = Int(milliseconds - second * 1_000)
        return "\(CivilDateTime(secondsAsUTC: Int(second)).isoText).\(rest.padded(to: 3))Z"
    }

    /// Nil for an invalid time; a time without a zone is read as UTC.
    package static func date(_ text: String) -> Date? {
        // The error does not matter: the turn's own time is used.
        switch try? ISO8601.parse(text) {
        case .instant(let date): date
        case .local(let clock): Date(timeIntervalSince1970: Double(clock.secondsAsUTC))
        case .date, nil: nil
        }
    }
}
