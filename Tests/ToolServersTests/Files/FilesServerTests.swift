import Foundation
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Outside

/// The tools that read the open folders, over real ones.
final class FilesServerTests: XCTestCase {
    private struct Rig {
        let top: TemporaryFolder
        let folders: OpenFolders
        let server: FilesServer

        init(_ files: [String: String], open: [String] = ["app"]) throws {
            top = try TemporaryFolder()
            for (name, text) in files {
                try FileManager.default.createDirectory(
                    atPath: FilePath.folder(of: top.path(name)), withIntermediateDirectories: true)
                try top.write(Array(text.utf8), to: name)
            }
            folders = OpenFolders(home: top.path, ownFolders: [])
            for name in open { try folders.open(top.path(name)) }
            server = FilesServer(folders, environment: .system(variables: [:]))
        }

        func call(_ name: String, _ arguments: JSONValue) async throws -> ToolOutput {
            try await server.callTool(
                name, arguments: arguments.objectValue ?? JSONObject())
        }

        func text(_ name: String, _ arguments: JSONValue) async throws -> String {
            try await call(name, arguments).text
        }
    }

    func testAFileIsReadByLinesWithTheWayToGoOn() async throws {
        let text = (1...1_500).map { "line \($0)" }.joined(separator: "\n") + "\n"
        let rig = try Rig(["app/a.txt": text, "app/sub/b.txt": "one\r\ntwo", "app/empty": ""])
        let first = try await rig.call("read_file", ["path": "app/a.txt"])
        XCTAssertTrue(first.isUntrusted)
        XCTAssertEqual(first.summary, "app/a.txt, lines 1–1,000 of 1,500")
        XCTAssertTrue(first.text.hasSuffix("\n1000\tline 1000\n[go on with offset 1001]"))
        let rest = try await rig.text("read_file", ["path": "a.txt", "offset": 1_499])
        XCTAssertEqual(
            rest, "app/a.txt, lines 1,499–1,500 of 1,500\n1499\tline 1499\n1500\tline 1500")
        let few = try await rig.text("read_file", ["path": "a.txt", "offset": 2, "limit": 1])
        XCTAssertEqual(few, "app/a.txt, lines 2–2 of 1,500\n2\tline 2\n[go on with offset 3]")
        let other = try await rig.text(
            "read_file", ["path": .string(rig.top.path("app/sub/b.txt"))])
        XCTAssertEqual(other, "app/sub/b.txt, 2 lines\n1\tone\n2\ttwo")
        let empty = try await rig.text("read_file", ["path": "empty"])
        XCTAssertEqual(empty, "app/empty is empty.")
        let behind = try await rig.text("read_file", ["path": "sub/b.txt", "offset": 9])
        XCTAssertEqual(behind, "app/sub/b.txt has only 2 lines.")
    }

    func testWhatIsNoTextIsRefusedAndOldEncodingsAreRead() async throws {
        let rig = try Rig(["app/a": ""])
        try rig.top.write([0x89, 0x50, 0x4E, 0x47, 0, 1, 2], to: "app/a.png")
        try rig.top.write(
            [0xFF, 0xFE] + "hé".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
            to: "app/utf16.txt")
        try rig.top.write([0x68, 0xE9, 0x0A], to: "app/latin.txt")
        try rig.top.write(
            Array("text\n".utf8) + [UInt8](repeating: 0x61, count: 9_000) + [0], to: "app/late")
        for name in ["a.png", "late"] {
            let output = try await rig.call("read_file", ["path": .string(name)])
            XCTAssertTrue(output.isError)
            XCTAssertTrue(output.text.contains("is not text"), output.text)
        }
        for name in ["utf16.txt", "latin.txt"] {
            let text = try await rig.text("read_file", ["path": .string(name)])
            XCTAssertEqual(text, "app/\(name), 1 line\n1\thé")
        }
    }

    func testSeveralFoldersAreToldApartByName() async throws {
        let rig = try Rig(
            [
                "app/a.txt": "first", "lib/app/a.txt": "second", "x/app/c.txt": "third",
                "lib/d.txt": "d",
            ],
            open: ["app", "lib", "x/app"])
        XCTAssertEqual(rig.folders.names, ["app", "lib", "app-2"])
        let list = try await rig.text("list_folder", [:])
        XCTAssertEqual(list, "Open folders:\napp/\nlib/\napp-2/")
        for (path, wanted) in [
            ("app/a.txt", "first"), ("lib/app/a.txt", "second"), ("app-2/c.txt", "third"),
            ("d.txt", "d"), ("c.txt", "third"), ("a.txt", "first"),
        ] {
            let text = try await rig.text("read_file", ["path": .string(path)])
            XCTAssertTrue(text.hasSuffix("1\t\(wanted)"), "\(path): \(text)")
        }
        try rig.top.write(Array("x".utf8), to: "lib/a.txt")
        let both = try await rig.call("read_file", ["path": "a.txt"])
        XCTAssertTrue(both.text.contains("in several open folders (app, lib)"), both.text)
        XCTAssertEqual(rig.folders.close("app-2")?.path, rig.top.path("x/app"))
        XCTAssertNil(rig.folders.close("app-2"))
        XCTAssertNotNil(rig.folders.close(rig.top.path("lib")))
        rig.folders.closeAll()
        let none = try await rig.text("list_folder", [:])
        XCTAssertEqual(none, "No folder is open. The user opens one with /open DIR.")
    }

    func testASearchFindsNamesAndLinesAndSaysWhatItLeftOut() async throws {
        let rig = try Rig([
            "app/.gitignore": "out/\n", "app/a.swift": "let x = 1\nfunc find() {}\n",
            "app/sub/B.swift": "// FIND me\n", "app/sub/c.md": "find", "app/out/d.swift": "find",
            "app/.hidden/e.swift": "find", "app/.git/HEAD": "find",
        ])
        try rig.top.write([0, 1] + Array("find".utf8), to: "app/bin.swift")
        let left = "Left out: 2 hidden, 1 in .gitignore, 1 of version control"
        let names = try await rig.text("search_files", ["name": "*.swift"])
        XCTAssertEqual(
            names,
            "3 files found.\napp/a.swift  25 bytes\napp/bin.swift  6 bytes\napp/sub/B.swift  11 bytes\n\(left)."
        )
        let lines = try await rig.call("search_files", ["name": "*.swift", "text": "find"])
        XCTAssertEqual(
            lines.text,
            "2 lines found in 2 files.\napp/a.swift:2: func find() {}\napp/sub/B.swift:1: // FIND me\n\(left), 1 not text."
        )
        XCTAssertTrue(lines.isUntrusted)
        let path = try await rig.text("search_files", ["name": "sub/**", "path": "app"])
        XCTAssertTrue(path.hasPrefix("2 files found.\napp/sub/B.swift"), path)
        let asked = try await rig.text("search_files", ["text": "find", "path": "out"])
        XCTAssertEqual(asked, "1 line found in 1 file.\napp/out/d.swift:1: find")
        let file = try await rig.text("search_files", ["text": "let", "path": "a.swift"])
        XCTAssertEqual(file, "1 line found in 1 file.\napp/a.swift:1: let x = 1")
        let hidden = try await rig.text("search_files", ["text": "find", "hidden": true])
        XCTAssertTrue(hidden.hasPrefix("5 lines found in 5 files."), hidden)
        let none = try await rig.call("search_files", ["text": "nowhere"])
        XCTAssertTrue(none.text.hasPrefix("Nothing was found."), none.text)
        XCTAssertFalse(none.isUntrusted)
        do {
            _ = try await rig.call("search_files", [:])
            XCTFail("no question")
        } catch {
            XCTAssertEqual(error as? ToolError, .failed("Give a name, a text, or both."))
        }
    }

    func testASearchIsBounded() async throws {
        let lines = String(repeating: "hit\n", count: 200)
        let rig = try Rig(
            Dictionary(uniqueKeysWithValues: (0..<12).map { ("app/f\($0).txt", lines) }))
        let text = try await rig.text("search_files", ["text": "hit", "limit": 60])
        XCTAssertTrue(text.contains("There is more: look for something narrower."), text)
        XCTAssertEqual(text.split(separator: "\n").filter { $0.hasPrefix("app/") }.count, 60)
        XCTAssertTrue(text.contains("app/f0.txt: more lines, not shown"), text)
    }

    func testWhatMustNotBeOpenedIsNot() throws {
        let rig = try Rig(["app/a": "x", "app/.ssh/config": "x", "own/chat.db": "x", "file": "x"])
        let folders = OpenFolders(home: rig.top.path, ownFolders: [rig.top.path("own")])
        let table: [(String, OpenFolders.Problem)] = [
            ("/", .everything), ("/proc", .kernel), ("/sys", .kernel), ("/dev", .kernel),
            (rig.top.path("app/.ssh"), .keys), (rig.top.path("own"), .own),
            (rig.top.path("file"), .notFolder), (rig.top.path("none"), .system(ENOENT)),
        ]
        for (path, wanted) in table {
            XCTAssertThrowsError(try folders.open(path), path) {
                XCTAssertEqual($0 as? OpenFolders.Problem, wanted, path)
            }
        }
        XCTAssertTrue(folders.isEmpty)
        XCTAssertEqual(try folders.open("~/app").name, "app")
        XCTAssertEqual(try folders.open(rig.top.path("app/../app")).name, "app")
        XCTAssertEqual(folders.names, ["app"])
    }

    func testAFolderStaysTheOneThatWasOpened() async throws {
        let rig = try Rig(["app/a.txt": "mine", "other/a.txt": "not mine"])
        XCTAssertEqual(rename(rig.top.path("app"), rig.top.path("moved")), 0)
        XCTAssertEqual(symlink("other", rig.top.path("app")), 0)
        let text = try await rig.text("read_file", ["path": "app/a.txt"])
        XCTAssertEqual(text, "app/a.txt, 1 line\n1\tmine")
    }

    func testTheNamesOfKeysAreKnown() {
        let secret = [
            ".env", ".env.local", ".envrc", ".ENV", ".env.bak", "prod.env", "tls.pem", "a.key",
            "id_rsa", "id_rsa.bak", "id_ed25519_work", "id_github", "x.kdbx", ".netrc", "_netrc",
            ".npmrc", "credentials", "x.p12",
            "release.jks", ".git-credentials", "i\u{200D}d_rsa", "ID_RSA", "id_dsa.old~",
        ]
        let plain = [
            "id_rsa.pub", "id_map.py", "identity.md", "env.md", ".env.example", ".env.sample",
            "monkey.txt", "keyboard.c", "environment", "pem.md", "notes.txt",
        ]
        for name in secret { XCTAssertTrue(SecretFile.isSecretFile(name, in: nil), name) }
        for name in plain { XCTAssertFalse(SecretFile.isSecretFile(name, in: nil), name) }
        XCTAssertTrue(SecretFile.isSecretFile("config", in: ".git"))
        XCTAssertFalse(SecretFile.isSecretFile("config", in: "app"))
        for name in [".ssh", ".SSH", ".\u{17F}sh", ".gnupg"] {
            XCTAssertTrue(SecretFile.isSecretFolder(name), name)
        }
        XCTAssertFalse(SecretFile.isSecretFolder("ssh"))
        XCTAssertTrue(SecretFile.holdsKey(Array("x\n-----BEGIN PGP PRIVATE KEY BLOCK-----".utf8)))
    }
}
