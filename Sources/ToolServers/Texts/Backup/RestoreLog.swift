import Base
import FoundationEssentials
import Library

/// The latest restore, as a step that cannot be undone: it is listed with the
/// others so that `chat undo` does not skip it and undo the action before it.
package actor RestoreLog: UndoSource, QueuedActor {
    package nonisolated let executor = QueueExecutor(label: "chat.restores")

    private let state: String

    /// - Parameter state: the state folder, which contains the file.
    package init(state: String) { self.state = state }

    private static func path(in state: String) -> String { state + "/latest-restore.json" }

    /// - Parameter backup: the restored backup.
    static func note(_ backup: String, at time: Date, uuid: String, in state: String) {
        let value: JSONValue = [
            "id": .string(uuid), "made": .integer(Int64(time.timeIntervalSince1970 * 1_000)),
            "path": .string(backup),
        ]
        // The restore is done, and matters more than this record.
        _ = WholeFile.replace(
            Array(JSONWriter.pretty(value).utf8), at: path(in: state),
            temporary: path(in: state) + ".\(uuid).tmp")
    }

    package func history(undone: Bool, limit: Int) -> [UndoStep] {
        guard !undone, limit > 0,
            // Without the file nothing was restored.
            let bytes = try? WholeFile.read(Self.path(in: state), limit: 64 << 10),
            // Any other content is ignored.
            let value = try? JSONParser.parse(bytes), let id = value["id"]?.stringValue,
            let path = value["path"]?.stringValue, let made = value["made"]?.integerValue
        else { return [] }
        return [
            UndoStep(
                id: id, verb: "restored", kind: "backup", title: FilePath.name(path),
                subject: path, made: Date(timeIntervalSince1970: Double(made) / 1_000))
        ]
    }

    package func undo(_ step: UndoStep) throws { throw RestoreNotUndone(backup: step.title) }

    package func redo(_ step: UndoStep) throws { throw RestoreNotUndone(backup: step.title) }

    package func comparisons(of step: UndoStep) -> [UndoComparison] { [] }

    package func isOwn(_ step: UndoStep) -> Bool { true }
}

/// The refusal to undo a restore.
package struct RestoreNotUndone: Error, Sendable, Equatable {
    /// The name of its file.
    package var backup: String
}

extension RestoreNotUndone: DescribedError {
    package var diagnostic: Diagnostic {
        Diagnostic(
            "Restoring \(backup.oneLine) cannot be undone.",
            todo: "chat undo list shows what can be undone; chat undo NUMBER undoes one change.",
            namesCommands: true)
    }
}
