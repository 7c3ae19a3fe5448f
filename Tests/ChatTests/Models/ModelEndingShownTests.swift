import AgentCore
import Base
import Synchronization
import TestSupport
import Transcription
import XCTest

@testable import ChatKit
@testable import chat

/// Where the end of a model, which its server's list gives, is shown.
final class ModelEndingShownTests: XCTestCase {
    private static let sentence = "gpt-4o ends on 2027-01-14; gpt-6-luna comes after it."

    private static let speech = "whisper-1 ends on 2027-02-26; gpt-transcribe comes after it."

    private func rig() throws -> ChatRig {
        let transport = RoutedTransport()
        transport.set("api.openai.com") { request in
            request.url.hasSuffix("/models")
                ? (
                    200, "application/json",
                    #"{"data":[{"id":"gpt-4o","shutdown_date":"2027-01-14"},{"id":"gpt-6-luna"},{"id":"whisper-1","shutdown_date":"2027-02-26"}]}"#
                )
                : (
                    200, "text/event-stream",
                    String(
                        decoding: WireScript.text(["Hello."], format: .responses), as: UTF8.self)
                )
        }
        return try ChatRig(
            variables: ChatRig.openai, configuration: #"{"openai": {"model": "gpt-4o"}}"#,
            transport: transport)
    }

    func testTheFirstUseSaysItOnce() async throws {
        let rig = try rig()
        _ = await rig.services.models.listings()
        let session = try await rig.session()
        let notices = Mutex<[String]>([])
        for text in ["tell me of Oslo", "and of Bergen"] {
            _ = try await session.send(text, asksModel: true) { event in
                if case .notice(let notice) = event { notices.withLock { $0.append(notice) } }
            }
        }
        XCTAssertEqual(notices.withLock { $0 }.filter { $0.contains("gpt-4o") }, [Self.sentence])
    }

    func testALaterRunSaysItFromTheListThatACheckFetched() async throws {
        let rig = try rig()
        _ = try await DoctorCommand(services: rig.services).command.run(["check", "--online"])
        let later = try ChatRig(
            variables: ChatRig.openai, folder: rig.folder, transport: RoutedTransport()
        ).services
        XCTAssertEqual(
            later.voice.transcription.dependencies.ending("whisper-1"), Self.speech)
        XCTAssertNil(later.voice.transcription.dependencies.ending("whisper-1"), "said once")
        XCTAssertNil(later.voice.transcription.dependencies.ending("gpt-6-luna"))
        let ending = await later.models.ending(of: "gpt-4o", at: .openai)
        XCTAssertEqual(ending?.sentence, Self.sentence)
        await later.close()
    }

    func testTheKeysAndTheDoctorSayIt() async throws {
        let rig = try rig()
        let services = rig.services
        var dependencies = KeysCommand.Dependencies(
            readSecret: { _ in nil }, confirm: { _ in false },
            check: { try await KeyChecker(services: services).check($0, $1, $2) },
            origin: { services.settings.origin($0) })
        dependencies.usedModels = services.settings.usedModels
        let keys = try await KeysCommand(ring: services.keyRing, dependencies: dependencies)
            .command.run(["check", "openai"])
        XCTAssertEqual(
            keys.lines.suffix(2).map(\.text), ["  " + Self.sentence, "  " + Self.speech])
        let doctor = try await DoctorCommand(services: services).command.run(["check", "--online"])
        for sentence in [Self.sentence, Self.speech] {
            XCTAssert(doctor.lines.contains { $0.text.contains(sentence) }, sentence)
        }
    }

    func testAnErrorAboutAModelThatHasEndedNamesWhatComesAfterIt() {
        let error = ProviderError(reason: .modelNotFound, provider: .openai, host: "h", status: 404)
        let said = Diagnostic(
            error, facts: FailureFacts(model: "whisper-1", nearestModels: ["gpt-transcribe"]))
        XCTAssertEqual(
            said.todo?.hasPrefix("gpt-transcribe comes after it. Nearest: gpt-transcribe."), true)
        let dated = Diagnostic(
            ProviderError(
                reason: .modelNotFound, provider: .openai, host: "h", status: 404,
                message: "The model `gpt-4o` was shut down on January 14, 2027."),
            facts: FailureFacts(model: "gpt-4o"))
        XCTAssertEqual(
            dated.todo?.hasPrefix("gpt-4o ended on 2027-01-14; gpt-6-luna comes after it."), true)
    }
}
