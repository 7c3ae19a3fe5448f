import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Stories

/// A story over a real library, and a model that a test speaks for.
final class StoryIndexRig: Sendable {
    /// Answers what it is asked with what a test says, and keeps what it was asked.
    final class Model: TextGenerator {
        typealias Answer = @Sendable (TextRecipe) throws -> String

        let recipes = Mutex<[TextRecipe]>([])
        private let answer: Mutex<Answer>

        init(_ answer: @escaping Answer) { self.answer = Mutex(answer) }

        func answers(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

        func generate(
            _ recipe: TextRecipe, emit: (@Sendable (String) async -> Void)?
        ) async throws -> GeneratedText {
            recipes.withLock { $0.append(recipe) }
            let text = try answer.withLock { $0 }(recipe)
            return GeneratedText(
                text: text, json: try JSONParser.parse(Array(text.utf8)),
                usage: Usage(input: 100, output: 10),
                model: ModelOrigin(provider: .openai, format: .responses, model: "gpt-5"))
        }

        func requestBody(of recipe: TextRecipe) async throws -> [UInt8] { [] }

        func destination() async throws -> TextDestination? {
            TextDestination(provider: .openai, host: "api.test", model: "gpt-5")
        }

        /// What was asked since the last look.
        func asked() -> [String] {
            recipes.withLock { recipes in
                defer { recipes = [] }
                return recipes.map { $0.system == CastRecipe.instructions ? "cast" : "speakers" }
            }
        }
    }

    let stories: StoryRig
    let model: Model

    init(
        _ text: String, generator: (any TextGenerator)? = nil,
        voice: StoryVoiceBook.Dependencies? = nil
    ) async throws {
        model = Model { _ in "[]" }
        stories = try StoryRig(voice: voice)
        stories.model.withLock { [library = stories.library, model] in
            $0 = StoryModel(
                generator: generator ?? model, instructions: { $0.builtIn },
                cost: { _, _ in "$0.01" },
                answers: AnswerCache(
                    folder: library.folder.path("answers"),
                    environment: library.clock.environment))
        }
        _ = try await stories.run("import", try stories.file("tea.txt", text), "--title", "Tea")
    }

    func names() async throws -> [String] {
        try await (stories.run("cast", "--json").json?.arrayValue ?? []).compactMap {
            $0["name"]?.stringValue
        }
    }

    /// `Alice sure rule` of each quotation.
    func speakers() async throws -> [String] {
        try await (stories.run("segments", "--json", "--all").json?.arrayValue ?? [])
            .compactMap { segment in
                guard let by = segment["by"]?.stringValue else { return nil }
                return "\(segment["speaker"]?.stringValue ?? "nobody") "
                    + "\(segment["tier"]?.stringValue ?? "") \(by)"
            }
    }
}

/// `XCTAssertEqual` of what has to be waited for.
func assertEqual<Value: Equatable>(
    _ value: Value, _ wanted: Value, _ message: String = "", file: StaticString = #filePath,
    line: UInt = #line
) {
    XCTAssertEqual(value, wanted, message, file: file, line: line)
}
