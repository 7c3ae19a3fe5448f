import XCTest

@testable import AgentCore
@testable import Base

final class ApprovalPolicyTests: XCTestCase {
    private func tool(_ toolClass: ToolClass) -> Tool {
        Tool(
            name: "t", title: "T", description: "", inputSchema: .object([]), toolClass: toolClass)
    }

    private func rules(
        allow: [String] = [], ask: [String] = [], deny: [String] = []
    ) -> ApprovalRules {
        var rules = ApprovalRules()
        rules.allow = allow.compactMap(ApprovalRule.init)
        rules.ask = ask.compactMap(ApprovalRule.init)
        rules.deny = deny.compactMap(ApprovalRule.init)
        return rules
    }

    /// Where the user is, and what was said before the question.
    private enum Place: CaseIterable {
        case terminal, unattended, option, ruleAllows, ruleAllowsUnattended, ruleAsks
        case ruleAsksUnattended, ruleDenies, ruleDeniesOption, granted, grantedAndAsks
    }

    private static let grants = Set(
        ToolClass.allCases.map { toolClass in
            ApprovalPolicy.Grant(
                "t",
                CallEffect(
                    Tool(
                        name: "t", title: "", description: "", inputSchema: .object([]),
                        toolClass: toolClass), JSONObject()))
        })

    private func policy(_ place: Place) -> ApprovalPolicy {
        var policy = ApprovalPolicy(isInteractive: true)
        switch place {
        case .terminal: break
        case .unattended: policy.isInteractive = false
        case .option: policy = ApprovalPolicy(allowedTools: ["t"], isInteractive: false)
        case .ruleAllows: policy.rules = rules(allow: ["t"])
        case .ruleAllowsUnattended:
            policy = ApprovalPolicy(isInteractive: false, rules: rules(allow: ["*"]))
        case .ruleAsks: policy.rules = rules(allow: ["t"], ask: ["t*"])
        case .ruleAsksUnattended:
            policy = ApprovalPolicy(isInteractive: false, rules: rules(ask: ["t"]))
        case .ruleDenies: policy.rules = rules(allow: ["t"], ask: ["t"], deny: ["t"])
        case .ruleDeniesOption:
            policy = ApprovalPolicy(
                allowedTools: ["t"], isInteractive: false, rules: rules(deny: ["t"]))
        case .granted: policy.grants = Self.grants
        case .grantedAndAsks:
            policy.grants = Self.grants
            policy.rules = rules(ask: ["t"])
        }
        return policy
    }

    /// design.md §8 as a table: every class, in a trusted context and after text of
    /// others, in every place. `run` has the ground behind it, `ask+` may be answered
    /// for the conversation, `no` has the reason behind it.
    func testEveryClassInEverySituation() {
        let table: [(ToolClass, Bool, [Place: String])] = [
            (
                .read, false,
                [
                    .terminal: "run policy", .unattended: "run policy", .option: "run --allow",
                    .ruleAllows: "run policy", .ruleAllowsUnattended: "run policy",
                    .ruleAsks: "ask", .ruleAsksUnattended: "no terminal", .ruleDenies: "no rule",
                    .ruleDeniesOption: "no rule", .granted: "run policy",
                    .grantedAndAsks: "ask",
                ]
            ),
            (
                .write, false,
                [
                    .terminal: "run policy", .unattended: "run policy", .option: "run --allow",
                    .ruleAllows: "run policy", .ruleAllowsUnattended: "run policy",
                    .ruleAsks: "ask", .ruleAsksUnattended: "no terminal", .ruleDenies: "no rule",
                    .ruleDeniesOption: "no rule", .granted: "run policy",
                    .grantedAndAsks: "ask",
                ]
            ),
            (
                .write, true,
                [
                    .terminal: "ask+", .unattended: "no terminal", .option: "run --allow",
                    .ruleAllows: "run rule", .ruleAllowsUnattended: "run rule",
                    .ruleAsks: "ask", .ruleAsksUnattended: "no terminal", .ruleDenies: "no rule",
                    .ruleDeniesOption: "no rule", .granted: "run a", .grantedAndAsks: "ask",
                ]
            ),
        ]
        let irreversible: [(Bool, [Place: String])] = [
            (
                false,
                [
                    .terminal: "ask+", .unattended: "no terminal", .option: "run --allow",
                    .ruleAllows: "run rule", .ruleAllowsUnattended: "run rule",
                    .ruleAsks: "ask", .ruleAsksUnattended: "no terminal", .ruleDenies: "no rule",
                    .ruleDeniesOption: "no rule", .granted: "run a", .grantedAndAsks: "ask",
                ]
            ),
            (
                true,
                [
                    .terminal: "ask", .unattended: "no terminal", .option: "run --allow",
                    .ruleAllows: "ask", .ruleAllowsUnattended: "no terminal",
                    .ruleAsks: "ask", .ruleAsksUnattended: "no terminal", .ruleDenies: "no rule",
                    .ruleDeniesOption: "no rule", .granted: "ask", .grantedAndAsks: "ask",
                ]
            ),
        ]
        let rest = [ToolClass.destroy, .outward].flatMap { toolClass in
            irreversible.map { (toolClass, $0.0, $0.1) }
        }
        let readAfter = (ToolClass.read, true, table[0].2)
        for (toolClass, isUntrusted, row) in table + rest + [readAfter] {
            for place in Place.allCases {
                let verdict = policy(place).verdict(
                    on: tool(toolClass), arguments: JSONObject(),
                    in: .init(hasUntrustedText: isUntrusted, deletions: 1))
                XCTAssertEqual(
                    words(verdict), row[place], "\(toolClass) foreign \(isUntrusted) \(place)")
            }
        }
    }

    private func words(_ verdict: ApprovalPolicy.Verdict) -> String {
        switch verdict {
        case .run(let ground): "run \(ground.rawValue)"
        case .ask(let canGrant): canGrant ? "ask+" : "ask"
        case .refuse(.noTerminal): "no terminal"
        case .refuse(let why): "no \(why.word)"
        }
    }

    func testAToolThatIsNotOfferedIsRefusedWhateverAllowsIt() {
        for place in Place.allCases {
            let verdict = policy(place).verdict(on: nil, arguments: JSONObject(), in: .init())
            XCTAssertEqual(verdict, .refuse(.unknownTool), "\(place)")
        }
    }

    func testFromTheFourthDeletionOnNothingStandsInForTheAnswer() {
        for place in [Place.ruleAllows, .granted] {
            let verdicts = (1...4).map { count in
                words(
                    policy(place).verdict(
                        on: tool(.destroy), arguments: JSONObject(), in: .init(deletions: count)))
            }
            XCTAssertEqual(Set(verdicts[..<3]).count, 1)
            XCTAssert(verdicts[0].hasPrefix("run"), verdicts[0])
            XCTAssertEqual(verdicts[3], "ask")
        }
    }

    func testAWholeWordIsWantedForSeveralThingsAndForAnythingOutward() {
        func items(_ classes: [ToolClass]) -> [ApprovalRequest.Item] {
            classes.map {
                ApprovalRequest.Item(tool: tool($0), arguments: JSONObject(), preview: nil)
            }
        }
        func request(_ classes: [ToolClass], deleted: Int = 0) -> ApprovalRequest {
            ApprovalRequest(
                items: items(classes),
                deletedBefore: items([ToolClass](repeating: .destroy, count: deleted)))
        }
        XCTAssertEqual(request([.write]).confirmation, .yes)
        XCTAssertEqual(request([.destroy]).confirmation, .yes)
        XCTAssertEqual(request([.read]).confirmation, .yes)
        // Several want the word of the worst.
        XCTAssertEqual(request([.write, .write]).confirmation, .word("change"))
        XCTAssertEqual(request([.destroy, .write]).confirmation, .word("delete"))
        XCTAssertEqual(request([.destroy, .destroy]).confirmation, .word("delete"))
        XCTAssertEqual(request([.outward]).confirmation, .word("send"))
        // One by one is no way around it.
        XCTAssertEqual(request([.destroy], deleted: 2).confirmation, .yes)
        XCTAssertEqual(request([.destroy], deleted: 3).confirmation, .word("delete"))
        XCTAssertEqual(request([.write], deleted: 9).confirmation, .yes)
        XCTAssertEqual(request([.outward], deleted: 9).confirmation, .word("send"))
    }
}

/// A write that later conversations are told of.
final class LastingWriteTests: XCTestCase {
    func testAfterTextOfOthersNothingStandsInForTheAnswer() {
        var tool = Tool(
            name: "t", title: "T", description: "", inputSchema: .object([]), toolClass: .write)
        tool.outlastsConversation = true
        var rules = ApprovalRules()
        rules.allow = [ApprovalRule("t")].compactMap(\.self)
        var granted = ApprovalPolicy(isInteractive: true)
        granted.grants = [.init("t", CallEffect(tool, JSONObject()))]
        let policies = [
            granted, ApprovalPolicy(isInteractive: true, rules: rules),
            ApprovalPolicy(isInteractive: true),
            ApprovalPolicy(allowedTools: ["t"], isInteractive: false),
            ApprovalPolicy(isInteractive: false, rules: rules),
        ]
        let verdicts = policies.flatMap { policy in
            [false, true].map { isUntrusted in
                policy.verdict(
                    on: tool, arguments: JSONObject(),
                    in: .init(hasUntrustedText: isUntrusted))
            }
        }
        XCTAssertEqual(
            verdicts,
            [
                .run(.policy), .ask(canGrant: false), .run(.policy), .ask(canGrant: false),
                .run(.policy), .ask(canGrant: false), .run(.option), .refuse(.noTerminal),
                .run(.policy), .refuse(.noTerminal),
            ])
    }
}
