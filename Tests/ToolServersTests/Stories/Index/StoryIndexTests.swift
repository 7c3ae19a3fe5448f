import Foundation
import Persistence
import StoryKit
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Stories

/// `chat story index` with a model: checks 23 to 25. Above 400 lines because
/// each test gives the model's whole answer.
final class StoryIndexTests: XCTestCase {
    private static let tea = """
        “Come in,” said Alice to the Hatter. A fire burned.

        The wind rose. The clock struck four.

        “Who is it?”

        The wind rose again. Nothing moved in the house.

        “It is only me.”

        The wind rose again. Nothing moved in the house.

        “It is late,” said the Hatter.

        “I know,” said Alice.

        """

    private static let cast = """
        [{"name": "Alice", "aliases": ["she"], "gender": "female", "age": "child"},
         {"name": "the Hatter", "gender": "Male", "personality": "excited"}]
        """

    func testWhatWillBeSentNamesTheHost() async throws {
        let rig = try await StoryIndexRig(Self.tea)
        let model = try XCTUnwrap(rig.stories.model.withLock { $0 })
        let line = try await model.line(for: [], bytes: 2_000)
        XCTAssertEqual(
            line.text,
            "  gpt-5 · OpenAI · api.test · 0 requests · 2.0 KB · about 0 tokens · about $0.01")
    }

    func testTheModelsCastAndItsLabelsCountWhereTheTextIsNotSure() async throws {
        let rig = try await StoryIndexRig(Self.tea)
        _ = try await rig.stories.run("index", "--offline")
        let offline = try await rig.speakers()
        XCTAssertEqual(rig.model.asked(), [])
        rig.model.answers { recipe in
            recipe.system == CastRecipe.instructions
                ? Self.cast
                : #"[{"id": 2, "speaker": "the Hatter"}, {"id": 3, "speaker": "hatter"}]"#
        }
        let output = try await rig.stories.run("index")
        XCTAssertEqual(rig.model.asked(), ["cast", "speakers"])
        XCTAssertEqual(output.outcome, .ok)
        XCTAssertEqual(output.lines[2].text, "  gpt-5: 2 labels · 2 requests · 220 tokens")
        let cast = try await rig.stories.run("cast", "--json").json?.arrayValue ?? []
        XCTAssertEqual(
            cast.map { $0["name"]?.stringValue }, ["the Hatter", "Alice"],
            "who says most by the labels stands first")
        XCTAssertEqual(cast[1]["age"], "child")
        XCTAssertEqual(cast[1]["aliases"], [], "a pronoun is no name")
        XCTAssertEqual(cast[0]["gender"], "male")
        XCTAssertEqual(cast[0]["personality"], "excited")
        let now = try await rig.speakers()
        XCTAssertEqual(now[0], offline[0])
        XCTAssertEqual(now[1...2], ["the Hatter likely model", "the Hatter likely model"])
        XCTAssertEqual(now[3...], offline[3...])
        let json = try await rig.stories.run("segments", "--json", "--all").json?.arrayValue ?? []
        XCTAssertEqual(
            json.filter { $0["by"] == "model" }.map { $0["evidence"]?.stringValue },
            ["by the model", "by the model"])
        let step = try await rig.stories.store.steps(undone: false, limit: 1).first
        _ = try await rig.stories.store.undo(XCTUnwrap(step?.id))
        assertEqual(try await rig.speakers(), offline)
    }

    /// Whatever names a model gives, what is kept can be loaded, and each name means one.
    func testACastOfAnyNamesCanBeLoadedIndexedAgainAndVoiced() async throws {
        let names = ["Alice", "the Hatter", "Hatter", "alice", "The hatter", "March Hare", "Dinah"]
        var random = SplitMix(seed: 34)
        let rig = try await StoryIndexRig(
            Self.tea + "\nDinah and the March Hare came. Alice’s Hatter laughed.\n",
            voice: StoryVoiceBook.Dependencies(engine: { FixedVoices() }, speak: { _ in }))
        for round in 0..<40 {
            let characters = (0..<Int.random(in: 1...5, using: &random)).map { _ -> JSONValue in
                let aliases = names.shuffled(using: &random).prefix(
                    Int.random(in: 0...3, using: &random))
                return [
                    "name": .string(names.randomElement(using: &random) ?? ""),
                    "aliases": .array(aliases.map { .string($0) }),
                    "gender": .string(["male", "female", "unknown"][round % 3]),
                ]
            }
            let answer = String(decoding: JSONWriter.bytes(.array(characters)), as: UTF8.self)
            rig.model.answers { $0.system == CastRecipe.instructions ? answer : "[]" }
            _ = try await rig.stories.run("index", "--again", "--yes")
            let cast = try await rig.stories.run("cast", "--json").json?.arrayValue ?? []
            let all = cast.flatMap { [$0["name"]] + ($0["aliases"]?.arrayValue ?? []) }
                .compactMap { $0?.stringValue }.map(Cast.compared)
            XCTAssertEqual(Set(all).count, all.count, "\(answer)\n\(all)")
            _ = try await rig.stories.run("voices", "--auto")
        }
    }

    /// As an older version kept it.
    func testAKeptCastWithANameTwiceIsRepaired() async throws {
        let rig = try await StoryIndexRig(Self.tea)
        _ = try await rig.stories.run("index", "--offline")
        let item = try await rig.stories.item(1)
        var metadata = try XCTUnwrap(item).metadata
        metadata["cast"] = [
            ["name": "the Hatter", "aliases": ["Hat", "Alice"], "lines": 1],
            ["name": "Alice", "aliases": ["Hat"], "narrator": true],
            ["name": "Hatter", "aliases": ["Mad Hatter"], "gender": "male", "lines": 2],
        ]
        _ = try await rig.stories.store.change(
            XCTUnwrap(item).id, ItemChange(metadata: metadata), by: .user, verb: "changed")
        let cast = try await rig.stories.run("cast", "--json").json
        XCTAssertEqual(cast?.arrayValue?.map { $0["name"] }, ["the Hatter", "Alice"])
        XCTAssertEqual(cast?.arrayValue?.first?["aliases"], ["Hat", "Mad Hatter"])
        XCTAssertEqual(cast?.arrayValue?.first?["gender"], "male")
        XCTAssertEqual(cast?.arrayValue?.last?["aliases"], [])
        _ = try await rig.stories.run("segments", "--all")
    }

    func testWhatAModelSaysAroundItsListIsReadOver() async throws {
        for (before, after) in [
            ("```json\n", "\n```"), ("Here are the characters:\n\n", "\n\nTell me if I can help."),
        ] {
            let provider = ScriptedProvider([
                .text([before, Self.cast, after]),
                .text([before + #"[{"id": 2, "speaker": "Alice"}]"# + after]),
            ])
            let rig = try await StoryIndexRig(Self.tea, generator: generator(provider))
            let output = try await rig.stories.run("index")
            XCTAssertEqual(output.outcome, .ok, "\(output.notices)")
            assertEqual(try await rig.speakers()[1], "Alice likely model")
            XCTAssertEqual(provider.remainingSteps, 0)
        }
    }

    private func generator(_ provider: any Provider) -> ModelTextGenerator {
        var environment = ManualClock(random: 0).environment
        environment.sleep = { _ in }
        return ModelTextGenerator(
            provider: provider, model: "m", environment: environment, count: { _, _, _ in })
    }

    func testEveryRequestIsCountedAndAListInAnObjectNeedsNoSecondOne() async throws {
        let provider = ScriptedProvider([
            .text([#"{"characters": "# + Self.cast + "}"]),
            .text(["Alice, I think."]), .text([#"[{"id": 2, "speaker": "Alice"}]"#]),
        ])
        let rig = try await StoryIndexRig(Self.tea, generator: generator(provider))
        let output = try await rig.stories.run("index")
        XCTAssertEqual(output.outcome, .ok, "\(output.notices)")
        XCTAssertEqual(provider.remainingSteps, 0)
        XCTAssertEqual(
            output.lines[2].text,
            "  \(try XCTUnwrap(output.lines[2].text.split(separator: ":").first).trimmingCharacters(in: .whitespaces)): 1 label · 3 requests · 45 tokens"
        )
    }

    func testAListThatCannotBeReadLeavesTheCastOfTheText() async throws {
        let cut = String(Self.cast.prefix(60))
        for steps in [
            [.text([cut]), .text(["I am sorry."])], [.text([cut], stop: .maxTokens)],
        ] as [[ScriptedProvider.Step]] {
            let provider = ScriptedProvider(steps + [.text(["[]"])])
            let rig = try await StoryIndexRig(Self.tea, generator: generator(provider))
            let output = try await rig.stories.run("index")
            XCTAssertEqual(output.outcome, .degraded)
            XCTAssertEqual(output.notices.count, 1)
            XCTAssert(
                output.notices[0].hasPrefix("Could not parse character list: s1 Tea."),
                output.notices[0])
            assertEqual(try await rig.names(), ["Alice", "the Hatter"])
            XCTAssertEqual(provider.remainingSteps, 0)
            XCTAssertEqual(
                rig.stories.library.asked.withLock { $0.count }, 1, "asked whether to try again")
        }
    }

    func testAFailureIsNamedWithItsPhaseAndStoryAndNothingIsTriedAgain() async throws {
        let said = try XCTUnwrap(ServerText("silent", hiding: nil))
        let silence = ProviderError.Reason.transport(
            TransportError(reason: .idleTimeout, host: "m.test", detail: said))
        // A silence has lasted as long as the user's limit allows.
        for reason in [.keyRejected, .quotaExhausted, .rateLimited, silence] {
            let provider = ScriptedProvider([.failure(reason)])
            let rig = try await StoryIndexRig(Self.tea, generator: generator(provider))
            let output = try await rig.stories.run("index")
            XCTAssertEqual(output.outcome, .degraded)
            XCTAssertEqual(provider.requests.count, 1, "\(reason)")
            XCTAssert(
                output.notices[0].hasPrefix("Finding the characters of s1 Tea: "),
                output.notices[0])
            XCTAssertEqual(output.notices.count, 1)
            assertEqual(try await rig.names(), ["Alice", "the Hatter"])
        }
    }

    func testAtAPromptAFailedRequestIsSentAgain() async throws {
        let provider = ScriptedProvider([
            .failure(.keyRejected), .text([Self.cast]), .text(["[]"]),
        ])
        let rig = try await StoryIndexRig(Self.tea, generator: generator(provider))
        rig.stories.library.answers.withLock { $0 = [true] }
        let output = try await rig.stories.run("index")
        XCTAssertEqual(output.outcome, .ok)
        XCTAssertEqual(output.notices, [])
        XCTAssertEqual(provider.remainingSteps, 0)
    }

    // MARK: - What a model may not

    func testInventedNamesAndNumbersAreRejectedAndATagBeatsTheModel() async throws {
        let rig = try await StoryIndexRig(Self.tea)
        let source = try await rig.stories.item(1)?.body
        rig.model.answers { recipe in
            recipe.system == CastRecipe.instructions
                ? """
                [{"name": "Alice", "aliases": ["Miss Liddell"]}, {"name": "Captain Hook"},
                 {"name": "the Hatter"}]
                """
                : """
                [{"id": 1, "speaker": "the Hatter"}, {"id": 2, "speaker": "Captain Hook"},
                 {"id": 99, "speaker": "Alice"}, {"id": 3, "speaker": "Alice"}]
                """
        }
        let output = try await rig.stories.run("index")
        assertEqual(try await rig.names().sorted(), ["Alice", "the Hatter"])
        XCTAssertEqual(
            output.lines[2].text,
            "  gpt-5: 1 label, 1 conflict with tags · 3 answers of no use · 2 requests · 220 tokens"
        )
        let speakers = try await rig.speakers()
        XCTAssertEqual(speakers[0], "Alice sure rule")
        XCTAssertEqual(speakers[2], "Alice likely model")
        assertEqual(try await rig.stories.item(1)?.body, source)
        let texts = try await rig.stories.run("segments", "--json", "--all").json?.arrayValue ?? []
        XCTAssertEqual(texts.compactMap { $0["text"]?.stringValue }.joined(), source)
    }

    func testAnswersWithAnotherTextChangeNothing() async throws {
        let altered = #"[{"id": 2, "speaker": "Alice", "text": "“Go away.”"}]"#
        let provider = ScriptedProvider([
            .text([Self.cast]), .text([altered]), .text([altered]),
        ])
        let rig = try await StoryIndexRig(Self.tea, generator: generator(provider))
        let output = try await rig.stories.run("index")
        XCTAssertEqual(output.outcome, .degraded)
        XCTAssert(output.notices[0].hasPrefix("Could not parse list of speakers"))
        assertEqual(try await rig.stories.item(1)?.body, Self.tea)
    }

    func testWhatTheUserDecidedIsNeverTouched() async throws {
        let rig = try await StoryIndexRig(Self.tea)
        _ = try await rig.stories.run("index", "--offline")
        _ = try await rig.stories.run("cast", "rename", "the Hatter", "Theophilus")
        let before = try await rig.stories.run("segments", "--json", "--all").json?.arrayValue ?? []
        let number = try XCTUnwrap(
            before.filter { $0["by"] != nil }.dropFirst().first?["number"]?.integerValue)
        _ = try await rig.stories.run("fix", "s1", "\(number)", "Alice")
        rig.model.answers { recipe in
            recipe.system == CastRecipe.instructions
                ? #"[{"name": "Alice", "age": "child"}, {"name": "the Hatter"}]"#
                : #"[{"id": 2, "speaker": "Theophilus"}, {"id": 3, "speaker": "Theophilus"}]"#
        }
        _ = try await rig.stories.run("index")
        assertEqual(try await rig.names().sorted(), ["Alice", "Theophilus"])
        assertEqual(try await rig.speakers()[1], "Alice sure user")
        XCTAssert(
            rig.model.recipes.withLock { $0.last?.input.contains("[2 = Alice] “Who is it?”") }
                == true, "the model knows it")
    }

    func testWhoTheUserNamedStaysThoughNobodyElseFindsHim() async throws {
        let rig = try await StoryIndexRig(Self.tea)
        _ = try await rig.stories.run("index", "--offline")
        _ = try await rig.stories.run("cast", "add", "the Raven")
        let number = try await rig.stories.run("segments", "--json", "--all").json?.arrayValue?
            .first { $0["text"] == "“It is only me.”" }?["number"]?.integerValue
        _ = try await rig.stories.run("fix", "s1", "\(XCTUnwrap(number))", "the Raven")
        rig.model.answers { recipe in
            recipe.system == CastRecipe.instructions ? Self.cast : "[]"
        }
        _ = try await rig.stories.run("index", "--again")
        assertEqual(try await rig.names().sorted(), ["Alice", "the Hatter", "the Raven"])
        assertEqual(try await rig.speakers()[2], "the Raven sure user")
    }

    // MARK: - What is asked once

    /// Forty thousand bytes in which every third quotation has a tag.
    private static func book(_ change: (Int) -> String? = { _ in nil }) -> String {
        (0..<300).map { number in
            if let changed = change(number) { return changed }
            let words = "“It is number \(number), and the tea is \(number * 7_919 % 101) years old"
            return switch number % 3 {
            case 0: words + ",” said Alice to the Hatter."
            case 1: words + "!”"
            default: words + ".” The dormouse slept through all of it, as a dormouse does."
            }
        }.joined(separator: "\n\n")
    }

    private func answering(_ rig: StoryIndexRig) {
        rig.model.answers { recipe in
            recipe.system == CastRecipe.instructions
                ? #"[{"name": "Alice"}, {"name": "Hatter"}]"#
                : #"[{"id": 2, "speaker": "Hatter"}]"#
        }
    }

    func testASecondIndexAsksNothingAndAChangedParagraphOnlyItsPart() async throws {
        let rig = try await StoryIndexRig(Self.book())
        answering(rig)
        _ = try await rig.stories.run("index", "--yes")
        let first = rig.model.asked()
        XCTAssertGreaterThan(first.count { $0 == "cast" }, 1)
        XCTAssertGreaterThan(first.count { $0 == "speakers" }, 3)
        let speakers = try await rig.speakers()
        let again = try await rig.stories.lines("index")
        XCTAssertEqual(again.first, "Already indexed: s1 Tea · --again")
        XCTAssertEqual(rig.model.asked(), [])

        let changed = Self.book { $0 == 151 ? "“The clock has stopped, my dear!”" : nil }
        _ = try await rig.stories.run("edit", "s1", "--text", changed)
        let labelled = try await rig.speakers().count { $0.hasSuffix("model") }
        XCTAssertGreaterThan(
            labelled, 1,
            "labels are found again by their words")
        _ = try await rig.stories.run("index", "--yes")
        let second = rig.model.asked()
        XCTAssert((1...2).contains(second.count { $0 == "cast" }), "\(second)")
        XCTAssert((1...3).contains(second.count { $0 == "speakers" }), "\(second)")

        _ = try await rig.stories.run("edit", "s1", "--text", Self.book())
        _ = try await rig.stories.run("index", "--yes")
        XCTAssertEqual(rig.model.asked(), [], "all of it was answered before")
        assertEqual(try await rig.speakers(), speakers)

        _ = try await rig.stories.run("index", "--again", "--yes")
        XCTAssertEqual(rig.model.asked().sorted(), first.sorted())
    }

    func testEveryWindowHasTheQuotationsAroundAndTheThreeBefore() async throws {
        let rig = try await StoryIndexRig(Self.book())
        answering(rig)
        _ = try await rig.stories.run("index", "--yes")
        let windows = rig.model.recipes.withLock { recipes in
            recipes.filter { $0.system == SpeakerRecipe.instructions }.map(\.input)
        }
        for (index, window) in windows.enumerated() {
            let count = window.split(separator: "\n").count { $0.hasPrefix("[") }
            XCTAssertGreaterThanOrEqual(count, 25)
            let before = window.split(separator: "<before>\n").dropFirst().first?
                .split(separator: "</before>").first
            let labelled = before?.split(separator: "\n").count {
                $0.hasPrefix("[Alice]") || $0.hasPrefix("[Hatter]")
            }
            XCTAssertEqual(labelled, index == 0 ? nil : 3)
        }
    }

    func testOnlyThePartThatIsAskedForIsSent() async throws {
        let rig = try await StoryIndexRig(Self.tea)
        answering(rig)
        _ = try await rig.stories.run("index", "--segments")
        XCTAssertEqual(rig.model.asked(), ["speakers"])
        _ = try await rig.stories.run("index", "--cast")
        XCTAssertEqual(rig.model.asked(), ["cast"])
        let lines = try await rig.stories.lines("index")
        XCTAssertEqual(lines.first, "Already indexed: s1 Tea · --again")
        assertEqual(try await rig.speakers().count { $0.hasSuffix("model") }, 1)
    }

    func testALongTextIsSentAfterAYesAlone() async throws {
        let rig = try await StoryIndexRig(
            (0..<3).map { _ in Self.book() }.joined(separator: "\n\n"))
        answering(rig)
        do {
            _ = try await rig.stories.run("index")
            XCTFail("it was sent")
        } catch let error as StoryIndexProblem {
            XCTAssertEqual(error.diagnostic.exit, .refused)
        }
        XCTAssertEqual(rig.model.asked(), [])
        XCTAssertEqual(
            rig.stories.library.asked.withLock { $0 }, ["Send this much of s1 Tea?"])
        rig.stories.library.answers.withLock { $0 = [true] }
        _ = try await rig.stories.run("index")
        XCTAssertGreaterThan(rig.model.asked().count, 15)
    }

    func testLabelsGoWithAStoryThatIsExported() async throws {
        let rig = try await StoryIndexRig(Self.tea)
        answering(rig)
        _ = try await rig.stories.run("index")
        let speakers = try await rig.speakers()
        XCTAssert(speakers.contains { $0.hasSuffix("model") })
        let path = rig.stories.library.folder.path("tea.zip")
        _ = try await rig.stories.run("export", "s1", "-o", path)
        _ = try await rig.stories.run("delete", "s1")
        _ = try await rig.stories.run("import", path, "--new")
        assertEqual(try await rig.speakers(), speakers)
    }
}
