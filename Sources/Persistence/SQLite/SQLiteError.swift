import Base
import CSQLite
import Glibc

/// The facts of a failure with a database file: a reason to switch over, SQLite's codes, the
/// statement (its beginning, never the bound values) and the file.
///
/// It has no sentence for users; that is made in one place of the program.
package struct SQLiteError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// Another connection kept the lock longer than the busy timeout.
        case locked
        /// The file is damaged; nothing was changed.
        case corrupt
        case notADatabase
        /// A SQLite database of another program.
        case otherDatabase
        case readOnly
        /// The disk or the quota is full.
        case full
        case ioError
        /// Written by a later version of the program; left untouched.
        case newerSchema(found: Int, supported: Int)
        /// Missing, not permitted, or not a plain file of this user.
        case cannotOpen
        case constraint
        case interrupted
        /// The row named by the call does not exist.
        case notFound
        case other
    }

    package var reason: Reason
    /// SQLite's extended result code; 0 if SQLite was not involved.
    package var extendedCode: Int32
    /// `errno` of the failed system call; 0 if there was none.
    package var systemError: Int32
    /// The name of the statement; nil outside a statement.
    package var statement: String?
    package var path: String
    /// SQLite's own message or ours; contains no bound value.
    package var detail: String

    package init(
        _ reason: Reason, extendedCode: Int32 = 0, systemError: Int32 = 0,
        statement: String? = nil, path: String, detail: String
    ) {
        self.reason = reason
        self.extendedCode = extendedCode
        self.systemError = systemError
        self.statement = statement
        self.path = path
        self.detail = detail
    }

    /// A failed system call on `path`.
    package static func system(_ call: String, path: String, error: Int32 = errno) -> SQLiteError {
        let reason: Reason =
            switch error {
            case ENOSPC, EDQUOT: .full
            case EROFS: .readOnly
            case EIO: .ioError
            default: .cannotOpen
            }
        return SQLiteError(
            reason, systemError: error, path: path,
            detail: "\(call): \(Diagnostic.system(error))")
    }

    /// The reason behind an extended result code.
    static func reason(extendedCode: Int32, systemError: Int32) -> Reason {
        switch extendedCode & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .locked
        case SQLITE_CORRUPT: return .corrupt
        case SQLITE_NOTADB: return .notADatabase
        case SQLITE_READONLY: return .readOnly
        case SQLITE_FULL: return .full
        case SQLITE_IOERR:
            // If the disk is full when the shared-memory or journal file grows, SQLite reports an
            // input/output error; the remedy for the user is different.
            switch systemError {
            case ENOSPC, EDQUOT: return .full
            case EROFS: return .readOnly
            default: return .ioError
            }
        case SQLITE_CANTOPEN, SQLITE_PERM: return .cannotOpen
        case SQLITE_CONSTRAINT: return .constraint
        case SQLITE_INTERRUPT: return .interrupted
        default: return .other
        }
    }
}

extension SQLiteError: DescribedError {
    /// Whether it is about undo steps and given alerts, not about conversations.
    package var isCalendar: Bool { path.hasSuffix("/calendar.db") }

    package var diagnostic: Diagnostic {
        let path = path
        switch reason {
        case .locked:
            return Diagnostic(
                isCalendar
                    ? "Another chat is using the undo log (\(path))."
                    : "Another chat is using the conversations (\(path)).",
                todo: "Try again, or close the other one.")
        case .corrupt, .notADatabase:
            return Diagnostic(
                "\(path) is damaged; it was not changed.",
                todo: "To start with a new one, move it away: mv \(path) \(path).damaged")
        case .otherDatabase:
            return Diagnostic(
                "\(path) belongs to another program.",
                todo: "Move it away, or set CHAT_HOME to another folder.")
        case .readOnly:
            return Diagnostic(
                "\(path) cannot be written.",
                todo: "Check its permissions.")
        case .full:
            return Diagnostic(
                "The disk is full: \(path) cannot be written.",
                todo: "Make room and try again.")
        case .ioError:
            return Diagnostic(
                "The disk failed at \(path): \(detail).", todo: nil)
        case .newerSchema(let found, let supported):
            return Diagnostic(
                "\(path) was written by a newer version of chat (schema \(found), this one supports \(supported)).",
                todo: "Use the newer version; nothing was changed.")
        case .cannotOpen:
            return Diagnostic(
                "\(path) cannot be opened: \(detail).",
                todo: "Check the folder and its permissions, or set CHAT_HOME.")
        case .interrupted: return Diagnostic("Stopped.", exit: .interrupted)
        case .notFound: return Diagnostic("Not found, or no longer there: \(detail).")
        case .constraint, .other:
            return Diagnostic("The database failed at \(path): \(detail).", todo: nil)
        }
    }
}
