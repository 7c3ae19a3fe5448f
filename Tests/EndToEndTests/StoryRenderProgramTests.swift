import Base
import Foundation
import TestSupport
import XCTest

/// `chat story render` with the real program and the real espeak-ng: checks 29 and 30.
final class StoryRenderProgramTests: XCTestCase {
    private static let tide =
        "Chapter 1\n\n“Will it rise?” asked Ida. “I do not know,” said Bo, and looked at the sea "
        + "for as long as there was any light.\n\nChapter 2\n\nIt rose. “There it is!” cried Ida.\n"

    /// Its espeak-ng does not speak line by line, so that each sentence is a run of its own,
    /// and writes down each of them, before `body`.
    private func program(_ body: String = "") throws -> ChatProgram {
        let chat = try ChatProgram()
        try espeak(body, chat)
        let path = try chat.folder.write(Self.tide.utf8, to: "tide.txt")
        let imported = try chat.run(["story", "import", path])
        XCTAssertEqual(imported.exit, 0, imported.errorText)
        return chat
    }

    private func espeak(_ body: String, writesDown file: String = "spoken", _ chat: ChatProgram)
        throws
    {
        try chat.usesEspeak(
            """
            *--stdin*" -s "*) echo spoken >>"$HOME/\(file)"
                \(body) ;;
            *" -s "*) exit 1 ;;
            """)
    }

    private func spoken(_ chat: ChatProgram, _ file: String = "spoken") -> Int {
        let bytes = (try? chat.folder.read("account/\(file)")) ?? []
        return bytes.count { $0 == 0x0A }
    }

    private static let oracle = """
        import array, json, sys, wave
        w = wave.open(sys.argv[1])
        samples = array.array("h", w.readframes(10**9))
        print(json.dumps({"rate": w.getframerate(), "frames": w.getnframes(),
            "peak": max(max(samples), -min(samples))}))
        """

    func testTheSoundOfAStoryIsDeletedForGoodWithIt() throws {
        let chat = try program()
        let other = try chat.folder.write("The sea was still.\n".utf8, to: "sea.txt")
        XCTAssertEqual(try chat.run(["story", "import", other]).exit, 0)
        for id in ["s1", "s2"] {
            let made = try chat.run(["story", "render", id, "-o", chat.folder.path("\(id).wav")])
            XCTAssertEqual(made.exit, 0, made.errorText)
        }
        func sounds() throws -> Int {
            let files = FileManager.default.enumerator(atPath: chat.folder.path)
            let paths = try XCTUnwrap(files).compactMap { $0 as? String }
            return paths.count { $0.hasSuffix(".pcm") }
        }
        XCTAssertEqual(try sounds(), 10)
        XCTAssertEqual(try chat.run(["story", "delete", "s1", "--yes"]).exit, 0)
        // It may come back.
        XCTAssertEqual(try sounds(), 10)
        XCTAssertEqual(try chat.run(["library", "empty-trash", "--yes"]).exit, 0)
        XCTAssertEqual(try sounds(), 1)
    }

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
            done["silentFrames"]?.integerValue ?? 0, Int(silence * 22_050), accuracy: 1)

        let text = chat.folder.path("a.srt")
        let subtitles = try chat.run(["story", "render", "s1", "-o", text])
        XCTAssertEqual(subtitles.exit, 0, subtitles.errorText)
        XCTAssertEqual(spoken(chat), 9, "made again")
        let srt = String(decoding: try chat.folder.read("a.srt"), as: UTF8.self)
        XCTAssert(srt.contains("\nIda: “There it is!”\n"), srt)
        let again = try chat.run(["story", "render", "s1", "-o", path])
        again.assertFailure(2, "already exists")
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
        // Runs of the killed one may write down that they began only now.
        try espeak("", writesDown: "later", chat)
        try chat.folder.write([], to: "account/go")
        let done = try chat.json(["story", "render", "s1", "-o", path, "--json"])
        XCTAssertEqual(done["lines"]?.integerValue, 9)
        XCTAssertEqual(spoken(chat, "later"), 9 - made)
        let left = try FileManager.default.contentsOfDirectory(atPath: chat.folder.path)
            .filter { $0.hasPrefix(".chat-") }
        XCTAssertEqual(left, [])
    }

    func testCtrlCStopsItAndSaysThatWhatWasMadeIsKept() throws {
        // The first twelve sentences are made to say how long it takes; it waits after two more.
        let chat = try program(
            """
            n=1; while ! mkdir "$HOME/n$n" 2>/dev/null; do n=$((n+1)); done
            [ $n -lt 15 ] || while [ ! -e "$HOME/go" ]; do sleep 0.1; done
            """)
        let text = (1...20).map { "There were \($0) boats." }.joined(separator: " ")
        let path = try chat.folder.write(text.utf8, to: "boats.txt")
        XCTAssertEqual(try chat.run(["story", "import", path]).exit, 0)
        let made = chat.folder.path("b.wav")
        let render = try ChatTerminal(chat, ["story", "render", "s2", "-o", made])
        try render.waitFor("14 of 20 sentences")
        render.terminal.type("\u{03}")
        try render.waitFor("What was made is kept")
        render.assertEnd(130)
        XCTAssertFalse(chat.files.contains { $0.hasPrefix(".chat-") || $0 == "b.wav" })
        try chat.folder.write([], to: "account/go")
        let done = try chat.json(["story", "render", "s2", "-o", made, "--json"])
        XCTAssertEqual(done["lines"]?.integerValue, 20)
    }

    func testWithoutFFmpegItIsSaidWithTheLineThatInstallsIt() throws {
        let chat = try program()
        chat.variables["PATH"] = chat.folder.path
        let refused = try chat.run(["story", "render", "s1", "-o", chat.folder.path("a.mp3")])
        refused.assertFailure(5, "ffmpeg", "install ffmpeg")
    }
}
