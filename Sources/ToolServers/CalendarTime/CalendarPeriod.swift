import AgentCore

/// A PERIOD (RFC 5545 §3.3.9): a start, and an end or a duration.
package struct CalendarPeriod: Sendable, Hashable {
    package enum End: Sendable, Hashable {
        case moment(CalendarMoment)
        case duration(CalendarDuration)
    }

    package var start: CalendarMoment
    package var end: End

    package init(start: CalendarMoment, end: End) {
        self.start = start
        self.end = end
    }

    /// `19970101T180000Z/PT5H30M`; nil for a text that is none. A period has
    /// times, never days alone.
    package init?(value: String, zone: String? = nil) {
        let parts = value.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = CalendarMoment(value: String(parts[0]), zone: zone),
            !start.isDate
        else { return nil }
        self.start = start
        if let duration = CalendarDuration(String(parts[1])) {
            guard duration.days >= 0, duration.seconds >= 0 else { return nil }
            end = .duration(duration)
        } else if let moment = CalendarMoment(value: String(parts[1]), zone: zone),
            !moment.isDate
        {
            end = .moment(moment)
        } else {
            return nil
        }
    }

    package var text: String {
        switch end {
        case .moment(let moment): start.text + "/" + moment.text
        case .duration(let duration): start.text + "/" + duration.text
        }
    }

    /// The periods of a property such as FREEBUSY; values that are none are
    /// left out.
    package static func list(_ line: ContentLine) -> [CalendarPeriod] {
        let zone = line.parameter("TZID")
        return line.value.split(separator: ",").prefix(CalendarMoment.listLimit).compactMap {
            CalendarPeriod(value: String($0), zone: zone)
        }
    }
}
