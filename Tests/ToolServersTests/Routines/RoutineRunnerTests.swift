import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import Routines

/// One run after the other with a scripted model: gates, budgets, results.
final class RoutineRunnerTests: XCTestCase {
    private final class Rig: Sendable {
        let kit: RoutineKit
        let book: RoutineBook
        let asked = Mutex<[String]>([])
        let limits = Mutex<[Int]>([])
        let answers: Mutex<[RoutineRunner.Answer]>
        let page = Mutex<String?>("one")
        let hasDue = Mutex(false)

        init(_ answers: [RoutineRunner.Answer] = []) throws {
            kit = try RoutineKit()
            book = kit.book()
            self.answers = Mutex(answers)
        }

        var runner: RoutineRunner {
            RoutineRunner(
                RoutineRunner.Dependencies(
                    book: book,
                    gates: RoutineGates(
                        RoutineGates.Dependencies(
                            hasDue: { self.hasDue.withLock { $0 } },
                            fetch: { _, _ in
                                .init(text: self.page.withLock { $0 }, validators: ["etag": "e"])
                            }, variables: ["PATH": TestMachine.path])),
                    environment: kit.environment, local: { LocalTime(.utc) },
                    obstacle: { _ in nil },
                    ask: { routine, found, _, limit in
                        self.limits.withLock { $0.append(limit.micros) }
                        let texts = found.map { String(decoding: $0.bytes, as: UTF8.self) }
                        self.asked.withLock { $0.append(texts.joined(separator: "|")) }
                        return self.answers.withLock {
                            $0.isEmpty ? .init(text: "ok", conversation: "c") : $0.removeFirst()
                        }
                    }))
        }

        /// Saves it and runs it on as many days.
        func days(_ count: Int, _ change: (inout Routine) -> Void) async throws
            -> [RoutineLog.State?]
        {
            let routine = try kit.routine(start: "05:30", change: change)
            let command =
                routine.gates.contains(.command)
                ? "test -e \(kit.folder.path("go")) && echo hi" : nil
            try await book.save(routine, command: command, verb: "created")
            var states: [RoutineLog.State?] = []
            for _ in 0..<count { states.append(try await day()) }
            return states
        }

        func day() async throws -> RoutineLog.State? {
            kit.now += 86_400
            let entry = try await book.entry("Morning")
            return try await runner.run(entry, isDue: true)?.state
        }
    }

    func testAShutGateAsksNoModel() async throws {
        let rig = try Rig()
        let states = try await rig.days(3) { $0.gates = [.due] }
        XCTAssertEqual(states, [.shut, .shut, .shut])
        XCTAssertEqual(rig.asked.withLock { $0 }, [])
        rig.hasDue.withLock { $0 = true }
        let open = try await rig.day()
        XCTAssertEqual(open, .done)
        XCTAssertEqual(rig.asked.withLock { $0 }, [""])
        // By hand it runs whatever the gate says.
        rig.hasDue.withLock { $0 = false }
        let entry = try await rig.book.entry("Morning")
        let run = try await rig.runner.run(entry, isDue: false)
        XCTAssertEqual(run?.state, .done)
        await rig.book.close()
    }

    func testAPageIsAskedAboutOnceForEachChange() async throws {
        let rig = try Rig()
        let states = try await rig.days(3) { $0.gates = [.changed("https://example.org/news")] }
        XCTAssertEqual(states, [.shut, .shut, .shut])
        rig.page.withLock { $0 = "two" }
        let changed = try await rig.day()
        rig.page.withLock { $0 = nil }
        let same = try await rig.day()
        XCTAssertEqual([changed, same], [.done, .shut])
        XCTAssertEqual(rig.asked.withLock { $0 }, ["two"])
        await rig.book.close()
    }

    func testAFolderIsAskedAboutOnceForEachChange() async throws {
        let rig = try Rig()
        let inbox = rig.kit.folder.path("inbox")
        try FileManager.default.createDirectory(
            atPath: inbox + "/sub", withIntermediateDirectories: true)
        try Data("a".utf8).write(to: URL(fileURLWithPath: inbox + "/sub/a"))
        let states = try await rig.days(2) { $0.gates = [.changed(inbox)] }
        try Data("b".utf8).write(to: URL(fileURLWithPath: inbox + "/b"))
        let new = try await rig.day()
        try FileManager.default.removeItem(atPath: inbox + "/sub/a")
        let removed = try await rig.day()
        let same = try await rig.day()
        XCTAssertEqual(states + [new, removed, same], [.shut, .shut, .done, .done, .shut])
        XCTAssertEqual(
            rig.asked.withLock { $0 },
            ["Changes in \(inbox):\nnew: b", "Changes in \(inbox):\nremoved: sub/a"])
        await rig.book.close()
    }

    func testACommandDecidesAndItsOutputGoesAlongOnce() async throws {
        let rig = try Rig()
        let states = try await rig.days(2) {
            $0.gates = [.command]
            $0.isUnlessSame = true
        }
        XCTAssertEqual(states, [.shut, .shut])
        try Data().write(to: URL(fileURLWithPath: rig.kit.folder.path("go")))
        let first = try await rig.day()
        let second = try await rig.day()
        XCTAssertEqual([first, second], [.done, .shut])
        XCTAssertEqual(rig.asked.withLock { $0 }, ["hi\n"])
        await rig.book.close()
    }

    func testAResultLikeTheLastIsNotReported() async throws {
        let rig = try Rig()
        let states = try await rig.days(2) { $0.isUnlessSame = true }
        XCTAssertEqual(states, [.done, .same])
        let news = try await rig.book.takeNews()
        XCTAssertEqual(news.count, 1)
        await rig.book.close()
    }

    func testAProviderThatFailsIsTriedAgainUnlessToolsRan() async throws {
        let rig = try Rig([
            .init(text: "", conversation: "c", failure: .init("overloaded", canRetry: true)),
            .init(text: "Fine.", conversation: "d"),
            .init(text: "", conversation: "e", failure: .init("overloaded")),
        ])
        let states = try await rig.days(1) { _ in }
        XCTAssertEqual(states, [.waiting])
        rig.kit.now += 600
        let entry = try await rig.book.entry("Morning")
        let retried = try await rig.runner.run(entry, isDue: true)
        XCTAssertEqual(retried?.state, .done)
        XCTAssertEqual(retried?.note, "Fine.")
        let failed = try await rig.day()
        XCTAssertEqual(failed, .failed)
        rig.kit.now += 600
        let none = try await rig.runner.run(entry, isDue: true)
        XCTAssertNil(none)
        await rig.book.close()
    }

    func testAboveItsBudgetItPausesAndSaysSo() async throws {
        let rig = try Rig([
            .init(text: "a", conversation: "c", cost: 400_000),
            .init(text: "b", conversation: "c", cost: 900_000),
        ])
        let states = try await rig.days(3) {
            $0.runBudget = 1
            $0.monthBudget = 1
        }
        // The third is refused without a model, and pauses it.
        XCTAssertEqual(states, [.done, .done, .failed])
        XCTAssertEqual(rig.asked.withLock { $0.count }, 2)
        // No run may spend more than the month has left.
        XCTAssertEqual(rig.limits.withLock { $0 }, [1_000_000, 600_000])
        let paused = try await rig.book.entry("Morning")
        XCTAssertEqual(paused.pause, "its budget for the month is spent")
        let fourth = try await rig.day()
        XCTAssertNil(fourth)
        await rig.book.close()
    }

    func testTheResultIsAppendedToItsFile() async throws {
        let rig = try Rig()
        let path = rig.kit.folder.path("days.md")
        _ = try await rig.days(2) { $0.file = path }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        XCTAssertEqual(
            text,
            "## Morning · Sat 28 Nov 05:30\n\nok\n\n## Morning · Sun 29 Nov 05:30\n\nok\n\n")
        await rig.book.close()
    }
}
