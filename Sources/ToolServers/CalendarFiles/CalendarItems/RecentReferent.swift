import AgentCore
import Base
import DateLanguage
import FoundationEssentials
import ICalendar
import Synchronization

/// The referent of "that" and "it": the item that rang, was changed or was
/// shown last.
///
/// Never guesses between two: if several were shown, the user is asked, and
/// after an undo, or a long time, it has no value.
package final class RecentReferent: Sendable {
    /// Seconds after which "it" may mean any item.
    private static let memory: TimeInterval = 30 * 60

    package typealias Ring = (uid: String, rang: Date)

    private struct Mention: Sendable {
        /// Ids, or the paths of files, in their order; empty after an undo.
        var items: [String]
        var time: Date
    }

    private let shown = Mutex<Mention?>(nil)
    private let lastFired: @Sendable () async -> Ring?

    /// - Parameter lastFired: the item whose alert fired last and was not answered.
    package init(lastFired: @escaping @Sendable () async -> Ring? = { nil }) {
        self.lastFired = lastFired
    }

    /// Records the items shown, by ids or file paths.
    package func note(_ items: [String], at time: Date) {
        guard !items.isEmpty else { return }
        shown.withLock { $0 = Mention(items: items, time: time) }
    }

    /// Records the items in an answer, so that "it" can refer to one.
    package func noteShown(_ output: CommandOutput, at time: Date) {
        note(output.quotedFiles ?? [], at: time)
    }

    /// The items that may be meant; nil if none is certain.
    ///
    /// - Parameter answersAlert: whether the phrase answers an alert, and so means the
    ///   alert's item even if other things were done since.
    /// - Parameter isOfBoth: whether two are meant: if not those shown, the two changed last.
    /// - Parameter pick: which of those two.
    package func meant(
        in store: CalendarStore, _ context: DateContext, answersAlert: Bool,
        isOfBoth: Bool = false, pick: Understanding.Change.Pick? = nil
    ) async throws -> Meant? {
        let now = context.now
        let fired = await lastFired().map { Mention(items: [$0.uid], time: $0.rang) }
        if answersAlert, let fired { return Meant(items: fired.items) }
        let touched = try await store.history(undone: false, limit: 1).first.map {
            Mention(items: [$0.step.uid], time: $0.made)
        }
        let undone = try await store.history(undone: true, limit: 1).first?.undone.map {
            Mention(items: [], time: $0)
        }
        // For equal times, the later one in this order.
        let latest = [fired, undone, touched, shown.withLock { $0 }].compactMap(\.self)
            .max { $0.time <= $1.time }
        guard let latest, !latest.items.isEmpty,
            latest.time == fired?.time || now.timeIntervalSince(latest.time) <= Self.memory
        else { return nil }
        guard isOfBoth || pick != nil else {
            return Meant(items: latest.items, isChanged: touched?.items == latest.items)
        }
        let steps = try await store.history(undone: false, limit: 20)
        let uids = steps.map(\.step.uid)
        var two = latest.items
        if two.count == 1, let other = uids.first(where: { $0 != two[0] }) {
            // The older one first.
            let isOlder = uids.lastIndex(of: other) ?? 0 > uids.lastIndex(of: two[0]) ?? 0
            two.insert(other, at: isOlder ? 0 : 1)
        }
        guard let pick, two.count == 2 else { return Meant(items: two) }
        switch pick {
        case .first: two = [two[0]]
        case .second: two = [two[1]]
        case .other: two.removeAll { $0 == uids.first }
        case .earlier, .later:
            var starts: [Date] = []
            for item in two {
                let path = steps.first { $0.step.uid == item }?.paths.last ?? item
                guard let start = try await store.file(path).start(in: context) else { return nil }
                starts.append(start)
            }
            guard starts[0] != starts[1] else { return Meant(items: two) }
            two = [two[(starts[0] < starts[1]) == (pick == .earlier) ? 0 : 1]]
        }
        return Meant(items: two, isChanged: two.count == 1)
    }

    /// Whether the item was changed lately: then a word of its title, or its time, is enough.
    package func isRecent(_ item: some CalendarItem, in store: CalendarStore, at now: Date)
        async throws -> Bool
    {
        try await store.history(undone: false, limit: 20).contains {
            $0.step.uid == item.uid && now.timeIntervalSince($0.made) <= Self.memory
        }
    }

    package struct Meant: Sendable {
        let items: [String]
        /// Whether it was changed last, not only shown.
        package var isChanged = false

        /// Whether several items were mentioned: then the user is asked which one to use, even if
        /// only one of them still exists.
        package var areSeveral: Bool { items.count > 1 }
        package var count: Int { items.count }

        package func holds(_ item: some CalendarItem) -> Bool {
            items.contains(item.uid) || items.contains(item.path)
        }
    }
}

extension CalendarStore {
    /// Undoes the last step, to do the same to another item.
    package func undoLast(if isWanted: Bool) throws {
        if isWanted, let last = try steps(limit: 1).first { try undo(last.id) }
    }
}

extension CalendarStore.File {
    /// When its first item starts or is due.
    fileprivate func start(in context: DateContext) -> Date? {
        for calendar in content.components("VCALENDAR") {
            let zones = ZoneResolver(calendar: calendar, local: context.local, zones: context.zones)
            for item in calendar.components() {
                if let moment = (item.first("DTSTART") ?? item.first("DUE")).flatMap(
                    CalendarMoment.init)
                {
                    return zones.time(moment).time.instant(in: context.local)
                }
            }
        }
        return nil
    }
}
