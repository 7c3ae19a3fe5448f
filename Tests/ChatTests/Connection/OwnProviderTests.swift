import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import ChatKit

/// Providers that the configuration names, from the file to the request.
final class OwnProviderTests: XCTestCase {
    private static let groq =
        #"{"base_url": "https://api.groq.example/v1", "key_env": "GROQ_KEY", "model": "big"}"#
    private static let key = ["GROQ_KEY": "gsk-0123456789abcdef"]

    private func rig(
        _ providers: String, _ variables: [String: String] = OwnProviderTests.key,
        folder: TemporaryFolder? = nil, transport: RoutedTransport = RoutedTransport()
    ) throws -> ChatRig {
        try ChatRig(
            variables: variables, configuration: #"{"providers": {\#(providers)}}"#,
            folder: folder, transport: transport)
    }

    private func name(_ text: String) throws -> ProviderName {
        try XCTUnwrap(ProviderName(rawValue: text))
    }

    // MARK: - The file

    func testWhatTheFileMaySay() throws {
        let file = #"""
            {"provider": "groq", "providers": {"groq": {
              "format": "messages", "base_url": "https://g.example", "model": "m",
              "key_command": "pass show groq",
              "headers": {"X-Org": "mine", "X-Api-Token": "${GROQ_TOKEN}"}}}}
            """#
        let settings = try Settings.parse(Array(file.utf8), file: "config.json")
        let groq = try name("groq")
        XCTAssertEqual(settings.provider, groq)
        XCTAssertEqual(settings.askable, [.claude, .openai, groq, .local])
        XCTAssertEqual(settings.format(of: groq), .messages)
        XCTAssertEqual(settings[server: groq].keyCommand, ["pass", "show", "groq"])
        XCTAssertEqual(settings.access.first?.variables, ["GROQ_TOKEN"])
        XCTAssertEqual(
            settings.listing.first { $0.name == "providers" }.map(\.value), "groq")
        // Somebody else's file may not bring one without a question.
        XCTAssertEqual(
            try Settings.widening(Array(file.utf8), file: "config.json").map(\.name),
            ["providers.groq"])
    }

    func testWhatTheFileMayNotSay() {
        let base = #""base_url": "https://g.example""#
        let object =
            "an object with base_url and maybe format, model, key_env or key_command, headers"
        let headers = "an object of header names and values, what is secret as \"${VARIABLE}\""
        for (file, setting, accepted) in [
            (#"{"openai": {\#(base)}}"#, "openai", #"outside of "providers": it is built in"#),
            (
                #"{"a b": {\#(base)}}"#, "a b",
                "named with at most 20 letters, digits, hyphens and underscores"
            ),
            (#"{"g": {"model": "m"}}"#, "g", object),
            (
                #"{"g": {\#(base), "format": "soap"}}"#, "g.format",
                #"one of "chat", "responses", "messages""#
            ),
            (#"{"g": {\#(base), "key_env": "$KEY"}}"#, "g.key_env", "the name of a variable"),
            (#"{"g": {\#(base), "headers": {"X-Api-Key": "abc"}}}"#, "g.headers", headers),
            (#"{"g": {\#(base), "headers": {"Host": "h.example"}}}"#, "g.headers", headers),
            (#"{"g": {\#(base), "headers": {"X": "a\nB: c"}}}"#, "g.headers", headers),
        ] {
            XCTAssertThrowsError(
                try Settings.parse(Array(#"{"providers": \#(file)}"#.utf8), file: "f"), file
            ) { error in
                XCTAssertEqual(
                    (error as? ConfigurationError)?.reason,
                    .wrongValue(name: "providers.\(setting)", accepted: accepted))
            }
        }
        XCTAssertThrowsError(try Settings.parse(Array(#"{"provider": "grok"}"#.utf8), file: "f"))
    }

    // MARK: - The choice

    func testANameAndASlashChooseOneAndNearNamesAreSaid() async throws {
        let rig = try rig(#""groq": \#(Self.groq), "lan": {"base_url": "http://127.0.0.1:9/v1"}"#)
        _ = try await rig.run(["keys", "approve", "groq", "--yes"])
        let connector = rig.services.connector
        func choice(_ flags: ProviderChoice.Selection) async -> String {
            let choice = await connector.choiceLooking(flags: flags, conversation: nil)
            return "\(choice.provider.rawValue)/\(choice.model ?? "-") \(choice.reason)"
        }
        var found: [String] = []
        for model in ["groq/llama/70b", "meta/llama", "lan/x"] {
            found.append(await choice(.init(model: model)))
        }
        found.append(await choice(.init(provider: try name("groq"))))
        found.append(await choice(.init()))
        XCTAssertEqual(
            found,
            [
                "groq/llama/70b flag", "groq/meta/llama flag", "lan/x flag", "groq/big flag",
                "groq/big key",
            ])
        XCTAssertThrowsError(try rig.services.settings.checkProvider(try name("groqq"))) { error in
            XCTAssertEqual(
                error as? UsageError,
                UsageError(
                    "There is no provider \"groqq\".", hint: "Did you mean --provider groq?"))
        }
        let gone = await connector.readiness(of: try name("grok"))
        XCTAssertEqual(gone, .missing(.configuration(nearest: "groq")))
    }

    func testALoopbackAddressIsLocalAndNeedsNoKey() async throws {
        let rig = try rig(
            #""lan": {"base_url": "http://127.0.0.1:9/v1"}, "far": {"base_url": "https://f.example"}"#
        )
        let connector = rig.services.connector
        for (name, isLocal) in [("lan", true), ("far", false), ("local", true), ("claude", false)] {
            let found = await connector.isLocal(try self.name(name))
            XCTAssertEqual(found, isLocal, name)
        }
        let readiness = await connector.readiness(of: try name("lan"))
        XCTAssertEqual(readiness, .ready)
        let provider = try await connector.provider(try name("lan"))
        XCTAssert(provider.isLocal)
    }

    // MARK: - Approval

    func testNothingIsReadOrSentBeforeTheUserAgreesToExactlyThat() async throws {
        let transport = RoutedTransport(["g": RoutedTransport.local("hello")])
        let rig = try rig(#""groq": \#(Self.groq)"#, transport: transport)
        let groq = try name("groq")
        let refused = await rig.services.connector.readiness(of: groq)
        XCTAssertEqual(refused, .missing(.approval(origin: "https://api.groq.example")))
        do {
            _ = try await rig.services.connector.provider(groq)
            XCTFail("it was made")
        } catch { XCTAssertEqual(error as? KeyLookupFailure, .notApproved(groq)) }
        let keys = try await rig.run(["keys", "list", "groq"])
        XCTAssertEqual(keys.lines.count, 0)
        XCTAssert(keys.notices.contains { $0.contains("chat keys approve groq") }, "\(keys)")

        let asked = try await rig.run(["keys", "approve", "groq"])
        XCTAssertEqual(asked.outcome, .refused)
        XCTAssertEqual(
            asked.notices.first,
            "Send the key in the variable GROQ_KEY to https://api.groq.example, as groq?")
        let approved = try await rig.run(["keys", "approve", "groq", "--yes"])
        XCTAssertEqual(approved.outcome, .ok)
        let ready = await rig.services.connector.readiness(of: groq)
        XCTAssertEqual(ready, .ready)
        XCTAssertEqual(transport.urls, [])

        // What differs in the least is asked about again.
        for changed in [
            #"{"base_url": "https://evil.example/v1", "key_env": "GROQ_KEY"}"#,
            #"{"base_url": "https://api.groq.example/v1", "key_env": "HOME"}"#,
            #"{"base_url": "https://api.groq.example/v1", "key_command": "cat /etc/hostname"}"#,
            #"{"base_url": "https://api.groq.example/v1", "headers": {"X": "${HOME}"}}"#,
        ] {
            let other = try self.rig(#""groq": \#(changed)"#, folder: rig.folder)
            let readiness = await other.services.connector.readiness(of: groq)
            guard case .missing(.approval) = readiness else {
                return XCTFail("\(changed): \(readiness)")
            }
        }
        let same = try self.rig(#""groq": \#(Self.groq)"#, folder: rig.folder)
        let again = await same.services.connector.readiness(of: groq)
        XCTAssertEqual(again, .ready)
        let without = try self.rig(#""groq": \#(Self.groq)"#, [:], folder: rig.folder)
        let missing = await without.services.connector.readiness(of: groq)
        XCTAssertEqual(missing, .missing(.keyUnusable("The variable GROQ_KEY is not set.")))
    }

    func testTheKeyAndTheHeadersGoWithTheRequest() async throws {
        let sent = Mutex<[HTTPHeader]>([])
        let transport = RoutedTransport()
        let answer = RoutedTransport.local("hello")
        transport.set("g.example") { request in
            sent.withLock { $0 = request.headers }
            return try await answer(request)
        }
        let rig = try rig(
            #"""
            "groq": {"base_url": "https://g.example/v1", "key_env": "GROQ_KEY",
                     "headers": {"X-Org": "mine", "X-Token": "t-${ORG_TOKEN}"}}
            """#, Self.key.merging(["ORG_TOKEN": "42"]) { $1 }, transport: transport)
        _ = try await rig.run(["keys", "approve", "groq", "--yes"])
        let models = try await rig.services.connector.models(of: try name("groq"))
        XCTAssertEqual(models.map(\.id), ["llama"])
        let headers = Dictionary(
            sent.withLock { $0 }.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        XCTAssertEqual(headers["authorization"], "Bearer gsk-0123456789abcdef")
        XCTAssertEqual(headers["x-org"], "mine")
        XCTAssertEqual(headers["x-token"], "t-42")
        let listed = try await rig.run(["models", "groq"])
        XCTAssert(listed.lines.contains { $0.text.contains("llama") }, "\(listed.lines)")
        let checked = try await rig.run(["keys", "check", "groq"])
        XCTAssert(checked.lines.contains { $0.text.hasPrefix("groq …cdef") }, "\(checked.lines)")
    }
}
