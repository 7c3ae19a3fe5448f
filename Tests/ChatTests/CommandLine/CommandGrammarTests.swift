import Base
import XCTest

@testable import ChatKit
@testable import chat

/// Hints in the grammar of the place where they are shown.
final class CommandGrammarTests: XCTestCase {
    func testAtThePromptWhatCameOfACommandIsIndentedAndAListIsNot() {
        let done = StyledLine([.init("✓ undone", .success), .init(" · /undo redo", .hint)])
        let row = StyledLine("r1  buy milk")
        XCTAssertEqual(
            CommandGrammar.prompt.answer([done, row]).map(\.text),
            ["  ✓ undone · /undo redo", "  r1  buy milk"])
        XCTAssertEqual(
            CommandGrammar.prompt.answer([row, done]).map(\.text), [row.text, done.text])
        XCTAssertEqual(
            CommandGrammar.prompt.answer([done.indented]).map(\.text), ["  ✓ undone · /undo redo"])
    }

    func testAHintNamesTheCommandOfItsPlace() {
        // Written, in the shell, at the prompt.
        let cases: [(String, String, String)] = [
            (
                "chat keys set claude|openai, or start Ollama.",
                "chat keys set claude|openai, or start Ollama.",
                "/keys set claude|openai, or start Ollama."
            ),
            (
                "/reminders list overdue (/undo)", "chat reminders list overdue (chat undo)",
                "/reminders list overdue (/undo)"
            ),
            (
                "\"chat undo list\" shows them", "\"chat undo list\" shows them",
                "\"/undo list\" shows them"
            ),
            ("Start anew with /new.", "Start anew with chat -n.", "Start anew with /new."),
            (
                "chat -n, chat -r, chat --help", "chat -n, chat -r, chat --help",
                "/new, /resume, /help"
            ),
            ("chat help alerts", "chat help alerts", "/help alerts"),
            ("/model takes another", "--model takes another", "/model takes another"),
            ("/search WORDS", "chat conversations search WORDS", "/search WORDS"),
            ("/compact tries again", "/compact tries again", "/compact tries again"),
            // Lines for a shell stay so.
            ("chat alerts run &", "chat alerts run &", "chat alerts run &"),
            ("COMMAND | chat -p \"…\"", "COMMAND | chat -p \"…\"", "COMMAND | chat -p \"…\""),
            (
                "x > y && chat transcribe y", "x > y && chat transcribe y",
                "x > y && chat transcribe y"
            ),
            (
                "in the shell: chat say --file F", "in the shell: chat say --file F",
                "in the shell: chat say --file F"
            ),
            // Paths, and words that are no command.
            (
                "a/undo /undone /undo/x /undo.md /undo_1 /",
                "a/undo /undone /undo/x /undo.md /undo_1 /",
                "a/undo /undone /undo/x /undo.md /undo_1 /"
            ),
            (
                "the chat keys, a chat here, open-chat keys",
                "the chat keys, a chat here, open-chat keys",
                "the /keys, a chat here, open-chat keys"
            ),
            ("", "", ""),
        ]
        for (hint, shell, prompt) in cases {
            XCTAssertEqual(CommandGrammar.shell.text(hint), shell)
            XCTAssertEqual(CommandGrammar.prompt.text(hint), prompt)
        }
    }

    func testOnlyHintsAreChanged() {
        let line = StyledLine([
            .init("✓ read and/undo it, /undo", .success), .init(" chat undo, /undo", .dim),
            .init(" · /undo", .hint),
        ])
        XCTAssertEqual(
            CommandGrammar.shell.lines([line]).map(\.text),
            ["✓ read and/undo it, /undo chat undo, /undo · chat undo"])
    }

    func testAnErrorSpeaksTheLanguageOfItsPlace() {
        let error = SessionError.noModel(nearest: nil)
        XCTAssertEqual(
            ErrorDescriber().describe(error).todo,
            "Connect one: \(Diagnostic.connecting).")
        XCTAssertEqual(
            ErrorDescriber(grammar: .prompt).describe(error).todo,
            "Connect one: \(Diagnostic.connecting).".replacing("chat ", with: "/"))
        // It may be somebody's file.
        XCTAssertEqual(
            ErrorDescriber().describe(AttachmentFailure(path: "/undo", reason: .empty)).what,
            "/undo is empty.")
    }

    func testWordsOfOtherProgramsNameTheCommandThatExists() {
        let names = CommandGrammar.nouns
        let cases: [(String, String?, String?)] = [
            ("clear", "chat -n", "/new"), ("cost", "chat usage", "/usage"),
            ("status", "chat doctor", "/doctor"), ("context", "chat usage", "/usage"),
            ("history", "chat -r", "/resume"), ("todo", "chat reminders", "/reminders"),
            ("login", "chat keys set claude", "/keys set claude"),
            ("search", "chat conversations search", nil), ("new", "chat -n", nil),
            ("resume", "chat -r", nil), ("effort", "chat --effort", nil),
            ("model", "chat models", nil),
            ("Remindres", "chat reminders", "/reminders"), ("what", nil, nil),
            ("man", "chat man", "chat man"),
            // The shell has no such command, and a pipe may mean a text.
            ("summarize", nil, "/compact"), ("regenerate", nil, "/retry"),
            ("theme", "chat config set theme", "/config set theme"),
            ("system", "--role", "/role"), ("save", "chat conversations export", "/export"),
        ]
        for (word, shell, prompt) in cases {
            XCTAssertEqual(CommandGrammar.shell.meant(by: word, among: names), shell, word)
            // The prompt has those itself.
            if prompt != nil || shell == nil {
                XCTAssertEqual(CommandGrammar.prompt.meant(by: word, among: names), prompt, word)
            }
        }
    }
}
