import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Privacy

/// Class `redact`, on the bytes that leave, in each wire format: what would tell who
/// the user is stays here, and what leaves is known byte for byte.
final class RedactedRequestTests: XCTestCase {
    private static let formats: [(ProviderName, WireFormat, String)] = [
        (.openai, .responses, "https://api.openai.com/v1"),
        (.claude, .messages, "https://api.anthropic.com"),
        (.local, .chat, "http://127.0.0.1:11434/v1"),
    ]

    private struct Unreadable: Error {}

    private let profile = PersonalData([
        .init(.name, "Jana Marek-Olsen"), .init(.email, "jana.olsen@example.org"),
    ])

    private func provider(
        _ transport: StubTransport, _ facts: (ProviderName, WireFormat, String),
        person: (@Sendable () async throws -> PersonalData)? = nil
    ) throws -> HTTPProvider {
        HTTPProvider(
            endpoint: ProviderEndpoint(
                name: facts.0, format: facts.1, base: try BaseURL(facts.2)),
            key: { "sk-secret" }, person: person ?? { [profile] in profile },
            transport: transport, environment: ManualClock().environment)
    }

    private func request(
        _ text: String, _ privacy: PrivacyClass = .redact, withheld: PersonalData = PersonalData()
    ) -> ModelRequest {
        ModelRequest(
            model: "m", system: "Answer.",
            turns: [Turn(status: .open, messages: [.user(text)])], temperature: 0.5,
            privacy: privacy, withheld: withheld)
    }

    private func reason(
        _ body: () async throws -> Void
    ) async throws -> ProviderError.Reason? {
        do {
            try await body()
            return nil
        } catch let error as ProviderError {
            return error.reason
        }
    }

    func testWhatTellsWhoTheUserIsIsNotSentInAnyFormat() async throws {
        for format in Self.formats {
            let nowhere = StubTransport([])
            let provider = try provider(nowhere, format)
            for text in ["I am Jana Marek-Olsen.", "Write to JANA.OLSEN@example.org"] {
                let request = request(text)
                for ask in [
                    { _ = try await provider.respond(to: request) { _ in } },
                    { _ = try await provider.body(of: request) },
                ] {
                    let found = try await reason(ask)
                    guard case .wouldLeak(let leaks) = found else {
                        XCTFail("\(format.1): \(text)")
                        continue
                    }
                    XCTAssertEqual(leaks.first?.form, "plain")
                    XCTAssertTrue(text.contains(leaks.first?.line ?? "-"), "\(leaks)")
                }
            }
            XCTAssertEqual(nowhere.requests.count, 0)
        }
    }

    func testWhatTheRecipeWithholdsIsNotSentEither() async throws {
        for format in Self.formats {
            let nowhere = StubTransport([])
            let provider = try provider(nowhere, format)
            let withheld = PersonalData([.init(.phone, "+49 1555 0123456")])
            let found = try await reason {
                _ = try await provider.respond(
                    to: request("Call 01555 / 012 34 56.", withheld: withheld)
                ) { _ in }
            }
            guard case .wouldLeak(let leaks) = found else { return XCTFail("\(format.1)") }
            XCTAssertEqual(leaks.map(\.kind), [.phone])
            XCTAssertEqual(nowhere.requests.count, 0)
        }
    }

    func testWithoutAReadableProfileNothingIsSent() async throws {
        for format in Self.formats {
            let nowhere = StubTransport([])
            let provider = try provider(nowhere, format, person: { throw Unreadable() })
            do {
                _ = try await provider.respond(to: request("Hello")) { _ in }
                XCTFail("sent")
            } catch is Unreadable {}
            XCTAssertEqual(nowhere.requests.count, 0)
        }
    }

    func testTheProfileIsReadOnlyForWhatIsToBeRedacted() async throws {
        let transport = StubTransport([.stream([WireScript.text(["ok"], format: .chat)])])
        let provider = try provider(
            transport, Self.formats[2], person: { throw Unreadable() })
        _ = try await provider.respond(to: request("I am Jana Marek-Olsen.", .public)) { _ in }
        XCTAssertEqual(transport.requests.count, 1)
    }

    func testTheBodyIsKnownByteForByteBeforeAndAfterItLeaves() async throws {
        for format in Self.formats {
            let refusal = StubTransport.Reply.json(
                #"{"error":{"message":"Unsupported parameter","type":"invalid_request_error","#
                    + #""param":"temperature","code":"unsupported_parameter"}}"#, status: 400)
            let transport = StubTransport([
                refusal, .stream([WireScript.text(["ok"], format: format.1)]),
                .stream([WireScript.text(["ok"], format: format.1)]),
            ])
            let provider = try provider(transport, format)
            let sent = Mutex<[[UInt8]]>([])
            var asked = request("Zeit für Äpfel 🍏 und \"Birnen\"\n\u{0}\u{200B}")
            asked.onSend = { body in sent.withLock { $0.append(body) } }
            let before = try await provider.body(of: asked)
            _ = try await provider.respond(to: asked) { _ in }
            let logged = transport.requests.map { request -> [UInt8] in
                guard case .bytes(let bytes) = request.body else { return [] }
                return bytes
            }
            XCTAssertEqual(sent.withLock { $0 }, logged, "\(format.1)")
            XCTAssertEqual(logged.count, 2)
            XCTAssertEqual(before, logged[0])
            XCTAssertNotEqual(logged[0], logged[1], "the second is without the parameter")
            // What was learnt shows in the next look as in the next request.
            let next = try await provider.body(of: asked)
            XCTAssertEqual(next, logged[1])
        }
    }

    // MARK: - Through the generator

    private func generator(_ provider: any Provider) -> ModelTextGenerator {
        var environment = ManualClock(random: 0).environment
        environment.sleep = { _ in }
        return ModelTextGenerator(
            provider: provider, model: "m", temperature: 0.5, environment: environment,
            count: { _, _, _ in })
    }

    private func recipe(_ input: String, _ privacy: PrivacyClass = .redact) -> TextRecipe {
        TextRecipe(
            purpose: "letter", system: "Write.", input: input, maxOutputTokens: 100, retries: 1,
            privacy: privacy, withheld: PersonalData([.init(.name, "Piet Hoekstra")]))
    }

    func testAGeneratedTextKeepsEachBodyThatLeft() async throws {
        for format in Self.formats {
            let transport = StubTransport([
                .json(#"{"error":{"message":"down"}}"#, status: 503),
                .stream([WireScript.text(["Done."], format: format.1)]),
            ])
            let generator = generator(try provider(transport, format))
            let before = try await generator.requestBody(of: recipe("Dear [NAME]"))
            let made = try await generator.generate(recipe("Dear [NAME]"), emit: nil)
            let logged = transport.requests.map { request -> String in
                guard case .bytes(let bytes) = request.body else { return "" }
                return String(decoding: bytes, as: UTF8.self)
            }
            XCTAssertEqual(made.sent, logged)
            XCTAssertEqual(logged.count, 2, "the one that was not answered has left as well")
            XCTAssertEqual(String(decoding: before, as: UTF8.self), logged[0])
        }
    }

    func testOfOtherClassesNoBodyIsKept() async throws {
        let transport = StubTransport([.stream([WireScript.text(["ok"], format: .chat)])])
        let made = try await generator(try provider(transport, Self.formats[2]))
            .generate(recipe("Dear Piet Hoekstra", .public), emit: nil)
        XCTAssertEqual(made.sent, [])
    }

    func testAFailureTellsWhatHasLeftBeforeIt() async throws {
        let transport = StubTransport([.json(#"{"error":{"message":"no"}}"#, status: 401)])
        do {
            _ = try await generator(try provider(transport, Self.formats[1]))
                .generate(recipe("Dear [NAME]"), emit: nil)
            XCTFail("a text")
        } catch let error as GenerationError {
            XCTAssertEqual(error.sent.count, 1)
        }
    }

    func testARecipeThatWouldLeakIsNotSent() async throws {
        let nowhere = StubTransport([])
        let generator = generator(try provider(nowhere, Self.formats[0]))
        for ask in [
            { _ = try await generator.generate(self.recipe("by Piet Hoekstra"), emit: nil) },
            { _ = try await generator.requestBody(of: self.recipe("by Piet Hoekstra")) },
        ] {
            do {
                try await ask()
                XCTFail("sent")
            } catch let error as GenerationError {
                guard case .provider(let cause) = error.reason, case .wouldLeak = cause.reason
                else { return XCTFail("\(error)") }
                XCTAssertEqual(error.sent, [])
            }
        }
        XCTAssertEqual(nowhere.requests.count, 0)
    }
}
