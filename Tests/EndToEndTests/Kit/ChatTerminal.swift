import Foundation
import Glibc
import TestSupport
import XCTest

/// The real program in a pseudo-terminal: the test types and looks at the
/// screen, as a person does.
final class ChatTerminal {
    let chat: ChatProgram
    let terminal: PseudoTerminal
    /// The settings of the terminal before the program had it.
    private let settingsBefore: String
    private var isRunning = true
    private var hasTerminal = true

    init(
        _ chat: ChatProgram, _ arguments: [String] = [], rows: Int = 40, columns: Int = 80,
        isRefolded: Bool = false
    ) throws {
        self.chat = chat
        terminal = try PseudoTerminal(rows: rows, columns: columns, isRefolded: isRefolded)
        settingsBefore = terminal.settingsText
        var variables = chat.variables
        // Colours are part of what a person gets.
        variables["NO_COLOR"] = nil
        try terminal.spawn(try ChatProgram.path(), arguments, environment: variables)
    }

    deinit {
        if isRunning {
            terminal.signal(SIGKILL)
            _ = terminal.waitForExit()
        }
        if hasTerminal { terminal.end() } else { close(terminal.slave) }
    }

    /// Waits for an empty prompt below the given text.
    @discardableResult
    func waitForPrompt(after text: String = "") throws -> Screen {
        try terminal.waitFor("a prompt after “\(text)”") { screen in
            screen.isAtEmptyPrompt
                && (text.isEmpty || screen.transcript.dropLast().contains { $0.contains(text) })
        }
    }

    /// Types a line at the prompt and enters it.
    func enter(_ line: String) { terminal.type(line + "\r") }

    /// Types a line and waits for the prompt below what it brought.
    @discardableResult
    func enter(_ line: String, until text: String) throws -> Screen {
        enter(line)
        return try waitForPrompt(after: text)
    }

    func waitFor(_ text: String) throws {
        try terminal.waitFor("“\(text)”") { $0.transcript.contains { $0.contains(text) } }
    }

    /// Waits until the last line of the screen is this one.
    func waitForLine(_ line: String) throws {
        try terminal.waitFor("the line “\(line)”") { $0.lines.last == line }
    }

    /// Waits until two lines contain the text and the prompt is back.
    func waitForTwo(_ text: String) throws {
        try terminal.waitFor("“\(text)” twice") { screen in
            screen.isAtEmptyPrompt
                && screen.transcript.filter { $0.contains(text) }.count >= 2
        }
    }

    /// Answers a question, once it may be answered, and waits for what follows.
    ///
    /// A question takes nothing that is typed in its first 300 ms. That is the
    /// program's own clock, so an answer that came too early, and was dropped
    /// as it has to be, is typed again.
    func answer(
        _ word: String, pasted: String = "", to question: String, until text: String
    ) throws {
        try waitFor(question)
        for _ in 0..<5 {
            do {
                try terminal.waitFor("the time to answer", limit: 0.4) { _ in false }
            } catch {}
            if !pasted.isEmpty { terminal.paste(pasted) }
            terminal.type(word + "\r")
            do {
                try terminal.waitFor("“\(text)”", limit: 10) {
                    $0.transcript.contains { $0.contains(text) }
                }
                return
            } catch {}
        }
        try waitFor(text)
    }

    /// Ends the session with Ctrl-D; the exit code and the terminal are as
    /// they should be.
    func leave(file: StaticString = #filePath, line: UInt = #line) {
        terminal.type("\u{04}")
        assertEnd(0, file: file, line: line)
    }

    /// The program ends with this code, and the terminal is as it was found.
    func assertEnd(_ code: Int32, file: StaticString = #filePath, line: UInt = #line) {
        isRunning = false
        let ended = DispatchSemaphore(value: 0)
        let child = terminal.child
        Thread.detachNewThread {
            // Only a guard against a hang: the wait below is for the end.
            if ended.wait(timeout: .now() + 60) == .timedOut { Glibc.kill(child, SIGKILL) }
        }
        defer { ended.signal() }
        XCTAssertEqual(terminal.waitForExit(), code, terminal.screen.text, file: file, line: line)
        XCTAssertEqual(terminal.settingsText, settingsBefore, file: file, line: line)
        // What it wrote last may still be on its way to the screen.
        XCTAssertNoThrow(
            try terminal.waitFor("the end of the paste mode", limit: 5) { !$0.hasPasteMode },
            file: file, line: line)
        XCTAssertEqual(terminal.screen.unknown, [], file: file, line: line)
    }

    /// The program ends by itself, with whatever code.
    func waitForEnd() {
        isRunning = false
        _ = terminal.waitForExit()
    }

    /// The window is closed: the program has to end by itself.
    func loseTerminal(file: StaticString = #filePath, line: UInt = #line) {
        (isRunning, hasTerminal) = (false, false)
        terminal.hangUp()
        let ended = DispatchSemaphore(value: 0)
        let child = terminal.child
        Thread.detachNewThread {
            if ended.wait(timeout: .now() + 60) == .timedOut { Glibc.kill(child, SIGKILL) }
        }
        XCTAssertEqual(terminal.waitForExit(), 130, file: file, line: line)
        ended.signal()
    }

    /// Killed without a word.
    func kill(file: StaticString = #filePath, line: UInt = #line) {
        isRunning = false
        terminal.signal(SIGKILL)
        XCTAssertEqual(terminal.waitForExit(), -SIGKILL, file: file, line: line)
    }

    /// Everything that was ever on the screen.
    var transcript: [String] { terminal.screen.transcript }
}

extension Screen {
    /// The cursor stands right after a prompt with nothing typed.
    var isAtEmptyPrompt: Bool {
        lines.indices.contains(cursor.row) && cursor.row == lines.count - 1
            && lines[cursor.row] == ">" && cursor.column == 2
    }
}
