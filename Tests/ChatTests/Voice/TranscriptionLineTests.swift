import AgentCore
import Synchronization
import TestSupport
import ToolServers
import XCTest

@testable import chat

final class TranscriptionLineTests: XCTestCase {
    private final class Screen: Sendable {
        let text = Mutex<[String]>([])
        var written: [String] { text.withLock { $0 } }
    }

    private func line(
        _ screen: Screen, _ clock: ManualClock = ManualClock(), isTerminal: Bool = true
    ) -> TranscriptionLine {
        TranscriptionLine(
            environment: clock.environment, usesUnicode: true, columns: 60,
            isTerminal: isTerminal, write: { text in screen.text.withLock { $0.append(text) } })
    }

    private struct Failed: Error {}

    func testOneLineIsWrittenOverTenTimesASecondAndGoesAtTheEnd() async throws {
        let screen = Screen()
        let line = line(screen)
        let output = try await line.run {
            for bytes in [0, 400_000, 800_000] {
                line.observe(.sent(bytes: bytes, of: 1_000_000), "/a/ta\u{1B}lk.wav")
            }
            return CommandOutput(lines: [StyledLine("words")])
        }
        XCTAssertEqual(output.lines.map(\.text), ["words"])
        XCTAssertEqual(
            screen.written,
            ["\r\u{1B}[Kta\\x1blk.wav    0 %  0 KB of 1.0 MB", "\r\u{1B}[K"])
    }

    func testAFileGetsNothingButWhatIsKept() async throws {
        let screen = Screen()
        let line = line(screen, isTerminal: false)
        do {
            _ = try await line.run {
                line.observe(.piece(3, of: 8, wasDone: false), "talk.wav")
                throw Failed()
            }
            XCTFail("no error")
        } catch is Failed {}
        XCTAssertEqual(
            screen.written, ["2 of 8 pieces are kept. The same command goes on.\n"])
    }

    func testWhatIsKeptIsCountedInWholePieces() {
        func kept(_ events: TranscriptionProgress...) -> String? {
            var progress = UploadProgress()
            for event in events { progress.take(event, at: 0) }
            return progress.keptPieces
        }
        XCTAssertNil(kept(.sent(bytes: 1, of: 2)))
        XCTAssertNil(kept(.piece(1, of: 3, wasDone: false)))
        XCTAssertEqual(kept(.piece(2, of: 3, wasDone: false)), "1 of 3 pieces is kept.")
    }
}
