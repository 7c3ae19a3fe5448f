import Synchronization
import XCTest

@testable import AgentCore
@testable import Base
@testable import Texts

/// The engine over a scripted model: what is sent, what is taken, what is refused.
final class WritingEngineTests: XCTestCase {
    private func engine(_ model: ScriptedWriter) -> WritingEngine {
        WritingEngine(
            generator: model,
            proofread: { text, _ in
                let range = text.range(of: "teh")
                let start = range.map {
                    text.utf8.distance(from: text.startIndex, to: $0.lowerBound)
                }
                return Proofreading(
                    corrections: start.map {
                        [Correction(range: $0..<$0 + 3, replacement: "the", rule: "x")]
                    } ?? [], remarks: [], language: "en")
            })
    }

    func testShortAndSecretTextsAreRefusedWithoutARequest() async throws {
        let model = ScriptedWriter()
        let token = "Zq9vT3xKp7LmB2wYc8RdN5sHf1JgU4eA"
        for (text, reason) in [
            ("hi", WritingError.Reason.tooShort), ("Extraordinarily longwinded", .tooShort),
            ("a b c d", .tooShort), ("Oh. No.", .tooShort), ("   \n", .tooShort),
            ("my key sk-ant-api03-AAAAAAAAAAAAAAAA please fix", .secret),
            ("this is AKIAIOSFODNN7EXAMPLE and so on", .secret),
            ("use ghp_0123456789abcdefghij for that repo", .secret),
            ("my password: hunter2 is not very good", .secret),
            ("login bob\nPasswort = Sommer2024!\nand thanks", .secret),
            ("the token is \(token) for the server", .secret),
            ("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", .secret),
        ] {
            do {
                _ = try await engine(model).apply(.proofread, to: text)
                XCTFail(text)
            } catch let error as WritingError {
                XCTAssertEqual(error.reason, reason, text)
                XCTAssertEqual(error.diagnostic.exit, .refused)
            }
        }
        XCTAssertEqual(model.recipes.count, 0)
    }

    func testWhatOnlyLooksLikeASecretIsTaken() {
        for text in [
            "The password must have at least eight characters.",
            "Password: at least 8 characters, please.", "Enter your password:\nthen press return",
            "teh cat sat.", "Set OPENAI_API_KEY to sk-... and start it.",
            "We use sk-learn-contrib in that project.",
            "See https://example.org/a/very/long/path-with-3-words/and-more?x=1 for details.",
            "The commit is 9fceb02d0ae598e95dc970b74767f19372d61af8, as you know.",
            "Its id is 123e4567-e89b-12d3-a456-426614174000 in the table.",
            "a_very_long_identifier_with_number_2_and_more_words is its name",
            "The secret is to keep it simple and short.", "The secret is patience.",
        ] { XCTAssertNil(WritingEngine.refusal(of: text), text) }
    }

    func testAModelGetsTheTextMaskedAndTheAnswerIsCleaned() async throws {
        let model = ScriptedWriter("Here is the corrected text:\n\n```\nThe ⟦1⟧ sat.\n```")
        let result = try await engine(model).apply(.proofread, to: "teh `cat` sat.\r\n")
        XCTAssertEqual(result.text, "The `cat` sat.\r\n")
        XCTAssertFalse(result.isLocal)
        XCTAssertEqual(result.corrections, 1)
        XCTAssertEqual(result.outcome, .ok)
        XCTAssertEqual(model.recipes.map(\.input), ["<text>\nteh ⟦1⟧ sat.\n</text>\n"])
    }

    func testWhatAnAnswerMayNotDo() async throws {
        let text = "please see `cat` for teh details of it\n"
        for (answer, words) in [
            ("Please see `cats` for the details of it", "the inline code \"`cat`\" was changed"),
            ("Please.", "as long as the text"),
            (String(repeating: "Please see ⟦1⟧. ", count: 20), "as long as the text"),
            ("Please see ⟦1⟧\n\nfor the details of it", "it has 2 paragraphs where the text has 1"),
        ] {
            do {
                _ = try await engine(ScriptedWriter(answer)).apply(.rewrite, to: text)
                XCTFail(answer)
            } catch let error as WritingError {
                XCTAssertEqual(error.diagnostic.exit, .degraded)
                XCTAssertTrue(error.diagnostic.what.contains(words), error.diagnostic.what)
                XCTAssertTrue(error.diagnostic.what.hasPrefix("The answer was refused: "))
            }
        }
        for (reason, words) in [
            (GenerationError.Reason.refused, "the model declined"), (.truncated, "cut off"),
            (.empty, "it is empty"),
        ] {
            do {
                _ = try await engine(ScriptedWriter(failing: reason)).apply(.rewrite, to: text)
                XCTFail("\(reason)")
            } catch let error as WritingError {
                XCTAssertEqual(error.diagnostic.exit, .degraded)
                XCTAssertTrue(error.diagnostic.what.contains(words), error.diagnostic.what)
            }
        }
    }

    func testAnIdenticalAnswerIsNothingToChange() async throws {
        let text = "The cat sat on the mat."
        let result = try await engine(ScriptedWriter(text)).apply(.proofread, to: text)
        XCTAssertFalse(result.isChanged)
        XCTAssertEqual(result.corrections, 0)
    }

    func testAProofreadThatChangesMostWordsIsARewrite() async throws {
        let text = "I think we should maybe meet tomorrow at noon."
        let other = "Let us convene for lunch during the coming day."
        let proofread = try await engine(ScriptedWriter(other)).apply(.proofread, to: text)
        XCTAssertTrue(proofread.isRewrite)
        let friendly = try await engine(ScriptedWriter(other)).apply(.friendly, to: text)
        XCTAssertFalse(friendly.isRewrite)
    }

    func testWithoutAModelProofreadingIsLocalAndTonesSayWhatTheyNeed() async throws {
        let none = ScriptedWriter(failing: .noModel)
        let text = "on teh mat sat a cat"
        let result = try await engine(none).apply(.proofread, to: text)
        XCTAssertEqual(result.text, "on the mat sat a cat")
        XCTAssertTrue(result.isLocal)
        XCTAssertNil(result.localReason)
        for isOffline in [false, true] {
            let model = isOffline ? ScriptedWriter("never asked for, and more") : none
            do {
                _ = try await engine(model).apply(.professional, to: text, isOffline: isOffline)
                XCTFail()
            } catch let error as WritingError {
                XCTAssertEqual(error.reason, .needsModel("Professional"))
                XCTAssertEqual(error.diagnostic.exit, .needsKeyOrNetwork)
            }
        }
        let model = ScriptedWriter("never asked for, and more")
        let offline = try await engine(model).apply(.proofread, to: text, isOffline: true)
        XCTAssertTrue(offline.isLocal)
        XCTAssertEqual(model.recipes.count, 0)
    }

    // MARK: - Long texts

    private let long = (0..<40).map {
        "Paragraph \($0) of teh text is here. " + String(repeating: "More. ", count: 80) + "\n\n"
    }.joined()

    func testALongTextGoesPartByPartWithProgress() async throws {
        let model = ScriptedWriter { $0.replacing("teh", with: "the") }
        let shown = Mutex<[String]>([])
        let emit = Emitter { progress in shown.withLock { $0.append(progress.part) } }
        let result = try await engine(model).apply(.proofread, to: long, emit: emit)
        XCTAssertEqual(result.text, long.replacing("teh", with: "the"))
        XCTAssertEqual(result.corrections, 40)
        XCTAssertGreaterThan(model.recipes.count, 2)
        let count = model.recipes.count
        XCTAssertEqual(shown.withLock { $0 }, (1...count).map { "part \($0) of \(count)" })
    }

    func testWhatIsDoneIsKeptWhenItIsStopped() async throws {
        let model = ScriptedWriter { text in
            if text.contains("Paragraph 0 ") { return text.replacing("teh", with: "the") }
            throw CancellationError()
        }
        let result = try await engine(model).apply(.proofread, to: long)
        XCTAssertTrue(result.isPartial)
        XCTAssertEqual(result.outcome, .interrupted)
        XCTAssertTrue(result.text.hasPrefix("Paragraph 0 of the text"))
        XCTAssertTrue(result.text.hasSuffix(long.suffix(600)))
        XCTAssertEqual(result.text.utf8.count, long.utf8.count)
    }

    func testARefusedPartStaysAndIsNamed() async throws {
        let model = ScriptedWriter { text in
            text.contains("Paragraph 0 ") ? "no" : text.replacing("teh", with: "the")
        }
        let result = try await engine(model).apply(.proofread, to: long)
        XCTAssertEqual(result.leftOut.count, 1)
        XCTAssertEqual(result.outcome, .degraded)
        XCTAssertTrue(result.text.hasPrefix("Paragraph 0 of teh text"))
        XCTAssertTrue(result.text.contains("Paragraph 39 of the text"))
    }

    func testPartsAreTheTextAndCutNoProtectedSpan() {
        let code = "```\n" + String(repeating: "let x = 1\n\n", count: 400) + "```\n\n"
        for text in [
            long, code + long + code, String(repeating: "One line of text.\n", count: 2_000),
            String(repeating: "A sentence. ", count: 3_000), String(repeating: "x", count: 20_000),
            String(repeating: "line of text\r\n\r\n", count: 2_000),
        ] {
            let parts = TextSplitter.parts(of: text)
            XCTAssertEqual(parts.joined(), text)
            XCTAssertFalse(parts.contains(""))
            XCTAssertEqual(
                parts.flatMap { ProtectedText($0).spans.map(\.kind) },
                ProtectedText(text).spans.map(\.kind))
        }
        XCTAssertEqual(TextSplitter.parts(of: String(repeating: "x", count: 20_000)).count, 1)
        XCTAssertGreaterThan(
            TextSplitter.parts(of: String(repeating: "A sentence. ", count: 3_000)).count, 5)
    }
}

/// A model that answers as told; keeps what it was asked.
final class ScriptedWriter: TextGenerator {
    private let answer: @Sendable (String) throws -> String
    private let asked = Mutex<[TextRecipe]>([])

    /// - Parameter answer: gets the text between the tags.
    init(_ answer: @escaping @Sendable (String) throws -> String) { self.answer = answer }

    convenience init(_ text: String = "") { self.init { _ in text } }

    convenience init(failing reason: GenerationError.Reason) {
        self.init { _ in throw GenerationError(reason) }
    }

    var recipes: [TextRecipe] { asked.withLock { $0 } }

    func generate(
        _ recipe: TextRecipe, emit: (@Sendable (String) async -> Void)?
    ) async throws -> GeneratedText {
        asked.withLock { $0.append(recipe) }
        let text = recipe.input.dropFirst("<text>\n".count).dropLast("</text>\n".count)
        return GeneratedText(
            text: try answer(String(text)), json: nil, usage: Usage(),
            model: ModelOrigin(provider: .openai, format: .none, model: "test"))
    }

    func requestBody(of recipe: TextRecipe) async throws -> [UInt8] { Array(recipe.input.utf8) }
}
