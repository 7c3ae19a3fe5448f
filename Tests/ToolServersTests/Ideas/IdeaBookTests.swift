import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Texts

/// Ideas with a real library: what is sent, kept and taken back.
final class IdeaBookTests: XCTestCase {
    /// Writes what it is told and keeps what it was asked.
    private final class Writer: TextGenerator {
        let recipes = Mutex<[TextRecipe]>([])
        private let texts: Mutex<[String]>

        init(_ texts: [String]) { self.texts = Mutex(texts) }

        func generate(
            _ recipe: TextRecipe, emit: (@Sendable (String) async -> Void)?
        ) async throws -> GeneratedText {
            recipes.withLock { $0.append(recipe) }
            let text = texts.withLock { $0.removeFirst() }
            await emit?(text)
            return GeneratedText(
                text: text, usage: Usage(),
                model: ModelOrigin(provider: .local, format: .chat, model: "m"))
        }

        func requestBody(of recipe: TextRecipe) async throws -> [UInt8] {
            Array(recipe.input.utf8)
        }

        var known: [[String]] {
            recipes.withLock { $0 }.map { recipe in
                recipe.input.split(separator: "\n").filter { $0.hasPrefix("- ") }.map {
                    String($0.dropFirst(2))
                }
            }
        }
    }

    private struct Rig {
        let folder: TemporaryFolder
        let clock = ManualClock()
        let writer: Writer
        let book: IdeaBook

        init(_ texts: [String] = []) throws {
            folder = try TemporaryFolder()
            writer = Writer(texts)
            book = IdeaBook(
                library: LibraryStore(
                    path: folder.path("chat.db"), environment: clock.environment),
                memory: IdeaMemoryFile(
                    path: folder.path("ideas.json"), environment: clock.environment),
                generator: writer, environment: clock.environment)
        }
    }

    private let request = IdeaBook.Request(prompt: "One app idea", tone: "bold")
    private let model = ModelOrigin(provider: .local, format: .chat, model: "m")

    func testTitlesOfThisPromptGoAlongTheNewestFirstAndEachOnce() async throws {
        let rig = try Rig(["one", "two", "three"])
        let other = IdeaBook.Request(prompt: "A present")
        _ = try await rig.book.save(Idea("A cup"), of: request, by: model)
        _ = try await rig.book.save(Idea("A scarf"), of: other, by: model)
        rig.clock.advance(by: .seconds(10))
        try await rig.book.discard(Idea("A hat"), of: request)
        try await rig.book.discard(Idea("A book"), of: other)
        rig.clock.advance(by: .seconds(10))
        _ = try await rig.book.save(Idea("A map"), of: request, by: model)
        _ = try await rig.book.generate(request, seen: ["A pen", "A map"], emit: nil)
        var silent = request
        silent.usesMemory = false
        _ = try await rig.book.generate(silent, seen: ["A pen"], emit: nil)
        _ = try await rig.book.generate(other, emit: nil)
        XCTAssertEqual(
            rig.writer.known, [["A map", "A pen", "A hat", "A cup"], [], ["A book", "A scarf"]])
    }

    func testASavedIdeaSaysForWhichWishAndByWhom() async throws {
        let rig = try Rig()
        let item = try await rig.book.save(
            Idea("A cup that\nsings", isPartial: true), of: request, by: model)
        XCTAssertEqual(item.kind, .idea)
        XCTAssertEqual(item.title, "A cup that")
        XCTAssertEqual(item.body, "A cup that\nsings")
        XCTAssertEqual(
            item.metadata,
            JSONObject([
                .init("prompt", "One app idea"), .init("tone", "bold"), .init("partial", true),
            ]))
        let mine = try await rig.book.save(Idea("Mine"), of: request, by: nil)
        let makers = try await [
            rig.book.library.history(of: item.id), rig.book.library.history(of: mine.id),
        ].map { $0.map(\.origin) }
        XCTAssertEqual(makers, [[RevisionOrigin(by: .model, name: "m")], [.user]])
    }

    func testTakingBackASavedIdeaUndoesTheSavingAndADiscardedOneMayComeAgain() async throws {
        let rig = try Rig(["one"])
        let item = try await rig.book.save(Idea("A cup"), of: request, by: model)
        try await rig.book.takeBack(saved: item.id)
        let left = try await rig.book.all()
        XCTAssertEqual(left, [])
        let undone = try await rig.book.library.steps(undone: true, limit: 9)
        XCTAssertEqual(undone.map(\.verb), ["saved"])
        try await rig.book.discard(Idea("A hat"), of: request)
        try await rig.book.takeBack(discarded: Idea("A hat"), of: request)
        _ = try await rig.book.generate(request, emit: nil)
        XCTAssertEqual(rig.writer.known, [[]])
        let next = try await rig.book.save(Idea("A map"), of: request, by: model)
        XCTAssertEqual(next.id.rawValue, item.id.rawValue + 1, "numbers are not used again")
    }

    func testAnIdeaThatSaysTheSameAsAKeptOneIsFound() async throws {
        let rig = try Rig()
        let kept = try await rig.book.save(
            Idea("An app that waters your plants while you are travelling"), of: request, by: model)
        let same = try await rig.book.similar(
            to: "An app which waters plants while you travel")
        XCTAssertEqual(same?.id, kept.id)
        let other = try await rig.book.similar(to: "A map of the streets you never walked")
        XCTAssertNil(other)
    }

    func testAPromptThatIsEmptyTooLongOrHoldsAKeyIsNotKept() async throws {
        let rig = try Rig()
        try await rig.book.setPrompt("One app idea,  one sentence")
        let refused: [(String, IdeaError.Reason)] = [
            (" \n", .emptyPrompt), (String(repeating: "x", count: 2_001), .promptTooLong(2_001)),
            ("use sk-ant-api03-" + String(repeating: "aB3dE5", count: 12), .holdsKey),
        ]
        for (text, reason) in refused {
            do {
                try await rig.book.setPrompt(text)
                XCTFail("\(reason)")
            } catch {
                XCTAssertEqual((error as? IdeaError)?.reason, reason)
            }
        }
        let prompt = try await rig.book.memory.read().prompt
        XCTAssertEqual(prompt, "One app idea,  one sentence")
        XCTAssertEqual(try IdeaBook.tone("  very\n bold "), "very bold")
        XCTAssertNil(try IdeaBook.tone("none"))
        XCTAssertThrowsError(try IdeaBook.tone(String(repeating: "x", count: 61)))
    }

    func testTitlesByOthersMarkWhatComesOfThem() async throws {
        let rig = try Rig(["A cup", "A hat", "A coat"])
        try await rig.book.setPrompt(request.prompt)
        let mine = try await rig.book.save(Idea("My idea"), of: request, by: nil)
        let server = IdeasServer(rig.book)
        let own = try await server.callTool("generate_idea", arguments: JSONObject())
        XCTAssertEqual([mine.hasUntrustedText, own.isUntrusted], [false, false])
        _ = try await rig.book.library.change(
            mine.id, ItemChange(title: "Their title"),
            by: RevisionOrigin(by: .model, hasUntrustedText: true))
        let theirs = try await server.callTool("generate_idea", arguments: JSONObject())
        XCTAssertTrue(theirs.isUntrusted)
        let saved = try await rig.book.save(Idea("A hat"), of: request, by: model)
        XCTAssertTrue(saved.hasUntrustedText)
        var alone = request
        alone.usesMemory = false
        let apart = try await rig.book.save(Idea("A coat"), of: alone, by: model)
        XCTAssertFalse(apart.hasUntrustedText)
    }

    func testInstructionsByOthersMarkWhatComesOfThem() async throws {
        let rig = try Rig(["A hat"])
        let book = IdeaBook(
            library: rig.book.library, memory: rig.book.memory, generator: rig.book.generator,
            environment: rig.book.environment,
            instructions: { IdeaBook.Instructions(text: "Theirs.", hasUntrustedText: true) })
        var alone = request
        alone.usesMemory = false
        let saved = try await book.save(Idea("A hat"), of: alone, by: model)
        XCTAssertTrue(saved.hasUntrustedText)
    }

    func testTheToolWritesOneForThePromptOrForWhatItIsAskedAndKeepsNothing() async throws {
        let rig = try Rig(["A cup", "A hat"])
        let server = IdeasServer(rig.book)
        XCTAssertEqual(server.listTools().map(\.toolClass), [.read])
        do {
            _ = try await server.callTool("generate_idea", arguments: JSONObject())
            XCTFail("there is no prompt")
        } catch {
            XCTAssertTrue("\(error)".contains("no idea prompt"), "\(error)")
        }
        try await rig.book.setPrompt("One app idea")
        let shown = Mutex<[String]>([])
        let first = try await server.callTool(
            "generate_idea", arguments: JSONObject(),
            emit: Emitter { progress in shown.withLock { $0.append(progress.text) } })
        let second = try await server.callTool(
            "generate_idea",
            arguments: JSONObject([.init("about", "a present"), .init("tone", "kind")]))
        XCTAssertEqual([first.text, second.text], ["A cup", "A hat"])
        XCTAssertEqual(shown.withLock { $0 }, ["A cup"])
        let inputs = rig.writer.recipes.withLock { $0.map(\.input) }
        XCTAssertEqual(
            inputs,
            [
                "<request>\nOne app idea\n</request>\n",
                "<request>\na present\n</request>\n<tone>\nkind\n</tone>\n",
            ])
        let kept = try await rig.book.all()
        XCTAssertEqual(kept, [])
    }
}
