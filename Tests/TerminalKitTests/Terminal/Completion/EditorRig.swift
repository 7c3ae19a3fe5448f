import Foundation
import Glibc
import TestSupport
import XCTest

@testable import TerminalKit

/// A line editor that a test gives its keys, with the moments in which it would
/// wait for one, and the screen it draws. No thread and no waiting.
final class EditorRig {
    enum Step {
        case key(Key)
        /// Nothing more is there: the line is drawn.
        case pause
        /// Something is printed above the line.
        case alert(String)
        case resize(rows: Int, columns: Int)
    }

    let editor: LineEditor
    private(set) var screen: Screen
    private let terminal: PseudoTerminal
    private var steps: [Step] = []
    /// Printed above the line that was run last.
    private(set) var alerts: [String] = []
    /// Done before a key is given.
    var onKey: (LineEditor, Key) -> Void = { _, _ in }
    /// Done when there is no step left, before the line is interrupted.
    var onEnd: (LineEditor) -> Void = { _ in }

    init(
        rows: Int = 24, columns: Int = 80, keys: LineEditor.Keys = .emacs,
        history: [String] = [], lister: CompletionLister?
    ) throws {
        terminal = try PseudoTerminal(rows: rows, columns: columns)
        screen = Screen(rows: rows, columns: columns)
        editor = try XCTUnwrap(
            LineEditor(
                input: terminal.slave, output: terminal.slave, term: "xterm-256color", keys: keys,
                history: MemoryHistory(history)))
        editor.lister = lister
        editor.write = { [unowned self] in screen.feed($0) }
        editor.nextKey = { [unowned self] in next() }
    }

    deinit { terminal.end() }

    /// Goes through the steps in a fresh line of a fresh screen and interrupts
    /// it; what stood there then.
    func run(_ steps: [Step], draft: String = "") -> String {
        screen = Screen(rows: screen.rows, columns: screen.columns)
        (self.steps, alerts) = (steps, [])
        switch editor.readLine(prompt: "> ", draft: LineDraft(draft)) {
        case .interrupted(let text), .line(let text), .edit(let text): return text
        default: return ""
        }
    }

    private func next() -> Key? {
        while !steps.isEmpty {
            switch steps.removeFirst() {
            case .key(let key):
                onKey(editor, key)
                return key
            case .pause: editor.draw()
            case .alert(let text):
                editor.printAbove(Array("\(text)\r\n".utf8))
                alerts.append(text)
            case .resize(let rows, let columns):
                terminal.resize(rows: rows, columns: columns)
                screen.resize(rows: rows, columns: columns)
                editor.resize()
            }
        }
        editor.draw()
        onEnd(editor)
        return .character("\u{03}")
    }
}
