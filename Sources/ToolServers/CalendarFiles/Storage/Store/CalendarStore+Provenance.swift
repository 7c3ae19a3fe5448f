import AgentCore
import Base
import FoundationEssentials
import ICalendar
import Persistence

/// Tracks what was created here: who wrote the text in files and names, which decides what a model
/// may do, and which events are the user's, which decides what rings (decisions 15 and 29).
extension CalendarStore {
    /// Whether all contents of these files (including files deleted here) were
    /// written here from the user's text, and their lists' names are the user's.
    /// False if that is unknown.
    ///
    /// - Parameter paths: nil if unknown (`quotedFiles`).
    package func areOwn(_ paths: [String]?, showing names: ShownNames = .none) -> Bool {
        guard let paths else { return false }
        if paths.isEmpty { return true }
        // Whatever the cause, nothing is known then.
        guard let log = try? undoLog() else { return false }
        return Set(paths).allSatisfy { (try? isOwn($0, log)) == true }  // As above.
            && haveOwnNames(paths, showing: names)
    }

    /// The events that were created here, which ring without an alarm.
    package struct OwnEvents: Sendable {
        package var uids: Set<String> = []
        /// The time from which they do so; nil for always.
        package var since: Date?

        package init(uids: Set<String> = [], since: Date? = nil) {
            (self.uids, self.since) = (uids, since)
        }
    }

    /// The events in these files that were created here, even if their text is
    /// untrusted or others have moved them since: the user expects them to ring.
    ///
    /// Empty if the log cannot be read; alerts use the same log and report that.
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

    /// Records events from a backup, which vouches that its user created them.
    package func noteEventsMadeHere(_ uids: [String]) {
        // If that fails, they are treated as untrusted events.
        if !uids.isEmpty { try? undoLog()?.addOwnEvents(uids) }
    }

    /// Records a list named by the user.
    func noteName(ofList name: String) {
        // An unknown name only costs a question.
        if !ToolCallContext.hasUntrustedText { try? undoLog()?.addOwn(Self.words(ofList: name)) }
    }

    package func isOwnName(ofList name: String) -> Bool {
        // An unreadable log only costs a question.
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
