import Base
import FoundationEssentials
import ICalendar
import Persistence

/// One ringing of one item: its subject, its time, and the key by which all instances know
/// whether it has happened.
///
/// The key contains the time, so that a moved item rings again, but not the
/// alarm: two alarms of one item at the same time are one alert.
package struct Alert: Sendable, Hashable {
    package var key: AlertLog.Key
    package var title: String
    package var isEvent: Bool
    /// The time when the item itself is due or begins.
    package var time: ItemTime
    /// The collection's display name.
    package var list = ""
    /// The path of the item's file.
    package var path = ""
    /// The ringing that this one repeats (REPEAT of an alarm).
    package var repeats: AlertLog.Key?
    /// The ringing ahead of an event that this one, at its start, replaces.
    package var insteadOf: AlertLog.Key?

    package var uid: String { key.uid }

    /// The instant at which it rings.
    package var instant: Date { Date(timeIntervalSince1970: Double(key.fires)) }

    /// A copy that rings at another time.
    package func moved(to instant: Date) -> Alert {
        var alert = self
        alert.key.fires = Int64(LocalTime.seconds(of: instant))
        (alert.repeats, alert.insteadOf) = (nil, nil)
        return alert
    }
}
