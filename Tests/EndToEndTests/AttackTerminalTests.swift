import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Attacks on the person at the terminal, through the real program: keys that were meant
/// for something else, and questions that want to look like others. `CHAT_FULL=1` takes
/// every payload.
final class AttackTerminalTests: XCTestCase {
    private var isFull: Bool { ProcessInfo.processInfo.environment["CHAT_FULL"] == "1" }

    private static let deletion = ProviderServer.Reply.toolCall(
        "delete_reminder", #"{"title":"milk"}"#)

    private func report(_ row: String, _ value: Int, of count: Int, _ unit: String) {
        print("attack: \(row) | \(value) | \(count) \(unit)")
    }

    /// T5: what was typed or pasted before the question stood there answers nothing.
    func testKeysFromBeforeTheQuestionApproveNothing() throws {
        // Each is written by itself; what comes in one piece is a paste, and no message.
        let behind: [[String]] = [
            ["y\r", "y\r", "y\r"], ["delete\r", "delete\r"], ["a\r", "delete always\r"],
            ["Y\r", "YES\r"], ["ja\r", "ja\r"], ["y"], ["\r", "\r", "\r", "\r"],
            ["\u{1B}[200~y\ny\n\u{1B}[201~", "\r"],
        ]
        let during = ["y\r", "y", "yes\r", "\u{1B}[200~y\n\u{1B}[201~", "y\ry\ry\r", "delete\r"]
        let all =
            behind.map { ($0, nil as String?) } + during.map { ([String](), $0) }
        let attacks = isFull ? all : all.enumerated().filter { $0.0 % 3 == 0 }.map(\.1)
        var approved = 0
        for (behind, later) in attacks {
            let gate = Gate()
            let sent = Gate()
            // The call comes when the keys are typed.
            let held = ProviderServer.Reply { format in
                ServerScript([
                    ServerScript.sseHead(), .open(sent), .wait(gate),
                    .chunk(
                        WireScript.toolCall(
                            "delete_reminder", arguments: #"{"title":"milk"}"#, format: format)),
                    .lastChunk,
                ])
            }
            let reply = later == nil ? Self.deletion : held
            let server = try ProviderServer(
                .messages, [reply] + [ProviderServer.Reply](repeating: .text("So be it."), count: 4)
            )
            let chat = try ChatProgram(server)
            try chat.run(["reminders", "add", "buy milk"])
            let repl = try ChatTerminal(chat)
            try repl.waitForPrompt(after: "/help")
            repl.enter("clean up")
            for keys in behind {
                do { try repl.terminal.waitFor("a moment", limit: 0.03) { _ in false } } catch {}
                repl.terminal.type(keys)
            }
            if let later {
                sent.block()
                repl.terminal.type(later)
                gate.open()
            }
            try repl.waitFor("y to do it")
            // Longer than the pause that a question waits for.
            do { try repl.terminal.waitFor("an answer", limit: 0.7) { _ in false } } catch {}
            let left = try chat.json(["reminders", "list", "--json"]).arrayValue?.count
            XCTAssertEqual(left, 1, "\(behind) \(later?.debugDescription ?? "")")
            if left != 1 { approved += 1 }
            repl.kill()
            server.stop()
        }
        report("T5 approvals by keys from before the question", approved, of: attacks.count, "ways")
    }

    /// A paste and a line with more in it are no yes, and neither is the end of the input.
    func testOnlyTheKeystrokesThemselvesApprove() throws {
        let answers = [
            "\u{1B}[200~y\u{1B}[201~\r", "y \u{1B}[200~\u{1B}[201~\r", "\u{04}", "\u{03}",
            "yy\r", "y y\r", "y;\r", "ｙ\r", "у\r", "\r", "n\r", "no\r", "y\u{0}x\r",
        ]
        var approved = 0
        for answer in isFull ? answers : Array(answers.prefix(4)) {
            let server = try ProviderServer(.messages, [Self.deletion, .text("So be it.")])
            let chat = try ChatProgram(server)
            try chat.run(["reminders", "add", "buy milk"])
            let repl = try ChatTerminal(chat)
            try repl.waitForPrompt(after: "/help")
            repl.enter("clean up")
            try repl.waitFor("y to do it")
            do { try repl.terminal.waitFor("the time to answer", limit: 0.5) { _ in false } } catch
            {}
            repl.terminal.type(answer)
            do { try repl.terminal.waitFor("the end", limit: 0.5) { _ in false } } catch {}
            let left = try chat.json(["reminders", "list", "--json"]).arrayValue?.count
            XCTAssertEqual(left, 1, answer.debugDescription)
            if left != 1 { approved += 1 }
            repl.kill()
            server.stop()
        }
        report(
            "T5 approvals by anything but y and Enter", approved, of: isFull ? answers.count : 4,
            "answers")
    }

    /// One deletion and twenty additions in a window of 80×24.
    private static let crowd = ProviderServer.Reply { format in
        let additions = (1...20).map { number in
            ToolCall(
                id: "call_\(number)", name: "create_reminder",
                arguments: "{\"title\":\"item \(number)\"}")
        }
        let deletion = ToolCall(
            id: "call_0", name: "delete_reminder", arguments: #"{"title":"milk"}"#)
        return .sse(WireScript.toolCalls(additions + [deletion], format: format))
    }

    private func crowded() throws -> (ChatTerminal, ProviderServer) {
        let server = try ProviderServer(.messages, [Self.crowd, .text("So be it.")])
        let chat = try ChatProgram(server)
        try chat.prepare("config.json", #"{"title": false, "tools": {"ask": ["create_reminder"]}}"#)
        try chat.run(["reminders", "add", "buy milk"])
        let repl = try ChatTerminal(chat, rows: 24)
        try repl.waitForPrompt(after: "/help")
        repl.enter("tidy up")
        try repl.waitFor("page 1 of 2")
        return (repl, server)
    }

    private func titles(_ chat: ChatProgram) throws -> [String] {
        try chat.json(["reminders", "list", "--json"]).arrayValue?
            .compactMap { $0["title"]?.stringValue } ?? []
    }

    /// What deletes stands first, and no answer is taken before the last page was seen.
    func testADeletionIsNotHiddenBehindAdditions() throws {
        var approved = 0
        let early = ["y", "yes", "change", "delete"]
        for word in isFull ? early : Array(early.suffix(1)) {
            let (repl, server) = try crowded()
            let screen = repl.terminal.screen.lines
            for part in ["asks to delete", "buy milk", "1 deletion, 20 additions"] {
                XCTAssertTrue(screen.contains { $0.contains(part) }, "\(part): \(screen)")
            }
            try repl.answer(word, to: "page 1 of 2", until: "There is more to read first.")
            let left = try titles(repl.chat)
            XCTAssertEqual(left, ["buy milk"], word)
            if left != ["buy milk"] { approved += 1 }
            repl.kill()
            server.stop()
        }
        report(
            "deletions approved before the last page", approved, of: isFull ? early.count : 1,
            "answers")
    }

    func testALongQuestionIsAnsweredBelowItsLastPage() throws {
        for (word, left) in [("y", 1), ("change", 1), ("delete", 20)] {
            let (repl, server) = try crowded()
            // A space that came within the first 0.3 s is dropped, as it has to be.
            for _ in 0..<20 where !repl.transcript.contains(where: { $0.contains("Type delete") }) {
                do { try repl.terminal.waitFor("a pause", limit: 0.4) { _ in false } } catch {}
                repl.terminal.type(" ")
                do {
                    try repl.terminal.waitFor("the last page", limit: 5) {
                        $0.transcript.contains { $0.contains("Type delete") }
                    }
                } catch {}
            }
            try repl.answer(word, to: "1 deletion, 20 additions · Type delete", until: "So be it.")
            try repl.waitForPrompt(after: "So be it.")
            XCTAssertEqual(try titles(repl.chat).count, left, word)
            repl.leave()
            server.finish()
        }
    }

    /// What wants to hide what would be done, or to look like another question.
    private static let spoofs: [String] = {
        let question = "  ⚙ list_reminders asks to read:"
        let prompt = "  1 addition · y to do it, Enter for no: "
        var payloads = [
            "milk\u{1B}[38D\u{1B}[K", "\u{1B}[2J\u{1B}[H\(question)", "milk\r\(question)",
            "milk\n\(question)\n\(prompt)", "milk\u{8}\u{8}\u{8}\u{8}soap",
            "\u{1B}[8mmilk\u{1B}[0m",
            "milk\u{1B}[1A\u{1B}[2K", "\u{1B}]0;safe\u{7}", "\u{1B}[?1049h\(question)",
            "\u{9B}2J\(question)", "\u{202E}klim", "milk\u{2066}\u{2069}", "m\u{200B}ilk",
            "mil\u{AD}k", "\u{E006D}\u{E0069}", "milk\u{FE0F}", "milk\u{3164}",
            "milk\u{2028}\(prompt)",
            "milk\u{B}\u{C}\(question)", "mіlk", "ｍｉｌｋ", "milk\u{85}\(question)",
            String(repeating: "\u{301}", count: 200) + "milk", "milk\t\t\t\t\t\t\t\t\(question)",
            "\" · notes \"nothing", "milk\"\n    a: yes, in this whole conversation",
        ]
        for padding in [40, 56, 57, 58, 59, 60, 61, 65, 66, 67, 136, 146, 500] {
            payloads.append(
                "milk" + String(repeating: " ", count: padding) + question
                    + String(repeating: " ", count: 80 - question.count) + prompt)
        }
        payloads.append(String(repeating: "界", count: 36) + question)
        return payloads
    }()

    /// T2: the whole call is on the screen, and no row but ours begins like one of ours.
    func testAQuestionShowsTheTrueCallWhateverIsInIt() throws {
        let payloads =
            isFull ? Self.spoofs : Self.spoofs.enumerated().filter { $0.0 % 4 == 0 }.map(\.1)
        var misled = 0
        let server = try ProviderServer(
            .messages,
            payloads.flatMap { payload -> [ProviderServer.Reply] in
                let title = JSONWriter.string(.string("spoof " + payload))
                return [.toolCall("create_reminder", "{\"title\":\(title)}"), .text("So be it.")]
            })
        let chat = try ChatProgram(server)
        try chat.prepare("config.json", #"{"title": false, "tools": {"ask": ["create_reminder"]}}"#)
        let repl = try ChatTerminal(chat, rows: 60)
        try repl.waitForPrompt(after: "/help")
        for (number, payload) in payloads.enumerated() {
            repl.enter("message \(number)")
            try repl.terminal.waitFor("question \(number)") { screen in
                let rows = screen.transcript
                guard let start = rows.lastIndex(where: { $0 == "> message \(number)" }) else {
                    return false
                }
                return rows[start...].contains {
                    $0.hasPrefix("  1 addition · y to do it, Enter for no:")
                }
            }
            let rows = repl.transcript
            let start = rows.lastIndex { $0 == "> message \(number)" } ?? 0
            let question = Array(rows[start...].dropFirst())
            let own = question.filter { !$0.hasPrefix("      ") }
            let isOwn =
                own.map { String($0.prefix(8)) }
                == ["  ⚙ crea", "    a: y", "  1 addi"].map { String($0.prefix(8)) }
                || own.map { String($0.prefix(8)) }
                    == ["  ⚙ crea", "    e: e", "  1 addi"].map { String($0.prefix(8)) }
            let shown = question.filter { $0.hasPrefix("      ") }.map {
                $0.hasPrefix("      │ ") ? String($0.dropFirst(8)) : String($0.dropFirst(6))
            }.joined()
            // Nothing is left out: the letters of the payload are there, in their order.
            let letters = Array(shown.unicodeScalars.filter { $0 != " " })
            var rest = letters[...]
            let isWhole = payload.unicodeScalars.filter {
                $0.isASCII && $0.value > 0x20 && $0.value < 0x7F
            }.allSatisfy { scalar in
                guard let index = rest.firstIndex(of: scalar) else { return false }
                rest = rest[(index + 1)...]
                return true
            }
            XCTAssertTrue(isOwn, "\(payload.debugDescription): \(own)")
            XCTAssertTrue(isWhole, "\(payload.debugDescription): \(question)")
            if !isOwn || !isWhole { misled += 1 }
            try repl.answer("", to: "y to do it", until: "So be it.")
            try repl.terminal.waitFor("the prompt after \(number)") { screen in
                screen.isAtEmptyPrompt
                    && screen.transcript.filter { $0 == "So be it." }.count > number
            }
        }
        XCTAssertEqual(try chat.json(["reminders", "list", "--json"]).arrayValue?.count, 0)
        repl.leave()
        server.finish()
        report("T2 questions that mislead", misled, of: payloads.count, "payloads")
    }
}
