import AgentCore
import XCTest

@testable import ChatKit

final class AttachmentQueueTests: XCTestCase {
    private let words = "we ship on friday and anna writes the notes"

    func testATranscriptIsKeptByTheRecordingsNameAndReplacedByItsNext() {
        var queue = AttachmentQueue()
        XCTAssertEqual(queue.keep("before", of: "talk.final.m4a"), "talk.final.txt")
        XCTAssertEqual(queue.keep(words, of: "talk.final.m4a"), "talk.final.txt")
        XCTAssertEqual(queue.keep("b", of: ".hidden"), ".hidden.txt")
        XCTAssertEqual(queue.keep("c", of: "plain"), "plain.txt")
        XCTAssertEqual(queue.transcripts.map(\.text), [words, "b", "c"])
        XCTAssertEqual(queue.count, 3)
        queue.clear()
        XCTAssertEqual(queue.count, 0)
    }

    func testItIsSentOnlyWithAMessageThatDoesNotSayIt() {
        var queue = AttachmentQueue()
        _ = queue.keep(words, of: "talk.m4a")
        func file(_ message: String) -> Attachment? {
            queue.transcripts.first?.attachment(for: message)
        }
        XCTAssertEqual(
            file("Sum up: \(words)"),
            Attachment(
                name: "talk.txt", mediaType: "text/plain", bytes: Array(words.utf8),
                isKeptOnly: true))
        XCTAssertEqual(file("who writes them?")?.isKeptOnly, false)
    }
}
