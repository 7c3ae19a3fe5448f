import Glibc
import XCTest

@testable import Base
@testable import Texts

final class WritingDiagnosticsTests: XCTestCase {
    private var errors: [(String, any Error)] {
        let span = ProtectedText("see `swift build` now").violation(in: "see `swiftbuild` now")
        let texts: [WritingError.Reason] =
            [
                .tooShort, .secret, .needsModel("Friendly"),
                .unknownTool("frendly", known: ["friendly", "concise"]),
                .unknownTool("haiku", known: ["friendly", "concise"]), .answer(.empty),
                .answer(.tooShort(0.12)), .answer(.tooLong(4)),
                .answer(.paragraphs(was: 3, isNow: 1)), .declined, .cut,
                .doubtful(
                    "Facts changed: \"12\" → \"21\".", kept: "/home/ida/.chat/answers/1-a.md"),
                .noPart("The text has only 4 lines."),
            ] + (span.map { [.mangled($0)] } ?? [])
        let files: [WritingFileError.Reason] = [
            .file(.system(ENOENT)), .file(.system(EACCES)), .unwritable(ENOSPC),
            .file(.isFolder), .file(.notRegular), .empty, .tooLarge(50_000_000), .binary,
            .lacks("→", kept: "/home/ida/.chat/answers/1-notes.md"),
            .changedMeanwhile, .linked(2), .changedSince,
            .gone, .notNoted(Diagnostic("The database is locked.")),
        ]
        return texts.map { ("writing", WritingError($0)) }
            + files.map { ("file", WritingFileError($0, "notes.md")) }
    }

    func testEveryErrorOfTheWritingToolsSaysWhatHappenedAndWhatToDo() throws {
        try DiagnosticsGolden.check(errors, "diagnostics-writing.txt")
    }
}
