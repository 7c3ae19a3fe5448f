import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import ChatKit

/// What is read of a clipboard, from programs that stand in for those of the desktop.
final class ClipboardReaderTests: XCTestCase {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]

    private func program(_ name: String, types: String, in folder: TemporaryFolder) throws {
        try folder.write(Self.png, to: "png")
        let script = """
            #!/bin/sh
            echo "$*" >> '\(folder.path)/calls'
            case "$*" in
            *--list-types|*TARGETS*) printf '\(types)' ;;
            *image/*) /bin/cat '\(folder.path)/png' ;;
            *uri-list*) printf '# copied\\r\\nfile:///tmp/a%%20b.png\\r\\nfile://localhost/tmp/c.md\\r\\n' ;;
            *) printf 'some\\ntext' ;;
            esac
            """
        XCTAssertEqual(chmod(try folder.write(Array(script.utf8), to: name), 0o755), 0)
    }

    private func read(
        _ name: String, types: String, display: String
    ) async throws -> (content: ClipboardReader.Content, calls: String) {
        let folder = try TemporaryFolder()
        try program(name, types: types, in: folder)
        let reader = ClipboardReader(variables: ["PATH": folder.path, display: "x"])
        let content = try await reader.read()
        return (content, String(decoding: try folder.read("calls"), as: UTF8.self))
    }

    func testAnImageComesBeforeTextAndFilesBeforeBoth() async throws {
        for (name, display) in [("wl-paste", "WAYLAND_DISPLAY"), ("xclip", "DISPLAY")] {
            let image = try await read(name, types: "text/plain\\nimage/png\\n", display: display)
            XCTAssertEqual(image.content, .image(Self.png), name)
            let other = try await read(name, types: "TARGETS\\nimage/webp\\n", display: display)
            XCTAssertEqual(other.content, .image(Self.png), name)
            let files = try await read(
                name, types: "text/uri-list\\nimage/png\\ntext/plain\\n", display: display)
            XCTAssertEqual(files.content, .files(["/tmp/a b.png", "/tmp/c.md"]), name)
            let text = try await read(name, types: "UTF8_STRING\\n", display: display)
            XCTAssertEqual(text.content, .text("some\ntext"), name)
            let empty = try await read(name, types: "", display: display)
            XCTAssertEqual(empty.content, .empty, name)
            XCTAssertEqual(
                image.calls,
                name == "xclip"
                    ? "-selection clipboard -t TARGETS -o\n-selection clipboard -t image/png -o\n"
                    : "--list-types\n--no-newline --type image/png\n")
        }
    }

    func testWhatIsMissingIsSaidWithTheLineThatInstallsIt() async throws {
        let folder = try TemporaryFolder()
        for (variables, problem, hint) in [
            (["WAYLAND_DISPLAY": "x"], "wl-paste, which is not installed", "wl-clipboard"),
            (["DISPLAY": ":0"], "xclip, which is not installed", "xclip"),
            ([:], "There is no desktop clipboard", "/attach FILE"),
        ] as [([String: String], String, String)] {
            do {
                let reader = ClipboardReader(
                    variables: variables.merging(["PATH": folder.path]) { $1 })
                _ = try await reader.read()
                XCTFail("read")
            } catch let error as UsageError {
                XCTAssertTrue(error.problem.contains(problem), error.problem)
                XCTAssertTrue(error.hint?.contains(hint) ?? false, error.hint ?? "")
            }
        }
        // X11 behind Wayland will do.
        try program("xclip", types: "image/png\\n", in: folder)
        let both = ClipboardReader(
            variables: ["PATH": folder.path, "WAYLAND_DISPLAY": "x", "DISPLAY": ":0"])
        let content = try await both.read()
        XCTAssertEqual(content, .image(Self.png))
    }

    func testSeveralDroppedPathsAreOneDrop() {
        let mentions = FileMentions(
            home: "/home/u",
            isFile: { ["/a.png", "/b c.png", "/home/u/d.pdf", "/e%.png"].contains($0) })
        let table: [(String, [String])] = [
            ("/a.png '/b c.png' ", ["/a.png", "/b c.png"]),
            (#"/a.png /b\ c.png ~/d.pdf"#, ["/a.png", "/b c.png", "/home/u/d.pdf"]),
            ("file:///b%20c.png\nfile://localhost/a.png", ["/b c.png", "/a.png"]),
            ("file:///e%25.png", ["/e%.png"]), ("file://other/a.png", []),
            ("/a.png and /b", []), ("/a.png /none", []), ("'/a.png", []), ("", []),
        ]
        for (line, paths) in table {
            XCTAssertEqual(mentions.onlyPaths(line).map(\.path), paths, line)
        }
        XCTAssertNil(mentions.onlyPath("/a.png /a.png"))
    }
}
