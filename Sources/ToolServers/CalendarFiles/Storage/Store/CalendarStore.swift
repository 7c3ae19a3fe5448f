import AgentCore
import Base
import FoundationEssentials
import Glibc
import ICalendar
import Persistence

/// Owner of all calendar files: every collection of every root, each a vdir
/// with one item per file, shared with other programs while we run.
///
/// It caches no file contents in memory, since any program may change them at
/// any time. Reminders, calendar and alerts interpret the components, and all go
/// through here. Touches nothing before the first call.
package actor CalendarStore: QueuedActor {
    /// A folder of items.
    package struct Collection: Sendable, Hashable {
        /// The folder's name, which refers to it.
        package var name: String
        /// The name from its `displayname` file, otherwise the folder's name.
        package var displayName: String
        /// `#RRGGBB`, if its `color` file contains one.
        package var color: String?
        package var path: String
        /// Whether the system will refuse new items and changes.
        package var isReadOnly = false

        /// Compares the folder's name and the display name.
        package func isNamed(_ text: String) -> Bool {
            let wanted = SearchText.folded(text)
            return [name, displayName].contains { SearchText.folded($0) == wanted }
        }
    }

    package struct File: Sendable {
        package var path: String
        package var collection: Collection
        /// The whole file, with its VCALENDARs inside.
        package var content: Component
        package var etag: VDirectory.ETag
    }

    package struct Files: Sendable {
        package var files: [File] = []
        package var problems: [Problem] = []
    }

    /// Selects files. A hint that may return too many: the caller checks the components
    /// itself.
    package struct Selection: Sendable, Equatable {
        /// `VTODO` or `VEVENT`; nil for both.
        package var kind: String?
        /// Excludes files in which every VTODO is completed or cancelled.
        package var openOnly = false
        /// Excludes files whose times all lie outside, recurrences included.
        /// Items without a time are included.
        package var window: Range<Date>?
        /// Whether open VTODOs from before the window are included.
        package var includesOverdue: Bool
        /// Words that a file must have in title, notes, place or categories.
        package var text: String?

        package init(
            kind: String? = nil, openOnly: Bool = false, window: Range<Date>? = nil,
            includesOverdue: Bool = false, text: String? = nil
        ) {
            self.kind = kind
            self.openOnly = openOnly
            self.window = window
            self.includesOverdue = includesOverdue
            self.text = text
        }
    }

    /// One action of the user, which is undone as a whole, however many files it changed.
    package struct Step: Sendable, Equatable {
        package var id: String
        /// The change as a verb in the past tense: "created", "completed", "moved".
        package var verb: String
        /// The title of its item.
        package var title: String
        package var uid: String
    }

    /// Maximum number of attempts after changes by other programs.
    static let attempts = 20

    package nonisolated let roots: [String]
    let trash: Trash
    let environment: Environment
    /// The undo log; nil if nothing is to be recorded.
    let database: CalendarDatabase?
    /// The index of files; nil if nothing is to be recorded.
    let index: CalendarIndex?
    let indexThreshold: Int
    /// The reason why the latest action cannot be undone; see `takeUndoFailure`.
    var undoFailure: SQLiteError?
    /// The steps recorded, undone or redone by this process; see `PastStep.isFromHere`.
    var ownSteps: Set<String> = []
    var hasPruned = false
    package nonisolated let executor = QueueExecutor(label: "chat.calendars")

    /// `roots` are folders of collections, or collections themselves. `state`
    /// is the folder of the undo log and the index; without one nothing can be
    /// undone and every file is read each time.
    package init(
        roots: [String], trash: String, state: String? = nil, environment: Environment
    ) {
        self.init(
            roots: roots, trash: trash, state: state, environment: environment,
            indexThreshold: Self.indexThreshold)
    }

    init(
        roots: [String], trash: String, state: String?, environment: Environment,
        indexThreshold: Int
    ) {
        self.roots = roots.map { $0.count > 1 && $0.last == "/" ? String($0.dropLast()) : $0 }
        self.trash = Trash(path: trash, now: environment.now)
        self.environment = environment
        self.indexThreshold = indexThreshold
        database = state.map { CalendarDatabase(folder: $0, environment: environment) }
        index = state.map { CalendarIndex(folder: $0, now: environment.now) }
    }

    // MARK: - Reading

    /// - Throws: `FileCallError` (`notFound` if the file no longer exists), `ICalendarError`.
    package func file(_ path: String) throws -> File { try file(path, in: nil) }

    /// The files at those paths that can be read, by path.
    package func files(at paths: Set<String>) throws -> [String: File] {
        let collections = try collections()
        return Dictionary(
            // Deleted and damaged files are left out.
            paths.compactMap { path in (try? file(path, in: collections)).map { (path, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    private func file(_ path: String, in collections: [Collection]?) throws -> File {
        let (directory, name, collection) = try place(path, in: collections)
        let item = try directory.item(name)
        return File(
            path: path, collection: collection, content: try CalendarParser.parse(item.bytes),
            etag: item.etag)
    }

    // MARK: - Changing

    /// Writes a new file in the collection of that name, which is created in
    /// the first root if it is missing. The file is named `<uid>.ics`, or
    /// differently if that is not a safe file name.
    ///
    /// - Parameter original: the file whose text it repeats; nil if the text is
    ///   the user's.
    package func create(
        _ content: Component, uid: String, in name: String, copyOf original: String? = nil,
        step: Step
    ) throws -> File {
        let folder = try folder(forNewItemsIn: name)
        let isNew = access(folder, F_OK) != 0 && errno == ENOENT
        let directory = directory(folder)
        let base = Self.isPlainName(uid) ? uid : environment.uuid()
        let path = directory.full(base + ".ics")
        let bytes = CalendarWriter.bytes(content.inUTF8)
        let change = begin(
            step, path: path, before: nil, after: bytes, copyOf: original,
            newEvents: content.eventIDs)
        do throws(FileCallError) {
            _ = try directory.create(bytes, uid: base)
        } catch {
            forget(change)
            throw error
        }
        finish(change)
        if isNew {
            // Without a display name, `vdirsyncer metasync` uses the one made up by the server.
            // If it cannot be written, the item exists in any case.
            try? setDisplayName(name, of: folder)
            noteName(ofList: name)
        }
        return try self.file(path)
    }

    /// Replaces a file by the result of `edit`. `edit` is called again, with
    /// the new contents, if another program has written in between.
    /// - Throws: errors of `edit` (nothing is written then), `FileCallError`,
    ///   `ICalendarError` (`unterminated` for a file that is cut off, which is
    ///   never rewritten).
    package func change<Result: Sendable>(
        _ path: String, step: Step,
        _ edit: @Sendable (inout Component) throws -> Result
    ) throws -> Result {
        try apply(to: path, step: step) { content in
            guard content.isTerminated else { throw ICalendarError(.unterminated) }
            let result = try edit(&content)
            return (.keep, result)
        }
    }

    /// Moves a file to the trash, byte for byte, if `allow` accepts its contents.
    package func delete(
        _ path: String, step: Step, allow: @Sendable (Component) throws -> Void = { _ in }
    ) throws {
        try apply(to: path, step: step) { content in
            try allow(content)
            return (.drop, ())
        }
    }

    /// Removes the components of one item, or of one occurrence of it, from a file and leaves the
    /// others byte for byte; if no other is left, moves the file to the trash.
    /// - Throws: `ToolError.noMatch` if the file has no such item.
    package func remove(
        uid: String, recurrenceID: String? = nil, from path: String, step: Step,
        allow: @Sendable (Component) throws -> Void = { _ in }
    ) throws {
        try apply(to: path, step: step) { content in
            try allow(content)
            guard let rest = content.removing(uid: uid, recurrenceID: recurrenceID) else {
                throw ToolError.noMatch(query: step.title)
            }
            guard !rest.itemIDs.isEmpty else { return (.drop, ()) }
            guard content.isTerminated else { throw ICalendarError(.unterminated) }
            content = rest
            return (.keep, ())
        }
    }

    private enum Outcome { case keep, drop }

    /// Reads, decides and writes; starts over if another program wrote in
    /// between. The step is recorded before the file changes.
    private func apply<Result>(
        to path: String, step: Step, _ decide: (inout Component) throws -> (Outcome, Result)
    ) throws -> Result {
        let (directory, name, _) = try place(path)
        for _ in 0..<Self.attempts {
            let item = try directory.item(name)
            var content = try CalendarParser.parse(item.bytes)
            let (outcome, result) = try decide(&content)
            var bytes = outcome == .drop ? nil : CalendarWriter.bytes(content)
            if bytes == item.bytes { return result }
            if bytes != nil { bytes = CalendarWriter.bytes(content.inUTF8) }
            let trashID = environment.uuid()
            let change = begin(
                step, path: path, before: item.bytes, after: bytes,
                trash: bytes == nil ? trashID : nil)
            do throws(FileCallError) {
                if let bytes {
                    try directory.update(name, to: bytes, expecting: item.etag)
                } else {
                    _ = try directory.delete(name, expecting: item.etag, id: trashID)
                }
                finish(change)
                return result
            } catch {
                forget(change)
                if error.reason == .conflict { continue }
                throw error
            }
        }
        throw FileCallError(.conflict, path: path)
    }
}
