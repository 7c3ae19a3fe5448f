import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Planner

final class SyncSetupTests: XCTestCase {
    private func setup(_ folder: TemporaryFolder, roots: [String]? = nil) -> SyncSetup {
        SyncSetup(
            roots: roots ?? [folder.path("calendars")], configurationFolder: folder.path("config"),
            stateFolder: folder.path("state"), uuid: { UUID().uuidString })
    }

    private func call(
        _ arguments: String..., confirmed: Bool = false
    ) throws -> CommandArguments {
        try read(arguments + (confirmed ? ["--yes"] : []))
    }

    private func read(_ words: [String]) throws -> CommandArguments {
        let verb = SyncSetup(
            roots: [], configurationFolder: "", stateFolder: "", uuid: { "" }
        ).verb
        return try CommandArguments(words, of: verb, name: "calendar sync-setup")
    }

    func testTheConfigurationSaysEverythingButThePassword() throws {
        let folder = try TemporaryFolder()
        let output = try setup(folder).setUp(
            try call(
                "https://cloud.example.com/remote.php/dav", "--user", "ada", "--password-from",
                "secret-tool"))
        XCTAssertEqual(
            String(decoding: try folder.read("config/vdirsyncer.conf"), as: UTF8.self),
            """
            # Made by chat calendar sync-setup; vdirsyncer reads it, chat does not.
            # There is no password in it: see password.fetch.

            [general]
            status_path = "\(folder.path)/state/vdirsyncer"

            [pair chat]
            a = "chat_local"
            b = "chat_server"
            # Every calendar of either side.
            collections = ["from a", "from b"]
            # Copied by vdirsyncer metasync.
            metadata = ["color", "displayname"]
            # An item that was changed on both sides: null names it and leaves both as they
            # are, "a wins" keeps the one of this machine, "b wins" the server's.
            conflict_resolution = null

            [storage chat_local]
            type = "filesystem"
            path = "\(folder.path)/calendars"
            fileext = ".ics"

            [storage chat_server]
            type = "caldav"
            url = "https://cloud.example.com/remote.php/dav/"
            username = "ada"
            password.fetch = ["command","secret-tool","lookup","service","caldav","server","cloud.example.com","user","ada"]

            """)
        XCTAssertEqual(try mode(folder.path("config/vdirsyncer.conf")), 0o600)
        XCTAssertEqual(try mode(folder.path("state/vdirsyncer")), 0o700)
        XCTAssertEqual(output.notices, [])
        XCTAssertEqual(
            output.json?["commands"]?.arrayValue?.compactMap(\.stringValue),
            [
                "sudo apt install vdirsyncer",
                "secret-tool store '--label=CalDAV cloud.example.com' service caldav "
                    + "server cloud.example.com user ada",
                "vdirsyncer -c \(folder.path)/config/vdirsyncer.conf discover chat",
                "vdirsyncer -c \(folder.path)/config/vdirsyncer.conf sync",
            ])
    }

    func testAnotherConfigurationIsReplacedOnlyWhenConfirmed() throws {
        let folder = try TemporaryFolder()
        let setup = setup(folder)
        _ = try setup.setUp(call("https://one.example", "--user", "ada"))
        let first = try folder.read("config/vdirsyncer.conf")
        // The same again changes nothing and needs no question.
        let again = try setup.setUp(call("https://one.example", "--user", "ada"))
        XCTAssertTrue(again.lines.first?.text.contains("unchanged") == true)
        XCTAssertThrowsError(try setup.setUp(call("https://two.example"))) { error in
            XCTAssertTrue((error as? UsageError)?.hint?.contains("--yes") == true)
        }
        XCTAssertEqual(try folder.read("config/vdirsyncer.conf"), first)
        _ = try setup.setUp(call("https://two.example", confirmed: true))
        XCTAssertNotEqual(try folder.read("config/vdirsyncer.conf"), first)
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("config")),
            ["vdirsyncer.conf"])
    }

    func testALinkInItsPlaceIsReplacedNotFollowed() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("config"), withIntermediateDirectories: true)
        try folder.write("precious".utf8, to: "other")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("config/vdirsyncer.conf"),
            withDestinationPath: folder.path("other"))
        _ = try setup(folder).setUp(call("https://one.example", confirmed: true))
        XCTAssertEqual(try folder.read("other"), Array("precious".utf8))
    }

    func testNothingButAnAddressIsTakenForOne() {
        let refused: [[String]] = [
            [], ["https://a.example", "https://b.example"], ["http://cloud.example.com"],
            ["https://ada:hunter2@cloud.example.com"], ["https://a.example/?x=1"],
            ["https://a.example/#x"], ["ftp://a.example"], ["https://"], ["https://a b.example"],
            ["https://a.example\nurl = \"evil\""], ["https://a.example:99999"],
            ["https://apidata.googleusercontent.com/caldav/v2"],
            ["https://a.example", "--user"], ["https://a.example", "--user", ""],
            ["https://a.example", "--user", "a\nb"],
            ["https://a.example", "--password", "hunter2"],
            ["https://a.example", "--password=hunter2"],
            ["https://a.example", "--password-from", "pass"],
            ["https://a.example", "--user", "a", "--password-from", "hunter2"],
            ["https://a.example", "--conflicts", "both"],
            ["https://a.example", "--user", "a", "--user", "b"],
        ]
        for arguments in refused {
            XCTAssertThrowsError(try SyncRequest(read(arguments)), "\(arguments)") { error in
                let error = error as? UsageError
                XCTAssertNotNil(error, "\(arguments)")
                // A secret on the line is not said again.
                let said = (error?.problem ?? "") + (error?.hint ?? "")
                XCTAssertFalse(said.contains("hunter2"), said)
            }
        }
    }

    func testAnAddressNeedsNoSchemeAndLoopbackNoEncryption() throws {
        XCTAssertEqual(
            try SyncRequest(read(["caldav.fastmail.com"])).server.text,
            "https://caldav.fastmail.com")
        XCTAssertEqual(
            try SyncRequest(read(["http://127.0.0.1:5232/ada/"])).server.text,
            "http://127.0.0.1:5232/ada")
    }

    func testValuesCannotLeaveTheirLine() throws {
        var sync = SyncConfiguration(
            server: try BaseURL("https://a.example"), calendars: "/tmp/a\"b\nc", status: "/s")
        sync.user = "x\" ; y"
        XCTAssertTrue(sync.text.contains(#"path = "/tmp/a\"b\nc""#), sync.text)
        XCTAssertTrue(sync.text.contains(#"username = "x\" ; y""#), sync.text)
    }

    func testFurtherFoldersAndAMissingUserAreSaid() throws {
        let folder = try TemporaryFolder()
        let output = try setup(folder, roots: ["/one", "/two"]).setUp(call("https://a.example"))
        XCTAssertEqual(
            output.notices,
            [
                "without --user, only a server that needs no login will answer",
                "not synced: /two",
            ])
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try XCTUnwrap(attributes[.posixPermissions] as? Int)
    }
}
