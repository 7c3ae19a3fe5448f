import XCTest

@testable import AgentCore
@testable import Base

/// A tool whose effect depends on its arguments: the effect decides, not the name.
final class CallEffectTests: XCTestCase {
    private let undo = Tool(
        name: "undo", title: "Undo", description: "", inputSchema: .object([]),
        toolClass: .destroy)

    private func effect(
        _ kind: CallEffect.Kind, _ tool: String, title: String = "milk", subject: String = ""
    ) -> CallEffect {
        CallEffect(
            kind, tool, JSONObject([.init("title", .string(title))]), subject: subject)
    }

    private func verdict(
        _ effects: [CallEffect], isInteractive: Bool = true, hasUntrustedText: Bool = false,
        deletions: Int = 1, _ change: (inout ApprovalPolicy) -> Void = { _ in }
    ) -> ApprovalPolicy.Verdict {
        var policy = ApprovalPolicy(isInteractive: isInteractive)
        change(&policy)
        return policy.verdict(
            on: undo, arguments: JSONObject(), effects: effects,
            in: .init(hasUntrustedText: hasUntrustedText, deletions: deletions))
    }

    private func rules(_ texts: String...) -> [ApprovalRule] {
        texts.compactMap(ApprovalRule.init)
    }

    func testTheWorstEffectDecides() {
        let kinds = CallEffect.Kind.allCases
        let verdicts = kinds.map { verdict([effect(.read, "a"), effect($0, "b")]) }
        XCTAssertEqual(
            verdicts,
            [
                .run(.policy), .run(.policy), .run(.policy), .ask(canGrant: true),
                .ask(canGrant: true), .ask(canGrant: true),
            ])
        let foreign = kinds.map {
            verdict([effect($0, "b"), effect(.read, "a")], hasUntrustedText: true)
        }
        XCTAssertEqual(
            foreign,
            [
                .run(.policy), .ask(canGrant: true), .ask(canGrant: true), .ask(canGrant: false),
                .ask(canGrant: false), .ask(canGrant: false),
            ])
        let alone = kinds.map { verdict([effect($0, "b")], isInteractive: false) }
        XCTAssertEqual(
            alone,
            [
                .run(.policy), .run(.policy), .run(.policy), .refuse(.noTerminal),
                .refuse(.noTerminal), .refuse(.noTerminal),
            ])
    }

    func testARuleThatDeniesOrAsksIsAboutTheToolOfTheEffectToo() {
        let deletion = [effect(.deletion, "delete_reminder")]
        XCTAssertEqual(verdict(deletion) { $0.rules.deny = rules("delete_*") }, .refuse(.rule))
        XCTAssertEqual(
            verdict(deletion) { $0.rules.deny = rules("delete_reminder(title: MILK)") },
            .refuse(.rule))
        XCTAssertEqual(
            verdict(deletion) { $0.rules.deny = rules("delete_reminder(title: tea)") },
            .ask(canGrant: true))
        XCTAssertEqual(
            verdict([effect(.change, "edit_reminder")]) { $0.rules.ask = rules("edit_*") },
            .ask(canGrant: false))
        XCTAssertEqual(
            verdict([effect(.change, "edit_reminder")]) { $0.rules.deny = rules("undo") },
            .refuse(.rule))
    }

    /// An allowed undo does not delete what `delete_reminder` may not.
    func testAllowingNeedsTheToolThatIsCalledAndThoseOfItsEffects() {
        let effects = [effect(.deletion, "delete_reminder")]
        for (allowed, isEnough) in [
            (["undo"], false), (["delete_reminder"], false), (["undo", "delete_reminder"], true),
            (["*"], true),
        ] {
            let byRule = verdict(effects) {
                $0.rules.allow = allowed.compactMap(ApprovalRule.init)
            }
            XCTAssertEqual(byRule, isEnough ? .run(.rule) : .ask(canGrant: true), "\(allowed)")
            if allowed == ["*"] { continue }
            let byOption = verdict(effects, isInteractive: false) {
                $0.allowedTools = Set(allowed)
            }
            XCTAssertEqual(
                byOption, isEnough ? .run(.option) : .refuse(.noTerminal), "\(allowed)")
        }
    }

    func testAlwaysHoldsForTheEffectOfTheToolAndForNoOther() {
        let grant = ApprovalPolicy.Grant("undo", effect(.overwrite, "edit_reminder"))
        for (effects, isGranted) in [
            ([effect(.overwrite, "edit_reminder", title: "tea")], true),
            ([effect(.deletion, "edit_reminder")], false),
            ([effect(.overwrite, "edit_event")], false),
            ([effect(.overwrite, "edit_reminder"), effect(.deletion, "delete_reminder")], false),
        ] {
            XCTAssertEqual(
                verdict(effects) { $0.grants = [grant] },
                isGranted ? .run(.conversation) : .ask(canGrant: true), "\(effects)")
        }
        XCTAssertEqual(
            ApprovalPolicy(isInteractive: true).verdict(
                on: undo, arguments: JSONObject(), in: .init(deletions: 1)), .ask(canGrant: true))
    }

    func testEffectsOnTheSameThingCountOnceAndTheFourthDeletionIsAskedAbout() {
        let effects = [
            effect(.change, "edit_event", subject: "a"),
            effect(.addition, "create_event", subject: "a"),
            effect(.deletion, "delete_event", subject: "b"),
            effect(.overwrite, "edit_event", subject: "c"),
        ]
        XCTAssertEqual(effects.bySubject, [.change, .deletion, .overwrite])
        XCTAssertEqual(effects.deletions, 2)
        let item = ApprovalRequest.Item(
            tool: undo, arguments: JSONObject(), preview: nil, effects: effects)
        let request = ApprovalRequest(items: [item], deletedBefore: [item])
        XCTAssertEqual(request.deletedBefore.count, 1, "four in all")
        XCTAssertEqual(request.confirmation, .word("delete"))
        XCTAssertEqual(
            verdict([effect(.deletion, "d")], deletions: 4) { $0.rules.allow = rules("*") },
            .ask(canGrant: false))
    }
}
