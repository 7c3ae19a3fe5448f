import AgentCore
import Base
import FoundationEssentials
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
        /// Ids, or the paths of files; empty after an undo.
        var items: Set<String>
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
        shown.withLock { $0 = Mention(items: Set(items), time: time) }
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
    package func meant(
        in store: CalendarStore, now: Date, answersAlert: Bool, isOfBoth: Bool = false
    ) async throws -> Meant? {
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
        if isOfBoth, latest.items.count == 1 {
            let uids = try await store.history(undone: false, limit: 20).map(\.step.uid)
            return Meant(
                items: latest.items.union(
                    uids.first { !latest.items.contains($0) }.map { [$0] } ?? []))
        }
        return Meant(items: latest.items, isChanged: touched?.items == latest.items)
    }

    package struct Meant: Sendable {
        let items: Set<String>
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
