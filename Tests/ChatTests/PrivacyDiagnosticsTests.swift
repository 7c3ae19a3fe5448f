import TestSupport
import XCTest

@testable import AgentCore
@testable import Persistence
@testable import TerminalKit
@testable import ToolServers
@testable import chat

final class PrivacyDiagnosticsTests: XCTestCase {
    private var errors: [(String, any Error)] {
        let profile: [ProfileError.Reason] = [
            .empty(.name), .invalid(.email, "has no @"), .tooMany(.phone), .holdsKey,
            .notThere(.url), .malformed("profile.json", line: 2, column: 7, "unexpected byte"),
            .unreadable("profile.json", "Permission denied"),
            .unwritable("profile.json", "No space left on device"), .nothingToImport("cv.txt"),
        ]
        let redaction: [RedactionError.Reason] = [
            .notText("cv.txt"), .notMap("cv.map", "no list of placeholders"),
            .mapExists("cv.map"), .mapIsText("cv.txt"), .unwritable("cv.map", "Read-only"),
        ]
        return profile.map { ("profile", ProfileError($0)) }
            + redaction.map { ("redaction", RedactionError($0)) }
            + [("item", DisclosureRefusal(item: ItemID(rawValue: 12), kind: .resume))]
    }

    func testEveryErrorOfProfileAndRedactionSaysWhatHappenedAndWhatToDo() throws {
        var text = ""
        let style = Style(usesColor: false, usesUnicode: true)
        for (name, error) in errors {
            let diagnostic = ErrorDescriber(packages: .apt).describe(error)
            let lines = diagnostic.lines.map { style.text($0) }
            text += "\(name) (exit \(diagnostic.exit.rawValue))\n"
            text += lines.joined(separator: "\n") + "\n\n"
            XCTAssertFalse(diagnostic.what.contains("\n"), "\(error)")
            XCTAssertLessThanOrEqual(
                (diagnostic.what + (diagnostic.todo ?? "")).count, 240, "\(error)")
        }
        try GoldenFile.check(text, "diagnostics-privacy.txt")
    }
}
