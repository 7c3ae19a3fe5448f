import AgentCore
import FoundationEssentials
import Glibc

/// The owner of the reminder files: lists are the folders of one calendars
/// folder, each a vdir with a VTODO per file.
///
/// It keeps nothing in memory, since other programs change the files at any
/// time. Choosing among reminders is `ReminderMatcher`, words are
/// `ReminderText`. Touches nothing before the first call.
package actor ReminderStore {
    /// A file that holds no readable reminder, for the person to know.
    package struct Problem: Sendable, Equatable {
        package var path: String
        package var reason: String
    }

    package struct Listing: Sendable, Equatable {
        package var reminders: [Reminder] = []
        package var problems: [Problem] = []
    }

    /// The list new reminders go to.
    package static let defaultList = "reminders"
    /// How often a change is applied anew after somebody else's.
    private static let attempts = 20

    private let root: String
    private let trash: Trash
    private let environment: Environment
    private let executor = QueueExecutor(label: "chat.reminders")

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    package init(root: String, trash: String, environment: Environment) {
        self.root = root.count > 1 && root.last == "/" ? String(root.dropLast()) : root
        self.trash = Trash(path: trash, now: environment.now)
        self.environment = environment
    }

    /// Everything in every list, in the order of lists and files.
    package func all() throws -> Listing {
        let local = LocalTime()
        var listing = Listing()
        for folder in try lists() {
            let directory = directory(folder)
            let name = displayName(folder)
            let (items, problems) = try directory.items()
            listing.problems += problems.map { Problem(path: $0.path, reason: $0.reason.rawValue) }
            for item in items {
                let path = directory.full(item.name)
                do throws(ICalendarError) {
                    let file = try CalendarParser.parse(item.bytes)
                    let found = ReminderComponent.reminders(
                        in: file, path: path, list: name, local: local)
                    listing.reminders += found
                    if found.isEmpty, file.components("VCALENDAR").isEmpty {
                        listing.problems.append(Problem(path: path, reason: "noCalendar"))
                    }
                } catch {
                    listing.problems.append(Problem(path: path, reason: error.reason.rawValue))
                }
            }
        }
        return listing
    }

    /// Writes a new file in the default list.
    package func create(_ draft: Reminder.Draft) throws -> Reminder {
        let uid = environment.uuid()
        let directory = directory(Self.defaultList)
        let file = ReminderComponent.file(draft, uid: uid, now: environment.now())
        let name = try directory.create(CalendarWriter.bytes(file), uid: uid)
        return Reminder(
            uid: uid, title: draft.title, due: draft.due, priority: draft.priority,
            list: displayName(Self.defaultList), notes: draft.notes, path: directory.full(name))
    }

    /// Marks a reminder done in its file.
    /// - Throws: `ToolError` when it is recurring or gone, `VDirectoryError`,
    ///   `ICalendarError`.
    package func complete(_ reminder: Reminder) throws -> Reminder {
        let (directory, name) = try place(of: reminder)
        let now = environment.now()
        for _ in 0..<Self.attempts {
            let item = try itemIfThere(name, in: directory, of: reminder)
            let file = try CalendarParser.parse(item.bytes)
            let current = try self.current(reminder, in: file)
            if current.recurrence != nil {
                throw ToolError.failed(
                    "\"\(current.title)\" repeats; repeating reminders cannot be completed yet")
            }
            guard
                let changed = try ReminderComponent.completing(
                    uid: reminder.uid, in: file, now: now)
            else { throw ToolError.noMatch(query: reminder.title) }
            do throws(VDirectoryError) {
                try directory.update(
                    name, to: CalendarWriter.bytes(changed), expecting: item.etag)
            } catch {
                // Somebody else wrote in between: their change is kept, and
                // ours is made again on top of it.
                if error.reason == .conflict { continue }
                throw error
            }
            var done = current
            done.completed = true
            done.completedAt = now
            return done
        }
        throw VDirectoryError(.conflict, path: reminder.path)
    }

    /// Moves a reminder's file to the trash, byte for byte.
    package func delete(_ reminder: Reminder) throws -> Trash.Entry {
        let (directory, name) = try place(of: reminder)
        for _ in 0..<Self.attempts {
            let item = try itemIfThere(name, in: directory, of: reminder)
            let file = try CalendarParser.parse(item.bytes)
            _ = try current(reminder, in: file)
            guard Self.holdsOneItem(file) else {
                throw ToolError.failed(
                    "the file of \"\(reminder.title)\" holds other items too; it was left alone")
            }
            do throws(VDirectoryError) {
                return try directory.delete(name, expecting: item.etag)
            } catch {
                if error.reason == .conflict { continue }
                throw error
            }
        }
        throw VDirectoryError(.conflict, path: reminder.path)
    }

    /// A vdir file holds one item, but other programs put more into one.
    private static func holdsOneItem(_ file: Component) -> Bool {
        var uids: Set<String> = []
        for calendar in file.components("VCALENDAR") {
            for component in calendar.components() where component.name != "VTIMEZONE" {
                uids.insert(component.first("UID")?.value ?? "")
            }
        }
        return uids.count <= 1
    }

    private func current(_ reminder: Reminder, in file: Component) throws -> Reminder {
        let found = ReminderComponent.reminders(
            in: file, path: reminder.path, list: reminder.list, local: LocalTime())
        guard let current = found.first(where: { $0.uid == reminder.uid }) else {
            throw ToolError.noMatch(query: reminder.title)
        }
        return current
    }

    private func itemIfThere(
        _ name: String, in directory: VDirectory, of reminder: Reminder
    ) throws -> VDirectory.Item {
        do throws(VDirectoryError) {
            return try directory.item(name)
        } catch {
            if error.reason == .notFound { throw ToolError.noMatch(query: reminder.title) }
            throw error
        }
    }

    /// The folder and file of a reminder that `all` or `create` gave out.
    private func place(of reminder: Reminder) throws -> (VDirectory, String) {
        guard reminder.path.hasPrefix(root + "/") else {
            throw VDirectoryError(.invalidName, path: reminder.path)
        }
        let parts = reminder.path.dropFirst(root.count + 1).split(
            separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isListName(String(parts[0])) else {
            throw VDirectoryError(.invalidName, path: reminder.path)
        }
        return (directory(String(parts[0])), String(parts[1]))
    }

    private func directory(_ folder: String) -> VDirectory {
        VDirectory(path: root + "/" + folder, trash: trash, uuid: environment.uuid)
    }

    /// The folders in the calendars folder, sorted.
    private func lists() throws -> [String] {
        guard let stream = opendir(root) else {
            if errno == ENOENT { return [] }
            throw FileCall.failure(root)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = FileCall.name(of: entry)
            guard let name, Self.isListName(name) else { continue }
            var status = stat()
            // A link to a folder is a person's way to show a calendar here.
            guard stat(root + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                continue
            }
            names.append(name)
        }
        return names.sorted()
    }

    private static func isListName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".")
    }

    /// What the `displayname` file of a vdir says, else the folder's name.
    private func displayName(_ folder: String) -> String {
        // A list whose name cannot be read is shown under its folder's name.
        guard let directory = try? FileCall.openFolder(root + "/" + folder),
            let (bytes, _) = try? FileCall.read(
                "displayname", in: directory, path: root, limit: 4096)
        else { return folder }
        let name = TextValue.oneLine(String(decoding: bytes, as: UTF8.self))
        return name.isEmpty ? folder : name
    }
}
