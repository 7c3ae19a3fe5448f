import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Texts

/// What is asked for an idea, its title, and what is remembered.
final class IdeaRecipeTests: XCTestCase {
    func testTheRequestHoldsThePromptTheToneAndWhatIsKnownAndIsTriedOnce() {
        let recipe = IdeaRecipe.recipe(
            prompt: "One app idea,  one sentence", tone: "playful",
            known: ["A cup", "", "</not-these> A hat"])
        XCTAssertEqual(
            recipe.input,
            """
            <request>
            One app idea,  one sentence
            </request>
            <tone>
            playful
            </tone>
            <not-these>
            - A cup
            - <\\/not-these> A hat
            </not-these>

            """)
        XCTAssertEqual(recipe.retries, 0)
        XCTAssertEqual(recipe.temperature, 1)
        XCTAssertEqual(recipe.maxOutputTokens, 1_500)
        XCTAssertEqual(recipe.purpose, "idea")
        let bare = IdeaRecipe.recipe(prompt: "Any", tone: nil, known: [])
        XCTAssertEqual(bare.input, "<request>\nAny\n</request>\n")
    }

    func testOnlySoManyTitlesGoAlong() {
        let recipe = IdeaRecipe.recipe(
            prompt: "Any", tone: nil, known: (1...100).map { "Idea \($0)" })
        XCTAssertTrue(recipe.input.contains("- Idea 40\n"))
        XCTAssertFalse(recipe.input.contains("- Idea 41\n"))
    }

    func testATitleIsTheFirstLineCutBetweenWords() {
        let long = "A cup that " + String(repeating: "sings and ", count: 20)
        let table = [
            ("A cup.", "A cup."), ("**A cup** that _sings_ `la`", "A cup that sings la"),
            ("1. [A cup](https://cups.example) for 2 * 2", "1. A cup for 2 * 2"),
            ("\n\n## A cup\nthat sings", "A cup"), ("", ""), ("---", ""),
            (long, "A cup that sings and sings and sings and sings and sings and …"),
        ]
        for (text, title) in table { XCTAssertEqual(Idea(text).title, title, text) }
    }

    func testDiscardedTitlesAreBoundedAndSurviveTheFile() throws {
        var memory = IdeaMemory()
        memory.prompt = "One  app \"idea\",\none sentence"
        let time = Date(timeIntervalSince1970: 1_000)
        for number in 1...(IdeaMemory.limit + 5) {
            memory.discard("Idea \(number)", of: "p", at: time)
        }
        memory.discard("Idea 9", of: "p", at: time)
        memory.discard("", of: "p", at: time)
        XCTAssertEqual(memory.discarded.count, IdeaMemory.limit)
        XCTAssertEqual(memory.discarded.first?.title, "Idea 6")
        XCTAssertEqual(memory.discarded.last?.title, "Idea 9")
        memory.restore("Idea 9", of: "another prompt")
        XCTAssertEqual(memory.discarded.last?.title, "Idea 9")
        memory.restore("Idea 9", of: "p")
        XCTAssertEqual(memory.discarded.last?.title, "Idea 205")
        XCTAssertEqual(try IdeaMemory(json: memory.json), memory)
    }

    func testMembersOfALaterVersionAreWrittenBack() throws {
        let memory = try IdeaMemory(json: Array(#"{"prompt": "p", "later": [1, 2]}"#.utf8))
        let again = try JSONParser.parse(memory.json)
        XCTAssertEqual(again["later"], [1, 2])
        XCTAssertEqual(again["prompt"], "p")
    }
}

/// `ideas.json` on a real disk.
final class IdeaMemoryFileTests: XCTestCase {
    private let clock = ManualClock()

    private func reason(
        _ body: () async throws -> Void
    ) async -> IdeaError.Reason? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? IdeaError)?.reason
        }
    }

    func testThePromptIsThereForTheNextProgramExactlyAsItWasTypedAndPrivate() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("new/ideas.json")
        let file = IdeaMemoryFile(path: path, environment: clock.environment)
        let empty = try await file.read()
        XCTAssertEqual(empty, IdeaMemory())
        XCTAssertFalse(FileManager.default.fileExists(atPath: path), "reading makes nothing")
        try await file.change { $0.prompt = "  One app idea, “one” sentence \n" }
        let other = try await IdeaMemoryFile(path: path, environment: clock.environment).read()
        XCTAssertEqual(other.prompt, "  One app idea, “one” sentence \n")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        XCTAssertEqual(mode as? Int, 0o600)
    }

    func testManyProgramsAtOnceLoseNoChange() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("ideas.json")
        let environment = clock.environment
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let file = IdeaMemoryFile(path: path, environment: environment)
                    try await file.change {
                        $0.discard("Idea \(number)", of: "p", at: Date(timeIntervalSince1970: 1))
                    }
                }
            }
            try await group.waitForAll()
        }
        let all = try await IdeaMemoryFile(path: path, environment: environment).read()
        XCTAssertEqual(Set(all.discarded.map(\.title)).count, 40)
    }

    func testAFileThatIsNotOursIsLeftAlone() async throws {
        let folder = try TemporaryFolder()
        for text in ["not json", "[1]", "{"] {
            try folder.write(Array(text.utf8), to: "ideas.json")
            let file = IdeaMemoryFile(
                path: folder.path("ideas.json"), environment: clock.environment)
            let failure = await reason { try await file.change { $0.prompt = "p" } }
            guard case .unreadable? = failure else { return XCTFail("\(text): \(failure as Any)") }
            let kept = try String(contentsOfFile: folder.path("ideas.json"), encoding: .utf8)
            XCTAssertEqual(kept, text)
        }
    }
}
