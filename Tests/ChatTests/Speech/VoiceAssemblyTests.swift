import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import ChatKit
@testable import Sound
@testable import Transcription

final class VoiceAssemblyTests: XCTestCase {
    private func parts(
        _ configuration: String = "{}", _ variables: [String: String] = [:]
    ) throws -> VoiceAssembly {
        try ChatRig(variables: variables, configuration: configuration).services.voice
    }

    private func error<Value>(_ body: () async throws -> Value) async -> (any Error)? {
        do {
            _ = try await body()
            return nil
        } catch { return error }
    }

    func testWithoutAnAddressOfItsOwnItIsOpenAIsAsItIsSet() throws {
        XCTAssertEqual(try parts().transcription.address().text, "https://api.openai.com/v1")
        XCTAssertEqual(
            try parts("{}", ["OPENAI_BASE_URL": "http://127.0.0.1:9/v1"]).speechAccess.address()
                .text,
            "http://127.0.0.1:9/v1")
        XCTAssertEqual(
            try parts("{\"transcription\": {\"base_url\": \"http://localhost:1/v1/\"}}")
                .transcription.address().text, "http://localhost:1/v1")
    }

    func testPlainHTTPIsForThisMachineAndForWhomTheSettingsName() throws {
        let far = "\"transcription\": {\"base_url\": \"http://nas.local/v1\"}"
        XCTAssertThrowsError(try parts("{\(far)}").transcription.address()) {
            XCTAssertEqual(
                $0 as? TranscriptionError,
                TranscriptionError(reason: .badAddress("http://nas.local/v1")))
        }
        XCTAssertEqual(
            try parts("{\(far), \"allow_http\": [\"nas.local\"]}").transcription.address().text,
            "http://nas.local/v1")
    }

    func testTheVendorNeedsAKeyAndAServerOfOnesOwnDoesNot() async throws {
        let vendor = try parts()
        let base = try vendor.transcription.address()
        let missing = await error { try await vendor.transcription.key(base) }
        XCTAssertEqual(
            missing as? TranscriptionError,
            TranscriptionError(reason: .noKey, host: "api.openai.com"))
        let silent = await error {
            try await vendor.speechEngine(.server).synthesize(Utterance(text: "Hello."))
        }
        XCTAssertEqual(
            silent as? SpeechError, SpeechError(reason: .noKey, host: "api.openai.com"))
        let own = try parts("{\"transcription\": {\"base_url\": \"http://127.0.0.1:8/v1\"}}")
        let key = try await own.transcription.key(try own.transcription.address())
        XCTAssertNil(key)
    }

    /// What a server refused is remembered by the client: there is one.
    func testOneClientServesTheWholeProgram() async throws {
        let own = try parts("{\"transcription\": {\"base_url\": \"http://127.0.0.1:8/v1\"}}")
        let first = try await own.transcription.dependencies.transcriber() as? WhisperClient
        let second = try await own.transcription.dependencies.transcriber() as? WhisperClient
        XCTAssertNotNil(first)
        XCTAssertIdentical(first, second)
    }

    func testAPriceIsToldOnlyOfTheVendorsOwnModels() throws {
        let vendor = try parts("{}", ChatRig.openai).transcription
        XCTAssertEqual(vendor.price("whisper-1", 600), "$0.0600")
        XCTAssertEqual(vendor.price("gpt-4o-transcribe", 3_600), "$0.36")
        XCTAssertEqual(vendor.price("gpt-4o-mini-transcribe", 60), "$0.0030")
        XCTAssertNil(vendor.price("gpt-4o-transcribe-diarize", 600))
        XCTAssertNil(vendor.price("whisper-1", 0))
        XCTAssertNil(vendor.price("whisper-1", .nan))
        let own = try parts("{\"transcription\": {\"base_url\": \"http://127.0.0.1:8/v1\"}}")
        XCTAssertNil(own.transcription.price("whisper-1", 600))
    }

    func testAKeyGoesOnlyWhereItBelongs() async throws {
        let vendor = try parts("{}", ChatRig.openai)
        let key = try await vendor.transcription.key(try vendor.transcription.address())
        XCTAssertEqual(key, "sk-test-0123456789")
        let elsewhere = try parts(
            "{\"transcription\": {\"base_url\": \"https://w.example/v1\"}}", ChatRig.openai)
        let none = try await elsewhere.transcription.key(try elsewhere.transcription.address())
        XCTAssertNil(none)
    }

    func testAServerElsewhereHasItsKeyFromItsOwnCommand() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            Array("#!/bin/sh\necho run >> \"$0.log\"\necho sk-own-1\n".utf8), to: "key")
        chmod(folder.path + "/key", 0o700)
        let own = try parts(
            """
            {"transcription": {"base_url": "https://w.example/v1", "key_command": "\(folder.path)/key"}}
            """, TestMachine.variables)
        let base = try own.transcription.address()
        for _ in 0..<2 {
            let key = try await own.transcription.key(base)
            XCTAssertEqual(key, "sk-own-1")
        }
        // Once for the run, and for nobody else.
        XCTAssertEqual(try folder.read("key.log"), Array("run\n".utf8))
        let other = await error {
            try await own.transcription.key(try BaseURL("https://api.openai.com/v1"))
        }
        XCTAssertEqual((other as? TranscriptionError)?.reason, .noKey)
    }
}
