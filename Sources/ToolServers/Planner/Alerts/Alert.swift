import Base
import FoundationEssentials
import ICalendar
import Persistence

/// One ringing of one item: what it is about, when it rings, and the name by which all instances
/// know whether that has happened.
///
/// The name holds the instant, so an item that was moved rings again, and not
/// the alarm that asks for it: two alarms of one item at one time are one
/// alert.
package struct Alert: Sendable, Hashable {
    package var key: AlertLog.Key
    package var title: String
    package var isEvent: Bool
    /// When the item itself is due or begins.
    package var time: ItemTime
    /// The collection's name, as lists show it.
    package var list = ""
    /// The file it is in.
    package var path = ""
    /// The ringing that this one repeats (REPEAT of an alarm).
    package var repeats: AlertLog.Key?
    /// The ringing ahead of an event in place of which this is at its start.
    package var insteadOf: AlertLog.Key?

    package var uid: String { key.uid }

    /// When it rings.
    package var instant: Date { Date(timeIntervalSince1970: Double(key.fires)) }

    /// The same, ringing at another time.
    package func moved(to instant: Date) -> Alert {
        var alert = self
        alert.key.fires = Int64(LocalTime.seconds(of: instant))
        (alert.repeats, alert.insteadOf) = (nil, nil)
        return alert
    }
}
