import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import Stories

/// What is typed after `story`, what is printed, and what is kept.
final class StoryCommandTests: XCTestCase {
    static let tide = """
        The Tide
        by Ada Lee

        Chapter 1

        “Will it rise?” said Ida. The sea was grey and nobody had an answer for her.

        “It will,” said Bo. “It always does, and you know that it does.”

        Chapter 2

        It rose.

        """

    func testAStoryIsImportedByteForByteWithWhatIsKnownOfIt() async throws {
        let rig = try StoryRig()
        let text = Self.tide.replacingOccurrences(of: "\n", with: "\r\n")
        let output = try await rig.run("import", try rig.file("tide.txt", text))
        XCTAssertEqual(
            output.lines.map(\.text),
            [
                "✓ imported: s1 The Tide · /undo",
                "  Ada Lee · 2 chapters · 40 words · en · quotes “ ”",
            ])
        XCTAssert(output.quotesOthers)
        let item = try await rig.item(1)
        XCTAssertEqual(item?.kind, .story)
        XCTAssertEqual(item?.title, "The Tide")
        XCTAssertEqual(item.map { Array($0.body.utf8) }, Array(text.utf8))
        XCTAssertEqual(item?.hasUntrustedText, true)
        XCTAssertEqual(
            item?.metadata.members.map(\.name),
            [
                "format", "source", "file", "author", "language", "quotes", "chapters", "checksum",
            ])
        XCTAssertEqual(item?.metadata["source"]?.stringValue, "tide.txt")
        let shown = try await rig.run("show", "s1", "--text")
        XCTAssertEqual(shown.document, Array(text.utf8))
        let chapter = try await rig.run("show", "s1", "--chapter", "2")
        XCTAssertEqual(chapter.document, Array("Chapter 2\r\n\r\nIt rose.\r\n".utf8))
    }

    func testTheListSaysWhatWasNotIndexedYetAndFitsTheTerminal() async throws {
        let rig = try StoryRig()
        let nothing = try await rig.lines("list")
        XCTAssertEqual(nothing, ["No stories yet: chat story import FILE"])
        _ = try await rig.run("import", try rig.file("tide.txt", Self.tide))
        _ = try await rig.run("import", try rig.file("b.txt", "Only a line of it.\n"))
        let lines = try await rig.lines("list")
        XCTAssertEqual(
            lines,
            [
                "s2  b         not indexed yet  no chapters",
                "s1  The Tide  not indexed yet  2 chapters   Ada Lee",
            ])
        var item = try await rig.item(1)
        var metadata = item?.metadata ?? JSONObject()
        let made = Int64(rig.library.clock.environment.now().timeIntervalSince1970 * 1_000)
        metadata["index"] = ["made": .integer(made), "by": "offline"]
        _ = try await rig.store.change(
            ItemID(rawValue: 1), ItemChange(metadata: metadata), verb: "indexed")
        let indexed = try await rig.lines("list")
        XCTAssertEqual(indexed.last, "s1  The Tide  indexed just now  2 chapters   Ada Lee")
        _ = try await rig.run("edit", "s1", "--text", Self.tide + "More.\n")
        item = try await rig.item(1)
        metadata = item?.metadata ?? JSONObject()
        metadata["index"] = ["made": .integer(made), "by": "offline", "checksum": 7]
        _ = try await rig.store.change(ItemID(rawValue: 1), ItemChange(metadata: metadata))
        let stale = try await rig.lines("list")
        XCTAssertEqual(stale.last?.contains("changed since indexed"), true)
        let json = try await rig.run("list", "--json").json?.arrayValue?.last
        XCTAssertEqual(
            json?.objectValue?.members.map(\.name).sorted(),
            StoryCommand.members.split(separator: " ").map(String.init).sorted())
        XCTAssertEqual(json?["id"]?.stringValue, "s1")
        XCTAssertEqual(json?["chapters"]?.integerValue, 2)
        let narrow = try StoryRig(width: 40)
        let name = "A Very Long Title of a Story That Has No Room"
        _ = try await narrow.run(
            "import", try narrow.file("a.txt", Self.tide), "--title", name, "--author", name)
        let rows = try await narrow.lines("show", "s1").dropFirst(2)
        for line in try await narrow.lines("list") + rows {
            XCTAssertLessThan(DisplayWidth.of(line), 40, line)
        }
    }

    func testABookThatIsDroppedIsOfferedAndATextIsNot() async throws {
        let rig = try StoryRig()
        let book = try EPUBFixture.hard.write(to: rig.library.folder)
        let offer = rig.server.capability.offer(book)
        XCTAssertEqual(offer?.command, ["story", "import", book])
        XCTAssertEqual(offer?.question, "book.epub is a book. Import it as a story?")
        XCTAssertNil(rig.server.capability.offer(try rig.file("a.txt", Self.tide)))
        XCTAssertNil(rig.server.capability.offer("/nonexistent"))
        _ = try await rig.run("import", book)
        let words = await rig.server.capability.completions[.story]?()
        XCTAssertEqual(words, [CompletionWord("s1", "The Tide")])
    }

    func testShowListsTheChapters() async throws {
        let rig = try StoryRig()
        _ = try await rig.run("import", try rig.file("tide.txt", Self.tide))
        let lines = try await rig.lines("show", "tide")
        XCTAssertEqual(
            lines,
            [
                "The Tide", "by Ada Lee",
                "s1 · tide.txt · 2 chapters · 40 words · en · quotes “ ” · not indexed yet "
                    + "· changed just now",
                "", "   1  Chapter 1  31 words", "   2  Chapter 2  4 words",
            ])
        let json = try await rig.run("show", "s1", "--json").json
        XCTAssertEqual(json?["chapters"]?.arrayValue?.last?["title"]?.stringValue, "Chapter 2")
        XCTAssertEqual(
            json?["chapters"]?.arrayValue?.last?["end"]?.integerValue,
            Self.tide.utf8.count)
        let none = await failure { try await rig.run("show", "s1", "--chapter", "3") }
        XCTAssertEqual(none?.what, "There is no chapter 3: s1 has 2 chapters.")
    }

    func testTheSameTextIsTheSameStoryAndAnotherTextOfTheFileARevision() async throws {
        let rig = try StoryRig()
        let path = try rig.file("tide.txt", Self.tide)
        _ = try await rig.run("import", path)
        let again = try await rig.lines("import", path)
        XCTAssertEqual(again.first, "Imported already: s1 The Tide")
        let copy = try await rig.lines("import", try rig.file("copy.txt", Self.tide))
        XCTAssertEqual(copy.first, "Imported already: s1 The Tide")
        var item = try await rig.item(1)
        // What later steps keep there stays.
        var metadata = item?.metadata ?? JSONObject()
        metadata["voices"] = ["Ida": "f2"]
        _ = try await rig.store.change(ItemID(rawValue: 1), ItemChange(metadata: metadata))
        try rig.library.folder.write(
            Array((Self.tide + "\nChapter 3\n\nIt fell.\n").utf8), to: "tide.txt")
        let longer = try await rig.lines("import", path)
        XCTAssert(longer.first?.hasPrefix("✓ imported again: s1 The Tide · revision") == true)
        item = try await rig.item(1)
        XCTAssertEqual(item?.metadata["chapters"]?.arrayValue?.count, 3)
        XCTAssertEqual(item?.metadata["voices"]?["Ida"]?.stringValue, "f2")
        let new = try await rig.lines("import", path, "--new")
        XCTAssertEqual(new.first, "✓ imported: s2 The Tide · /undo")
    }

    func testStandardInputIsAStoryAndWishesCountMore() async throws {
        let rig = try StoryRig()
        rig.library.input.withLock { $0 = Array("He said 'no', and 'yes', and 'well'.".utf8) }
        let output = try await rig.run(
            "import", "-", "--title", "No", "--author", "Bo", "--language", "de", "--quotes",
            "single-straight")
        XCTAssertEqual(
            output.lines.map(\.text).last, "  Bo · no chapters · 7 words · de · quotes ' '")
        XCTAssertEqual(output.json?["quotes"]?.stringValue, "single-straight")
        let wrong = await failure { try await rig.run("import", "-", "--quotes", "curly") }
        XCTAssertEqual(wrong?.exit, .usage)
    }

    func testWhatCannotBeReadLeavesNoHalfItem() async throws {
        let rig = try StoryRig()
        let folder = rig.library.folder
        try folder.write([0, 1, 2, 3, 0, 5], to: "binary.txt")
        try folder.write([], to: "empty.txt")
        try folder.write(Array(repeating: 0x61, count: 2 << 20), to: "line.txt")
        try folder.write(Array("%PDF-1.4 x".utf8), to: "a.pdf")
        try folder.write(
            Array("key sk-ant-api03-\(String(repeating: "Ab1", count: 31))AA".utf8), to: "key.txt")
        for (name, what, exit) in [
            ("none.txt", "reading failed because there is no such file.", ExitCode.failure),
            ("binary.txt", "decoding failed because it is not text.", .failure),
            ("empty.txt", "reading failed because it is empty.", .failure),
            ("line.txt", "finding the text failed because line 1 is 2 MB long.", .failure),
            ("", "reading failed because it is a folder.", .failure),
        ] {
            let path = folder.path(name)
            let failed = await failure { try await rig.run("import", path) }
            XCTAssertEqual(failed?.what, "\(path): \(what)")
            XCTAssertEqual(failed?.exit, exit)
            XCTAssertNotNil(failed?.todo)
        }
        let pdf = await failure { try await rig.run("import", folder.path("a.pdf")) }
        XCTAssertEqual(pdf?.exit, .missingProgram)
        let key = await failure { try await rig.run("import", folder.path("key.txt")) }
        XCTAssertNotNil(key)
        let count = try await rig.store.count()
        XCTAssertEqual(count, 0)
    }

    func testRenameDeleteAndUndo() async throws {
        let rig = try StoryRig()
        let path = try rig.file("tide.txt", Self.tide)
        _ = try await rig.run("import", path)
        let renamed = try await rig.lines("rename", "s1", "The", "Ebb")
        XCTAssertEqual(renamed, ["✓ renamed: s1 The Ebb · /undo"])
        let deleted = try await rig.lines("delete", "the ebb")
        XCTAssertEqual(deleted, ["✓ deleted: s1 The Ebb · /undo"])
        let gone = await failure { try await rig.run("show", "s9") }
        XCTAssertEqual(gone?.what, "No story is called \"s9\".")
        _ = try await rig.library.run("undo")
        let back = try await rig.lines("list")
        XCTAssertEqual(back.count, 1)
        try await rig.library.add(.idea, "An idea")
        let other = await failure { try await rig.run("show", "i2") }
        XCTAssertEqual(other?.what, "i2 is not a story: its kind is idea.")
    }

    func testAnEditedTextKeepsItsLineEndsAndItsChaptersFollow() async throws {
        let rig = try StoryRig()
        let text = Self.tide.replacingOccurrences(of: "\n", with: "\r\n")
        _ = try await rig.run("import", try rig.file("tide.txt", text))
        rig.library.editor.withLock {
            $0 = { text in
                .changed(
                    text.replacingOccurrences(of: "\r\n", with: "\n")
                        .replacingOccurrences(of: "Will it rise?", with: "Will it ever rise?"))
            }
        }
        let edited = try await rig.lines("edit", "s1")
        XCTAssertEqual(edited, ["✓ edited: s1 The Tide · revision 2 · /undo"])
        let item = try await rig.item(1)
        XCTAssertEqual(
            item?.body, text.replacingOccurrences(of: "Will it rise?", with: "Will it ever rise?"))
        let chapter = try await rig.run("show", "s1", "--chapter", "2")
        XCTAssertEqual(chapter.document, Array("Chapter 2\r\n\r\nIt rose.\r\n".utf8))
        _ = try await rig.run("edit", "s1", "--author", "Bo", "--quotes", "none")
        let shown = try await rig.lines("show", "s1")
        XCTAssertEqual(shown[1], "by Bo")
        XCTAssert(shown[2].contains("no quotes"), shown[2])
        rig.library.editor.withLock {
            $0 = { .changed($0.replacingOccurrences(of: "\r\n", with: "\n")) }
        }
        let same = try await rig.lines("edit", "s1")
        XCTAssertEqual(same, ["Nothing changed: s1 The Tide"])
    }

    /// The chapters of a book are known by its contents alone; a command that knows
    /// nothing of stories may change its text.
    func testChaptersOfABookAreFoundAgainInAChangedText() async throws {
        let rig = try StoryRig()
        let path = try EPUBFixture.hard.write(to: rig.library.folder)
        _ = try await rig.run("import", path)
        let text = try await rig.item(1)?.body ?? ""
        XCTAssertEqual(text, EPUBFixture.hardText)
        _ = try await rig.library.run(
            "edit", "i1", "--text",
            "Before.\n\n" + text.replacingOccurrences(of: "Night", with: "Dusk"))
        let item = try await rig.item(1)
        let story = try Story(XCTUnwrap(item))
        XCTAssertEqual(
            story.chapters.map(\.title), ["I. Café & Sea", "II. Night", "III. Morning"])
        XCTAssertEqual(story.chapters.first?.start, 9)
        let last = try await rig.run("show", "s1", "--chapter", "3")
        XCTAssertEqual(last.document, Array("III\n\nIt was day.".utf8))
    }
}
