import XCTest

@testable import ChatKit

/// Which words of a message are files.
final class FileMentionsTests: XCTestCase {
    private let files: Set<String> = [
        "notes.md", "my notes.md", "/home/u/plan.md", "a.b", "src/x.c", "/tmp/my pic.png",
        "/tmp/it's.png", "eve@example.org", "dir.",
    ]

    private func find(_ text: String) -> [String] {
        mentions.find(in: text).map(\.path)
    }

    private var mentions: FileMentions {
        FileMentions(
            home: "/home/u", isFile: { [files] in files.contains($0) },
            isFolder: { ["src", "/home/u/papers", ".", "dir"].contains($0) })
    }

    func testWhatIsProbablyMeantAsAFileAndIsNoneIsTold() {
        let texts: [(String, paths: [String], folders: [String], others: [String])] = [
            // Paths: the message is not sent.
            ("see @./none.md, please", ["./none.md"], [], []),
            ("@~/none @/etc/none @../x", ["~/none", "/etc/none", "../x"], [], []),
            ("@~/papers", ["~/papers"], [], []),
            // What may be meant: it is said.
            ("what is in @src?", [], ["src"], []),
            ("how do I use @types/node?", [], [], ["types/node"]),
            ("see @non.md and @non.md, @notes.md", [], [], ["non.md"]),
            (#"@"my none.md" and @'x y'"#, [], [], ["my none.md", "x y"]),
            // Code.
            ("import x from '@/lib/utils'", [], [], ["/lib/utils"]),
            ("one line\n@Test.only @./none.md\n", [], [], ["Test.only", "./none.md"]),
            (#"NSLog(@"Hello %d\n", 1)"#, [], [], []),
            ("@app.route('/x')\n@Test @dataclass", [], [], []),
            // Text.
            ("hi @nobody, eve@none.org, @eve@none.org and @3.5", [], [], ["nobody"]),
            ("@ @. @.. @/ x@./none.md @\"open", [], [], []), ("", [], [], []),
        ]
        for (text, paths, folders, others) in texts {
            let misses = mentions.misses(in: text)
            for (kind, words) in [
                (FileMentions.Miss.Kind.path, paths), (.folder, folders), (.likeness, others),
            ] {
                XCTAssertEqual(
                    misses.filter { $0.kind == kind }.map(\.mention.shown), words, text)
            }
        }
        XCTAssertEqual(AttachmentLine.misses([]), [])
        XCTAssertEqual(
            AttachmentLine.misses(mentions.misses(in: "@a/b @c.d @e.f @g.h and @src")),
            [
                "@src is a folder; it goes as text.",
                "@a/b, @c.d, @e.f and 1 more are not files here; they go as text.",
            ])
    }

    func testAnItemIsANumberBehindAnIThatIsNoFile() {
        let ids = { (text: String) in self.mentions.items(in: text) }
        XCTAssertEqual(ids("see @i12, then @i3 and @i12 (@i7)."), ["i12", "i3", "i7"])
        XCTAssertEqual(ids("two lines\n@i1\n"), ["i1"])
        XCTAssertEqual(ids("see @l7, @i7 and (@l3)"), ["l7", "l3"])
        XCTAssertEqual(ids("what happens in @s4?"), ["s4"])
        for text in ["@12", "@last", "@i", "@i0", "@ix1", "@i1x", "a@i12", "@i1/x", "@I12", "@i-1"]
        {
            XCTAssertEqual(ids(text), [], text)
        }
        let mentions = FileMentions(home: nil, isFile: { $0 == "i12" })
        XCTAssertEqual(mentions.items(in: "@i12 @i3"), ["i3"])
        XCTAssertEqual(mentions.find(in: "@i12").map(\.path), ["i12"])
        XCTAssertEqual(
            AttachmentLine.misses(mentions.misses(in: "@i3 and @i4")),
            ["@i3, @i4 are not in the library; they go as text."])
    }

    func testAWordThatBeginsWithAnAtAndIsAFileIsAttached() {
        let texts: [(String, [String])] = [
            ("look at @notes.md", ["notes.md"]),
            ("@notes.md", ["notes.md"]),
            ("see @notes.md, then @src/x.c.", ["notes.md", "src/x.c"]),
            ("(@notes.md)", ["notes.md"]),
            ("is it @notes.md?!", ["notes.md"]),
            ("twice @notes.md @notes.md", ["notes.md"]),
            (#"@"my notes.md" and @my\ notes.md"#, ["my notes.md"]),
            ("@'my notes.md'!", ["my notes.md"]),
            ("home @~/plan.md", ["/home/u/plan.md"]),
            ("one line\n@a.b\n", ["a.b"]),
            ("a folder's name @dir. ends so", ["dir."]),
        ]
        for (text, paths) in texts { XCTAssertEqual(find(text), paths, text) }
    }

    func testEverythingElseWithAnAtIsText() {
        let texts = [
            "write to eve@example.org", "hi @nobody", "a@notes.md", "@", "@ notes.md", "@@notes.md",
            "@\"my notes.md", "@notes.mdx", "@notes", "@~", "@\\", "100 @ 3", "",
        ]
        for text in texts { XCTAssertEqual(find(text), [], text) }
    }

    func testALineThatIsOnlyAPathIsTakenAsATerminalWritesIt() {
        let lines: [(String, String?)] = [
            ("'/tmp/my pic.png' ", "/tmp/my pic.png"),
            (#"/tmp/my\ pic.png"#, "/tmp/my pic.png"),
            ("\"/tmp/my pic.png\"", "/tmp/my pic.png"),
            ("file:///tmp/my%20pic.png", "/tmp/my pic.png"),
            ("/tmp/it\\'s.png", "/tmp/it's.png"), ("~/plan.md", "/home/u/plan.md"),
            ("/tmp/my pic.png", nil), ("/tmp/none.png", nil), ("notes.md", nil),
            ("file:///tmp/my%2", nil), ("'/tmp/my pic.png", nil), ("what is /home/u/plan.md", nil),
            ("", nil),
        ]
        for (line, path) in lines { XCTAssertEqual(mentions.onlyPath(line)?.path, path, line) }
    }

    func testALongMessageIsReadOnce() {
        let text = String(repeating: "@@@ @a@b \\@c ", count: 20_000)
        XCTAssertEqual(find(text), [])
    }
}
