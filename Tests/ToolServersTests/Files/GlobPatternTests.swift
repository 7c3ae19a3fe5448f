import Glibc
import TestSupport
import XCTest

@testable import Outside

/// Patterns of paths, and what `.gitignore` makes of them.
final class GlobPatternTests: XCTestCase {
    func testPatternsMatchAsAShellHasThem() throws {
        let table: [(pattern: String, fits: [String], not: [String])] = [
            ("*.swift", ["a.swift", ".swift"], ["a.swift.md", "src/a.swift", "aswift"]),
            ("src/*.md", ["src/a.md"], ["a.md", "src/x/a.md", "lib/a.md"]),
            ("src/**/*.md", ["src/a.md", "src/x/a.md", "src/x/y/z.md"], ["a.md", "srcs/a.md"]),
            ("**/test", ["test", "a/test", "a/b/test"], ["tests", "a/test/b"]),
            ("**", ["a", "a/b/c"], []),
            ("a**b", ["ab", "axxb"], ["a/b"]),
            ("photo?.png", ["photo1.png", "photoü.png"], ["photo.png", "photo12.png"]),
            ("[a-c]x[!0-9]", ["axz", "cx-"], ["dxz", "ax1"]),
            ("[]x]", ["]", "x"], ["[", "a"]),
            ("[abc", ["[abc"], ["a"]),
            (#"\*.txt"#, ["*.txt"], ["a.txt"]),
            ("/etc/*.conf", ["/etc/a.conf"], ["/etc/x/a.conf"]),
            ("../x/*", ["../x/a"], ["x/a"]),
            ("*a*b*c*", ["abc", "xaybzc-", "aabbcc"], ["acb", "ab"]),
        ]
        for (text, fits, not) in table {
            let pattern = try XCTUnwrap(GlobPattern(text), text)
            for path in fits { XCTAssertTrue(pattern.matches(path), "\(text) ~ \(path)") }
            for path in not { XCTAssertFalse(pattern.matches(path), "\(text) !~ \(path)") }
        }
        XCTAssertNil(GlobPattern(""))
        XCTAssertNil(GlobPattern("/"))
        XCTAssertNil(GlobPattern(String(repeating: "a", count: 2_000)))
        XCTAssertTrue(GlobPattern("*.MD", ignoresCase: true)?.matches("Read.md") ?? false)
    }

    func testTheBeginningAndTheDepthOfAPatternAreKnown() {
        let table: [(String, base: [String], levels: Int?)] = [
            ("*.swift", [], 0), ("src/*.md", ["src"], 0), ("src/*/x.md", ["src"], 1),
            ("a/b/**/c", ["a", "b"], nil), ("*/*/*", [], 2),
        ]
        for (text, base, levels) in table {
            XCTAssertEqual(GlobPattern(text)?.base, base, text)
            XCTAssertEqual(GlobPattern(text)?.levels, levels, text)
        }
    }

    /// The C library's own matching is the oracle (fnmatch(3)).
    func testPatternsWithoutFoldersMatchAsFnmatchHasThem() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(seed: seed)
        let pieces = ["a", "b", "*", "?", "[ab]", "[!a]", "[a-b]x", "/", "*", "a"]
        func joined(_ parts: [String], upTo count: Int) -> String {
            var text = ""
            for _ in 0..<Int.random(in: 1...count, using: &random) {
                // `parts` is not empty.
                let part = parts.randomElement(using: &random) ?? ""
                if part == "/", text.isEmpty || text.hasSuffix("/") { continue }
                if part == "*", text.hasSuffix("*") { continue }
                text += part
            }
            return text.hasSuffix("/") || text.isEmpty ? text + "a" : text
        }
        for _ in 0..<5_000 {
            let (pattern, path) = (joined(pieces, upTo: 7), joined(["a", "b", "x", "/"], upTo: 7))
            let wanted = fnmatch(pattern, path, Int32(FNM_PATHNAME)) == 0
            XCTAssertEqual(
                GlobPattern(pattern)?.matches(path), wanted, "\(pattern) \(path), seed \(seed)")
        }
    }

    func testAHostilePatternEndsSoon() throws {
        let pattern = try XCTUnwrap(
            GlobPattern(
                String(repeating: "*a", count: 400) + "b/" + String(repeating: "**/", count: 60)))
        XCTAssertFalse(pattern.matches(String(repeating: "a", count: 255) + "/x/y/z"))
    }

    func testTheLastRuleOfGitignoreThatFitsDecides() {
        var rules = IgnoreRules()
        rules.add("# made\n*.log\n!keep.log\n/build/\nnode_modules/\ndocs/*.tmp\n\\#x\n", in: "")
        rules.add("*.txt\n/only\n", in: "sub")
        let table: [(String, isFolder: Bool, leavesOut: Bool)] = [
            ("a.log", false, true), ("x/y/a.log", false, true), ("keep.log", false, false),
            ("x/keep.log", false, false), ("build", true, true), ("x/build", true, false),
            ("build", false, false), ("x/node_modules", true, true), ("docs/a.tmp", false, true),
            ("docs/x/a.tmp", false, false), ("#x", false, true), ("a.txt", false, false),
            ("sub/a.txt", false, true), ("sub/x/a.txt", false, true), ("sub/only", false, true),
            ("sub/x/only", false, false), ("only", false, false), ("subs/a.txt", false, false),
        ]
        for (path, isFolder, leavesOut) in table {
            XCTAssertEqual(rules.leavesOut(path, isFolder: isFolder), leavesOut, path)
        }
    }
}
