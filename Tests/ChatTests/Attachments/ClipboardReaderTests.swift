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

    // MARK: - Previews

    func testTheTerminalsThatShowPicturesAreKnown() {
        let table: [([String: String], ImagePreview.Way?)] = [
            (["TERM": "xterm-kitty"], .kitty), (["TERM": "xterm-ghostty"], .kitty),
            (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .iterm),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iterm),
            (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .iterm),
            (["TERM": "xterm-256color", "KONSOLE_VERSION": "230401"], .kitty),
            (["TERM": "xterm-256color", "KONSOLE_VERSION": "210401"], nil),
            (["TERM": "xterm-256color"], nil), (["TERM": "dumb", "TERM_PROGRAM": "WezTerm"], nil),
            (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], nil),
            (["TERM": "xterm-kitty", "TMUX": "/tmp/x"], nil), (["TERM_PROGRAM": "WezTerm"], nil),
        ]
        for (variables, way) in table {
            XCTAssertEqual(ImagePreview.way(.auto, variables: variables), way, "\(variables)")
            XCTAssertNil(ImagePreview.way(.off, variables: variables))
            XCTAssertEqual(ImagePreview.way(.kitty, variables: variables), .kitty)
        }
    }

    func testAPictureIsSentInPiecesThatHoldNothingButItsBytes() throws {
        let image = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let size = ImageHeader.Size(width: 1_600, height: 800)
        let kitty = String(
            decoding: ImagePreview.bytes(image, size, .kitty, width: 80), as: UTF8.self)
        let pieces = kitty.components(separatedBy: "\u{1B}_G").dropFirst()
        XCTAssertEqual(pieces.count, 4)
        XCTAssertTrue(kitty.hasPrefix("    \u{1B}_Ga=T,f=100,q=2,c=32,r=8,m=1;"), kitty)
        let text = try pieces.map { piece -> String in
            let body = try XCTUnwrap(piece.components(separatedBy: ";").last)
            XCTAssertTrue(piece.contains("q=2"))
            return try XCTUnwrap(body.components(separatedBy: "\u{1B}\\").first)
        }
        XCTAssertTrue(text.allSatisfy { $0.utf8.count <= 4_096 })
        XCTAssertEqual(Data(base64Encoded: text.joined()), Data(image))
        XCTAssertTrue(pieces.last?.contains("m=0;") ?? false)
        let iterm = String(
            decoding: ImagePreview.bytes(image, size, .iterm, width: 80), as: UTF8.self)
        XCTAssertTrue(
            iterm.hasPrefix(
                "    \u{1B}]1337;File=inline=1;size=10000;width=32;height=8;preserveAspectRatio=1:")
        )
        XCTAssertTrue(iterm.hasSuffix("\u{07}\n"))
    }

    func testAPictureFitsTheWindowAndIsNotBlownUp() throws {
        for (width, height, window, columns, rows) in [
            (1_600, 800, 80, 32, 8), (4_000, 100, 80, 40, 1), (100, 4_000, 80, 1, 8),
            (16, 16, 80, 2, 1), (4_000, 100, 20, 14, 1), (1, 1, 80, 1, 1),
        ] {
            let cells = ImagePreview.cells(.init(width: width, height: height), width: window)
            XCTAssertEqual([cells.columns, cells.rows], [columns, rows], "\(width)×\(height)")
        }
        let signature = try XCTUnwrap(
            ImageHeader([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        func header(_ width: Int, _ height: Int) -> ImageHeader {
            var header = signature
            header.size = .init(width: width, height: height)
            return header
        }
        let small = [UInt8](repeating: 0, count: 10)
        XCTAssertTrue(ImagePreview.fits(small, header(100, 100), .kitty))
        XCTAssertFalse(ImagePreview.fits(small, header(100_000, 100_000), .kitty))
        XCTAssertFalse(ImagePreview.fits(small, header(.max, .max), .iterm))
        XCTAssertFalse(
            ImagePreview.fits(
                [UInt8](repeating: 0, count: 2 << 20), header(100, 100), .iterm))
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
