import AgentCore
import Base
import XCTest

@testable import ChatKit

final class OptionsTests: XCTestCase {
    private func parse(_ line: String, terminal: Bool = true) throws -> Invocation {
        try OptionParser(commands: ["reminders", "keys"], stdinIsTerminal: terminal)
            .parse(ShellTokenizer.words(typed: line))
    }

    private func shot(_ change: (inout OneShotOptions) -> Void) -> Invocation {
        var options = OneShotOptions()
        change(&options)
        return .oneShot(options)
    }

    func testHelpAboutHelpIsTheOverview() throws {
        let parser = OptionParser(commands: ["keys"], stdinIsTerminal: true)
        XCTAssertEqual(try parser.parse(["help", "--help"]), .help(topic: []))
        XCTAssertEqual(try parser.parse(["help", "help"]), .help(topic: []))
        XCTAssertEqual(try parser.parse(["help", "keys"]), .help(topic: ["keys"]))
        XCTAssertEqual(try parser.parse(["help", "keys", "set"]), .help(topic: ["keys", "set"]))
    }

    func testNothingOpensTheLatestConversation() throws {
        XCTAssertEqual(try parse(""), .repl(ReplOptions()))
        XCTAssertEqual(try parse("-c"), .repl(ReplOptions()))
        XCTAssertEqual(try parse("-c", terminal: false), shot { $0.continues = true })
    }

    func testReplFlags() throws {
        XCTAssertEqual(try parse("-n"), .repl(ReplOptions(start: .new)))
        XCTAssertEqual(try parse("--resume"), .repl(ReplOptions(start: .pick)))
        XCTAssertEqual(try parse("-r oslo"), .repl(ReplOptions(start: .named("oslo"))))
        XCTAssertEqual(
            try parse("-m gpt --provider openai --no-tools"),
            .repl(
                ReplOptions(
                    global: GlobalOptions(model: "gpt", provider: .openai), usesTools: false)))
    }

    func testASavedPromptTakesItsWordsAsTheyAre() throws {
        XCTAssertEqual(
            try parse("-P translate lang=German reminders list"),
            shot {
                $0.saved = SavedPrompt(
                    name: "translate", arguments: ["lang=German", "reminders", "list"])
            })
        XCTAssertEqual(
            try parse("-P fix -c -m gpt"),
            shot {
                $0.saved = SavedPrompt(name: "fix")
                $0.continues = true
                $0.global.model = "gpt"
            })
        XCTAssertThrowsError(try parse("-P"))
    }

    func testOneShotForms() throws {
        XCTAssertEqual(try parse("-p hi"), shot { $0.prompt = "hi" })
        XCTAssertEqual(try parse("-- -p is a flag"), shot { $0.prompt = "-p is a flag" })
        XCTAssertEqual(
            try parse("-c -p hi --output json --allow a,b --allow c"),
            shot {
                $0.prompt = "hi"
                $0.continues = true
                $0.output = .json
                $0.allowedTools = ["a", "b", "c"]
            })
        XCTAssertEqual(
            try parse("-p hi --attach a.txt b.txt --system short"),
            shot {
                $0.prompt = "hi"
                $0.attachments = ["a.txt", "b.txt"]
                $0.system = "short"
            })
    }

    func testATextMayBeginWithADash() throws {
        XCTAssertEqual(try parse("-p '-5 + 3?'"), shot { $0.prompt = "-5 + 3?" })
        XCTAssertEqual(try parse("-p '- buy milk'"), shot { $0.prompt = "- buy milk" })
        XCTAssertEqual(
            try parse("-p --output json", terminal: false), shot { $0.output = .json })
        XCTAssertEqual(
            try parse("-p -c hi"),
            shot {
                $0.prompt = "hi"
                $0.continues = true
            })
    }

    func testPipedInputIsAMessageAndFreeWordsGoWithIt() throws {
        XCTAssertEqual(try parse("", terminal: false), shot { _ in })
        XCTAssertEqual(
            try parse("summarise this", terminal: false),
            shot {
                $0.prompt = "summarise this"
                $0.unknown = UnknownWord("summarise", "this", among: ["reminders", "keys"])
            })
    }

    func testAnArgumentThatHoldsASpaceIsText() throws {
        for terminal in [true, false] {
            XCTAssertEqual(
                try parse("'what is a monad?'", terminal: terminal),
                shot { $0.prompt = "what is a monad?" })
            XCTAssertEqual(
                try parse("-m gpt 'reminders list' now --json", terminal: terminal),
                shot {
                    $0.prompt = "reminders list now"
                    $0.output = .json
                    $0.global.model = "gpt"
                })
        }
    }

    func testAnUnknownWordIsATextOnlyBesidePipedInputAndFarFromACommand() throws {
        let verbs = [Verb("list", ""), Verb("add", "")]
        let commands = [
            Command(name: "reminders", summary: "", verbs: verbs),
            Command(name: "keys", summary: "", verbs: verbs),
        ]
        func error(_ line: String, hasInput: Bool = true) throws -> UsageError? {
            guard case .oneShot(let options) = try parse(line, terminal: false) else { return nil }
            return options.unknown?.error(hasInput: hasInput) { commands }
        }
        for (line, meant) in [
            ("reminder add milk", "reminders add"), ("remindres list", "reminders list"),
            ("remindr add", "reminders add"), ("Reminders add", "reminders add"),
            ("-m x reminderss list", "reminders list"), ("reminder", "reminders"),
            ("kyes", "keys"), ("--json remindesr", nil), ("remindesr --json", "reminders"),
        ] as [(String, String?)] {
            XCTAssertEqual(
                try error(line)?.hint,
                meant.map { "Did you mean chat \($0)? To send it as a message: chat -p \"…\"" },
                line)
        }
        // Text: another word follows, it is far from each name, the name is short, or
        // it was said to be text.
        for line in [
            "reminder about milk", "summarize", "rewrite", "improve", "fix it", "key add",
            "-p reminder add milk", "-- reminder add", "'reminder add milk'",
        ] { XCTAssertNil(try error(line), line) }
        for line in ["summarize", "fix it", "reminder about milk", "remindesr"] {
            let found = try error(line, hasInput: false)
            XCTAssertEqual(found?.problem.hasPrefix("There is no command"), true, line)
            XCTAssertThrowsError(try parse(line)) { XCTAssertEqual($0 as? UsageError, found) }
        }
        for line in ["-p hello", "-- hello", "'hello you'", "-c hello", "hello --attach x"] {
            XCTAssertNil(try error(line, hasInput: false), line)
        }
    }

    func testAKnownFirstWordIsAlwaysACommand() throws {
        for terminal in [true, false] {
            XCTAssertEqual(
                try parse("reminders add milk --due x", terminal: terminal),
                .command(
                    name: "reminders", arguments: ["add", "milk", "--due", "x"], GlobalOptions()))
        }
    }

    func testWhatMakesNoSenseIsAUsageErrorWithAHint() {
        let table: [(String, String, String?)] = [
            (
                "remindres list", "There is no command \"remindres\".",
                "Did you mean chat reminders?"
            ),
            (
                "search oslo", "There is no command \"search\".",
                "Did you mean chat conversations search?"
            ),
            ("new", "There is no command \"new\".", "Did you mean chat -n?"),
            ("resume", "There is no command \"resume\".", "Did you mean chat -r?"),
            ("login", "There is no command \"login\".", "Did you mean chat keys set claude?"),
            (
                "what is up", "There is no command \"what\".",
                "To send it as a message: chat -p \"…\""
            ),
            ("--modle x", "There is no option \"--modle\".", "Did you mean --model?"),
            (
                "--provider a/b", "--provider takes the name of a provider.",
                "chat models lists them"
            ),
            ("-m", "-m needs a value.", nil),
            ("-p", "There is no text to answer.", "chat -p \"TEXT\""),
            ("-c --attach a", "There is no text to answer.", "chat -p \"TEXT\""),
            (
                "-n -p hi", "--new opens the chat and cannot be used for one answer.",
                "Use -c to go on in the latest conversation."
            ),
        ]
        for (line, problem, hint) in table {
            XCTAssertThrowsError(try parse(line), line) { error in
                XCTAssertEqual(error as? UsageError, UsageError(problem, hint: hint))
            }
        }
    }

    func testThereIsNoOptionThatTakesAKey() {
        for flag in ["--key", "--api-key", "-k"] {
            XCTAssertThrowsError(try parse("\(flag) sk-x -p hi"), flag)
        }
    }
}
