import AgentCore
import Base
import XCTest

/// Words are read by the table of a verb.
final class CommandArgumentsTests: XCTestCase {
    private static let verb = Verb(
        "add", "a new one", [.phrase("WORDS", "a title", isOptional: true, repeats: true)],
        options: [
            .init("--due WHEN", "when"), .init("--tag T", "a tag", repeats: true),
            .init("--all", "everything"), .init("--this DATE", "only that", mayLackValue: true),
            .init("-o, --output FILE", "where to", .file), .init("--limit N", "so many"),
            .init("--by", oneOf: ["day", "week"], "grouped"),
            .init("--with FILE", "files", .file, takesSeveral: true),
        ], json: "id title")

    private func read(_ text: String, name: String = "add") throws -> CommandArguments {
        try CommandArguments(
            text.split(separator: " ").map(String.init), of: Self.verb, name: name)
    }

    func testOptionsAreToldFromWords() throws {
        let words = try read("buy --due=friday milk --tag a --all --tag b -o x -5 -- --due")
        XCTAssertEqual(words.plain, ["buy", "milk", "-5", "--due"])
        XCTAssertEqual(words.text, "buy milk -5 --due")
        XCTAssertEqual(words["--due"], "friday")
        XCTAssertEqual(words["--output"], "x")
        XCTAssertEqual(words.values("--tag"), ["a", "b"])
        XCTAssertTrue(words.has("--all"))
        XCTAssertFalse(words.has("--limit"))
        XCTAssertEqual(words.order, ["--due", "--tag", "--all", "--tag", "--output", "--"])
        XCTAssertFalse(words.isBlank)
        XCTAssertTrue(try read("--all").isBlank)
    }

    func testAValueMayBeLeftOutOrBeSeveral() throws {
        XCTAssertTrue(try read("x --this").has("--this"))
        let both = try read("x --this --all")
        XCTAssertTrue(both.has("--this") && both.has("--all") && both["--this"] == nil)
        XCTAssertEqual(try read("x --this friday")["--this"], "friday")
        XCTAssertEqual(try read("x --with a b --all c").values("--with"), ["a", "b"])
        XCTAssertEqual(try read("--with a --with b").values("--with"), ["a", "b"])
        // A value that must be there may look like an option.
        XCTAssertEqual(try read("--due --all")["--due"], "--all")
    }

    func testValuesAreChecked() throws {
        enum Unit: String, CaseIterable { case day, week }
        let words = try read("--limit 7 --by week")
        XCTAssertEqual(try words.number("--limit"), 7)
        XCTAssertNil(try words.number("--due"))
        XCTAssertEqual(try words.choice("--by"), Unit.week)
        for text in ["0", "-1", "many", "11"] {
            XCTAssertThrowsError(try read("--limit \(text)").number("--limit", upTo: 10))
        }
    }

    func testYesIsTakenEverywhereAndJSONWhereThereIsSome() throws {
        let words = try read("x --yes --json")
        XCTAssertTrue(words.isConfirmed && words.wantsJSON)
        var silent = Self.verb
        silent.json = nil
        XCTAssertTrue(try CommandArguments(["x", "--yes"], of: silent, name: "add").isConfirmed)
        XCTAssertThrowsError(try CommandArguments(["x", "--json"], of: silent, name: "add"))
    }

    func testOfTwoEqualOptionsOfTheProgramTheLastCounts() throws {
        XCTAssertEqual(try read("--due a --due b", name: "")["--due"], "b")
        XCTAssertThrowsError(try read("-k", name: ""))
    }

    func testReadingMayStopAtAPlainWord() throws {
        let words = try CommandArguments(
            ["--all", "list", "--due", "x"], of: Self.verb, name: ""
        ) { word, before in word == "list" && before.has("--all") }
        XCTAssertEqual(words.rest, ["list", "--due", "x"])
        XCTAssertTrue(words.plain.isEmpty)
    }

    func testMistakesAreNamed() {
        for (text, problem, hint) in [
            ("--due", "--due needs a value.", nil),
            ("--due a --due b", "--due is given twice.", nil),
            ("--dwe x", "add has no option --dwe.", "Did you mean --due?"),
            ("--all=1", "--all takes no value.", nil),
            ("--by month", "--by cannot be \"month\".", "Use day or week."),
            ("--by=dya", "--by cannot be \"dya\".", "Did you mean day? Use day or week."),
            (
                "--sk-0123456789abcdef0123", "add has no option ….",
                "Its options: --due, --tag, --all, --this, -o, --output, --limit, --by, --with, "
                    + "--json"
            ),
        ] as [(String, String, String?)] {
            XCTAssertThrowsError(try read(text)) { error in
                XCTAssertEqual(error as? UsageError, UsageError(problem, hint: hint))
            }
        }
    }

    func testTheUsageIsCutWhereItIsTooLong() {
        XCTAssertEqual(
            Self.verb.usage(columns: 40), "[WORDS…] [--due WHEN] [--tag T] …")
        XCTAssertTrue(Self.verb.usage().hasSuffix("[--with FILE…]"))
    }
}
