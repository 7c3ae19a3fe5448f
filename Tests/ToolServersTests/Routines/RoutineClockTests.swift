import Base
import Foundation
import Persistence
import Planner
import Synchronization
import TestSupport
import XCTest

@testable import Routines

final class RoutineClockTests: XCTestCase {
    /// Starts what is due and waits for it.
    private func tick(
        _ kit: RoutineKit, _ book: RoutineBook, isChat: Bool = false
    ) async throws -> [AlertNotice.Content] {
        let told = Mutex<[AlertNotice.Content]>([])
        let clock = RoutineClock(
            book: book, isChat: isChat, local: { LocalTime(.utc) }, note: { _ in }
        ) { id in
            // What fails here is not reported, which the test notices.
            guard let entry = try? await book.entry(id),
                let run = try? await book.claimDue(entry, in: LocalTime(.utc))
            else { return }
            try? await book.end(run, .done, note: "Two events.")
        }
        _ = await clock.work.start { content in told.withLock { $0.append(content) } }
        await clock.work.finish()
        return told.withLock { $0 }
    }

    func testARunThatIsDueIsReportedAlsoAfterOneByHand() async throws {
        let kit = try RoutineKit()
        let book = kit.book()
        try await book.save(try kit.routine(start: "05:30"), command: nil, verb: "created")
        kit.now += 86_400
        let entry = try await book.entry("Morning")
        let byHand = try await book.claimNow(entry)
        try await book.end(try XCTUnwrap(byHand), .done, note: "By hand.")
        let told = try await tick(kit, book)
        XCTAssertEqual(told, [.note(title: "Morning", text: "Two events.")])
        let again = try await tick(kit, book)
        XCTAssertEqual(again, [])
        // A launch still says so: nobody has seen it.
        let news = try await book.takeNews()
        XCTAssertEqual(news.map(\.note), ["Two events.", "By hand."])
        await book.close()
    }

    func testAMissedTimeIsReportedAndInAChatThatIsEnough() async throws {
        let kit = try RoutineKit()
        let book = kit.book()
        try await book.save(
            try kit.routine(start: "05:30") { $0.catchUp = 60 }, command: nil, verb: "created")
        kit.now += 3 * 86_400
        let told = try await tick(kit, book, isChat: true)
        XCTAssertEqual(
            told,
            [
                .note(
                    title: "Morning",
                    text: "was missed 3 times, last at 05:30: nothing ran it then")
            ])
        let news = try await book.takeNews()
        XCTAssertEqual(news, [])
        await book.close()
    }
}
