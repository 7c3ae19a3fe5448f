import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import Library

/// Editing loses nothing: neither the old text nor the new one.
final class LibraryEditorTests: XCTestCase {
    private func filled(_ body: String = "old words") async throws -> LibraryRig {
        let rig = try LibraryRig()
        try await rig.add(.draft, "Letter", body)
        return rig
    }

    func testAnUnchangedTextIsNoRevision() async throws {
        let rig = try await filled()
        rig.editor.withLock { $0 = { _ in .unchanged } }
        let lines = try await rig.lines("edit", "i1")
        XCTAssertEqual(lines, ["Nothing changed: i1 Letter"])
        rig.editor.withLock { $0 = { .changed($0) } }
        _ = try await rig.run("edit", "i1")
        let revisions = try await rig.store.history(of: ItemID(rawValue: 1))
        XCTAssertEqual(revisions.count, 1)
    }

    func testANewTextIsARevisionOfTheUser() async throws {
        let rig = try await filled()
        rig.editor.withLock { $0 = { .changed($0 + "\nand more") } }
        let lines = try await rig.lines("edit", "i1")
        XCTAssertEqual(lines, ["✓ edited: i1 Letter · revision 2 · /undo"])
        let body = try await rig.body(1)
        XCTAssertEqual(body, "old words\nand more")
        let made = try await rig.store.revision(2, of: ItemID(rawValue: 1))
        XCTAssertEqual(made?.origin, .user)
    }

    func testAnEmptyTextAsksAndNeverDeletes() async throws {
        let rig = try await filled()
        rig.editor.withLock { $0 = { _ in .changed(" \n") } }
        let no = try await rig.run("edit", "i1")
        XCTAssertEqual(no.outcome, .refused)
        XCTAssertEqual(no.lines[0].text, "The text is empty: i1 is unchanged.")
        var body = try await rig.body(1)
        XCTAssertEqual(body, "old words")
        rig.answers.withLock { $0 = [true] }
        _ = try await rig.run("edit", "i1")
        body = try await rig.body(1)
        XCTAssertEqual(body, " \n")
        let item = try await rig.store.item(ItemID(rawValue: 1))
        XCTAssertNil(item?.trashed)
        _ = try await rig.run("undo")
        body = try await rig.body(1)
        XCTAssertEqual(body, "old words")
    }

    func testAFailedEditorSaysWhereTheTextIs() async throws {
        let rig = try await filled()
        rig.editor.withLock {
            $0 = { _ in .failed("vi ended with 1; the text is in /home/ida/i1.md") }
        }
        let said = await failure { try await rig.run("edit", "i1") }
        XCTAssertEqual(
            said?.what, "Nothing was changed: vi ended with 1; the text is in /home/ida/i1.md")
        let body = try await rig.body(1)
        XCTAssertEqual(body, "old words")
    }

    func testAChangeMadeElsewhereMeanwhileIsNotOverwritten() async throws {
        let rig = try await filled()
        let other = rig.other
        rig.editor.withLock {
            $0 = { text in
                // Another instance is quicker.
                _ = try? await other.change(ItemID(rawValue: 1), ItemChange(body: "theirs"))
                return .changed("ours")
            }
        }
        let output = try await rig.run("edit", "i1")
        XCTAssertEqual(output.outcome, .degraded)
        XCTAssertEqual(
            output.lines.map(\.text),
            [
                "i1 Letter was changed elsewhere in the meantime; that left it.",
                "Your text is revision 3: chat library restore i1 --revision 3",
            ])
        var body = try await rig.body(1)
        XCTAssertEqual(body, "theirs")
        let history = try await rig.lines("history", "i1")
        XCTAssertTrue(history[1].contains("kept beside a change made elsewhere"), "\(history)")
        _ = try await rig.run("restore", "i1", "--revision", "3")
        body = try await rig.body(1)
        XCTAssertEqual(body, "ours")
    }

    func testATitleMadeOfTheTextFollowsItAndAGivenOneStays() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, ItemTitle.of("# Tea cups\nthat ring"), "# Tea cups\nthat ring")
        try await rig.add(.idea, "Mine", "Tea cups")
        _ = try await rig.run("edit", "i1", "--text", "Clocks\nthat ring")
        _ = try await rig.run("edit", "i2", "--text", "Clocks")
        let titles = try await rig.store.items(ItemFilter(order: .oldest)).map(\.title)
        XCTAssertEqual(titles, ["Clocks", "Mine"])
        _ = try await rig.run("edit", "i2", "--title", "Yours")
        let title = try await rig.store.item(ItemID(rawValue: 2))?.title
        XCTAssertEqual(title, "Yours")
    }

    func testScriptsGiveTheTextAsAnArgumentOrOnStandardInput() async throws {
        let rig = try await filled()
        rig.input.withLock { $0 = Array("from a pipe\n".utf8) }
        _ = try await rig.run("edit", "i1", "--text", "-")
        let body = try await rig.body(1)
        XCTAssertEqual(body, "from a pipe")
        let item = try await rig.store.item(ItemID(rawValue: 1))
        XCTAssertEqual(item?.hasUntrustedText, true)
        rig.input.withLock { $0 = [0xFF, 0xFE] }
        let said = await failure { try await rig.run("edit", "i1", "--text", "-") }
        XCTAssertEqual(said?.what, "standard input is not text in UTF-8; nothing was changed")
    }

    func testATitleIsMadeOfTheFirstWords() {
        XCTAssertEqual(ItemTitle.of("\n\n## A *clock*\nmore"), "A clock")
        XCTAssertEqual(ItemTitle.of("- [ ] tea"), "[ ] tea")
        XCTAssertEqual(ItemTitle.of(" \n---\n"), "")
        let long = ItemTitle.of(String(repeating: "word ", count: 40))
        XCTAssertTrue(long.hasSuffix(" …"))
        XCTAssertLessThanOrEqual(DisplayWidth.of(long), 62)
    }
}
