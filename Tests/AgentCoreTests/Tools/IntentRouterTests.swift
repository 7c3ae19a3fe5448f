import XCTest

@testable import AgentCore

final class IntentRouterTests: XCTestCase {
    private func judgement(_ server: String, _ confidence: Double, complete: Bool = false)
        -> IntentRouter.Judgement
    {
        IntentRouter.Judgement(
            server: server, match: IntentMatch(confidence: confidence, isComplete: complete))
    }

    func testAServerThatUnderstoodEverythingAnswers() {
        let route = IntentRouter().route([
            judgement("ideas", 0.3), judgement("reminders", 0.9, complete: true),
        ])
        XCTAssertEqual(
            route,
            .local(
                servers: ["reminders"], nearest: judgement("reminders", 0.9, complete: true)))
    }

    func testTheModelAnswersWhatIsOnlyPartlyUnderstood() {
        let near = judgement("reminders", 0.9)
        XCTAssertEqual(
            IntentRouter().route([judgement("ideas", 0), near]), .model(nearest: near))
    }

    func testAClaimBelowTheThresholdIsNotTrusted() {
        let low = judgement("reminders", 0.7, complete: true)
        XCTAssertEqual(IntentRouter().route([low]), .model(nearest: low))
    }

    func testOfTwoClaimsTheSurerIsTriedFirst() {
        let first = judgement("a", 0.95, complete: true)
        XCTAssertEqual(
            IntentRouter().route([judgement("b", 0.9, complete: true), first]),
            .local(servers: ["a", "b"], nearest: first))
    }

    func testModelModeNeverAnswersLocally() {
        let sure = judgement("reminders", 1, complete: true)
        XCTAssertEqual(IntentRouter(mode: .model).route([sure]), .model(nearest: sure))
    }

    func testNobodyIsNearest() {
        XCTAssertEqual(IntentRouter().route([judgement("a", 0)]), .model(nearest: nil))
    }
}
