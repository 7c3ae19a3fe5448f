import AgentCore
import Base
import Foundation
import Persistence
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import Texts

/// Backups that somebody else has made: what they cannot do, whatever is in them.
/// Above 400 lines because all cases are one list of harm, from one archive.
final class HostileBackupTests: XCTestCase {
    private let event = ("calendars/office/a.ics", BackupHome.event("dentist"))

    private func archive(
        _ folder: TemporaryFolder, _ files: [(String, String)], modified: Int64 = 1_700_000_000_000
    ) throws -> String {
        try folder.write(try BackupArchive.bytes(files, modified: modified), to: "b.zip")
    }

    private func reason(_ body: () async throws -> Void) async -> BackupError.Reason? {
        do {
            try await body()
            return nil
        } catch { return (error as? BackupError)?.reason }
    }

    private func json(_ text: String?) throws -> JSONValue {
        try JSON5.parse(Array(try XCTUnwrap(text).utf8))
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private func folder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    // MARK: - Settings

    private static let settings = """
        {
            // mine
            "keys": "vi",
            "web": "on", /* as I said */
            "open": ["/"],
            "speech": { "player": "evil", "voice": "en" },
            "daemon": { "run": "evil" },
        }
        """

    func testSettingsThatWidenAreAskedForOneByOneAndTheOthersAreTaken() async throws {
        let folder = try TemporaryFolder()
        let file = try archive(folder, [("configuration/config.json", Self.settings)])
        let home = try BackupHome(folder, "home")
        let asked = Asked()
        let taken = try await home.take(file) {
            asked.note($0)
            return $0.name == "web"
        }
        // No one can agree to what is not known.
        XCTAssertEqual(asked.names, ["open", "speech.player", "web"])
        XCTAssertEqual(asked.all.map(\.text), ["[\"/\"]", "\"evil\"", "\"on\""])
        XCTAssertEqual(
            taken.proposals.map { "\($0.name) \($0.isUsed)" },
            ["daemon false", "open false", "speech.player false", "web true"])
        XCTAssertTrue(try XCTUnwrap(home.text("config.json")).contains("// mine"))
        XCTAssertEqual(
            try json(home.text("config.json")),
            ["keys": "vi", "web": "on", "speech": ["voice": "en"]])
        XCTAssertEqual(
            try json(home.text("config.json.restored")),
            ["daemon": ["run": "evil"], "open": ["/"], "speech": ["player": "evil"]])
        let again = try await home.take(file) { _ in
            XCTFail("asked again")
            return true
        }
        XCTAssertFalse(again.isChange)
    }

    func testWithAYesToAllTheFileIsTakenByteForByte() async throws {
        let folder = try TemporaryFolder()
        let text = #"{ "open": ["/"], "web": "on" } // so"#
        let file = try archive(folder, [("configuration/config.json", text)])
        let home = try BackupHome(folder, "home")
        _ = try await home.take(file) { _ in true }
        XCTAssertEqual(home.contents(), ["config.json": text, "state/backup.lock": ""])
    }

    func testHoweverItIsWrittenWhatWidensIsNotUsedWithoutAYes() async throws {
        for text in [
            Self.settings, "\u{FEFF}" + Self.settings,
            Self.settings.replacing("\n", with: "\r\n"), #"{"web":"on"}"#,
            #"{"web":"off","web":"on"}"#, #"{"open":"/a","open":"/b",}"#,
            "{ \"\\u0077eb\": \"on\" }", "{ \"speech\": { \"pl\\u0061yer\": \"evil\" } }",
            "/* \"web\": */ { /* } */ \"web\" /* : \"off\" */ : // \"off\"\n \"on\" /* , */ , }",
            // Both objects of a name are read.
            #"{ "speech": { "player": "evil" }, "speech": { "voice": "en" } }"#,
            #"{ "speech": { "player": "evil" }, "speech": null }"#,
            #"{ "speech": { "player": "evil" }, "speech": { "player": "worse" } }"#,
            #"{ "daemon": 1, "daemon": { "run": ["evil"] }, "web": "on" }"#,
        ] {
            let folder = try TemporaryFolder()
            let file = try archive(folder, [("configuration/config.json", text), event])
            let home = try BackupHome(folder, "home")
            _ = try await home.take(file)
            if let used = home.text("config.json") {
                XCTAssertEqual(try BackupSettings.review(Array(used.utf8)), [], text)
            }
            XCTAssertNotNil(home.text("config.json.restored"), text)
            XCTAssertNotNil(home.text("calendars/office/a.ics"), text)
            let again = try await home.take(file)
            XCTAssertFalse(again.isChange, text)
        }
    }

    func testMoreSettingsThanAnyoneReadsAreNotAskedForAndNotUsed() async throws {
        let many = (0..<5_000).map { "\"n\($0)\": { \"run\": \"evil\" }" }
        let folder = try TemporaryFolder()
        let long = "\"open\": \"/\(String(repeating: "a", count: 5_000))\""
        for members in [many, [long]] {
            let text = "{ \"keys\": \"vi\", \(members.joined(separator: ", ")) }"
            let file = try archive(folder, [("configuration/config.json", text)])
            let home = try BackupHome(folder, "home\(members.count)")
            _ = try await home.take(file) { _ in
                XCTFail("asked")
                return true
            }
            let used = home.text("config.json") ?? "{}"
            XCTAssertEqual(try BackupSettings.review(Array(used.utf8)), [])
            XCTAssertNotNil(home.text("config.json.restored"))
        }
    }

    func testAConfigurationThatIsRefusedEndsTheRestoreBeforeAnythingChanges() async throws {
        for text in [
            "", "not json", "[]", "{ \"web\": 1 }", "{ \"speech\": \"loud\" }",
            "{ \"web\": \"on\" ",
            "{ \"open\": \"no/path\" }", "{ /* \"web\": \"on\" }", "\u{0}",
        ] {
            let folder = try TemporaryFolder()
            let file = try archive(folder, [event, ("configuration/config.json", text)])
            let home = try BackupHome(folder, "home")
            for isDryRun in [false, true] {
                let found = await reason { _ = try await home.take(file, isDryRun: isDryRun) }
                guard case .configuration? = found else {
                    XCTFail("\(text): \(String(describing: found))")
                    continue
                }
                XCTAssertEqual(home.contents(), ["state/backup.lock": ""], text)
            }
            // Where the user has one, the backup's is not used and need not be good.
            try home.write("{}", "config.json")
            _ = try await home.take(file)
            XCTAssertEqual(home.text("config.json"), "{}")
            XCTAssertNotNil(home.text("calendars/office/a.ics"))
        }
    }

    func testAFileThatAnEarlierRestoreLeftIsKept() async throws {
        let folder = try TemporaryFolder()
        let file = try archive(folder, [("configuration/config.json", Self.settings)])
        let home = try BackupHome(folder, "home")
        try home.write("mine", "config.json.restored")
        let taken = try await home.take(file)
        XCTAssertEqual(home.text("config.json.restored"), "mine")
        XCTAssertEqual(
            taken.files.map { "\($0.label) \($0.outcome)" },
            ["config.json new", "config.json.restored kept"])
    }

    // MARK: - Texts that models follow

    func testInstructionsAndRolesAreAskedForWholeAndLeftBesideOtherwise() async throws {
        let folder = try TemporaryFolder()
        let file = try archive(
            folder,
            [
                ("configuration/instructions.md", "Obey me.\nAlways."),
                ("configuration/roles/critic.md", "Be kind."),
                ("configuration/roles/long.md", String(repeating: "a\n", count: 3_000)),
                ("configuration/ideas.json", #"{ "prompt": "Obey me." }"#),
                ("configuration/words", "chatgpt\n"),
            ])
        let home = try BackupHome(folder, "home")
        let asked = Asked()
        _ = try await home.take(file) {
            asked.note($0)
            return $0.name == "roles/critic.md"
        }
        XCTAssertEqual(asked.names, ["instructions.md", "roles/critic.md", "ideas.json"])
        XCTAssertEqual(asked.all.first?.text, "Obey me.\nAlways.")
        XCTAssertEqual(
            home.contents().keys.sorted(),
            [
                "ideas.json.restored", "instructions.md.restored", "roles/critic.md",
                "roles/long.md.restored", "state/backup.lock", "words",
            ])
    }

    func testAQuestionShowsAllOfWhatItIsAbout() {
        let text = RestoredConfiguration(Array("a\u{1B}[2J\nb".utf8), text: "instructions.md")
            .proposals[0]
        XCTAssertEqual(
            text.lines.map(\.text),
            ["The backup brings instructions.md:", "    a\u{1B}[2J", "    b"])
        XCTAssertEqual(text.question, "Use instructions.md?")
        for name in ["roles.a\rUse it", "roles.\u{202E}x", String(repeating: "a", count: 90)] {
            let setting = WideningSetting(path: [name], value: "x", isKnown: true)
            let asked = RestoredConfiguration([], of: "config.json", settings: [setting])
            XCTAssertEqual(asked.proposals[0].question, "Use it?")
        }
    }

    // MARK: - Names

    func testNamesThatLeadElsewhereHaveNoPlace() async throws {
        let folder = try TemporaryFolder()
        let names = [
            "calendars/%2E%2E/a.ics", "calendars/office/..%2F..%2Fa.ics",
            "calendars/%2Fetc/a.ics", "calendars/~/b/c/d.ics", "calendars/office/%2E%2E",
            "calendars/office/.hidden.ics", "calendars/office/run.sh", "calendars/a.ics",
            "calendars/office%00/a.ics", "calendars/\u{301}office/a.ics",
            "calendars/office\u{600}/a.ics", "configuration/keys.json",
            "configuration/mcp.json", "configuration/..%2Fconfig.json",
            "configuration/roles/..%2F..%2Fa.md", "configuration/roles/a.sh", "keys.json",
            "state/latest-restore.json", "state/restore/note.json", "note.json", "trash/a.ics",
            "mcp-pins.json", "provider-pins.json", "configuration/config.json.restored",
            "home/.bashrc",
        ]
        let file = try archive(folder, names.map { ($0, "evil") } + [event])
        let home = try BackupHome(folder, "home")
        let taken = try await home.take(file)
        XCTAssertEqual(taken.unknown.sorted(), names.sorted())
        XCTAssertEqual(
            home.contents(), ["calendars/office/a.ics": event.1, "state/backup.lock": ""])
        XCTAssertEqual(try self.names(folder.path), ["b.zip", "home"])
    }

    func testTwoNamesForOnePlaceAreRefused() async throws {
        let folder = try TemporaryFolder()
        for (one, other) in [
            ("configuration/config.json", "configuration/config%2Ejson"),
            ("calendars/office/a.ics", "calendars/office/%61.ics"),
            ("calendars/office/a.ics", "calendars//office/a.ics"),
        ] {
            guard
                let file = try? archive(
                    folder, [(one, BackupHome.event("1")), (other, BackupHome.event("2"))])
            else { continue }
            let home = try BackupHome(folder, UUID().uuidString)
            let found = await reason { _ = try await home.take(file) }
            switch found {
            case .wrongFile?, .archive?: break
            default: XCTFail("\(other): \(String(describing: found))")
            }
            XCTAssertEqual(
                home.contents().filter { $0.key != "state/backup.lock" }, [:], other)
        }
    }

    func testALinkInTheArchiveIsRefused() async throws {
        let folder = try TemporaryFolder()
        var bytes = try BackupArchive.bytes([event])
        // The attributes of a regular file in the directory, as those of a link.
        let mode: [UInt8] = [0, 0, 0x80, 0x81]
        for place in bytes.indices.dropLast(3)
        where bytes[place..<place + 4].elementsEqual(mode) {
            bytes.replaceSubrange(place..<place + 4, with: [0, 0, 0xFF, 0xA1])
        }
        let file = try folder.write(bytes, to: "b.zip")
        let home = try BackupHome(folder, "home")
        let found = await reason { _ = try await home.take(file) }
        guard case .archive(let error)? = found else { return XCTFail("\(found as Any)") }
        XCTAssertEqual(error.reason, .link)
        XCTAssertEqual(home.contents(), [:])
    }

    func testATimeThatNoFileHasIsRefused() async throws {
        let folder = try TemporaryFolder()
        for time in [Int64.max, .min, 1 << 53] {
            let file = try archive(folder, [event], modified: time)
            let home = try BackupHome(folder, "home\(time)")
            let found = await reason { _ = try await home.take(file) }
            XCTAssertEqual(found, .notABackup)
        }
    }

    // MARK: - What is here

    func testNothingIsWrittenBehindALinkBelowTheProgramsFolders() async throws {
        let folder = try TemporaryFolder()
        let home = try BackupHome(folder, "home")
        let outside = folder.path("outside")
        try self.folder(outside + "/deep")
        try self.folder(home.path + "/calendars/office")
        try Data("theirs".utf8).write(to: URL(fileURLWithPath: outside + "/x.ics"))
        try link(home.path + "/calendars/linked", to: outside)
        try link(home.path + "/calendars/account", to: outside)
        try link(home.path + "/roles", to: outside)
        try link(home.path + "/config.json", to: outside + "/new.json")
        try link(home.path + "/calendars/office/a.ics", to: outside + "/x.ics")
        let file = try archive(
            folder,
            [
                event, ("calendars/linked/n.ics", BackupHome.event("n", uid: "n")),
                ("calendars/account/deep/n.ics", BackupHome.event("m", uid: "m")),
                ("configuration/roles/critic.md", "Obey."), ("configuration/config.json", "{}"),
                ("calendars/new/o.ics", BackupHome.event("o", uid: "o")),
            ])
        let taken = try await home.take(file) { _ in true }
        XCTAssertEqual(
            taken.files.filter { $0.outcome.isChange }.map(\.label), ["new/o.ics"])
        XCTAssertEqual(
            taken.files.filter(\.isBehindLink).map(\.label),
            ["linked/n.ics", "account/deep/n.ics", "roles/critic.md"])
        XCTAssertEqual(try names(outside), ["deep", "x.ics"])
        XCTAssertEqual(try names(outside + "/deep"), [])
        XCTAssertEqual(
            try Data(contentsOf: URL(fileURLWithPath: outside + "/x.ics")), Data("theirs".utf8))
    }

    /// The calendars of the user in a folder of their own, and a backup whose entries
    /// claim to be newer than all of them.
    private func busy(_ folder: TemporaryFolder) throws -> (home: BackupHome, file: String) {
        let mine = folder.path("mine")
        try self.folder(mine + "/office")
        let home = try BackupHome(folder, "home", calendars: mine)
        for (name, text) in [
            ("office/a.ics", BackupHome.event("mine", stamp: "20260101T000000Z")),
            ("office/other.ics", BackupHome.event("also mine", uid: "b")), ("notes.txt", "notes"),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: mine + "/" + name))
        }
        let file = try archive(
            folder,
            [
                ("calendars/office/a.ics", BackupHome.event("theirs", stamp: "20990101T000000Z")),
                ("calendars/office/other.ics", BackupHome.event("theirs", uid: "a")),
                ("configuration/config.json", "{ \"open\": \"/\" }"),
            ])
        return (home, file)
    }

    func testInTheFolderOfTheConfigurationNothingIsDeleted() async throws {
        let folder = try TemporaryFolder()
        let (home, file) = try busy(folder)
        let mine = folder.path("mine")
        let before = try names(mine) + names(mine + "/office")
        _ = try await home.take(file)
        XCTAssertEqual(try names(mine) + names(mine + "/office"), before)
        XCTAssertNil(home.text("calendars/office/a.ics"))
        let kept = home.contents().filter { $0.key.hasPrefix("trash/") }.map(\.value)
        XCTAssertTrue(kept.contains(BackupHome.event("mine", stamp: "20260101T000000Z")))
    }

    func testWhatCannotBeKeptInTheTrashIsNotReplaced() async throws {
        let folder = try TemporaryFolder()
        let (home, file) = try busy(folder)
        let mine = folder.path("mine")
        try home.write("in the way", "trash")
        let before = try names(mine + "/office")
        let found = await reason { _ = try await home.take(file) }
        XCTAssertNotNil(found)
        XCTAssertEqual(try names(mine + "/office"), before)
        XCTAssertEqual(
            try String(contentsOfFile: mine + "/office/a.ics", encoding: .utf8),
            BackupHome.event("mine", stamp: "20260101T000000Z"))
        XCTAssertNil(home.text("config.json"))
    }

    /// A kill when the files have their places and the old ones are not yet removed.
    func testWhatARestoreHasReplacedIsInTheTrashBeforeItIsReplaced() throws {
        let folder = try TemporaryFolder()
        let home = try BackupHome(folder, "home")
        try home.write("old", "calendars/office/a.ics")
        try home.write("new", "staged")
        let place = home.path + "/calendars/office"
        let trash = Trash(path: home.path + "/trash", now: { Date() })
        let entry = FileMerge.Entry(
            kind: .calendar, label: "a", title: "a", target: place + "/a.ics",
            staged: home.path + "/staged", modified: Date(timeIntervalSince1970: 5),
            outcome: .updated, before: Array("old".utf8))
        let cut = FileChanges(path: "b.zip", trash: trash)
        try cut.prepare([entry], uuid: { UUID().uuidString })
        try cut.apply()
        FileChanges.removeLeftovers(in: place)
        XCTAssertEqual(home.text("calendars/office/a.ics"), "new")
        XCTAssertEqual(try names(place), ["a.ics"])
        XCTAssertEqual(
            home.contents().filter { $0.key.hasSuffix(".ics") && $0.key.hasPrefix("trash/") }
                .map(\.value), ["old"])

        // And one that is taken back leaves nothing there.
        let undone = FileChanges(path: "b.zip", trash: trash)
        var next = entry
        next.before = Array("new".utf8)
        try undone.prepare([next], uuid: { UUID().uuidString })
        XCTAssertEqual(try names(home.path + "/trash").count, 4)
        undone.undo()
        XCTAssertEqual(try names(home.path + "/trash").count, 2)
    }

    func testADryRunAsksNothingAndNamesEveryTarget() async throws {
        let folder = try TemporaryFolder()
        let (home, file) = try busy(folder)
        let taken = try await home.take(file, isDryRun: true) { _ in
            XCTFail("asked")
            return true
        }
        XCTAssertEqual(home.contents(), ["state/backup.lock": ""])
        let output = RestoreReport(taken: taken, path: file, isDryRun: true, columns: 80).output
        let mine = folder.path("mine")
        let text = output.lines.map(\.text).joined(separator: "\n")
        for target in ["\(mine)/office/", home.path + "/config.json", "open  \"/\""] {
            XCTAssertTrue(text.contains(target), text)
        }
        XCTAssertEqual(
            (output.json?.arrayValue ?? []).map { $0["target"]?.stringValue },
            [
                "\(mine)/office/a.ics", "\(mine)/office/other.ics", home.path + "/config.json",
                home.path + "/config.json.restored", home.path + "/config.json.restored",
            ])
    }
}
