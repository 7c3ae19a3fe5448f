import XCTest

@testable import ChatKit
@testable import Library
@testable import Persistence
@testable import Privacy
@testable import Texts

final class PrivacyDiagnosticsTests: XCTestCase {
    private var errors: [(String, any Error)] {
        let profile: [ProfileError.Reason] = [
            .empty(.name), .invalid(.email, "has no @"), .tooMany(.phone), .holdsKey,
            .notThere(.url), .malformed("profile.json", line: 2, column: 7, "unexpected byte"),
            .unreadable("profile.json", "Permission denied"),
            .unwritable("profile.json", "No space left on device"), .nothingToImport("cv.txt"),
        ]
        let redaction: [RedactionError.Reason] = [
            .unreadable("cv.txt", "No such file or directory"), .notText("cv.txt"),
            .notMap("cv.map", "no list of placeholders"),
            .mapExists("cv.map"), .mapIsText("cv.txt"), .unwritable("cv.map", "Read-only"),
        ]
        let memory: [MemoryError.Reason] = [.empty, .tooLong(240), .full]
        var errors: [(String, any Error)] = profile.map { ("profile", ProfileError($0)) }
        errors += redaction.map { ("redaction", RedactionError($0)) }
        errors += memory.map { ("memory", MemoryError($0)) }
        for kind in [ItemKind.resume, .memory] {
            errors.append(("item", DisclosureRefusal(item: ItemID(rawValue: 12), kind: kind)))
        }
        let place = ConfigObjectNeeded(
            name: "theme.heading", path: ["theme"], file: "~/config.json")
        errors.append(("setting", place))
        return errors
    }

    func testEveryErrorOfProfileMemoryAndRedactionSaysWhatHappenedAndWhatToDo() throws {
        try DiagnosticsGolden.check(errors, "diagnostics-privacy.txt")
    }
}
