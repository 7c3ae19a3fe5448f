import Base
import Glibc

/// The reason why a backup could not be made or restored. Nothing was changed in any case.
package struct BackupError: Error, Sendable, Equatable {
    package enum Reason: Error, Sendable, Equatable {
        case exists
        /// The `errno` of writing or reading the file.
        case system(Int32)
        case isFolder
        case archive(ArchiveError)
        /// A ZIP archive without our manifest.
        case notABackup
        case newerBackup
        /// The backup's database has a newer schema.
        case newerDatabase
        case damagedDatabase
        /// It is unknown what an interrupted restore had left to do.
        case damagedNote
        /// A file differs from its entry in the manifest.
        case wrongFile(String)
        /// A file of the manifest is not in the archive.
        case missingFile(String)
        /// The backup's `config.json` is invalid for the program.
        case configuration(ConfigurationError)
        /// Another restore or backup is running.
        case busy
        /// Another program changed a calendar file in the meantime.
        case changedMeanwhile(String)
    }

    package var reason: Reason
    /// The file named by the user.
    package var path: String

    package init(_ reason: Reason, path: String) {
        self.reason = reason
        self.path = path
    }
}

extension BackupError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .exists:
            return Diagnostic(
                "\(path) already exists.",
                todo: "Give another name, or --force to replace it.", exit: .usage)
        case .system(let code):
            let todo: String? =
                switch code {
                case ENOSPC, EDQUOT: "Make room and try again; nothing was changed."
                case EACCES, EPERM, EROFS: "Check the permissions of the file and its folder."
                default: nil
                }
            return Diagnostic("\(path): \(Diagnostic.system(code)).", todo: todo)
        case .isFolder:
            return Diagnostic("\(path) is not a file.", todo: "Name a file: backup.zip")
        case .archive(let error):
            let inner = error.diagnostic
            return Diagnostic(
                "\(path) cannot be restored. " + inner.what,
                todo: error.isHostile
                    ? "A real backup contains nothing of the kind; nothing was written."
                    : "Nothing was changed. If you have another copy, try that one.",
                exit: inner.exit)
        case .notABackup:
            return Diagnostic(
                "\(path) is not a backup of chat: it has no readable manifest.",
                todo: "chat backup FILE.zip makes one.")
        case .newerBackup, .newerDatabase:
            return Diagnostic(
                "\(path) was made by a newer version of chat.",
                todo: "Update chat, then restore; nothing was changed.")
        case .damagedDatabase:
            return Diagnostic(
                "\(path) is damaged: its database cannot be read.",
                todo: "Nothing was changed. If you have another copy, try that one.")
        case .damagedNote:
            return Diagnostic("\(path) is damaged: it does not say what is left to restore.")
        case .wrongFile(let name):
            return Diagnostic(
                "\(path) is damaged: \(Self.shown(name)) does not match its manifest.",
                todo: "Nothing was changed. If you have another copy, try that one.")
        case .missingFile(let name):
            return Diagnostic(
                "\(path) is damaged: \(Self.shown(name)) is missing.",
                todo: "Nothing was changed. If you have another copy, try that one.")
        case .configuration(let error):
            return Diagnostic(
                "\(path) cannot be restored. " + error.diagnostic.what,
                todo: "Nothing was changed. Where you have a config.json, the backup's is not "
                    + "used: make one (chat config edit), then restore.")
        case .busy:
            return Diagnostic(
                "Another chat is making or restoring a backup.",
                todo: "Wait until it is done, then try again.")
        case .changedMeanwhile(let name):
            return Diagnostic(
                "\(Self.shown(name)) was changed by another program in the meantime.",
                todo: "Nothing was restored; try again.")
        }
    }

    private static func shown(_ name: String) -> String {
        "\"\(name.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(80))\""
    }
}
