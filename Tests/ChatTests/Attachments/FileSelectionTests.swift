import Foundation
import Outside
import TestSupport
import XCTest

@testable import ChatKit

/// What folders and patterns stand for when they are attached.
final class FileSelectionTests: XCTestCase {
    private func tree() throws -> TemporaryFolder {
        let top = try TemporaryFolder()
        for folder in ["src/sub", "src/.git", "src/out", "chat-home", "src/.hidden", "empty"] {
            try FileManager.default.createDirectory(
                atPath: top.path(folder), withIntermediateDirectories: true)
        }
        for (name, text) in [
            ("src/a.swift", "let a = 1\n"), ("src/sub/b.swift", "let b = 2\n"),
            ("src/sub/c.md", "# c\n"), ("src/.git/HEAD", "x"), ("src/.hidden/x", "x"),
            ("src/.gitignore", "out/\n"), ("src/out/made.swift", "x"), ("src/.env", "KEY=1"),
            ("src/none.txt", ""), ("chat-home/chat.db", "x"),
        ] {
            try top.write(Array(text.utf8), to: name)
        }
        try top.write([0, 1, 2], to: "src/bin")
        try top.write(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
                + Array("IHDR".utf8) + [0, 0, 0, 4, 0, 0, 0, 3, 0], to: "src/pic.png")
        try FileManager.default.createSymbolicLink(
            atPath: top.path("src/link.swift"), withDestinationPath: "a.swift")
        return top
    }

    private func select(_ word: String, _ top: TemporaryFolder) throws -> FileSelection {
        let path = top.path(word)
        let kind = try XCTUnwrap(FileSelection.Kind(path: path), word)
        return try FileSelection(
            kind, path: path, shown: word, own: [top.path("chat-home")])
    }

    func testAFolderStandsForItsTextsAndAPatternForWhatFits() throws {
        let top = try tree()
        let table: [(String, names: [String], leftOut: String?)] = [
            (
                "src", ["src/a.swift", "src/sub/b.swift", "src/sub/c.md"],
                "2 hidden, 1 in .gitignore, 1 of version control, 1 that may hold keys, 1 link, "
                    + "2 not text, 1 empty"
            ),
            ("src/sub/", ["sub/b.swift", "sub/c.md"], nil),
            (
                "src/*.swift", ["src/a.swift"],
                "2 hidden, 1 of version control, 1 that may hold keys, 1 link"
            ),
            (
                "src/**/*.swift", ["src/a.swift", "src/sub/b.swift"],
                "2 hidden, 1 in .gitignore, 1 of version control, 1 that may hold keys, 1 link"
            ),
            ("src/out/*", ["out/made.swift"], nil),
            ("src/sub/[bc].*", ["sub/b.swift", "sub/c.md"], nil),
            ("chat-home", [], "1 that may hold keys"),
            ("empty", [], nil),
        ]
        for (word, names, leftOut) in table {
            let selection = try select(word, top)
            XCTAssertEqual(selection.files.map(\.name), names, word)
            XCTAssertEqual(selection.skipped.text, leftOut, word)
        }
        XCTAssertEqual(try select("src/pic*", top).files.map(\.name), ["src/pic.png"])
        XCTAssertEqual(try select("src/sub", top).line, "src/sub: 2 files, 14 bytes")
        XCTAssertNil(FileSelection.Kind(path: top.path("src/a.swift")))
        XCTAssertNil(FileSelection.Kind(path: top.path("none")))
    }

    func testTheFilesAreReadUnderTheirNamesInTheFolder() async throws {
        let top = try tree()
        try top.write([0xFF, 0xFE, 0x3D, 0xD8], to: "src/sub/half.txt")
        let selection = try select("src/sub", top)
        let paths = try Paths(variables: ["CHAT_HOME": top.path("chat-home"), "HOME": top.path])
        let (files, leftOut) = try await FileSelector(paths).load(selection)
        XCTAssertEqual(files.map(\.name), ["sub/b.swift", "sub/c.md"])
        XCTAssertEqual(leftOut, ["sub/half.txt"])
    }

    func testMuchIsAskedAboutAndTooMuchIsRefused() throws {
        let file = FileSelection.File(path: "a", name: "a", size: 10)
        func group(_ count: Int, size: Int = 10) -> FileSelection {
            FileSelection(
                shown: "x",
                files: Array(repeating: .init(path: "a", name: "a", size: size), count: count))
        }
        XCTAssertEqual(group(1).files, [file])
        XCTAssertFalse(FileSelection.isMuch([group(20)]))
        XCTAssertTrue(FileSelection.isMuch([group(21)]))
        XCTAssertTrue(FileSelection.isMuch([group(11), group(10)]))
        XCTAssertFalse(FileSelection.isMuch([group(1, size: 1 << 20)]))
        XCTAssertTrue(FileSelection.isMuch([group(1, size: 1 << 20), group(1)]))
        let top = try TemporaryFolder()
        for index in 0...FileSelection.limit { try top.write([0x61], to: "f\(index)") }
        XCTAssertThrowsError(
            try FileSelection(.folder, path: top.path, shown: "many", own: [])
        ) {
            XCTAssertEqual(
                ($0 as? AttachmentFailure)?.reason, .tooManyFiles(limit: FileSelection.limit))
        }
    }

    func testWordsOfAMessageThatStandForSeveralFiles() {
        let mentions = FileMentions(
            home: "/home/u", isFile: { $0 == "a.md" },
            isFolder: { ["src", "src/", "./", "my docs", "/home/u/papers"].contains($0) })
        let table: [(String, [String])] = [
            ("what is in @src?", ["src"]), ("@src/ and @src", ["src/", "src"]),
            ("see @./", ["./"]), ("@~/papers.", ["~/papers"]), (#"@"my docs""#, ["my docs"]),
            ("@*.swift, @src/**/*.md!", ["*.swift", "src/**/*.md"]),
            ("@photos/p[0-9].png", ["photos/p[0-9].png"]),
            ("only @a.md", []), ("@* @. @.. @[x] @what?", []),
            // Of several lines: perhaps pasted.
            ("one\n@src\n@src/\n@*.md\n@src/*.md", ["src/", "src/*.md"]),
            ("@* razor *@\n@Test", []), ("eve@src", []),
        ]
        for (text, words) in table {
            XCTAssertEqual(mentions.groups(in: text).map(\.shown), words, text)
        }
        XCTAssertEqual(mentions.groups(in: "@~/papers").map(\.path), ["/home/u/papers"])
        XCTAssertEqual(mentions.misses(in: "@src/*.none"), [])
    }
}
