import AgentCore
import Base
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import Library

final class LibrarySavingTests: XCTestCase {
    func testAPipedTextIsADraftOfOthersWordsWithATitleOfItsOwn() async throws {
        let rig = try LibraryRig()
        rig.input.withLock { $0 = Array("# Monday\n\nWe met.\n".utf8) }
        let output = try await rig.run("save")
        XCTAssertEqual(output.lines.map(\.text), ["✓ saved: i1 Monday · /undo"])
        let item = try await rig.store.liveItem(ItemID(rawValue: 1))
        XCTAssertEqual(item.kind, .draft)
        XCTAssertEqual(item.body, "# Monday\n\nWe met.")
        XCTAssertTrue(item.hasUntrustedText)
        _ = try await rig.run("save", "Notes", "of", "Monday", "--kind", "idea", "--tag", "Work")
        let second = try await rig.store.liveItem(ItemID(rawValue: 2))
        XCTAssertEqual(second.title, "Notes of Monday")
        XCTAssertEqual(second.kind, .idea)
        XCTAssertEqual(second.tags, ["work"])
    }

    func testATypedTextIsTheUsersOwn() async throws {
        let rig = try LibraryRig()
        _ = try await rig.run("save", "--text", "Buy cups.")
        let item = try await rig.store.liveItem(ItemID(rawValue: 1))
        XCTAssertEqual(item.body, "Buy cups.")
        XCTAssertFalse(item.hasUntrustedText)
    }

    func testNothingAKeyOrBinaryIsNotKept() async throws {
        let rig = try LibraryRig()
        let inputs: [([UInt8], String)] = [
            (Array(" \n".utf8), "library save needs a text."),
            (
                Array("key: sk-ant-api03-aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY".utf8),
                "Not kept: the text contains what looks like an API key."
            ),
        ]
        for (bytes, problem) in inputs {
            rig.input.withLock { $0 = bytes }
            do {
                _ = try await rig.run("save")
                XCTFail("it was kept")
            } catch {
                let said = (error as? any DescribedError)?.diagnostic
                XCTAssertEqual(said?.what, problem)
                XCTAssertEqual(said?.exit, problem.hasPrefix("Not kept") ? .refused : .usage)
            }
        }
        rig.input.withLock { $0 = [0xFF, 0] }
        do {
            _ = try await rig.run("save")
            XCTFail("it was kept")
        } catch {
            XCTAssertNotNil(error as? ToolError)
        }
        let count = try await rig.store.count()
        XCTAssertEqual(count, 0)
    }

    func testAPromptIsExportedAsItsFileAndKeepsItsNameWhenItIsEdited() async throws {
        let rig = try LibraryRig()
        let file = "---\neffort: low\n---\nHaiku, please.\n"
        _ = try await rig.store.add([
            ItemDraft(kind: .prompt, title: "haiku", body: file),
            ItemDraft(kind: .prompt, title: "tanka", body: "tanka"),
        ])
        let exported = try await rig.run("export", "i1", "--format", "md")
        XCTAssertEqual(exported.document.map { String(decoding: $0, as: UTF8.self) }, file)
        rig.editor.withLock { $0 = { _ in .changed("Five lines.") } }
        _ = try await rig.run("edit", "i2")
        let item = try await rig.store.liveItem(ItemID(rawValue: 2))
        XCTAssertEqual(item.title, "tanka")
        XCTAssertEqual(item.body, "Five lines.")
    }

    func testAtThePromptNothingIsReadFromTheTerminal() async throws {
        let rig = try LibraryRig()
        var interaction = rig.interaction
        interaction.isChat = true
        do {
            _ = try await rig.server().commands[0].run(["save", "x"], interaction)
            XCTFail("it was kept")
        } catch {
            XCTAssertEqual(
                (error as? UsageError)?.problem, "At the prompt nothing is piped in.")
        }
    }
}
