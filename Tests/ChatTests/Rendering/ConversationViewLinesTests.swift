import AgentCore
import Base
import Foundation
import XCTest

@testable import ChatKit
@testable import Persistence

final class ConversationViewLinesTests: XCTestCase {
    private func stored(_ user: String, _ answer: String) -> StoredTurn {
        StoredTurn(
            id: TurnID(1),
            turn: Turn(
                status: .done,
                messages: [
                    Message(role: .user, parts: [.text(user)]),
                    Message(role: .assistant, parts: [.text(answer)]),
                ]),
            provider: .openai, model: "m", started: Date(timeIntervalSince1970: 0), ended: nil,
            note: nil, isPartial: false)
    }

    func testEveryLineEndMakesALineAndEmptyLinesStay() {
        XCTAssertEqual(
            ConversationView.whole([stored("one\ntwo", "a\r\n\nb é\n")]).map(\.spans),
            [
                StyledLine("> one", .bold), StyledLine("two", .bold), StyledLine("a"),
                StyledLine(""), StyledLine("b é"), StyledLine(""), StyledLine(""),
            ].map(\.spans))
    }
}
