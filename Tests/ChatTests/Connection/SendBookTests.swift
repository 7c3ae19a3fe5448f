import AgentCore
import Base
import CalendarFiles
import DateLanguage
import Persistence
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// The ledger as the program keeps it, and what a model is told of it.
final class SendBookTests: XCTestCase {
    private func server(_ book: SendBook, _ clock: ManualClock) -> SentServer {
        SentServer(
            ledger: book, prices: PriceTable(),
            dates: { [environment = clock.environment] in
                DateContext(
                    now: environment.now(), local: LocalTime(.utc), zones: TimeZoneDatabase())
            }, programs: { ["files"] })
    }

    func testAModelIsToldWhatLeftWithoutTitlesAndNamesOfFiles() async throws {
        let (folder, clock) = (try TemporaryFolder(), ManualClock())
        let book = SendBook(path: folder.path("chat.db"), environment: clock.environment)
        let store = try book.store()
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(user: .user("my secret title"), isLocal: false)
        let row = try await book.open(
            Outgoing(.turn, ["message", "file:secret.pdf"], model: "m", conversation: id),
            host: "api.anthropic.com", bytes: 512)
        book.close(row, SentAnswer(status: 200, bytes: 64))
        try await journal.close(turn, status: .done, usage: Usage(), note: nil)
        let told = try await server(book, clock).callTool(
            "list_sent", arguments: JSONObject(), emit: .none)
        XCTAssertTrue(
            told.text.hasSuffix(
                "api.anthropic.com · turn · m · 512 bytes out · 64 bytes in · file, message"),
            told.text)
        XCTAssertFalse(told.text.contains("secret"), told.text)
        XCTAssertTrue(told.isUntrusted)
        // A person sees both.
        let shown = try await server(book, clock).commands[0].run(["show", "1"])
        XCTAssertTrue(shown.lines.contains { $0.text.contains("file:secret.pdf") })
        XCTAssertTrue(shown.lines.contains { $0.text.contains("my secret title") })
        await book.finish()
    }

    func testADatabaseThatCannotBeWrittenIsTheReasonAndIsSaidOnce() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("no database at all".utf8), to: "chat.db")
        let book = SendBook(path: path, environment: ManualClock().environment)
        do {
            _ = try await book.open(Outgoing(.turn), host: "a.example", bytes: 1)
            XCTFail("it was recorded")
        } catch {
            let error = try XCTUnwrap(error as? TransportError)
            XCTAssertEqual(error.reason, .notRecorded)
            XCTAssertTrue(error.detail.text.contains("is damaged"), error.detail.text)
            XCTAssertNil(book.takeNotice())
            book.missed(error)
        }
        let notice = book.takeNotice()
        XCTAssertTrue(notice?.hasPrefix("Sent to a.example without a record of it: ") == true)
        XCTAssertNil(book.takeNotice())
        await book.finish()
    }
}
