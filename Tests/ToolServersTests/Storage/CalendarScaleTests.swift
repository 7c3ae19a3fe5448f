import Base
import Foundation
import TestSupport
import XCTest

@testable import CalendarFiles

/// How long listings take, printed; run by hand with `CHAT_FULL=1` in a
/// release build. Asserts what is found, and no times.
final class CalendarScaleTests: XCTestCase {
    private func fill(_ folder: CalendarFolder, _ count: Int) throws {
        let list = folder.list
        try FileManager.default.createDirectory(atPath: list, withIntermediateDirectories: true)
        for number in 0..<count {
            let uid = UUID().uuidString.lowercased()
            let day = LocalTime(.utc).civil(
                at: CalendarFolder.now.addingTimeInterval(Double(number % 2_000 - 1_800) * 86_400)
            ).isoText.filter { $0 != "-" && $0 != ":" }
            let lines = [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//chat//EN", "BEGIN:VTODO",
                "UID:\(uid)", "DTSTAMP:20260301T101112Z", "CREATED:20260301T101112Z",
                "LAST-MODIFIED:20260301T101112Z", "SUMMARY:Item number \(number) of many",
                "DUE:\(day)Z", "PRIORITY:5",
                "STATUS:\(number % 10 == 0 ? "NEEDS-ACTION" : "COMPLETED")", "END:VTODO",
                "END:VCALENDAR", "",
            ]
            let bytes = Array(lines.joined(separator: "\r\n").utf8)
            let file = fopen(list + "/" + uid + ".ics", "w")
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
        }
    }

    private func store(_ folder: CalendarFolder, _ threshold: Int) -> CalendarStore {
        var environment = folder.environment
        environment.now = { Date().addingTimeInterval(60) }
        return CalendarStore(
            roots: [folder.root], trash: folder.trash, state: folder.state,
            environment: environment, indexThreshold: threshold)
    }

    private func time<Value>(_ label: String, _ body: () async throws -> Value) async rethrows
        -> Value
    {
        let clock = ContinuousClock()
        let start = clock.now
        let value = try await body()
        print("  \(label): \(start.duration(to: clock.now))")
        return value
    }

    func testListingsOfManyItems() async throws {
        guard ProcessInfo.processInfo.environment["CHAT_FULL"] != nil else {
            throw XCTSkip("CHAT_FULL=1 measures")
        }
        for count in [200, 500, 1_000, 2_000, 10_000, 100_000] {
            let folder = try CalendarFolder()
            try fill(folder, count)
            print("\(count) items")
            await time("cat") {
                let process = Process.apart()
                process.executableURL = URL(fileURLWithPath: "/bin/sh")
                process.arguments = [
                    "-c", "find '\(folder.list)' -name '*.ics' -print0 | xargs -0 cat >/dev/null",
                ]
                try? process.run()
                process.waitUntilExit()
            }
            let everything = try await time("all, no index") {
                try await store(folder, .max).files()
            }
            XCTAssertEqual(everything.files.count, count)
            let today = CalendarStore.Selection(
                kind: "VTODO", openOnly: true,
                window: CalendarFolder.now..<CalendarFolder.now.addingTimeInterval(86_400))
            let plain = try await time("today, no index") {
                try await store(folder, .max).files(today)
            }
            _ = try await time("today, index made") { try await store(folder, 0).files(today) }
            let warm = try await time("today, index") { try await store(folder, 0).files(today) }
            XCTAssertEqual(warm.files.map(\.path), plain.files.map(\.path))
            let text = CalendarStore.Selection(text: "number 77 of")
            let found = try await time("search, index") { try await store(folder, 0).files(text) }
            XCTAssertFalse(found.files.isEmpty)
            print("  found \(warm.files.count), \(found.files.count)")
        }
    }
}
