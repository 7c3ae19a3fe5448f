import AgentCore
import Base
import Foundation
import Persistence
import TestSupport
import XCTest

@testable import Texts
@testable import ToolServers

final class PromptBookTests: XCTestCase {
    func testAFileComesBeforeTheConfigurationThatBeforeTheLibraryAndThatBeforeTheBuiltInOnes()
        async throws
    {
        let rig = try PromptRig(configured: [
            Prompt(name: "a", text: "configured a", source: .configuration),
            Prompt(name: "tutor", text: "configured tutor", source: .configuration),
        ])
        try rig.folder.write(Array("from the file".utf8), to: "roles/a.md")
        try rig.folder.write(Array("not a prompt".utf8), to: "roles/notes.txt")
        try rig.folder.write(Array("hidden".utf8), to: "roles/.b.md")
        let shell = try await rig.keep("shell", "my shell")
        _ = try await rig.keep("tutor", "kept tutor")
        let names = try await rig.book.all().map(\.name)
        XCTAssertEqual(names, ["a", "proofread", "shell", "tutor"])
        let a = try await rig.book.prompt("a")
        XCTAssertEqual(a?.text, "from the file")
        XCTAssertEqual(a?.source, .file)
        let edited = try await rig.book.prompt("shell")
        XCTAssertEqual(edited?.text, "my shell")
        XCTAssertEqual(edited?.source, .item(shell))
        let tutor = try await rig.book.versions(of: "tutor")
        XCTAssertEqual(tutor.map(\.text), ["configured tutor", "kept tutor", "Teach."])
        for name in ["../a", "", "none", ".b", "x/y", "a\u{0}b"] {
            let prompt = try await rig.book.prompt(name)
            XCTAssertNil(prompt, name)
        }
        do {
            _ = try await rig.book.required("shel")
            XCTFail("there is no such prompt")
        } catch {
            XCTAssertEqual((error as? UsageError)?.hint, "Did you mean shell?")
            XCTAssertEqual((error as? UsageError)?.exit, .failure)
        }
    }

    func testAnEditCountsAtOnceAndTheTrashAndEmptyTextsDoNot() async throws {
        let rig = try PromptRig()
        let id = try await rig.keep("shell", "first")
        _ = try await rig.library.change(id, ItemChange(body: "---\neffort: low\n---\nsecond"))
        let changed = try await rig.book.prompt("shell")
        XCTAssertEqual(changed?.text, "second")
        XCTAssertEqual(changed?.effort, .low)
        _ = try await rig.library.change(id, ItemChange(body: "  "))
        let empty = try await rig.book.prompt("shell")
        XCTAssertEqual(empty?.source, .builtIn)
        _ = try await rig.library.change(id, ItemChange(body: "third"))
        _ = try await rig.library.trash([id])
        let reset = try await rig.book.prompt("shell")
        XCTAssertEqual(reset?.text, "Help.")
    }

    func testOfTwoItemsOfOneNameTheOlderCounts() async throws {
        let rig = try PromptRig()
        let first = try await rig.keep("mine", "one")
        _ = try await rig.keep("mine", "two")
        let prompt = try await rig.book.prompt("mine")
        XCTAssertEqual(prompt?.source, .item(first))
        let names = try await rig.book.all().map(\.name)
        XCTAssertEqual(names, ["mine", "proofread", "shell", "tutor"])
    }

    func testARecipeIsTheLibrarysOrTheBuiltInOneAndNoRolesFile() async throws {
        let rig = try PromptRig()
        try rig.folder.write(Array("a role of old".utf8), to: "roles/proofread.md")
        let role = try await rig.book.prompt("proofread")
        XCTAssertEqual(role?.text, "a role of old")
        let before = await rig.book.recipe("proofread")
        XCTAssertEqual(before?.text, "Correct.")
        _ = try await rig.keep("proofread", "Correct gently.")
        let after = await rig.book.recipe("proofread")
        XCTAssertEqual(after?.text, "Correct gently.")
    }

    func testWritingPromptsAreTheBuiltInOnesAndThoseThatAreMarked() async throws {
        let rig = try PromptRig()
        _ = try await rig.keep("pirate", "---\nwriting_tool: yes\n---\nLike a pirate: {{input}}")
        _ = try await rig.keep("asks", "---\nwriting_tool: yes\n---\nInto {{lang}}.")
        _ = try await rig.keep("plain", "Not marked.")
        _ = try await rig.keep("proofread", "Edited, and still one.")
        let tools = await rig.book.writingPrompts()
        XCTAssertEqual(tools.map(\.name), ["proofread", "pirate"])
        XCTAssertEqual(
            tools.map(\.instructions),
            ["Edited, and still one.", "Like a pirate: (the text that is given)"])
    }

    func testAPromptThatIsMarkedIsAWritingToolWithAKeyOfItsOwn() async throws {
        let rig = try PromptRig(builtIn: Prompt.builtIn)
        _ = try await rig.keep("pirate", "---\nwriting_tool: yes\n---\nLike a pirate: {{input}}")
        _ = try await rig.keep("concise", "---\ntemperature: 0.1\n---\nHalf of the words.")
        let tools = await rig.book.writingTools()
        XCTAssertEqual(
            tools.map(\.name),
            ["proofread", "rewrite", "friendly", "professional", "concise", "pirate"])
        XCTAssertEqual(tools.map(\.key), ["p", "r", "f", "o", "c", "i"])
        XCTAssertEqual(tools.map(\.isBuiltIn), [true, true, true, true, false, false])
        XCTAssertEqual(tools[4].instructions, "Half of the words.")
        XCTAssertEqual(tools[4].temperature, 0.1)
        XCTAssertEqual(tools[4].title, "Concise")
        XCTAssertEqual(tools[5].title, "Pirate")
        XCTAssertEqual(tools[0], .proofread)
    }

    func testTheInstructionsOfIdeasAreThoseOfTheBook() async throws {
        let rig = try PromptRig(builtIn: Prompt.builtIn)
        let before = await rig.book.ideaInstructions()
        XCTAssertEqual(before, IdeaBook.Instructions(text: IdeaRecipe.instructions))
        _ = try await rig.keep("idea", "Only green ideas.")
        let after = await rig.book.ideaInstructions()
        XCTAssertEqual(after, IdeaBook.Instructions(text: "Only green ideas."))
    }

    func testRecipesWorkWhereTheLibraryCannotBeRead() async throws {
        let rig = try PromptRig()
        try rig.folder.write(Array("no database".utf8), to: "chat.db")
        let recipe = await rig.book.recipe("proofread")
        XCTAssertEqual(recipe?.text, "Correct.")
        let tools = await rig.book.writingPrompts()
        XCTAssertEqual(tools.map(\.name), ["proofread"])
    }

    func testWordsOfOthersAreMarked() async throws {
        let rig = try PromptRig()
        _ = try await rig.library.add(
            [ItemDraft(kind: .prompt, title: "theirs", body: "Do it.")],
            by: RevisionOrigin(by: .model, name: "m", hasUntrustedText: true))
        let prompt = try await rig.book.prompt("theirs")
        XCTAssertEqual(prompt?.hasUntrustedText, true)
    }
}

/// A book over a real library in a temporary folder.
struct PromptRig {
    let folder: TemporaryFolder
    let library: LibraryStore
    let book: PromptBook
    let files: RewrittenFiles

    static let builtIn = [
        Prompt(name: "proofread", text: "Correct.", isWritingTool: true),
        Prompt(name: "shell", text: "Help.", summary: "one command"),
        Prompt(name: "tutor", text: "Teach."),
    ]

    init(configured: [Prompt] = [], builtIn: [Prompt] = Self.builtIn) throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/roles", withIntermediateDirectories: false)
        files = RewrittenFiles(
            folder: folder.path + "/state", environment: ManualClock().environment)
        library = LibraryStore(
            path: folder.path + "/chat.db", environment: ManualClock().environment)
        book = PromptBook(
            PromptBook.Sources(
                folder: folder.path + "/roles", configured: configured, library: library,
                builtIn: builtIn))
    }

    var server: PromptServer { PromptServer(book: book, library: library, files: files) }

    func keep(_ name: String, _ text: String) async throws -> ItemID {
        try await library.add([ItemDraft(kind: .prompt, title: name, body: text)])[0].id
    }

    /// - Parameter edit: what the editor makes of the text.
    func run(
        _ words: [String], confirms: Bool = false,
        edit: @escaping @Sendable (String) -> EditedText = { _ in .unchanged }
    ) async throws -> CommandOutput {
        let command = server.commands[0]
        var interaction = Interaction()
        interaction.confirm = { _, _ in confirms }
        interaction.edit = { text, _ in edit(text) }
        return try await command.run(words, interaction)
    }
}
