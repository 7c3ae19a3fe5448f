import AgentCore
import Base
import FoundationEssentials
import ICalendar
import Persistence

/// What was made here: whose words files and names hold, which decides what a model may
/// do, and which events are the user's, which decides what rings (decisions 15 and 29).
extension CalendarStore {
    /// Whether all that these files hold (or did, when they were deleted here)
    /// was written here from the words of the user, and the names of their lists
    /// are the user's. False where it cannot be told.
    ///
    /// - Parameter paths: nil where it is not known which (`quotedFiles`).
    package func areOwn(_ paths: [String]?, showing names: ShownNames = .none) -> Bool {
        guard let paths else { return false }
        if paths.isEmpty { return true }
        // Whatever the cause, nothing is known then.
        guard let log = try? undoLog() else { return false }
        return Set(paths).allSatisfy { (try? isOwn($0, log)) == true }
            && haveOwnNames(paths, showing: names)
    }

    /// The events that were made here, which ring without an alarm.
    package struct OwnEvents: Sendable {
        package var uids: Set<String> = []
        /// From when on they do; nil for always.
        package var since: Date?

        package init(uids: Set<String> = [], since: Date? = nil) {
            (self.uids, self.since) = (uids, since)
        }
    }

    /// The events in these files that were made here, whoever's words they hold and
    /// whoever has moved them since: the user expects those to ring.
    ///
    /// None where the log cannot be read, which is that of the alerts too and then
    /// reported by them.
    package func eventsMadeHere(in files: [File]) -> OwnEvents {
        do throws(SQLiteError) {
            guard let log = try undoLog() else { return OwnEvents() }
            var found = OwnEvents(since: try log.eventsRingSince())
            for file in files {
                let ids = Set(file.content.eventIDs)
                var unknown: [String] = []
                for uid in ids {
                    if try log.isOwnEvent(uid) {
                        found.uids.insert(uid)
                    } else {
                        unknown.append(uid)
                    }
                }
                guard !unknown.isEmpty, try log.isOwn(CalendarWriter.bytes(file.content)) else {
                    continue
                }
                try log.addOwnEvents(unknown)
                found.uids.formUnion(unknown)
            }
            return found
        } catch {
            return OwnEvents()
        }
    }

    /// Events of a backup, which says that they were made by the user of it. `try?`: without
    /// it they are like events of others.
    package func noteEventsMadeHere(_ uids: [String]) {
        if !uids.isEmpty { try? undoLog()?.addOwnEvents(uids) }
    }

    /// A list that the user has named. `try?`: an unknown name only costs a question.
    func noteName(ofList name: String) {
        if !ToolCallContext.hasForeignText { try? undoLog()?.addOwn(Self.words(ofList: name)) }
    }

    func isOwnName(ofList name: String) -> Bool {
        (try? undoLog()?.isOwn(Self.words(ofList: name))) == true
    }

    private static func words(ofList name: String) -> [UInt8] { Array("list \(name)".utf8) }

    func isOwn(_ path: String, _ log: UndoLog) throws(SQLiteError) -> Bool {
        switch state(of: path) {
        case .file(let item): return try log.isOwn(item.bytes)
        case .unreadable: return false
        case .missing:
            guard let change = try log.latestChange(of: path) else { return false }
            for content in [change.before, change.after] {
                if let content, try !log.isOwn(content) { return false }
            }
            return true
        }
    }
}
