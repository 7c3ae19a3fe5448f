import AgentCore
import Base
import FoundationEssentials

/// A store whose changes can be undone: the calendars' files, the items of
/// the library, files that were rewritten in place.
///
/// A source judges alone whether a step can be undone now, and undoes nothing
/// where that would lose what was changed since. Which step is meant, and what is
/// printed, is the business of `UndoHistory` and `UndoCommand`.
package protocol UndoSource: Sendable {
    /// The steps in effect, the newest first; or those that were undone, the latest
    /// undo first.
    func history(undone: Bool, limit: Int) async throws -> [UndoStep]

    /// Everything that the step changed is as it was before.
    /// - Throws: a `DescribedError` that names what was changed since; then nothing
    ///   is undone.
    func undo(_ step: UndoStep) async throws

    /// Takes an undo back: everything is as the step had left it.
    /// - Throws: as `undo`.
    func redo(_ step: UndoStep) async throws

    /// What undoing the step would do, in the terms of a model's calls.
    func effects(of step: UndoStep) async throws -> [CallEffect]

    /// What the step changed, for the user to compare. Changes nothing.
    func comparisons(of step: UndoStep) async throws -> [UndoComparison]

    /// Whether all words of what it changed, its title among them, are the user's.
    /// False if unknown.
    func isOwn(_ step: UndoStep) async -> Bool
}

extension UndoSource {
    /// Something is put back over what is there now, and no tool but undo does that.
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
    /// Of undoing what a step did to one of the things that it touched. Undoing an addition
    /// is a deletion; several things that are put back are more than one change.
    ///
    /// - Parameters:
    ///   - wasThere: before the step; `isThere` is after it.
    ///   - count: of the things.
    ///   - tools: that add, change and delete such things.
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

/// One act of the user or of a model, which is undone as one.
package struct UndoStep: Sendable, Equatable {
    /// Unique over all sources: a UUID.
    package var id: String
    /// In the past tense: "created", "edited", "deleted".
    package var verb: String
    /// What was changed, in a word or two of ours: "reminder", "idea i12", "file".
    package var kind: String
    /// Of what was changed: a title, or the name of a file. Foreign text.
    package var title: String
    /// What it changed. Of the steps of one subject only the newest can be undone:
    /// a uid, "i12", an absolute path.
    package var subject: String
    package var made: Date
    /// nil for one that is in effect.
    package var undone: Date?
    /// The absolute paths of the files that it changed.
    package var paths: [String] = []
    /// Whole words that mean its subject as well: "i12".
    package var names: [String] = []
    /// This process made it, undid it or redid it. At the prompt the acts of the
    /// session are taken back before those of other programs.
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

/// What a step did to one thing, and what is there now. nil: nothing was there.
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
