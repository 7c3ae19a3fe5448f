import Letters
import Library
import Planner
import Routines
import Stories
import Texts
import Transcription

/// The nouns of the tool servers' commands, known before any server is created: they
/// distinguish a command from text.
package enum ServerNouns {
    package static let all = [
        RemindersServer.noun, CalendarServer.noun, CalendarServer.todayNoun, AlertsCommand.noun,
        RoutineServer.noun,
        WritingServer.noun, LibraryServer.noun, UndoServer.noun, TranscriptionServer.noun,
        IdeasServer.noun, PromptServer.noun, LetterServer.noun, StoryServer.noun,
        ProfileServer.noun, MemoryServer.noun, RedactCommand.noun, BackupCommand.backupNoun,
    ]
}
