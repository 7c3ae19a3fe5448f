import AgentCore
import Base
import Privacy
import Synchronization
import TestSupport
import XCTest

@testable import Library

final class RedactCommandTests: XCTestCase {
    private struct Rig {
        let folder: TemporaryFolder
        var person = PersonalData([.init(.name, "Ida Svensson"), .init(.employer, "Acme AB")])
        var input: [UInt8]?

        init() throws { folder = try TemporaryFolder() }

        func run(_ words: String...) async throws -> CommandOutput {
            let (person, input, folder) = (person, input, folder)
            return try await RedactCommand(
                RedactCommand.Dependencies(
                    person: { person },
                    read: { path in
                        guard let path else { return input ?? [] }
                        return try WholeFile.read(path.hasPrefix("/") ? path : folder.path(path))
                    }, hasInput: { input != nil },
                    files: PrivateFiles(home: "/", environment: ManualClock().environment))
            ).command.run(words)
        }
    }

    func testTheTextComesBackByteForByte() async throws {
        var rig = try Rig()
        let map = rig.folder.path("a.map")
        for text in [
            "Ida Svensson\r\n[NAME] and [name_2]\r\nida  svensson", "", "\n\n",
            "\u{FEFF}IDA SVENSSON",
            "e\u{301} Ida Sve\u{301}nsson\u{0}x", "[NAME][NAME_2][[NAME]] Ida Svensson [NAME_",
        ] {
            rig.input = Array(text.utf8)
            let redacted = try await rig.run("--map", map, "--force")
            rig.input = redacted.document
            XCTAssertFalse(
                String(decoding: rig.input ?? [], as: UTF8.self).contains("Ida Svensson"))
            let restored = try await rig.run("--restore", map)
            XCTAssertEqual(restored.document, Array(text.utf8))
        }
    }

    func testTheMapIsPrivateAndReplacesNothing() async throws {
        var rig = try Rig()
        rig.input = Array("Ida Svensson of Acme AB".utf8)
        let before = umask(0)
        defer { umask(before) }
        let output = try await rig.run("--map", rig.folder.path("a.map"))
        XCTAssertEqual(output.document, Array("[NAME] of Acme AB".utf8))
        XCTAssertEqual(
            output.remarks.map(\.text),
            ["Hidden: 1 name · back with chat redact --restore \(rig.folder.path("a.map"))"])
        XCTAssertEqual(output.notices, [])
        var status = stat()
        XCTAssertEqual(stat(rig.folder.path("a.map"), &status), 0)
        XCTAssertEqual(status.st_mode & 0o777, 0o600)
        let kept = try rig.folder.read("a.map")
        let error = await failure { try await rig.run("--map", rig.folder.path("a.map")) }
        XCTAssertEqual(error?.exit, .usage)
        XCTAssertEqual(
            error?.what, "\(rig.folder.path("a.map")) already exists; nothing was written.")
        XCTAssertEqual(try rig.folder.read("a.map"), kept)
        let path = try rig.folder.write(Array("Ida Svensson".utf8), to: "cv.txt")
        let same = await failure { try await rig.run(path, "--map", path, "--force") }
        XCTAssertEqual(same?.what, "\(path) is the text file itself; give the map another name.")
        XCTAssertEqual(try rig.folder.read("cv.txt"), Array("Ida Svensson".utf8))
    }

    func testEmployersStayUnlessTheyAreToBeHidden() async throws {
        var rig = try Rig()
        rig.input = Array("Ida Svensson of Acme AB, Acme AB".utf8)
        let output = try await rig.run("--hide-employers", "--json")
        XCTAssertNil(output.document)
        XCTAssertEqual(
            output.json,
            [
                "text": "[NAME] of [EMPLOYER], [EMPLOYER]", "counts": ["name": 1, "employer": 1],
                "map": nil, "profile": true,
            ])
    }

    /// Reading it as one took 20 s of processor time for each megabyte.
    func testALongTextIsNotReadAsAResume() {
        for piece in ["7", "x", "a@", "All went well on Tuesday. "] {
            let text = String(repeating: piece, count: 400_000 / piece.utf8.count)
            let time = ProcessorTime.measure {
                XCTAssertTrue(ResumePeople.found(in: text).isEmpty)
                XCTAssertTrue(ResumePeople.found(in: "a\n" + text.prefix(50_000)).isEmpty)
            }
            XCTAssertLessThan(time, .seconds(3), piece)
        }
    }

    func testWithoutAProfileItSaysWhatWasNotLookedFor() async throws {
        var rig = try Rig()
        rig.person = PersonalData()
        rig.input = Array("nothing here".utf8)
        let output = try await rig.run()
        XCTAssertEqual(output.outcome, .ok)
        XCTAssertEqual(output.remarks.map(\.text), ["Nothing was found to hide"])
        XCTAssertEqual(
            output.notices,
            [
                "No profile is set, so your name and address were not looked for: "
                    + "chat profile set name"
            ])
    }

    func testWhatCannotBeReadIsRefusedWhole() async throws {
        var rig = try Rig()
        let nothing = await failure { try await rig.run() }
        XCTAssertEqual(nothing?.what, "redact needs a text.")
        rig.input = [0x49, 0xE4]
        let latin = await failure { try await rig.run("--map", rig.folder.path("m")) }
        XCTAssertEqual(
            latin?.what, "standard input is not text in UTF-8; nothing was written.")
        XCTAssertEqual(FilePath.names(in: rig.folder.path), [])
        rig.input = Array("[NAME]".utf8)
        for (text, why) in [
            ("{]", "line 1, column 2: unexpected byte"), ("{}", "no list of placeholders"),
            ("[{\"placeholder\": \"[NAME]\"}]", "no list of placeholders"),
        ] {
            let map = try rig.folder.write(Array(text.utf8), to: "m")
            let error = await failure { try await rig.run("--restore", map) }
            XCTAssertEqual(error?.what, "\(map) is not a map of placeholders: \(why).")
        }
    }
}
