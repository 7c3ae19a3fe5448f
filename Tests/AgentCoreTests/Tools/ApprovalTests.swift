import XCTest

@testable import AgentCore

final class ApprovalTests: XCTestCase {
    private func tool(_ toolClass: ToolClass) -> Tool {
        Tool(
            name: "t", title: "T", description: "", inputSchema: .object([]), toolClass: toolClass)
    }

    /// Every class in every situation: the table in the type's comment.
    func testVerdictsByClassAndContext() {
        let person = ApprovalPolicy(isInteractive: true)
        let nobody = ApprovalPolicy(isInteractive: false)
        let allowed = ApprovalPolicy(allowedTools: ["t"], isInteractive: false)
        typealias Row = (ToolClass, Bool, Bool, [ApprovalPolicy.Verdict])
        let table: [Row] = [
            // class, foreign text, writes approved: person, nobody, --allow
            (.read, false, false, [.run, .run, .run]),
            (.read, true, false, [.run, .run, .run]),
            (.write, false, false, [.run, .run, .run]),
            (.write, true, false, [.ask, .deny, .run]),
            (.write, true, true, [.run, .run, .run]),
            (.destroy, false, false, [.ask, .deny, .run]),
            (.destroy, true, true, [.ask, .deny, .run]),
            (.outward, false, false, [.ask, .deny, .run]),
            (.outward, true, true, [.ask, .deny, .run]),
        ]
        for (toolClass, foreign, approved, expected) in table {
            let verdicts = [person, nobody, allowed].map {
                $0.verdict(
                    on: "t", toolClass: toolClass, hasForeignText: foreign,
                    writesApproved: approved)
            }
            XCTAssertEqual(verdicts, expected, "\(toolClass) foreign \(foreign) \(approved)")
        }
    }

    func testAWholeWordIsWantedForSeveralDeletionsAndForAnythingOutward() {
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
        XCTAssertEqual(request([.destroy, .write]).confirmation, .yes)
        XCTAssertEqual(request([.destroy, .destroy]).confirmation, .word("delete"))
        XCTAssertEqual(request([.destroy, .destroy, .outward]).confirmation, .word("send"))
        // One by one is no way around it.
        XCTAssertEqual(request([.destroy], deleted: 2).confirmation, .yes)
        XCTAssertEqual(request([.destroy], deleted: 3).confirmation, .word("delete"))
        XCTAssertEqual(request([.write], deleted: 9).confirmation, .yes)
        XCTAssertEqual(request([.destroy, .outward], deleted: 9).confirmation, .word("send"))
    }
}
