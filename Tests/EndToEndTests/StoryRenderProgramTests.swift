import AgentCore
import Foundation
import TestSupport
import XCTest

/// `chat story render` with the real program and the real espeak-ng: checks 29 and 30.
final class StoryRenderProgramTests: XCTestCase {
    private static let tide =
        "Chapter 1\n\n“Will it rise?” asked Ida. “I do not know,” said Bo, and looked at the sea "
        + "for as long as there was any light.\n\nChapter 2\n\nIt rose. “There it is!” cried Ida.\n"

    /// Its espeak-ng has only some voices, for each list of them tries all, and writes down
    /// each time that it speaks, before `body`.
    private func program(_ body: String = "") throws -> ChatProgram {
        let chat = try ChatProgram()
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/espeak-ng") else {
            throw XCTSkip("needs the package espeak-ng")
        }
        let espeak = try chat.folder.write(
            """
            #!/bin/sh
            case "$*" in
            --voices) exec /usr/bin/espeak-ng --voices | grep -E 'Pty|^ *[0-9]+ +en' ;;
            --voices=variant) exec /usr/bin/espeak-ng --voices=variant | head -n 20 ;;
            *" -s "*) echo spoken >>"$HOME/spoken"
                \(body) ;;
            esac
            exec /usr/bin/espeak-ng "$@"
            """.utf8, to: "espeak-ng")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: espeak)
        chat.variables["PATH"] = chat.folder.path + ":" + TestMachine.path
        let path = try chat.folder.write(Self.tide.utf8, to: "tide.txt")
        let imported = try chat.run(["story", "import", path])
        XCTAssertEqual(imported.exit, 0, imported.errorText)
        return chat
    }

    private func spoken(_ chat: ChatProgram) -> Int {
        let bytes = (try? chat.folder.read("account/spoken")) ?? []
        return bytes.count { $0 == 0x0A }
    }

    private static let oracle = """
        import array, json, sys, wave
        w = wave.open(sys.argv[1])
        samples = array.array("h", w.readframes(10**9))
        print(json.dumps({"rate": w.getframerate(), "frames": w.getnframes(),
            "peak": max(max(samples), -min(samples))}))
        """

    func testAStoryBecomesASoundFileAndItsSubtitles() throws {
        let chat = try program()
        let path = chat.folder.path("a.wav")
        let done = try chat.json(["story", "render", "s1", "-o", path, "--json"])
        let facts = try JSONParser.parse(
            Array(try Python.run(Self.oracle, arguments: [path]).utf8))
        XCTAssertEqual(facts["frames"], done["frames"])
        XCTAssertEqual(facts["rate"]?.integerValue, 22_050)
        // −1 dBFS.
        XCTAssertLessThanOrEqual(facts["peak"]?.integerValue ?? .max, 29_205)
        XCTAssertEqual(done["lines"]?.integerValue, 9)
        XCTAssertEqual(done["failed"]?.integerValue, 0)
        XCTAssertEqual(spoken(chat), 9)
        // Chapter 1 | “…?” | asked Ida. | “…,” | said Bo … | Chapter 2 | It rose. | “…!” | cried
        let silence = [0.5, 0.5, 0.5, 0.5, 2, 0.25, 0.5, 0.5].reduce(0, +)
        XCTAssertEqual(
            done["silentFrames"]?.integerValue ?? 0, Int(silence * 22_050), accuracy: 8)

        let text = chat.folder.path("a.srt")
        let subtitles = try chat.run(["story", "render", "s1", "-o", text])
        XCTAssertEqual(subtitles.exit, 0, subtitles.errorText)
        XCTAssertEqual(spoken(chat), 9, "made again")
        let srt = String(decoding: try chat.folder.read("a.srt"), as: UTF8.self)
        XCTAssert(srt.contains("\nIda: “There it is!”\n"), srt)
        let again = try chat.run(["story", "render", "s1", "-o", path])
        again.assertFailure(2, "exists already")
    }

    /// What was made before it was killed is not made again, and nothing of it stays.
    func testAKilledRenderingGoesOnWhereItWas() throws {
        // From the sixth sentence on it waits.
        let chat = try program(
            """
            n=1; while ! mkdir "$HOME/n$n" 2>/dev/null; do n=$((n+1)); done
            [ $n -lt 6 ] || while [ ! -e "$HOME/go" ]; do sleep 0.1; done
            """)
        let path = chat.folder.path("a.wav")
        let killed = try chat.start(["story", "render", "s1", "-o", path])
        func kept() -> Int {
            chat.files.count { $0.hasPrefix("state/sound/") && $0.hasSuffix(".pcm") }
        }
        let made = try OtherProcess.waitUntil("five sounds") { kept() == 5 ? 5 : nil }
        kill(killed.pid, SIGKILL)
        XCTAssertEqual(try killed.finish().exit, -SIGKILL)
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
        let before = spoken(chat)
        try chat.folder.write([], to: "account/go")
        let done = try chat.json(["story", "render", "s1", "-o", path, "--json"])
        XCTAssertEqual(done["lines"]?.integerValue, 9)
        XCTAssertEqual(spoken(chat) - before, 9 - made)
        let left = try FileManager.default.contentsOfDirectory(atPath: chat.folder.path)
            .filter { $0.hasPrefix(".chat-") }
        XCTAssertEqual(left, [])
    }

    func testWithoutFFmpegItIsSaidWithTheLineThatInstallsIt() throws {
        let chat = try program()
        chat.variables["PATH"] = chat.folder.path
        let refused = try chat.run(["story", "render", "s1", "-o", chat.folder.path("a.mp3")])
        refused.assertFailure(5, "ffmpeg", "install ffmpeg")
    }
}
