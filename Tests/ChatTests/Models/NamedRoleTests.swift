import AgentCore
import TestSupport
import XCTest

@testable import chat

final class RoleTests: XCTestCase {
    func testAFileIsMarkdownWithAFewSettingsAtItsBeginning() {
        XCTAssertEqual(
            NamedRole(
                name: "r",
                file:
                    "---\nmodel: claude-opus-5-5\neffort: high\ntemperature: \"0.2\"\n---\n\nBe kind.\n"
            ),
            NamedRole(
                name: "r", text: "Be kind.", model: "claude-opus-5-5", effort: .high,
                temperature: 0.2, source: .file))
        XCTAssertEqual(
            NamedRole(name: "r", file: "Only words.\n---\nwith a line"),
            NamedRole(name: "r", text: "Only words.\n---\nwith a line", source: .file))
        let odd = NamedRole(
            name: "r", file: "---\n# mine\neffort: huge\ntools: all\nwhat\ntemperature: 9\n---\nx")
        XCTAssertEqual(odd?.problems, ["effort: huge", "tools: all", "what", "temperature: 9"])
        XCTAssertNil(NamedRole(name: "r", file: "---\nmodel: x\n---\n \n"))
        // An unclosed head is text.
        XCTAssertEqual(NamedRole(name: "r", file: "---\nmodel: x")?.text, "---\nmodel: x")
    }

    func testAFileComesBeforeTheConfigurationAndThatBeforeTheExamples() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("from the file".utf8), to: "a.md")
        try folder.write(Array("not a role".utf8), to: "notes.txt")
        try folder.write(Array("hidden".utf8), to: ".b.md")
        let book = RoleBook(
            folder: folder.path,
            configured: [
                "a": .init(system: "configured a"), "shell": .init(system: "my shell"),
            ])
        XCTAssertEqual(book.all.map(\.name), ["a", "proofread", "shell", "tutor"])
        XCTAssertEqual(book.role("a")?.text, "from the file")
        XCTAssertEqual(book.role("shell")?.text, "my shell")
        XCTAssertEqual(book.role("tutor")?.source, .builtIn)
        for name in ["../a", "", "none", ".b", "x/y", "a\u{0}b"] { XCTAssertNil(book.role(name)) }
        XCTAssertThrowsError(try book.required("shel")) { error in
            XCTAssertEqual((error as? UsageError)?.hint, "Did you mean shell?")
        }
    }

    func testWhatTheToolsNeedGoesWithEveryRole() {
        let role = NamedRole(name: "r", text: "Be kind.", source: .file)
        XCTAssertTrue(role.system.hasPrefix("Be kind.\n\nWhen the user speaks of reminders"))
        XCTAssertTrue(SystemText.standard.hasSuffix(SystemText.tools))
        XCTAssertTrue(SystemText.standard.contains("shows it as text. When the user speaks"))
    }
}
