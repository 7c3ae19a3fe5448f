import Foundation
import Glibc

extension ChatProgram {
    /// Writes a reminder as another program would.
    func putReminder(_ title: String, dueIn seconds: Double) throws {
        var time = time_t(Date().timeIntervalSince1970 + seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        strftime(&buffer, buffer.count, "%Y%m%dT%H%M%SZ", &parts)
        let due = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        try prepare(
            "calendars/reminders/\(title.filter(\.isLetter)).ics",
            """
            BEGIN:VCALENDAR
            VERSION:2.0
            BEGIN:VTODO
            UID:\(title.filter(\.isLetter))
            SUMMARY:\(title)
            DUE:\(due)
            END:VTODO
            END:VCALENDAR

            """)
    }
}
