import TestSupport
import XCTest

@testable import TerminalKit

/// Colours of code: what is which, across lines, and never a letter lost.
final class CodeColorsTests: XCTestCase {
    /// `k⟨let⟩ x = n⟨1⟩`: the first letter of the colour before each piece.
    private func marked(_ code: String, _ language: String) -> [String] {
        var colors = CodeColors(language: language)
        return code.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            colors.line(String(line)).map { span in
                span.look.color == .text
                    ? span.text : "\(span.look.color.rawValue.prefix(1))⟨\(span.text)⟩"
            }.joined()
        }
    }

    func testCommentsStringsNumbersAndWords() {
        XCTAssertEqual(
            marked(
                """
                struct App { // begin
                    let text = "a \\" b"
                    /* one
                    still */ func run() -> Int { 0x1F + 1_000.5 }
                    for i in 0..<2 { print(true) }
                """ + "\n    let long = \"\"\"\n    \"quoted\" // text\n    \"\"\"", "swift"),
            [
                "k⟨struct⟩ App { c⟨// begin⟩",
                "    k⟨let⟩ text = s⟨\"a \\\" b\"⟩",
                "    c⟨/* one⟩",
                "c⟨    still */⟩ k⟨func⟩ run() -> Int { n⟨0x1F⟩ + n⟨1_000.5⟩ }",
                "    k⟨for⟩ i k⟨in⟩ n⟨0⟩..<n⟨2⟩ { print(k⟨true⟩) }",
                "    k⟨let⟩ long = s⟨\"\"\"⟩", "s⟨    \"quoted\" // text⟩", "s⟨    \"\"\"⟩",
            ])
        XCTAssertEqual(
            marked("def f(x: int = None):  # why\n    '''doc\n    more''' + g('#')", "py"),
            [
                "k⟨def⟩ f(x: k⟨int⟩ = k⟨None⟩):  c⟨# why⟩", "    s⟨'''doc⟩",
                "s⟨    more'''⟩ + g(s⟨'#'⟩)",
            ])
        XCTAssertEqual(
            marked("const f = async (a) => `x ${a}\n y` // z", "ts"),
            ["k⟨const⟩ f = k⟨async⟩ (a) => s⟨`x ${a}⟩", "s⟨ y`⟩ c⟨// z⟩"])
        XCTAssertEqual(
            marked("for f in \"$HOME\"/*.txt; do echo $f#1; done # all\n'it", "bash"),
            [
                "k⟨for⟩ f k⟨in⟩ s⟨\"$HOME\"⟩/*.txt; k⟨do⟩ k⟨echo⟩ $f#n⟨1⟩; k⟨done⟩ c⟨# all⟩",
                "s⟨'it⟩",
            ])
    }

    func testDataMarkupAndDifferences() {
        XCTAssertEqual(
            marked("{ \"a\\\"b\": [1.5e-3, null] }", "json"),
            ["{ s⟨\"a\\\"b\"⟩: [n⟨1.5e-3⟩, k⟨null⟩] }"])
        XCTAssertEqual(
            marked("- name: \"x\" # y\n  url: http://a#b", "yaml"),
            ["- name: s⟨\"x\"⟩ c⟨# y⟩", "  url: http://a#b"])
        XCTAssertEqual(
            marked("<p class=\"a\">don't</p> <!-- no\n more --> x", "html"),
            ["<p class=s⟨\"a\"⟩>don't</p> c⟨<!-- no⟩", "c⟨ more -->⟩ x"])
        XCTAssertEqual(
            marked("--- a\n@@ -1 +1 @@\n-old\n+new\n same", "diff"),
            ["--- a", "k⟨@@ -1 +1 @@⟩", "d⟨-old⟩", "i⟨+new⟩", " same"])
        XCTAssertEqual(
            marked("SELECT name FROM t WHERE id = 'x' -- z", "sql"),
            ["k⟨SELECT⟩ name k⟨FROM⟩ t k⟨WHERE⟩ id = s⟨'x'⟩ c⟨-- z⟩"])
        XCTAssertEqual(
            marked("--[[ a\nb ]] x -- y", "lua"), ["c⟨--[[ a⟩", "c⟨b ]]⟩ x c⟨-- y⟩"])
    }

    func testAQuoteThatIsNoCharacterIsNoString() {
        XCTAssertEqual(
            marked("fn f<'a>(x: &'a str) -> char { '\\n' }", "rust"),
            ["k⟨fn⟩ f<'a>(x: &'a k⟨str⟩) -> k⟨char⟩ { s⟨'\\n'⟩ }"])
        XCTAssertEqual(marked("don't 'é'", "c"), ["don't s⟨'é'⟩"])
    }

    func testAnUnknownLanguageIsPlain() {
        XCTAssertEqual(marked("let x = \"1\"", "klingon"), ["let x = \"1\""])
        XCTAssertEqual(marked("let x", ""), ["let x"])
        XCTAssertEqual(marked("let x", "Swift title=\"a\""), ["k⟨let⟩ x"])
    }

    private static let names = [
        "swift", "python", "js", "json", "bash", "c", "c#", "java", "kotlin", "go",
        "rust", "zig", "dart", "ruby", "php", "lua", "perl", "r", "julia", "elixir", "html", "css",
        "sql", "yaml", "toml", "dockerfile", "make", "cmake", "nix", "hcl",
        "proto", "haskell", "ocaml", "lisp", "powershell", "latex", "unknown",
    ]

    func testEveryCharacterComesBackInOrder() {
        let pieces = [
            "\"", "'", "`", "#", "//", "/*", "*/", "--", "<!--", "-->", "<a b='", ">", "\\",
            "\"\"\"",
            "let", "x1", "0x", "1e-", "..", "é", "漢", "e\u{301}", "😀", "$", "@", "&#27;", " ", "\t",
            ":", "=", "(", "[[", "r#\"", "{-", "-}", "''", "\u{0}",
        ]
        for (index, name) in Self.names.enumerated() {
            XCTAssertTrue(name == "unknown" || CodeLanguage.named(name) != nil, name)
            var random = SplitMix(seed: UInt64(index))
            var colors = CodeColors(language: name)
            for _ in 0..<60 {
                let line = (0..<Int.random(in: 0..<25, using: &random)).reduce(into: "") {
                    text, _ in
                    text += pieces[Int.random(in: 0..<pieces.count, using: &random)]
                }
                let text = colors.line(line).map(\.text).joined()
                XCTAssertEqual(Array(text.utf8), Array(line.utf8), name)
            }
        }
    }

    func testALongLineCostsInProportionToItsLength() {
        for name in Self.names {
            for unit in ["\"", "'a", "/*", "<a ", "word(", "{\"k\":", "#", "$ x", "&a"] {
                var colors = CodeColors(language: name)
                let line = String(repeating: unit, count: 3_000 / unit.utf8.count)
                XCTAssertEqual(
                    colors.line(line).reduce(0) { $0 + $1.text.utf8.count }, line.utf8.count)
            }
        }
    }
}
