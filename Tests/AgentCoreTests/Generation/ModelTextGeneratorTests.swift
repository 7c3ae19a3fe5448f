import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Privacy

final class ModelTextGeneratorTests: XCTestCase {
    /// What is emitted, counted and observed.
    private final class Seen: Sendable {
        private let state = Mutex<
            (
                text: [String], counts: [String], events: [ModelTextGenerator.Event],
                waits: [Duration]
            )
        >(([], [], [], []))
        var text: [String] { state.withLock { $0.text } }
        var counts: [String] { state.withLock { $0.counts } }
        var events: [ModelTextGenerator.Event] { state.withLock { $0.events } }
        func emit(_ text: String) { state.withLock { $0.text.append(text) } }
        func count(_ purpose: String, _ model: ModelOrigin, _ usage: Usage) {
            state.withLock { $0.counts.append("\(purpose) \(model.model) \(usage.output)") }
        }
        var waits: [Duration] { state.withLock { $0.waits } }
        func wait(_ duration: Duration) { state.withLock { $0.waits.append(duration) } }
        func observe(_ event: ModelTextGenerator.Event) {
            state.withLock { $0.events.append(event) }
        }
    }

    private let seen = Seen()

    private func generator(_ provider: any Provider) -> ModelTextGenerator {
        var environment = ManualClock(random: 0).environment
        environment.sleep = { [seen] in seen.wait($0) }
        return ModelTextGenerator(
            provider: provider, model: "m", temperature: 0.3, effort: .high,
            environment: environment, observe: { [seen] in seen.observe($0) },
            count: { [seen] in seen.count($0, $1, $2) })
    }

    private static let list = JSONSchema.object([
        .init("names", .array(of: .string()), isRequired: true)
    ])

    private func recipe(
        _ shape: TextRecipe.Shape = .text, retries: Int = 2, privacy: PrivacyClass = .public
    ) -> TextRecipe {
        TextRecipe(
            purpose: "test", system: "Be short.", input: "Names?", maxOutputTokens: 99,
            temperature: 0.1, effort: .low, retries: retries, shape: shape, privacy: privacy)
    }

    private func failure(
        _ provider: any Provider, _ recipe: TextRecipe
    ) async throws -> GenerationError {
        do {
            let made = try await generator(provider).generate(recipe) { [seen] in
                seen.emit($0)
            }
            XCTFail("\(made)")
        } catch let error as GenerationError {
            return error
        }
        throw CancellationError()
    }

    func testTheRecipeIsTheRequestAndTheTextIsStreamed() async throws {
        let provider = ScriptedProvider([.text([" Ada,", " Bo\n"])])
        let made = try await generator(provider).generate(recipe()) { [seen] in seen.emit($0) }
        XCTAssertEqual(made.text, "Ada, Bo")
        XCTAssertEqual(made.usage, Usage(input: 10, output: 5))
        XCTAssertEqual(made.model.model, "scripted")
        XCTAssertEqual(seen.text, [" Ada,", " Bo\n"])
        XCTAssertEqual(seen.counts, ["test scripted 5"])
        let request = try XCTUnwrap(provider.requests.first)
        XCTAssertEqual(request.model, "m")
        XCTAssertEqual(request.system, "Be short.")
        XCTAssertEqual(request.turns, [Turn(status: .open, messages: [.user("Names?")])])
        XCTAssertEqual(request.tools, [])
        XCTAssertEqual(request.maxOutputTokens, 99)
        XCTAssertEqual(request.temperature, 0.1)
        XCTAssertEqual(request.effort, .low)
        XCTAssertEqual(request.thinking, .off)
        XCTAssertEqual(request.privacy, .public)
    }

    func testWhatTheRecipeLeavesOpenIsTheSessionsAndALocalServerIsToldNoEffort() async throws {
        var open = recipe()
        (open.temperature, open.effort) = (nil, nil)
        let claude = ScriptedProvider([.text(["x"])])
        let local = ScriptedProvider([.text(["x"])], name: .local)
        for provider in [claude, local] {
            _ = try await generator(provider).generate(open, emit: nil)
        }
        XCTAssertEqual(claude.requests.map(\.temperature), [0.3])
        XCTAssertEqual(claude.requests.map(\.effort), [.high])
        XCTAssertEqual(local.requests.map(\.effort), [nil])
    }

    func testJSONIsReadFromAFenceAndNotEmitted() async throws {
        let provider = ScriptedProvider([.text(["Sure!\n```json\n{\"names\":[\"Ada\"]}\n```"])])
        let made = try await generator(provider).generate(recipe(.json(Self.list))) { [seen] in
            seen.emit($0)
        }
        XCTAssertEqual(made.json, ["names": ["Ada"]])
        XCTAssertEqual(seen.text, [])
        let system = try XCTUnwrap(provider.requests.first?.system)
        XCTAssertTrue(system.hasPrefix("Be short.\n\nAnswer with one JSON value"), system)
        XCTAssertTrue(system.hasSuffix(JSONWriter.string(Self.list.json)), system)
    }

    func testAWrongShapeIsToldToTheModelOnce() async throws {
        let provider = ScriptedProvider([
            .text([#"{"names":"Ada"}"#]), .text([#"{"names":["Ada"]}"#]),
        ])
        let made = try await generator(provider).generate(recipe(.json(Self.list)), emit: nil)
        XCTAssertEqual(made.json, ["names": ["Ada"]])
        XCTAssertEqual(made.usage, Usage(input: 20, output: 10))
        XCTAssertEqual(made.requests, 2)
        XCTAssertEqual(seen.counts.count, 2)
        let messages = try XCTUnwrap(provider.requests.last?.turns.first?.messages)
        XCTAssertEqual(messages.map(\.role), [.user, .assistant, .user])
        XCTAssertEqual(messages[1].text, #"{"names":"Ada"}"#)
        XCTAssertTrue(messages[2].text.contains("$.names must be an array"), messages[2].text)
    }

    func testAListInAnObjectOfItsOwnIsTheList() async throws {
        let list = JSONSchema.array(of: .object([.init("name", .string(), isRequired: true)]))
        for text in [
            #"{"characters":[{"name":"Ada"}]}"#, "```json\n{\"list\": [{\"name\": \"Ada\"}]}\n```",
        ] {
            let provider = ScriptedProvider([.text([text])])
            let made = try await generator(provider).generate(recipe(.json(list)), emit: nil)
            XCTAssertEqual(made.json, [["name": "Ada"]])
            XCTAssertEqual(made.requests, 1)
        }
        // One entry alone is no list, though it holds one.
        let one = #"{"name":"Ada","aliases":[]}"#
        let provider = ScriptedProvider([.text([one]), .text([#"[{"name":"Ada"}]"#])])
        let made = try await generator(provider).generate(recipe(.json(list)), emit: nil)
        XCTAssertEqual(made.json, [["name": "Ada"]])
        XCTAssertEqual(made.requests, 2)
    }

    func testTwiceTheWrongShapeIsAnErrorWithTheText() async throws {
        let provider = ScriptedProvider([.text(["Ada and Bo"]), .text([#"{"name":"Ada"}"#])])
        let error = try await failure(provider, recipe(.json(Self.list)))
        XCTAssertEqual(
            error.reason,
            .wrongShape(.init(path: "$.name", problem: "is not a parameter of this tool")))
        XCTAssertEqual(error.text, #"{"name":"Ada"}"#)
        XCTAssertEqual(error.usage, Usage(input: 20, output: 10))
        XCTAssertEqual(error.requests, 2)
    }

    func testRefusalTruncationAndSilenceAreErrorsWithTheTextAndAreCounted() async throws {
        let table: [(ScriptedProvider.Step, GenerationError.Reason, String)] = [
            (.text(["No."], stop: .refusal), .refused, "No."),
            (.text(["x"], stop: .contentFilter), .refused, "x"),
            (.text(["Once upon"], stop: .maxTokens), .truncated, "Once upon"),
            (.text(["Once"], stop: .contextWindow), .truncated, "Once"),
            (.text([" \n"]), .empty, ""),
        ]
        for (step, reason, text) in table {
            let error = try await failure(ScriptedProvider([step]), recipe())
            XCTAssertEqual(error.reason, reason)
            XCTAssertEqual(error.text, text)
        }
        XCTAssertEqual(seen.counts.count, table.count)
    }

    func testAnOverloadedServerIsAskedAgainAsOftenAsTheRecipeSays() async throws {
        let provider = ScriptedProvider([.failure(.overloaded), .text(["Ada"])])
        let made = try await generator(provider).generate(recipe(retries: 1), emit: nil)
        XCTAssertEqual(made.text, "Ada")
        XCTAssertEqual(seen.waits, [.seconds(0.5)])
        XCTAssertEqual(seen.events.count, 2)
        let never = ScriptedProvider([.failure(.overloaded)])
        let error = try await failure(never, recipe(retries: 0))
        guard case .provider(let cause) = error.reason else { return XCTFail("\(error)") }
        XCTAssertEqual(cause.reason, .overloaded)
    }

    func testABrokenStreamIsTriedAgainOnlyWhereNothingWasShown() async throws {
        let broken = ScriptedProvider.Step.failure(.brokenStream, after: ["Ad"])
        let error = try await failure(ScriptedProvider([broken]), recipe())
        XCTAssertEqual(error.text, "Ad")
        let made = try await generator(ScriptedProvider([broken, .text(["Ada"])])).generate(
            recipe(), emit: nil)
        XCTAssertEqual(made.text, "Ada")
    }

    func testCancellingEndsItInTheMiddle() async throws {
        let reached = Gate()
        let clock = ManualClock()
        var step = ScriptedProvider.Step.text(["Ad"])
        step.pause = {
            reached.open()
            try await clock.environment.sleep(.seconds(3_600))
        }
        let provider = ScriptedProvider([step])
        let (generator, recipe) = (generator(provider), recipe())
        let task = Task { [seen] in
            try await generator.generate(recipe) { seen.emit($0) }
        }
        await reached.wait()
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("a text")
        } catch is CancellationError {}
        XCTAssertEqual(seen.text, ["Ad"])
        XCTAssertEqual(seen.counts, [])
    }

    // MARK: - Privacy, on the body that would be sent

    private func provider(
        _ base: String, _ transport: StubTransport, _ format: WireFormat
    ) throws -> HTTPProvider {
        HTTPProvider(
            endpoint: ProviderEndpoint(name: .local, format: format, base: try BaseURL(base)),
            key: { nil }, person: { PersonalData() }, transport: transport,
            environment: ManualClock().environment)
    }

    func testALocalOnlyTextGoesToThisMachineWhateverTheProviderIsCalled() async throws {
        for format in [WireFormat.chat, .messages, .responses] {
            let transport = StubTransport([.stream([WireScript.text(["ok"], format: format)])])
            let here = try provider("http://127.0.0.1:11434/v1", transport, format)
            let made = try await generator(here).generate(
                recipe(privacy: .localOnly), emit: nil)
            XCTAssertEqual(made.text, "ok")

            let nowhere = StubTransport([])
            let far = try provider("https://llm.example.org/v1", nowhere, format)
            let error = try await failure(far, recipe(privacy: .localOnly))
            guard case .provider(let cause) = error.reason else { return XCTFail("\(error)") }
            XCTAssertEqual(cause.reason, .withheld(.localOnly))
            XCTAssertEqual(nowhere.requests.count, 0)
        }
    }
}
