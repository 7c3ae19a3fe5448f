import AgentCore
import FoundationEssentials
import ICalendar

/// Finds the one reminder that a title, a part of one or an id means; where
/// more than one fits, it says so and never picks.
///
/// An exact id or title wins over parts, so that "milk" can be completed while
/// "buy milk" exists. Case, accents and spacing do not matter.
package enum ReminderMatcher {
    package enum Match: Sendable, Equatable {
        case none
        case one(Reminder)
        case several([Reminder])
    }

    /// Shorter starts of an id are too likely to be a word.
    package static let shortestID = 4

    package static func match(_ query: String, in reminders: [Reminder]) -> Match {
        let wanted = SearchText.folded(query)
        guard !wanted.isEmpty else { return .none }
        let entries = reminders.map { (reminder: $0, uid: SearchText.folded($0.uid)) }
        let exactIDs = entries.filter { $0.uid == wanted }
        if !exactIDs.isEmpty { return verdict(exactIDs.map(\.reminder)) }
        let titles = entries.map { ($0.reminder, $0.uid, SearchText.folded($0.reminder.title)) }
        let exact = titles.filter { $0.2 == wanted }
        if !exact.isEmpty { return verdict(exact.map(\.0)) }
        return verdict(
            titles.filter { entry in
                contains(entry.2, wanted)
                    || (wanted.utf8.count >= shortestID && entry.1.hasPrefix(wanted))
            }.map(\.0))
    }

    /// Those with the words in title, notes or tags.
    package static func search(_ query: String, in reminders: [Reminder]) -> [Reminder] {
        let wanted = SearchText.folded(query)
        guard !wanted.isEmpty else { return [] }
        return reminders.filter { reminder in
            contains(SearchText.folded(reminder.title), wanted)
                || reminder.notes.map { contains(SearchText.folded($0), wanted) } == true
                || reminder.categories.contains { contains(SearchText.folded("#" + $0), wanted) }
        }
    }

    /// The shortest start of each id, of eight letters or more, that no other
    /// has: what lists show and `match` understands.
    package static func shortIDs(_ reminders: [Reminder]) -> [String: String] {
        let uids = Set(reminders.map(\.uid)).sorted()
        var result: [String: String] = [:]
        for (index, uid) in uids.enumerated() {
            let before = index > 0 ? commonPrefix(uids[index - 1], uid) : 0
            let after = index + 1 < uids.count ? commonPrefix(uid, uids[index + 1]) : 0
            // A foreign id may hold line breaks; `match` folds them alike.
            result[uid] = TextValue.oneLine(
                String(uid.prefix(max(8, before + 1, after + 1))))
        }
        return result
    }

    private static func verdict(_ found: [Reminder]) -> Match {
        switch found.count {
        case 0: .none
        case 1: .one(found[0])
        default: earliestOfSeries(found).map(Match.one) ?? .several(found)
        }
    }

    /// Occurrences of one series of which the file has nothing else are done
    /// one after the other, as a repetition is.
    private static func earliestOfSeries(_ found: [Reminder]) -> Reminder? {
        guard let first = found.first, first.recurrenceID != nil,
            found.allSatisfy({ $0.uid == first.uid && $0.path == first.path })
        else { return nil }
        return earliest(found)
    }

    static func earliest(_ reminders: [Reminder]) -> Reminder? {
        let utc = LocalTime(.utc)
        return reminders.min {
            ($0.due ?? $0.start)?.instant(in: utc) ?? .distantFuture
                < ($1.due ?? $1.start)?.instant(in: utc) ?? .distantFuture
        }
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        text.firstRange(of: part) != nil
    }

    private static func commonPrefix(_ left: String, _ right: String) -> Int {
        zip(left, right).prefix { $0 == $1 }.count
    }
}
