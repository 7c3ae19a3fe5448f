import AgentCore
import Base
import FoundationEssentials
import Library
import Persistence

/// Undoes changes of routines. `RoutineBook` performs the undo.
package struct RoutineUndoSource: UndoSource {
    private let book: RoutineBook

    package init(_ book: RoutineBook) { self.book = book }

    package func history(undone: Bool, limit: Int) async throws -> [UndoStep] {
        try await book.steps(undone: undone, limit: limit).map { step, isFromHere in
            UndoStep(
                id: step.id, verb: step.verb, kind: "routine", title: step.title,
                subject: step.routine, made: step.made, undone: step.undone,
                isFromHere: isFromHere)
        }
    }

    package func undo(_ step: UndoStep) async throws { try await book.move(step.id, isUndo: true) }

    package func redo(_ step: UndoStep) async throws { try await book.move(step.id, isUndo: false) }

    /// A routine that comes back runs again, so a model that undoes a deletion makes one.
    package func effects(of step: UndoStep) async throws -> [CallEffect] {
        let made = try await book.step(step.id)?.before == nil
        let arguments = JSONObject([.init("name", .string(step.title))])
        return [
            CallEffect(
                made ? .deletion : .sending, made ? UndoServer.tool : RoutineServer.createTool,
                arguments, subject: step.id)
        ]
    }

    package func comparisons(of step: UndoStep) async throws -> [UndoComparison] {
        guard let change = try await book.step(step.id) else { return [] }
        return [
            UndoComparison(
                name: step.title, before: change.before.map { Array($0.utf8) },
                after: change.after.map { Array($0.utf8) },
                now: await book.current(change.routine).map { Array($0.utf8) })
        ]
    }

    package func isOwn(_ step: UndoStep) async -> Bool { true }
}
