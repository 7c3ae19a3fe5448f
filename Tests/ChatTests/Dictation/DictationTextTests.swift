import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// The words after `record`, and what was said on its way into the line.
final class DictationTextTests: XCTestCase {
    func testOptionsAreReadWhole() throws {
        var all = try RecordOptions([])
        XCTAssertNil(all.limit)
        XCTAssertTrue(all.transcribes)
        all = try RecordOptions([
            "--for", "1h30m", "--output", "a b.WAV", "--language", "de", "--keep",
            "--no-transcribe",
        ])
        XCTAssertEqual(all.limit, 5_400)
        XCTAssertEqual(all.output, "a b.WAV")
        XCTAssertEqual(all.language, "de")
        XCTAssertTrue(all.keeps)
        XCTAssertFalse(all.transcribes)
    }

    func testWhatIsNoOptionOrNoLengthOfTimeIsRefused() {
        let wrong = [
            ["--for"], ["--for", "soon"], ["--for", "0"], ["--for", "-5"], ["--for", "5x"],
            ["--for", "m"], ["--for", "99999999999999999999"], ["--output", "a.mp3"],
            ["--output", ""], ["five"], ["--keep", "--loud"], ["--language", "english"],
            ["--language", "e1"],
        ]
        for words in wrong {
            XCTAssertThrowsError(try RecordOptions(words), "\(words)") {
                XCTAssertTrue($0 is UsageError)
            }
        }
    }

    func testLengthsOfTime() {
        let lengths: [String: Double] = [
            "10": 10, "10s": 10, "5m": 300, "1h": 3_600, "1m30s": 90, "1m30": 90,
        ]
        for (text, seconds) in lengths {
            XCTAssertEqual(try RecordOptions(["--for", text]).limit, seconds, text)
        }
    }

    func testWordsComeAtTheEndOfTheLineAndActOnNothing() {
        let cases: [(said: String, draft: String, line: String)] = [
            ("call mom", "", "call mom"),
            ("call mom", "please", "please call mom"),
            ("call mom", "please ", "please call mom"),
            ("call mom", "first\n", "first\ncall mom"),
            (" call\n\n mom\t", "", "call mom"),
            ("", "please", "please"),
            ("/quit", "", "quit"),
            (" / /delete ~/x", "", "delete ~/x"),
            ("/quit", "  ", "  quit"),
            ("/quit", "say", "say /quit"),
            ("a\u{1B}[2Jb\u{7F}\u{9B}c", "", "a[2Jbc"),
            ("日本語 を", "x", "x 日本語 を"),
        ]
        for (said, draft, line) in cases {
            XCTAssertEqual(DictatedWords.added(said, to: draft), line, said.debugDescription)
        }
    }

    func testAPathIsWrittenSoThatItCanBeTyped() throws {
        for path in ["/a/b.wav", "/a b/c.wav", "/a\"$x`\\'.wav", "/日本 (2).wav"] {
            let typed = ShellTokenizer.quoted(path)
            XCTAssertEqual(try ShellTokenizer.words(typed: typed), [path])
            let shell = Process.apart()
            let output = Pipe()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            shell.arguments = ["-c", "printf %s \(typed)"]
            shell.standardOutput = output
            try shell.run()
            let bytes = output.fileHandleForReading.readDataToEndOfFile()
            shell.waitUntilExit()
            XCTAssertEqual(String(decoding: bytes, as: UTF8.self), path)
        }
    }
}
