import AgentCore
import XCTest

@testable import ChatKit

/// What may come next, from the tables.
final class CommandCompleterTests: XCTestCase {
    static let commands = [
        Command(
            name: "conversations", summary: "what was said",
            verbs: [
                Verb(
                    "list", "the latest first", options: [.init("--limit N", "so many")],
                    json: "id title"),
                Verb(
                    "rename", "another title",
                    [.init("ID|TITLE", "a conversation", .conversation), .phrase("NEW-TITLE")]),
            ]),
        Command(
            name: "reminders", summary: "keep reminders",
            verbs: [
                Verb(
                    "list", "open ones", [.oneOf(["today", "all"], isOptional: true)],
                    options: [
                        .init("--list L", "of that list", .list),
                        .init("--tag T", "with that tag", repeats: true),
                    ]),
                Verb(
                    "add", "a new one", [.phrase("WORDS", "a title", repeats: true)],
                    options: [
                        .init("--due WHEN", "when it is due"),
                        .init("--priority", oneOf: ["high", "low"], "how urgent it is"),
                        .init("--literal", "the words as they are"),
                    ]),
                Verb(
                    "parse", "how it is read", [.phrase("WORDS", isOptional: true, repeats: true)],
                    options: [.init("--file PATH", "each line of it", .file)]),
            ]),
    ]
    private let completer = CommandCompleter(commands: commands)

    private func shell(_ line: String) -> String {
        var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let current = words.removeLast()
        return Self.text(completer.shell(words, current: current))
    }

    private func chat(_ name: String, _ line: String) -> String {
        var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let current = words.removeLast()
        return Self.text(completer.chat(name, words, current: current))
    }

    private static func text(_ offer: CommandCompleter.Offer) -> String {
        (offer.words.map(\.text) + offer.kinds.map { "<\($0)>" }).joined(separator: " ")
    }

    func testTheShellGetsCommandsVerbsOptionsAndTheirValues() {
        XCTAssertEqual(shell(""), "conversations reminders help")
        XCTAssertEqual(shell("help "), "conversations reminders")
        XCTAssertEqual(shell("help reminders "), "list add parse")
        XCTAssertEqual(shell("reminders "), "list add parse")
        XCTAssertEqual(shell("reminders list "), "today all")
        XCTAssertEqual(shell("reminders list today "), "")
        XCTAssertEqual(shell("reminders list --list "), "<list>")
        XCTAssertEqual(shell("reminders list --list x -"), "--tag --help")
        XCTAssertEqual(shell("reminders list --list=x "), "today all")
        XCTAssertEqual(shell("reminders list --list=x -"), "--tag --help")
        XCTAssertEqual(shell("reminders add -"), "--due --priority --literal --help")
        XCTAssertEqual(shell("reminders add --priority "), "high low")
        XCTAssertEqual(shell("reminders parse --file "), "<file>")
        XCTAssertEqual(shell("conversations rename "), "<conversation>")
        XCTAssertEqual(shell("conversations rename x "), "")
        XCTAssertEqual(shell("--provider "), "<provider>")
        XCTAssertEqual(shell("--output json -m "), "<model>")
        XCTAssertEqual(shell("-r "), "<conversation>")
        XCTAssertEqual(shell("--attach a.txt "), "<file>")
        XCTAssertEqual(shell("-p hello "), "<file>")
        XCTAssertEqual(shell("--allow "), "<tool>")
        XCTAssertEqual(shell("-- "), "")
        XCTAssertTrue(shell("-").contains("--no-tools"))
        XCTAssertTrue(shell("-p hi --no-tools --verbose -").contains("--attach"))
    }

    func testTheChatGetsItsOwnCommandsToo() {
        XCTAssertEqual(chat("reminders", "list "), "today all")
        XCTAssertEqual(chat("attach", "one.txt "), "clipboard clear <file> <item>")
        XCTAssertEqual(chat("model", ""), "list <model>")
        XCTAssertEqual(chat("resume", ""), "<conversation>")
        XCTAssertEqual(chat("thinking", ""), "off summary full")
        XCTAssertEqual(chat("effort", ""), "none minimal low medium high xhigh max auto")
        XCTAssertEqual(chat("role", ""), "none <role>")
        XCTAssertEqual(chat("snooze", ""), "10m 2h 1d all")
        XCTAssertTrue(chat("help", "").hasPrefix("more new resume search reminders "))
        XCTAssertEqual(chat("unknown", ""), "")
    }

    func testAnswersToTheShellAreFilteredAndShowWhatTheyMean() {
        var facts = CompletionFacts()
        facts.conversations = [("0123456789ab", "Trip to Oslo", "yesterday")]
        facts.words[.tool] = [CompletionWord("list_all", "List"), CompletionWord("add", "Add")]
        func lines(_ kinds: [Verb.Kind], _ current: String) -> [String] {
            CompleteRequest.lines(
                CommandCompleter.Offer(kinds), facts, current: current)
        }
        XCTAssertEqual(lines([.conversation], ""), ["01234567\tTrip to Oslo · yesterday\n"])
        XCTAssertEqual(lines([.conversation], "Tr"), ["Trip to Oslo\tyesterday\n"])
        XCTAssertEqual(lines([.tool], "add,l"), ["add,list_all\tList\n"])
        XCTAssertEqual(lines([.file], "x"), [":files\n"])
        facts.words[.list] = [CompletionWord("work"), CompletionWord("home")]
        XCTAssertEqual(lines([.list], "--list=wo"), ["--list=work\n"])
    }
}
