import Base
import Foundation
import Persistence
import XCTest

@testable import Texts

final class BackupManifestTests: XCTestCase {
    func testOnlyNamesThatABackupHoldsHaveAPlace() {
        let known: [(String, BackupManifest.Destination)] = [
            ("manifest.json", .manifest), ("chat.db", .database),
            ("calendars/office/a.ics", .calendar(collection: "office", file: "a.ics")),
            (
                "calendars/account/office/color",
                .calendar(collection: "account/office", file: "color")
            ),
            ("calendars/a%5Cb/c%25.ics", .calendar(collection: "a\\b", file: "c%.ics")),
            ("configuration/config.json", .configuration("config.json")),
            ("configuration/words", .configuration("words")),
            ("configuration/instructions.md", .configuration("instructions.md")),
            ("configuration/roles/plain.md", .configuration("roles/plain.md")),
        ]
        for (name, place) in known { XCTAssertEqual(BackupManifest.place(of: name), place, name) }
        for name in [
            "keys.json", "configuration/keys.json", "state/log", "calendars/a.ics",
            "calendars/a/b/c/d.ics", "calendars/office/a.txt", "calendars/office/.a.ics",
            "calendars/%2E%2E/a.ics", "calendars/x/..%2F..%2Fa.ics", "calendars/x/%00.ics",
            "configuration/roles/..%2Fconfig.md", "configuration/roles/a.txt", "calendars/.x/a.ics",
        ] {
            XCTAssertNil(BackupManifest.place(of: name), name)
        }
    }

    func testNamesThatNoArchiveHoldsComeBack() {
        for name in ["a\\b", "100 %", "é田", "%41", "a\u{7F}b", "c:d"] {
            let encoded = BackupManifest.encoded(name)
            XCTAssertFalse(encoded.contains("\\"))
            XCTAssertEqual(BackupManifest.decoded(encoded), name)
        }
    }

    func testAManifestIsReadAsItWasWritten() throws {
        var manifest = BackupManifest(
            app: "0.1.0", created: "2026-11-22T09:00:00+00:00",
            contents: .init(schema: 6, conversations: 3, items: 2),
            files: [
                .init(
                    name: "chat.db", size: 9, sha256: String(repeating: "a", count: 64),
                    modified: Date(timeIntervalSince1970: 1_795_385_217.25))
            ])
        manifest.ownEvents = ["a", "b"]
        XCTAssertEqual(try BackupManifest(JSONWriter.bytes(manifest.json)), manifest)
    }

    func testAManifestOfAnotherKindOrTimeIsRefused() {
        func reason(_ text: String) -> BackupError.Reason? {
            do {
                _ = try BackupManifest(Array(text.utf8))
                return nil
            } catch { return error }
        }
        XCTAssertEqual(reason("{}"), .notABackup)
        XCTAssertEqual(reason("nothing"), .notABackup)
        XCTAssertEqual(reason("{\"format\":\"chat backup\",\"schema\":1}"), .notABackup)
        XCTAssertEqual(reason("{\"format\":\"chat backup\",\"schema\":2}"), .newerBackup)
    }

    func testWhichStateOfACalendarFileIsNewer() {
        func age(_ lines: String..., at time: Double = 0) -> CalendarAge {
            CalendarAge(
                Array(lines.joined(separator: "\r\n").utf8),
                modified: Date(timeIntervalSince1970: time))
        }
        let early = age("UID:a", "LAST-MODIFIED:20261122T090000Z", at: 9)
        let late = age("UID:a", "LAST-MODIFIED;X=1:20261122T090001Z", at: 5)
        XCTAssertTrue(late.isNewer(than: early))
        XCTAssertFalse(early.isNewer(than: late))
        XCTAssertTrue(age("SEQUENCE:2").isNewer(than: age("SEQUENCE:1", at: 9)))
        XCTAssertTrue(age(at: 2).isNewer(than: age(at: 1)))
        XCTAssertFalse(age(at: 2.0001).isNewer(than: age(at: 2)))
        XCTAssertFalse(early.isNewer(than: early))
        XCTAssertEqual(early.uids, ["a"])
    }
}
