import AgentCore
import Base
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import Texts

/// `chat memory …` over a real file.
final class MemoryCommandTests: XCTestCase {
    private func command(
        _ rig: LibraryRig, isOn: Bool = true, width: Int? = nil
    ) -> MemoryCommand {
        MemoryCommand(
            MemoryBook(rig.store),
            .init(
                environment: rig.clock.environment, isOn: { isOn }, width: { width },
                title: { $0 == "c-1" ? "Trip to Oslo" : nil }))
    }

    private func run(_ rig: LibraryRig, _ words: String...) async throws -> CommandOutput {
        try await command(rig).command.run(words, rig.interaction)
    }

    private func text(_ output: CommandOutput) -> [String] {
        (output.lines + output.remarks).map(\.text) + output.notices
    }

    func testNotesAreListedWithWhereTheyComeFrom() async throws {
        let rig = try LibraryRig()
        let empty = try await run(rig, "list")
        XCTAssertEqual(text(empty), ["Nothing is remembered. To start: chat memory add TEXT"])
        XCTAssertEqual(empty.json, [])
        let added = try await run(rig, "add", "I", "am\tvegetarian")
        XCTAssertEqual(text(added), ["✓ remembered: i1 I am vegetarian · /undo"])
        _ = try await MemoryBook(rig.store).remember(
            "The user lives in Oslo",
            by: RevisionOrigin(
                by: .model, name: "m", conversation: "c-1", hasUntrustedText: true))
        let listed = try await command(rig, width: 40).command.run([])
        XCTAssertEqual(
            text(listed),
            [
                "i1  I am vegetarian  just now",
                "i2  The user lives in Oslo  just now",
                "    · in \"Trip to Oslo\" ⚠ untrusted",
                "    text was present",
                "2 of at most 100 notes · sent with each new conversation",
            ])
        XCTAssertTrue(listed.quotesOthers)
        let members = listed.json?.arrayValue?[1]
        XCTAssertEqual(members?["id"], "i2")
        XCTAssertEqual(members?["note"], "The user lives in Oslo")
        XCTAssertEqual(members?["by"], "model")
        XCTAssertEqual(members?["conversation"], "c-1")
        XCTAssertEqual(members?["title"], "Trip to Oslo")
        XCTAssertEqual(members?["foreign"], true)
        let off = try await command(rig, isOn: false).command.run([])
        XCTAssertEqual(
            off.remarks.map(\.text),
            [
                "2 of at most 100 notes",
                "Memory is off: models get no notes. chat config set memory on",
            ])
    }

    func testANoteIsChangedByItsWordsOrInTheEditor() async throws {
        let rig = try LibraryRig()
        _ = try await run(rig, "add", "I am vegetarian")
        let typed = try await run(rig, "edit", "vegetarian", "I", "am", "vegan")
        XCTAssertEqual(text(typed), ["✓ changed: i1 I am vegan · /undo"])
        rig.editor.withLock { $0 = { .changed($0 + " now\nand then") } }
        let edited = try await run(rig, "edit", "i1")
        XCTAssertEqual(text(edited), ["✓ changed: i1 I am vegan now and then · /undo"])
        rig.editor.withLock { $0 = nil }
        let same = try await run(rig, "edit", "last")
        XCTAssertEqual(text(same), ["Nothing changed: i1 I am vegan now and then"])
        rig.editor.withLock { $0 = { _ in .changed(String(repeating: "x", count: 300)) } }
        let long = await failure { try await run(rig, "edit", "i1") }
        XCTAssertEqual(long?.what, "That note has 300 characters; a note takes 200.")
        let wrong = await failure { try await run(rig, "edit", "tea", "coffee") }
        XCTAssertEqual(wrong?.what, "No note is called \"tea\".")
    }

    func testSeveralAreForgottenAfterAQuestion() async throws {
        let rig = try LibraryRig()
        for note in ["one", "two", "three"] { _ = try await run(rig, "add", note) }
        let nothing = await failure { try await run(rig, "forget") }
        XCTAssertEqual(nothing?.what, "memory forget needs a note: i12, or a part of it.")
        let one = try await run(rig, "forget", "two")
        XCTAssertEqual(
            text(one),
            [
                "✓ forgotten: i2 two · /undo",
                "New conversations no longer get it. chat library empty-trash deletes it for good.",
            ])
        let refused = try await run(rig, "forget", "--all")
        XCTAssertEqual(
            text(refused), ["Nothing was forgotten; --yes forgets these 2."])
        XCTAssertEqual(refused.outcome, .refused)
        XCTAssertEqual(
            rig.asked.withLock { $0 },
            ["To the trash: 2 notes about you Forget these 2?"])
        rig.answers.withLock { $0 = [true] }
        let both = try await run(rig, "forget", "i1", "i3")
        XCTAssertEqual(
            both.lines.map(\.text),
            ["✓ forgotten: i1 one · /undo", "✓ forgotten: i3 three · /undo"])
        let left = try await MemoryBook(rig.store).notes()
        XCTAssertEqual(left, [])
        // They are in the trash of the library, where they are deleted for good.
        let trash = try await rig.lines("empty-trash", "--yes")
        XCTAssertEqual(trash, ["✓ 3 items deleted for good"])
        let none = try await run(rig, "forget", "--all")
        XCTAssertEqual(text(none), ["Nothing is remembered."])
    }
}
