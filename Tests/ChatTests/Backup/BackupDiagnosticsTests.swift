import Base
import Glibc
import XCTest

@testable import ChatKit
@testable import Texts

/// What is said when an archive or a backup cannot be used: one sentence and
/// what to do for each reason.
final class BackupDiagnosticsTests: XCTestCase {
    private var errors: [(String, any Error)] {
        let member = "calendars/office/a.ics"
        let archive: [ArchiveError.Reason] = [
            .notZip, .truncated, .damaged("an unknown block type"), .wrongChecksum,
            .unreadable(EIO), .unsupported("compression method 14"), .encrypted, .unsafeName, .link,
            .special, .duplicate, .overlap, .bomb(ratio: 200), .tooLarge(1 << 30),
            .tooMany(200_000),
        ]
        let backup: [BackupError.Reason] = [
            .exists, .system(ENOSPC), .system(EACCES), .system(ENOENT), .isFolder,
            .archive(ArchiveError(.unsafeName, member: "../x")),
            .archive(ArchiveError(.truncated)), .archive(ArchiveError(.encrypted, member: member)),
            .notABackup, .newerBackup, .newerDatabase, .damagedDatabase, .wrongFile(member),
            .missingFile("a\nb"),
            .configuration(
                ConfigurationError(
                    reason: .wrongValue(name: "web", accepted: "one of \"off\", \"on\""),
                    file: "config.json", line: 3, column: 8)), .busy,
            .changedMeanwhile("office/a.ics"),
        ]
        var errors: [(String, any Error)] = archive.map { ("archive", ArchiveError($0)) }
        errors += archive.map { ("member", ArchiveError($0, member: member)) }
        errors += backup.map { ("backup", BackupError($0, path: "backup.zip")) }
        return errors + [("undo", RestoreNotUndone(backup: "backup.zip"))]
    }

    func testEveryFailureHasASentence() throws {
        try DiagnosticsGolden.check(errors, "diagnostics-backup.txt")
    }
}
