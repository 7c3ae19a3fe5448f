import Base

@testable import ICalendar

extension FuzzTarget {
    static let here = LocalTime(.utc)

    /// Content lines: every byte is kept, and the dates of each component are read; the zones of the
    /// file (VTIMEZONE) with them, since a date that names one is resolved by it.
    static let calendars = FuzzTarget("calendars") { bytes in
        guard let calendar = try? CalendarParser.parse(bytes) else { return }
        try demand(CalendarWriter.bytes(calendar) == bytes, "not written back as it was")
        let zones = ZoneResolver(calendar: calendar, local: here, zones: TimeZoneDatabase())
        for component in calendar.components().prefix(20) {
            for line in [component.first("SUMMARY"), component.first("DURATION")] {
                _ = line?.value
            }
            guard let set = RecurrenceSet(component: component, resolver: zones) else { continue }
            _ = try? set.first(5, in: here)
        }
    }
}
