import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import TerminalKit

/// A writing assistant that corrects "teh", and what a test sees of it.
final class ScriptedAssistant: Sendable {
    static let usual = [
        WritingAssistant.Tool(name: "proofread", title: "Proofread", key: "p"),
        WritingAssistant.Tool(name: "rewrite", title: "Rewrite", key: "r"),
        WritingAssistant.Tool(name: "friendly", title: "Friendly", key: "f"),
        WritingAssistant.Tool(name: "professional", title: "Professional", key: "o"),
        WritingAssistant.Tool(name: "concise", title: "Concise", key: "c"),
    ]

    private let asked = Mutex<[String]>([])
    private let edited = Mutex<[String]>([])
    let isCancelled = Gate()

    /// `tool: text` for each request.
    var requests: [String] { asked.withLock { $0 } }
    /// Texts that were given to the editor.
    var edits: [String] { edited.withLock { $0 } }

    static func version(of text: String, isLocal: Bool = false) -> WritingAssistant.Version {
        var pieces: [WritingAssistant.Version.Piece] = []
        var rest = text[...]
        while let range = rest.firstRange(of: "teh") {
            if range.lowerBound > rest.startIndex {
                pieces.append(.same(String(rest[..<range.lowerBound])))
            }
            pieces.append(.change(old: "teh", new: "the"))
            rest = rest[range.upperBound...]
        }
        if !rest.isEmpty { pieces.append(.same(String(rest))) }
        return WritingAssistant.Version(pieces: pieces, isLocal: isLocal)
    }

    /// - Parameter hangs: requests wait until they are cancelled.
    func assistant(
        hangs: Bool = false, tools: [WritingAssistant.Tool] = ScriptedAssistant.usual,
        edit: @escaping @Sendable (String) async -> String? = { $0 + " (edited)" }
    ) -> WritingAssistant {
        WritingAssistant(
            refusal: { $0.count < 15 ? "Too short." : nil },
            tools: { tools },
            apply: { tool, text, emit in
                self.asked.withLock { $0.append("\(tool.name): \(text)") }
                if hangs {
                    emit(.init(part: "part 1 of 2", text: "teh beginning"))
                    defer { self.isCancelled.open() }
                    try await ManualClock().environment.sleep(.seconds(3_600))
                }
                return Self.version(of: text, isLocal: tool.name == "proofread")
            },
            edit: { text in
                self.edited.withLock { $0.append(text) }
                return await edit(text)
            })
    }
}

/// A prompt that offers the writing tools, as the program does it.
struct WritingPromptFixture {
    let terminal: TerminalSessionTests.Fixture
    private let task: Task<LineResult, Never>
    var screen: PseudoTerminal { terminal.terminal }

    init(
        _ assistant: WritingAssistant, rows: Int = 24, columns: Int = 80,
        configure: (inout TerminalSession.Options) -> Void = { _ in }
    ) throws {
        terminal = try TerminalSessionTests.Fixture(
            rows: rows, columns: columns, configure: configure)
        let session = terminal.session
        let style = Style(usesColor: false, usesUnicode: true)
        let tools = WritingScreen(assistant, prompt: StyledLine("> "), style: style)
        task = Task {
            var draft: LineDraft = ""
            while true {
                let result = await session.readLine(
                    prompt: "> ", draft: draft, offersWriting: true)
                guard case .writing(let selection) = result else { return result }
                switch await tools.run(selection, on: session) {
                case .replaced(let text): draft = LineDraft(resuming: selection, with: text)
                case .unchanged(let lines):
                    draft = LineDraft(resuming: selection)
                    for line in lines { await session.write("  \(line.text)\n") }
                }
            }
        }
        try screen.waitFor("a prompt") { $0.lines.last == ">" }
    }

    func type(_ text: String) { screen.type(text) }

    func see(_ text: String) throws { try screen.waitFor(text: text) }

    /// Waits until the program has written this, colours and all, at the end of
    /// what it has written or anywhere.
    func seeBytes(_ text: String, atEnd: Bool = false) throws {
        while true {
            let written = screen.transcript
            let all = String(decoding: written, as: UTF8.self)
            if atEnd ? all.hasSuffix(text) : all.contains(text) { return }
            try screen.waitForOutput(after: written.count)
        }
    }

    /// The line under the last `>`, and what is below.
    func seeLast(_ lines: String...) throws {
        try screen.waitFor(lines.joined(separator: "\n")) {
            Array($0.lines.suffix(lines.count)) == lines
        }
    }

    /// Ends the line and the session; the terminal is as it was.
    func enter() async -> LineResult {
        type("\r")
        let result = await task.value
        await terminal.finish()
        return result
    }

    func result() async -> LineResult { await task.value }
}
