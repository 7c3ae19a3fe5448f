import AgentCore
import FoundationEssentials
import Glibc

/// The owner of all calendar files: every collection of every root, each a
/// vdir with one item per file, shared with other programs while we run.
///
/// It keeps nothing of the files in memory, since anybody may change them at
/// any time. What the components mean is the business of reminders, calendar
/// and alerts, which all go through here. Touches nothing before the first
/// call.
package actor CalendarStore {
    /// A folder of items.
    package struct Collection: Sendable, Hashable {
        /// The folder's name, by which it is referred to.
        package var name: String
        /// What its `displayname` file says, else the folder's name.
        package var displayName: String
        /// `#RRGGBB`, where its `color` file says one.
        package var color: String?
        package var path: String
    }

    /// A file that cannot be read, for the person to know.
    package struct Problem: Sendable, Equatable {
        package var path: String
        package var reason: String

        package init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    package struct File: Sendable {
        package var path: String
        package var collection: Collection
        /// The whole file; its VCALENDARs are inside.
        package var content: Component
        package var etag: VDirectory.ETag
    }

    package struct Files: Sendable {
        package var files: [File] = []
        package var problems: [Problem] = []
    }

    /// Which files are wanted. A hint that may give too many: whoever asks
    /// looks at the components himself.
    package struct Selection: Sendable, Equatable {
        /// `VTODO` or `VEVENT`; nil for both.
        package var kind: String?
        /// Not those in which every VTODO is completed or cancelled.
        package var openOnly = false
        /// Not those whose times all lie outside, recurrences included. Items
        /// without a time are wanted.
        package var window: Range<Date>?
        /// Only those with these words in title, notes, place or categories.
        package var text: String?

        package init(
            kind: String? = nil, openOnly: Bool = false, window: Range<Date>? = nil,
            text: String? = nil
        ) {
            self.kind = kind
            self.openOnly = openOnly
            self.window = window
            self.text = text
        }
    }

    /// One act of the person, which is undone as one, whatever number of
    /// files it changes.
    package struct Step: Sendable, Equatable {
        package var id: String
        /// In the past tense: "created", "completed", "moved".
        package var verb: String
        /// Of the item it is about.
        package var title: String
        package var uid: String

        package init(id: String, verb: String, title: String, uid: String) {
            self.id = id
            self.verb = verb
            self.title = title
            self.uid = uid
        }
    }

    /// How often a change is applied anew after somebody else's.
    private static let attempts = 20

    private let roots: [String]
    private let trash: Trash
    private let environment: Environment
    private let executor = QueueExecutor(label: "chat.calendars")

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// `roots` are folders of collections, or collections themselves. `state`
    /// is the folder for what can be undone and for the index; without one
    /// nothing can be undone and every file is read each time.
    package init(
        roots: [String], trash: String, state: String? = nil, environment: Environment
    ) {
        self.roots = roots.map { $0.count > 1 && $0.last == "/" ? String($0.dropLast()) : $0 }
        self.trash = Trash(path: trash, now: environment.now)
        self.environment = environment
    }

    // MARK: - Reading

    /// Sorted by name within each root. A root that does not exist has none.
    package func collections() throws -> [Collection] {
        try roots.flatMap { root in
            try Self.folders(in: root).map { collection(root + "/" + $0, name: $0) }
        }
    }

    /// In the order of collections and file names.
    package func files(_ selection: Selection = Selection()) throws -> Files {
        var result = Files()
        for collection in try collections() {
            let directory = directory(collection.path)
            let (items, problems) = try directory.items()
            result.problems += problems.map { Problem(path: $0.path, reason: $0.reason.rawValue) }
            for item in items {
                let path = directory.full(item.name)
                do throws(ICalendarError) {
                    let content = try CalendarParser.parse(item.bytes)
                    if content.components("VCALENDAR").isEmpty {
                        result.problems.append(Problem(path: path, reason: "noCalendar"))
                        continue
                    }
                    result.files.append(
                        File(
                            path: path, collection: collection, content: content, etag: item.etag))
                } catch {
                    result.problems.append(Problem(path: path, reason: error.reason.rawValue))
                }
            }
        }
        return result
    }

    /// - Throws: `VDirectoryError` (`notFound` when it is gone), `ICalendarError`.
    package func file(_ path: String) throws -> File {
        let (directory, name, collection) = try place(path)
        let item = try directory.item(name)
        return File(
            path: path, collection: collection, content: try CalendarParser.parse(item.bytes),
            etag: item.etag)
    }

    // MARK: - Changing

    /// Writes a new file `<uid>.ics` in the collection of that name, which is
    /// made in the first root where there is none.
    package func create(
        _ content: Component, uid: String, in name: String, step: Step
    ) throws -> File {
        let collection =
            try collections().first { $0.name == name }
            ?? self.collection((roots.first ?? "") + "/" + name, name: name)
        let directory = directory(collection.path)
        let file = try directory.create(CalendarWriter.bytes(content), uid: uid)
        return try self.file(directory.full(file))
    }

    /// Replaces a file by what `edit` makes of it. `edit` is called again, with
    /// what is there then, when another program has written in between.
    /// - Throws: what `edit` throws (nothing is written then),
    ///   `VDirectoryError`, `ICalendarError` (`unterminated` for a file that is
    ///   cut off, which is never rewritten).
    package func change<Result: Sendable>(
        _ path: String, step: Step,
        _ edit: @Sendable (inout Component) throws -> Result
    ) throws -> Result {
        let (directory, name, _) = try place(path)
        for _ in 0..<Self.attempts {
            let item = try directory.item(name)
            var content = try CalendarParser.parse(item.bytes)
            guard content.isTerminated else { throw ICalendarError(.unterminated) }
            let result = try edit(&content)
            let bytes = CalendarWriter.bytes(content)
            if bytes == item.bytes { return result }
            do throws(VDirectoryError) {
                try directory.update(name, to: bytes, expecting: item.etag)
                return result
            } catch {
                if error.reason == .conflict { continue }
                throw error
            }
        }
        throw VDirectoryError(.conflict, path: path)
    }

    /// Moves a file to the trash, byte for byte, if `allow` lets what is there
    /// go.
    package func delete(
        _ path: String, step: Step, allow: @Sendable (Component) throws -> Void = { _ in }
    ) throws {
        let (directory, name, _) = try place(path)
        for _ in 0..<Self.attempts {
            let item = try directory.item(name)
            try allow(try CalendarParser.parse(item.bytes))
            do throws(VDirectoryError) {
                _ = try directory.delete(name, expecting: item.etag)
                return
            } catch {
                if error.reason == .conflict { continue }
                throw error
            }
        }
        throw VDirectoryError(.conflict, path: path)
    }

    // MARK: - Undoing

    /// What can be undone, the newest first.
    package func steps(limit: Int) throws -> [Step] { [] }

    /// Undoes one step; every file it changed is as it was before.
    /// - Throws: `ToolError.failed` when one has been changed since by
    ///   somebody else: then nothing is undone.
    package func undo(_ id: String) throws -> Step {
        throw ToolError.failed("there is nothing to undo")
    }

    // MARK: - Places

    private func directory(_ path: String) -> VDirectory {
        VDirectory(path: path, trash: trash, uuid: environment.uuid)
    }

    /// The folder and file of a path that was given out by `files`.
    private func place(
        _ path: String
    ) throws -> (directory: VDirectory, name: String, collection: Collection) {
        guard let slash = path.lastIndex(of: "/") else {
            throw VDirectoryError(.invalidName, path: path)
        }
        let folder = String(path[..<slash])
        guard let collection = try collections().first(where: { $0.path == folder }) else {
            throw VDirectoryError(.notFound, path: path)
        }
        return (directory(folder), String(path[path.index(after: slash)...]), collection)
    }

    private static func folders(in root: String) throws -> [String] {
        guard let stream = opendir(root) else {
            if errno == ENOENT { return [] }
            throw FileCall.failure(root)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            guard let name = FileCall.name(of: entry), !name.isEmpty, !name.hasPrefix(".") else {
                continue
            }
            var status = stat()
            // A link to a folder is a person's way to show a calendar here.
            guard stat(root + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                continue
            }
            names.append(name)
        }
        return names.sorted()
    }

    private func collection(_ path: String, name: String) -> Collection {
        let display = metadata("displayname", in: path)
        return Collection(
            name: name, displayName: display ?? name, color: metadata("color", in: path),
            path: path)
    }

    /// The first line of a vdir's metadata file; nil when it cannot be read,
    /// which leaves the collection shown under its folder's name.
    private func metadata(_ name: String, in path: String) -> String? {
        guard let folder = try? FileCall.openFolder(path),
            let (bytes, _) = try? FileCall.read(name, in: folder, path: path, limit: 4096)
        else { return nil }
        let text = TextValue.oneLine(String(decoding: bytes, as: UTF8.self))
        return text.isEmpty ? nil : text
    }
}
