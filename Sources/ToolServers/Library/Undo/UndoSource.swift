import AgentCore
import Base
import FoundationEssentials

/// A store whose changes can be undone: the calendar files, library items,
/// files that were rewritten in place.
///
/// Only a source decides whether a step can be undone now, and it undoes nothing
/// if that would lose later changes. `UndoHistory` finds the step, and
/// `UndoCommand` prints the result.
package protocol UndoSource: Sendable {
    /// The steps in effect, the newest first; or the undone ones, the latest undo first.
    func history(undone: Bool, limit: Int) async throws -> [UndoStep]

    /// Restores everything that the step changed.
    /// - Throws: a `DescribedError` that names what was changed since; then nothing
    ///   is undone.
    func undo(_ step: UndoStep) async throws

    /// Redoes an undone step: everything is as the step had left it.
    /// - Throws: as `undo`.
    func redo(_ step: UndoStep) async throws

    /// The effects of undoing the step, as calls of a model.
    func effects(of step: UndoStep) async throws -> [CallEffect]

    /// The changes of the step, for the user to compare. Changes nothing.
    func comparisons(of step: UndoStep) async throws -> [UndoComparison]

    /// Whether all text it changed, including titles, is the user's. False if unknown.
    func isOwn(_ step: UndoStep) async -> Bool
}

extension UndoSource {
    /// Something overwrites the current state, which no tool but undo does.
    package func effects(of step: UndoStep) async throws -> [CallEffect] {
        [
            CallEffect(
                .overwrite, UndoServer.tool,
                JSONObject([.init("item", .array((step.paths + [step.title]).map { .string($0) }))]
                ),
                subject: step.id)
        ]
    }
}

extension CallEffect {
    /// The effect of undoing a step on one of the things that it touched. Undoing an
    /// addition is a deletion; restoring several things counts as more than one change.
    ///
    /// - Parameters:
    ///   - wasThere: whether it existed before the step; `isThere`: after it.
    ///   - count: number of things.
    ///   - tools: the tools that add, change and delete such things.
    init(
        undoing wasThere: Bool, isThere: Bool, of count: Int,
        tools: (add: String, change: String, delete: String), _ arguments: JSONObject,
        subject: String, outlastsConversation: Bool = false
    ) {
        let kind: Kind =
            !wasThere ? .deletion : count > 1 ? .overwrite : isThere ? .change : .addition
        self.init(
            kind, !wasThere ? tools.delete : isThere ? tools.change : tools.add, arguments,
            subject: subject, outlastsConversation: outlastsConversation)
    }
}

/// One action of the user or of a model, which is undone as a whole.
package struct UndoStep: Sendable, Equatable {
    /// Unique over all sources: a UUID.
    package var id: String
    /// The change as a verb in the past tense: "created", "edited", "deleted".
    package var verb: String
    /// The kind of object that was changed, in our words: "reminder", "idea i12", "file".
    package var kind: String
    /// The name of the thing changed: a title, or a file name. Untrusted text.
    package var title: String
    /// Identifies the thing changed: a uid, "i12", an absolute path. Of the steps
    /// on one subject only the newest can be undone.
    package var subject: String
    package var made: Date
    /// nil if it is in effect.
    package var undone: Date?
    /// The absolute paths of the changed files.
    package var paths: [String] = []
    /// Whole words that also refer to its subject: "i12".
    package var names: [String] = []
    /// Whether this process made, undid or redid it. At the prompt the session's
    /// actions are undone before those of other programs.
    package var isFromHere = false

    package init(
        id: String, verb: String, kind: String, title: String, subject: String, made: Date,
        undone: Date? = nil, paths: [String] = [], names: [String] = [], isFromHere: Bool = false
    ) {
        self.id = id
        self.verb = verb
        self.kind = kind
        self.title = title
        self.subject = subject
        self.made = made
        self.undone = undone
        self.paths = paths
        self.names = names
        self.isFromHere = isFromHere
    }
}

/// The change of one thing in a step, and its current state. nil: it did not exist.
package struct UndoComparison: Sendable, Equatable {
    /// A path, or `i12 Tea cups`.
    package var name: String
    package var before: [UInt8]?
    package var after: [UInt8]?
    package var now: [UInt8]?

    package init(name: String, before: [UInt8]? = nil, after: [UInt8]? = nil, now: [UInt8]? = nil) {
        self.name = name
        self.before = before
        self.after = after
        self.now = now
    }
}
