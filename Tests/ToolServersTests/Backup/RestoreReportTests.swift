import AgentCore
import Base
import Foundation
import XCTest

@testable import Persistence
@testable import Texts

final class RestoreReportTests: XCTestCase {
    private func output(columns: Int, isDryRun: Bool = true) -> CommandOutput {
        let manifest = BackupManifest(
            app: "0.1.0", created: "2026-11-22T09:00:00+00:00", contents: nil, files: [])
        let id = "0ab62e17-a5b9-42a4-a5ef-158dc286f8c1"
        let long = "a very long title of a conversation\nthat goes on and on and on"
        let event = FileMerge.Entry(
            kind: .calendar, label: "account/office/a.ics", title: "dentist 歯医者",
            target: "/cal/office/a.ics",
            staged: "/s", modified: Date(timeIntervalSince1970: 0), outcome: .updated)
        var kept = event
        kept.outcome = .kept
        // The name of a calendar is no entry.
        var name = event
        (name.label, name.outcome) = ("account/office/displayname", .unchanged)
        let taken = BackupEngine.Taken(
            manifest: manifest, unknown: ["future/x"],
            database: MergeReport(lines: [
                .init(kind: .conversation, id: id, title: long, outcome: .new),
                .init(kind: .conversation, id: id, title: "both", outcome: .beside),
                .init(kind: .item, id: "i12", title: "a boat", outcome: .new),
                .init(kind: .item, id: "i3", title: "same", outcome: .unchanged),
            ]), databasePath: "/home/me/chat.db", files: [event, kept, name])
        return RestoreReport(
            taken: taken, path: "/home/me/b.zip", isDryRun: isDryRun, columns: columns
        ).output
    }

    func testTheTableFitsTheWindow() {
        XCTAssertEqual(
            output(columns: 80).lines.map { trimmed($0.text) },
            [
                "restoring b.zip would change · made 2026-11-22 by chat 0.1.0",
                "  conversations  1 new, 1 beside yours",
                "  library        1 new, 1 the same",
                "  calendars      1 updated, 1 kept as yours", "",
                "  new           conversation  a very long title of a conversation…  0ab62e17",
                "  beside yours  conversation  both                                  0ab62e17",
                "  new           item          a boat                                i12",
                "  updated       calendar      dentist 歯医者                        account/off…", "",
                "  written to", "  /cal/office/  1 file", "  /home/me/chat.db",
            ])
        for columns in [40, 60, 80, 120] {
            for line in output(columns: columns).lines.dropFirst() {
                XCTAssertLessThanOrEqual(DisplayWidth.of(trimmed(line.text)), columns, line.text)
            }
        }
    }

    func testARestoreSaysWhatItDidWithoutTheDetails() {
        let output = output(columns: 80, isDryRun: false)
        XCTAssertEqual(output.lines.count, 4)
        XCTAssertEqual(
            output.notices,
            ["Not restored, because this version of chat does not know it: future/x."])
        let outcomes = (output.json?.arrayValue ?? []).map { $0["outcome"]?.stringValue }
        XCTAssertEqual(
            outcomes, ["new", "beside", "new", "unchanged", "updated", "kept", "unchanged"])
    }

    private func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }
}
