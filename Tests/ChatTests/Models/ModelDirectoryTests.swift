import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import ChatKit

final class ModelDirectoryTests: XCTestCase {
    private static let list =
        #"{"object":"list","data":[{"id":"gpt-6.2-sol"},{"id":"gpt-4o-audio"}]}"#
    private static let claudeList =
        #"{"data":[{"id":"claude-opus-5-5","display_name":"Claude Opus 5.5","max_input_tokens":1000000}]}"#

    private func rig() throws -> ChatRig {
        let rig = try ChatRig(
            variables: ChatRig.claude.merging(ChatRig.openai) { first, _ in first })
        rig.transport.set("api.openai.com") { _ in (200, "application/json", Self.list) }
        rig.transport.set("api.anthropic.com") { _ in (200, "application/json", Self.claudeList) }
        return rig
    }

    private func text(_ listings: [ModelDirectory.Listing]) -> [String] {
        listings.map { listing in
            let source =
                switch listing.source {
                case .live: "live"
                case .cache(let age): "cache \(age)"
                case .builtIn: "built in"
                }
            return "\(listing.provider.rawValue) \(source) \(listing.models.map(\.id).prefix(2))"
                + (listing.isConnected ? "" : " not connected")
        }
    }

    func testListsAreKeptShownAtOnceAndAskedForAgainBehind() async throws {
        let rig = try rig()
        let others = ProviderName.askable.filter { $0 != .claude && $0 != .openai }
            .map { "\($0.rawValue) built in [] not connected" }
        let live =
            ["claude live [\"claude-opus-5-5\"]", "openai live [\"gpt-6.2-sol\"]"] + others
        let first = await rig.services.models.listings()
        XCTAssertEqual(text(first), live)
        let path = rig.folder.path + "/state/models.json"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        XCTAssertEqual(mode as? Int, 0o600)

        // Another instance, an hour later.
        let later = try ChatRig(
            variables: ChatRig.claude.merging(ChatRig.openai) { first, _ in first },
            folder: rig.folder, transport: rig.transport)
        later.clock.advance(by: .seconds(3_600))
        let asked = rig.transport.urls.filter { $0.contains("api.") }.count
        let kept = await later.services.models.listings()
        XCTAssertEqual(
            text(kept),
            [
                "claude cache 3600 [\"claude-opus-5-5\"]", "openai cache 3600 [\"gpt-6.2-sol\"]",
            ] + others)
        await later.services.models.settle()
        XCTAssertEqual(rig.transport.urls.filter { $0.contains("api.") }.count, asked + 2)
        let window = await later.services.models.window(
            of: "claude-opus-5-5", provider: .claude)
        XCTAssertEqual(window, 1_000_000)

        later.clock.advance(by: .seconds(25 * 3_600))
        let fresh = await later.services.models.listings()
        XCTAssertEqual(text(fresh), live)
        await rig.services.close()
        await later.services.close()
    }

    func testOneThatFailsKeepsItsOldListAndSaysWhy() async throws {
        let rig = try rig()
        _ = await rig.services.models.listings()
        rig.transport.set("api.anthropic.com") { _ in
            (529, "application/json", #"{"error":{"type":"overloaded_error","message":"busy"}}"#)
        }
        let listings = await rig.services.models.listings(isFresh: true)
        XCTAssertEqual(
            text(listings).prefix(2),
            ["claude cache 0 [\"claude-opus-5-5\"]", "openai live [\"gpt-6.2-sol\"]"])
        XCTAssertNotNil(listings[0].problem)
        XCTAssertNil(listings[1].problem)
        await rig.services.close()
    }

    func testASlowServerIsLeftBehindAfterThreeSeconds() async throws {
        let rig = try rig()
        // As the real one does, it ends when it is cancelled.
        let environment = rig.clock.environment
        rig.transport.set("api.openai.com") { _ in
            try await environment.sleep(.seconds(60))
            return (200, "application/json", Self.list)
        }
        let task = Task { await rig.services.models.listings(of: [.openai]) }
        await rig.clock.waitForSleeps(2)
        rig.clock.advance(by: .seconds(3))
        let listings = await task.value
        XCTAssertEqual(
            text(listings), ["openai built in [\"gpt-6.2-sol\", \"gpt-6.2-astra\"]"])
        XCTAssertEqual(
            listings[0].problem, "api.openai.com has not listed its models in time.")
        await rig.services.close()
    }

    func testTabOffersTheKeptListsAndTheRolesOfFilesAndAsksNobody() async throws {
        let rig = try rig()
        _ = await rig.services.models.listings()
        let roles = rig.folder.path + "/roles"
        try FileManager.default.createDirectory(
            atPath: roles, withIntermediateDirectories: true)
        try rig.folder.write(Array("Be brief.".utf8), to: "roles/mine.md")
        let asked = rig.transport.urls.count
        let facts = await CompletionFacts.load([.model, .role, .prompt], rig.services)
        XCTAssertEqual(
            facts.words[.model],
            [
                CompletionWord("claude-opus-5-5", "Claude"),
                CompletionWord("gpt-6.2-sol", "OpenAI"),
            ])
        XCTAssertEqual(
            facts.words[.role]?.map(\.text),
            [
                "concise", "friendly", "idea", "letter", "mine", "professional", "proofread",
                "rewrite", "shell", "story-cast", "story-speakers", "story-voices", "tutor",
            ])
        XCTAssertEqual(facts.words[.prompt], facts.words[.role])
        XCTAssertEqual(rig.transport.urls.count, asked)
        await rig.services.close()
    }

    func testACacheThatCannotBeReadIsEmptyAndOneRoundTripKeepsAll() {
        XCTAssertEqual(ModelCache(Array("{".utf8)), ModelCache())
        XCTAssertEqual(ModelCache(Array(#"{"version":9,"lists":[]}"#.utf8)), ModelCache())
        var cache = ModelCache()
        cache.entries[.local] = .init(
            address: "http://localhost:1/v1", time: 5,
            models: [
                ModelInfo(id: "a", displayName: "A\"\n", maxInput: 3, maxOutput: nil),
                ModelInfo(id: "b"),
            ],
            endings: [
                ModelEnding(model: "a", day: "2027-01-14", next: "b"),
                ModelEnding(model: "c", day: "2027-02-26", next: nil),
            ].compactMap(\.self))
        XCTAssertEqual(cache.entries[.local]?.endings.count, 2)
        XCTAssertEqual(ModelCache(cache.bytes), cache)
        XCTAssertNil(cache.entry(.local, address: "http://localhost:2/v1"))
    }

    func testChoicesAreGroupedWithTheCurrentProviderFirst() {
        let listings: [ModelDirectory.Listing] = [
            .init(
                provider: .claude,
                models: [
                    ModelInfo(
                        id: "claude-sonnet-5-5", displayName: "Claude Sonnet 5.5",
                        maxInput: 1_000_000),
                    ModelInfo(id: "claude-haiku-4-5"),
                ], source: .live),
            .init(
                provider: .openai, models: [ModelInfo(id: "gpt-6.2-sol", maxInput: 922_000)],
                source: .cache(age: 7_200)),
            .init(
                provider: .local, models: [], source: .builtIn,
                problem: "No local server answers.", isConnected: false),
        ]
        let choices = ModelChoices(
            listings,
            current: ProviderChoice(provider: .openai, model: "gpt-6.2-sol", reason: .flag),
            prices: PriceTable())
        XCTAssertEqual(
            choices.rows.map { "\($0.isCurrent ? "*" : " ")\($0.id): \($0.detail)" },
            [
                "*openai/gpt-6.2-sol: 922k · $2 / $10",
                " claude/claude-sonnet-5-5: 1M · $2 / $10",
                " claude/claude-haiku-4-5: 200k · $1 / $5",
            ])
        XCTAssertEqual(
            choices.notes, ["local: No local server answers."])
    }
}
