import XCTest

@testable import AgentCore
@testable import Base

/// What a routine may do by itself.
final class RoutinePolicyTests: XCTestCase {
    private func verdict(
        _ tool: String, _ kind: CallEffect.Kind, named: [String], as effect: String? = nil,
        url: String? = nil, ask: [String] = [], deny: [String] = [], isPrivate: Bool = false,
        afterUntrustedText: Bool = false
    ) -> ApprovalPolicy.Verdict {
        var policy = ApprovalPolicy(isInteractive: false)
        policy.routine = named.compactMap(ApprovalRule.init)
        policy.rules.ask = ask.compactMap(ApprovalRule.init)
        policy.rules.deny = deny.compactMap(ApprovalRule.init)
        let arguments = JSONObject(url.map { [.init("url", .string($0))] } ?? [])
        let value = Tool(name: tool, title: "", description: "", toolClass: kind.toolClass)
        return policy.verdict(
            on: value, arguments: arguments,
            effects: [CallEffect(kind, effect ?? tool, arguments)], isPrivate: isPrivate,
            in: .init(hasUntrustedText: afterUntrustedText))
    }

    func testItReadsAndDoesWhatWasNamedAndNothingElse() {
        let (run, held) = (
            ApprovalPolicy.Verdict.run(.routine), ApprovalPolicy.Verdict.refuse(.held)
        )
        XCTAssertEqual(verdict("list", .read, named: []), run)
        XCTAssertEqual(verdict("list", .read, named: [], afterUntrustedText: true), run)
        XCTAssertEqual(verdict("create", .addition, named: ["create"]), run)
        XCTAssertEqual(verdict("create", .addition, named: []), held)
        XCTAssertEqual(
            verdict("create", .addition, named: ["create"], afterUntrustedText: true), held)
        // By its effect, whatever tool was named.
        XCTAssertEqual(verdict("edit", .change, named: ["edit"], as: "create"), held)
        XCTAssertEqual(verdict("undo", .deletion, named: ["undo", "*"]), held)
        XCTAssertEqual(verdict("delete", .deletion, named: ["delete"]), held)
        XCTAssertEqual(verdict("edit", .overwrite, named: ["edit"]), held)
        // A rule of the user is above it.
        XCTAssertEqual(verdict("create", .addition, named: ["create"], ask: ["create"]), held)
        XCTAssertEqual(
            verdict("create", .addition, named: ["create"], deny: ["cre*"]), .refuse(.rule))
    }

    func testItSendsOnlyToTheHostThatWasNamed() {
        let named = ["fetch(url: https://example.org/*)"]
        func sends(_ url: String, isPrivate: Bool = false, after: Bool = false) -> Bool {
            verdict(
                "fetch", .sending, named: named, url: url, isPrivate: isPrivate,
                afterUntrustedText: after) == .run(.routine)
        }
        XCTAssertTrue(sends("https://example.org/news"))
        XCTAssertFalse(sends("https://example.org.evil.example/"))
        XCTAssertFalse(sends("https://evil.example/?https://example.org/"))
        XCTAssertFalse(sends("https://example.org/news", after: true))
        XCTAssertFalse(sends("https://example.org/news", isPrivate: true))
    }
}
