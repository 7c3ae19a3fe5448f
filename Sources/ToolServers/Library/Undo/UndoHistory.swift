import AgentCore
import FoundationEssentials

/// Merges the steps of several sources into one list: those of this process first, then by time, so
/// that "undo" at the prompt never undoes changes that another program made in the meantime. For a
/// process without steps, such as every shell command, the newest come first.
package struct UndoHistory: Sendable {
    private let sources: [any UndoSource]

    package init(_ sources: [any UndoSource]) { self.sources = sources }

    /// A step with the number of its source.
    package struct Entry: Sendable {
        package var step: UndoStep
        fileprivate var source: Int
    }

    /// - Parameters:
    ///   - undone: whether to return undone steps.
    ///   - failures: receives the errors of sources that could not be read, whose steps are
    ///     then missing. Without it the error is thrown: the newest step of an incomplete
    ///     list may not be the newest.
    package func entries(
        undone: Bool, limit: Int, failures: ((any Error) -> Void)? = nil
    ) async throws -> [Entry] {
        var lists: [[Entry]] = []
        for (number, source) in sources.enumerated() {
            do {
                let steps = try await source.history(undone: undone, limit: limit)
                lists.append(steps.map { Entry(step: $0, source: number) })
            } catch {
                guard let failures, !(error is CancellationError) else { throw error }
                failures(error)
            }
        }
        let here = Self.merged(lists.map { $0.filter(\.step.isFromHere) })
        let others = Self.merged(lists.map { $0.filter { !$0.step.isFromHere } })
        return Array((here + others).prefix(limit))
    }

    package func undo(_ entry: Entry) async throws {
        try await sources[entry.source].undo(entry.step)
    }

    package func redo(_ entry: Entry) async throws {
        try await sources[entry.source].redo(entry.step)
    }

    func effects(of entry: Entry) async throws -> [CallEffect] {
        try await sources[entry.source].effects(of: entry.step)
    }

    package func comparisons(of entry: Entry) async throws -> [UndoComparison] {
        try await sources[entry.source].comparisons(of: entry.step)
    }

    package func isOwn(_ entry: Entry) async -> Bool {
        await sources[entry.source].isOwn(entry.step)
    }

    /// Time of the last action or undo, here or elsewhere; nil if there was none,
    /// or it cannot be read.
    package func latestAct() async -> Date? {
        var latest: Date?
        for undone in [false, true] {
            for source in sources {
                // If a source is unreadable, its actions are unknown.
                guard let step = try? await source.history(undone: undone, limit: 1).first else {
                    continue
                }
                latest = max(latest ?? .distantPast, Self.time(step))
            }
        }
        return latest
    }

    /// Keeps the order of each list, which is more accurate if times are equal.
    private static func merged(_ lists: [[Entry]]) -> [Entry] {
        var rests = lists.map { $0[...] }
        var merged: [Entry] = []
        while true {
            var next: (index: Int, time: Date)?
            for (index, rest) in rests.enumerated() {
                guard let first = rest.first else { continue }
                let time = time(first.step)
                if next.map({ time > $0.time }) ?? true { next = (index, time) }
            }
            guard let next, let entry = rests[next.index].popFirst() else { return merged }
            merged.append(entry)
        }
    }

    private static func time(_ step: UndoStep) -> Date { step.undone ?? step.made }
}
