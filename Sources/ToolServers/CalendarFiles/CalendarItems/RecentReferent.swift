import AgentCore
import Base
import FoundationEssentials
import Synchronization

/// The item that "that" and "it" refer to: what rang last, else what was
/// touched or shown last.
///
/// Never a guess between two: after a list of several, or an undo, there is
/// none; nor is it anything from long ago.
package final class RecentReferent: Sendable {
    /// After this long "it" may be anything.
    private static let memory: TimeInterval = 30 * 60

    private struct Mention: Sendable {
        /// nil where several were shown.
        var uid: String?
        var time: Date
    }

    private let shown = Mutex<Mention?>(nil)
    private let lastFired: @Sendable () async -> String?

    /// - Parameter lastFired: the item whose alert fired last and was not
    ///   answered.
    package init(lastFired: @escaping @Sendable () async -> String? = { nil }) {
        self.lastFired = lastFired
    }

    /// Those items were shown.
    package func note(_ uids: [String], at time: Date) {
        let distinct = Set(uids)
        guard !distinct.isEmpty else { return }
        shown.withLock {
            $0 = Mention(uid: distinct.count == 1 ? distinct.first : nil, time: time)
        }
    }

    /// "It" may be said of the one that a list held.
    package func noteShown(_ output: CommandOutput, at time: Date) {
        note((output.json?.arrayValue ?? []).compactMap { $0["uid"]?.stringValue }, at: time)
    }

    /// The uid of the item that is meant; nil where none surely is.
    package func uid(in store: CalendarStore, now: Date) async throws -> String? {
        if let fired = await lastFired() { return fired }
        let touched = try await store.history(undone: false, limit: 1).first
        let undone = try await store.history(undone: true, limit: 1).first
        var latest = touched.map { Mention(uid: $0.step.uid, time: $0.made) }
        if let time = undone?.undone, time > latest?.time ?? .distantPast {
            latest = Mention(uid: nil, time: time)
        }
        if let shown = shown.withLock({ $0 }), shown.time >= latest?.time ?? .distantPast {
            latest = shown
        }
        guard let latest, now.timeIntervalSince(latest.time) <= Self.memory else { return nil }
        return latest.uid
    }
}
