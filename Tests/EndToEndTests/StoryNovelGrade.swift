import Base
import Foundation
import TestSupport
import XCTest

/// A novel through the real program: imported, indexed, cast, listened to, rendered,
/// exported as a book and as an archive, and imported from both again. `make test` takes
/// two chapters of it.
final class StoryNovelGrade: XCTestCase {
    /// Speaks a hum, ten samples for each letter, and line by line as espeak-ng does.
    private static let voice = #"""
        #!/usr/bin/env python3
        import os, sys
        words = sys.argv[1:]
        speakers = "f1 f2 f3 f4 m1 m2 m3 m4 klatt3 linda david".split()
        if words == ["--version"]:
            print("hum 1"); sys.exit()
        if words == ["--voices"]:
            print("Pty Language\n 2 en-us --/M English_(America) gmw/en-US (en 3)"); sys.exit()
        if words == ["--voices=variant"]:
            print("Pty Language")
            for index, name in enumerate(speakers): print(f" 5 variant --/{'FM'[name[0] == 'm']} {name} !v/{name}")
            sys.exit()
        voice = words[words.index("-v") + 1]
        number = ("x " + " ".join(speakers)).split().index(voice.split("+")[1]) if "+" in voice else 0
        period = 60 + 25 * number
        out = sys.stdout.buffer
        out.write(b"RIFF\x24\xf0\xff\x7fWAVEfmt \x10\0\0\0\x01\0\x01\0\x22\x56\0\0\x44\xac\0\0\x02\0\x10\0data\0\xf0\xff\x7f")
        wave = b"\xb8\x0b" * (period // 2) + b"\x48\xf4" * (period - period // 2)
        def say(line, count=None):
            count = count or 10 * len(line.strip())
            if line.strip():
                out.write((wave * (count // period + 1))[:2 * count])
                with open(os.environ["HOME"] + "/spoken", "a") as file: file.write("x")
            else:
                out.write(b"\0" * 20)
            out.flush()
        if "--stdin" in words:
            say(sys.stdin.buffer.read(), 22050)
        else:
            for line in iter(sys.stdin.buffer.readline, b""): say(line)
        """#

    private static let generator = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Benchmarks/stories/generate.py").path

    /// Imported and indexed as `s1`.
    private struct Novel {
        let chat: ChatProgram
        let path: String
        let source: [UInt8]
        let chapters: Int
    }

    private func novel() throws -> Novel {
        let chat = try ChatProgram()
        let espeak = try chat.folder.write(Self.voice.utf8, to: "espeak-ng")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: espeak)
        chat.variables["PATH"] = chat.folder.path + ":" + TestMachine.path
        let path = chat.folder.path("novel.txt")
        _ = try Python.run(
            """
            import runpy, sys
            sys.path.insert(0, sys.argv[1].rpartition("/")[0])
            sys.argv = [sys.argv[1], "--novel", sys.argv[3], "--out", sys.argv[2]]
            runpy.run_path(sys.argv[0], run_name="__main__")
            """, arguments: [Self.generator, path, Grade.isWhole ? "300" : "20"])
        let source = try chat.folder.read("novel.txt")
        XCTAssertGreaterThanOrEqual(source.count, Grade.isWhole ? 300_000 : 20_000)
        let imported = try chat.json(["story", "import", path, "--json"])
        let chapters = try XCTUnwrap(imported["chapters"]?.integerValue)
        XCTAssertGreaterThan(chapters, Grade.isWhole ? 20 : 1)
        XCTAssertEqual(imported["language"]?.stringValue, "en")
        XCTAssertEqual(try chat.run(["story", "index", "s1"]).exit, 0)
        return Novel(chat: chat, path: path, source: source, chapters: chapters)
    }

    func testAWholeNovelIsImportedCastAndListenedTo() throws {
        let novel = try novel()
        let chat = novel.chat
        let segments = try Python.run(
            "import json, sys; print(''.join(s['text'] for s in json.load(open(sys.argv[1]))), end='')",
            arguments: [
                chat.folder.write(
                    try chat.run(["story", "segments", "s1", "--json"]).output, to: "segments.json")
            ])
        XCTAssert(Array(segments.utf8) == novel.source, "the segments are not the text")
        let cast = try chat.json(["story", "cast", "s1", "--json"])
        // The generator has fourteen people; not all of them meet in two chapters.
        let people = min(cast.arrayValue?.count ?? 0, 14)
        if Grade.isWhole {
            Grade.check("a novel's cast", right: people, of: 14, atLeast: 12.0 / 14)
        } else {
            XCTAssertGreaterThan(people, 5)
        }
        XCTAssertEqual(try chat.run(["story", "voices", "--auto", "s1"]).exit, 0)
        try listen(chat, chapters: novel.chapters)
    }

    func testAWholeNovelIsRenderedAndExportedAndComesBack() throws {
        let novel = try novel()
        let (chat, chapters) = (novel.chat, novel.chapters)
        let path = chat.folder.path("novel.wav")
        let done = try chat.json(["story", "render", "s1", "-o", path, "--json"])
        XCTAssertEqual(done["failed"]?.integerValue, 0)
        XCTAssertEqual(done["chapters"]?.arrayValue?.count, chapters)
        let lines = try XCTUnwrap(done["lines"]?.integerValue)
        XCTAssertGreaterThan(lines, Grade.isWhole ? 5_000 : 300)
        XCTAssertEqual(
            try Python.run(
                "import sys, wave; print(wave.open(sys.argv[1]).getnframes(), end='')",
                arguments: [path]),
            "\(done["frames"]?.integerValue ?? 0)")
        // Sentences that are the same are made once.
        let spoken = try chat.folder.read("account/spoken").count
        XCTAssertLessThanOrEqual(spoken, lines)
        let subtitles = chat.folder.path("novel.srt")
        XCTAssertEqual(try chat.run(["story", "render", "s1", "-o", subtitles]).exit, 0)
        XCTAssertEqual(try chat.folder.read("account/spoken").count, spoken)

        let book = chat.folder.path("novel.epub")
        XCTAssertEqual(try chat.run(["story", "export", "s1", "-o", book]).exit, 0)
        let again = try chat.json(["story", "import", book, "--json", "--new"])
        XCTAssertEqual(again["chapters"]?.integerValue, chapters)
        let told = try words(of: book, and: novel.path)
        XCTAssertEqual(told.chapters, chapters)
        Grade.check(
            "words of a novel that its book has in their place", right: told.same, of: told.all,
            atLeast: 1)

        let archive = chat.folder.path("novel.zip")
        XCTAssertEqual(try chat.run(["story", "export", "s1", "-o", archive]).exit, 0)
        let second = try chat.json(["story", "import", archive, "--json", "--new"])
        let id = try XCTUnwrap(second["id"]?.stringValue)
        XCTAssertEqual(Array(try chat.run(["story", "show", id, "--text"]).output), novel.source)
        XCTAssertEqual(
            try chat.json(["story", "cast", id, "--json"]),
            try chat.json(["story", "cast", "s1", "--json"]))
    }

    /// On the screen of the story, from chapter to chapter and to the end of the book.
    private func listen(_ chat: ChatProgram, chapters: Int) throws {
        let player = try chat.folder.write("#!/bin/sh\nexec cat >/dev/null\n".utf8, to: "player")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: player)
        chat.variables["CHAT_PLAYER"] = player
        let shown = try ChatTerminal(chat, ["story", "play", "s1"], rows: 24)
        // A novel is prepared first, which a busy machine takes its time for.
        try shown.terminal.waitFor("the first sentence", limit: 180) { screen in
            screen.text.contains("novel") && screen.text.contains("▸")
        }
        shown.terminal.type(" ")
        try shown.waitFor("⏸ Paused")
        shown.terminal.type("]")
        try shown.waitFor("novel · 1 of \(chapters): ")
        shown.terminal.type("]")
        try shown.waitFor("novel · 2 of \(chapters): ")
        shown.terminal.type("g99%\r")
        try shown.waitFor("novel · \(chapters) of \(chapters): ")
        shown.terminal.resize(rows: 12, columns: 40)
        try shown.waitFor("\(chapters)/\(chapters)")
        shown.terminal.type("q")
        shown.assertEnd(0)
        XCTAssert(shown.transcript.joined().contains("Stopped at "), "\(shown.transcript)")
    }

    /// By a reader that is not ours: how many of the novel's words are in the book in their
    /// order, and how many headings of chapters it has.
    private func words(
        of book: String, and text: String
    ) throws -> (same: Int, all: Int, chapters: Int) {
        let told = try Python.run(
            #"""
            import re, sys, zipfile
            import xml.etree.ElementTree as tree
            book = zipfile.ZipFile(sys.argv[1])
            assert book.testzip() is None
            assert book.infolist()[0].filename == "mimetype"
            package = tree.fromstring(book.read("EPUB/package.opf"))
            items = {i.get("id"): i.get("href") for i in package.findall(".//{*}item")}
            words, count = [], 0
            for ref in package.findall(".//{*}itemref"):
                page = tree.fromstring(book.read("EPUB/" + items[ref.get("idref")]))
                count += len(page.findall(".//{*}h1"))
                words += " ".join(page.find("{*}body").itertext()).split()
            source = re.sub(r"(?<!\w)_|_(?!\w)", "", open(sys.argv[2], encoding="utf-8").read()).split()
            same = next((n for n, (a, b) in enumerate(zip(words, source)) if a != b), min(len(words), len(source)))
            print(same, max(len(words), len(source)), count)
            """#, arguments: [book, text])
        let numbers = told.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard numbers.count == 3 else { throw RunningProgram.Failure(description: told) }
        return (numbers[0], numbers[1], numbers[2])
    }

    /// Debian's is a jar, which starts by itself only with a helper of the kernel.
    func testEpubcheckFindsNothingWrongWithABook() throws {
        let chat = try ChatProgram()
        let path = try chat.folder.write("Chapter 1\n\n“It rose,” said Ida.\n".utf8, to: "tide.txt")
        XCTAssertEqual(try chat.run(["story", "import", path]).exit, 0)
        let book = chat.folder.path("tide.epub")
        XCTAssertEqual(try chat.run(["story", "export", "s1", "-o", book]).exit, 0)
        let verdict = try Python.run(
            """
            import shutil, subprocess, sys
            program = shutil.which("epubcheck")
            words = [program] if program else []
            if program and open(program, "rb").read(2) == b"PK":
                words = ["java", "-jar", program]
            try:
                subprocess.run(words + ["--version"], check=True, capture_output=True)
            except (OSError, IndexError, subprocess.CalledProcessError):
                print("absent")
                sys.exit()
            told = subprocess.run(words + ["-q", sys.argv[1]], capture_output=True, text=True)
            print(told.returncode, told.stdout, told.stderr)
            """, arguments: [book])
        guard verdict != "absent\n" else {
            throw XCTSkip("epubcheck is not installed, or cannot be started (Debian: epubcheck)")
        }
        XCTAssertTrue(verdict.hasPrefix("0 "), verdict)
    }
}
