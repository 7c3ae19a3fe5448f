import AgentCore
import CalendarFiles
import ICalendar
import Library
import Persistence
import Planner
import Texts

/// Connects the writing tools to the notes of reminders and events.
extension WritingServer.Dependencies {
    package init(
        library: LibraryStore, files: RewrittenFiles, reminders: RemindersServer,
        calendar: CalendarServer, home: String,
        screen: WritingServer.Screen = WritingServer.Screen(),
        input: @escaping @Sendable () async throws -> [UInt8]?,
        lastAnswer: @escaping @Sendable () async throws -> String?
    ) {
        self.init(
            library: library, files: files, home: home, screen: screen,
            reminderNotes: { try await reminders.notes(of: $0) },
            eventNotes: { try await calendar.notes(of: $0) }, input: input,
            lastAnswer: lastAnswer)
    }
}

extension RemindersServer {
    fileprivate func notes(of title: String) async throws -> ItemNotes {
        let found = try await find(title, .any)
        return ItemNotes(title: found.title, uid: found.uid, notes: found.notes ?? "") { notes in
            var edit = ItemEdit()
            edit.notes = .set(notes)
            _ = try await actions.edit(found, edit)
        }
    }
}

extension CalendarServer {
    fileprivate func notes(of title: String) async throws -> ItemNotes {
        let book = moment().book
        let (series, event) = try await book.find(title)
        return ItemNotes(title: event.title, uid: event.uid, notes: event.notes ?? "") { notes in
            var edit = ItemEdit()
            edit.notes = .set(notes)
            _ = try await book.edit(event, of: series, edit, scope: .all)
        }
    }
}
