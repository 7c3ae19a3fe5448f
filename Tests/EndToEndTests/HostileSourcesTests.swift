import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Text that wants to be more than text, from every foreign source, through
/// the real program: to a pipe and to a terminal.
final class HostileSourcesTests: XCTestCase {
    func testNoJSONHoldsAByteThatActsOnATerminalAndNothingOfItIsLost() throws {
        let title = "a\u{9B}31m b\u{202E}c\u{2066}d\u{200F}"
        let server = try ProviderServer(.messages, [.text(title)], repeats: true)
        let chat = try ChatProgram(server)
        try chat.prepare(
            "calendars/reminders/a.ics",
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:a\r\n"
                + "SUMMARY:\(title)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n")
        for arguments in [
            ["reminders", "list", "--json"], ["-p", "x", "--json"],
            ["-p", "x", "--output", "stream-json"], ["conversations", "show", "--json"],
            ["conversations", "export", "--all", "--format", "json"],
        ] {
            let result = try chat.run(arguments)
            XCTAssertEqual(result.exit, 0, "\(arguments): \(result.errorText)")
            XCTAssert(
                result.text.contains(#"a\u009b31m b\u202ec\u2066d\u200f"#),
                "\(arguments): \(result.text)")
            for scalar in title.unicodeScalars where !scalar.isASCII {
                XCTAssertFalse(result.text.unicodeScalars.contains(scalar), "\(arguments)")
            }
        }
        let listed = try chat.json(["reminders", "list", "--json"])
        XCTAssertEqual(listed[0]?["title"], .string(title))
        server.finish()
    }

    /// Sequences that move, retitle, ask, copy or hide.
    private static let payloads = [
        "\u{1B}[2J\u{1B}[H", "\u{1B}[38D\u{1B}[K", "\u{1B}]0;title\u{7}",
        "\u{1B}]52;c;ZXZpbA==\u{7}", "\u{1B}]52;c;ZXZpbA==\u{1B}\\", "\u{1B}]8;;http://x\u{1B}\\",
        "\u{1B}]1337;File=:AA==\u{7}", "\u{1B}P$q\"p\u{1B}\\", "\u{1B}_Gx\u{1B}\\",
        "\u{1B}[?1049h", "\u{1B}[?1000h", "\u{1B}[?2004l", "\u{1B}[6n", "\u{1B}[c", "\u{1B}[21t",
        "\u{1B}c", "\u{9B}2J", "\u{9D}52;c;eA==\u{9C}", "\u{90}q\u{9C}", "over\rwrite",
        "back\u{8}\u{8}\u{8}\u{8}space", "\u{B}\u{C}", "\u{7}\u{7}\u{7}", "\u{7F}", "\u{0}",
        "\u{18}\u{1A}", "\u{E}shift\u{F}", "\u{1B}", "\u{1B}[", "\u{1B}]0;never ended",
        "\u{E0041}\u{E0042}\u{E007F}", "\u{202E}reversed\u{202C}", "\u{2066}isolate\u{2069}",
        "\u{FEFF}\u{200B}\u{2060}", "\u{2028}\u{2029}", "\u{85}",
    ]

    /// Scalars that may not reach a terminal from foreign text. ZWJ, ZWNJ and
    /// variation selectors belong to ordinary writing.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2060...0x206F, 0x200B, 0xFEFF,
            0xE0000...0xE007F:
            true
        default: false
        }
    }

    private func assertClean(
        _ bytes: [UInt8], _ place: String, mayBreak: Bool = false, file: StaticString = #filePath,
        line: UInt = #line
    ) {
        let found = Self.forbidden(bytes).filter { !(mayBreak && $0 == "200b") }
        let text = String(decoding: bytes, as: UTF8.self)
        XCTAssertEqual(found, [], "\(place): \(text.debugDescription)", file: file, line: line)
    }

    private static func forbidden(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.filter(isForbidden)
            .map { String($0.value, radix: 16) }
    }

    /// What a terminal got without our own sequences: colours, the erasing of a status
    /// line, the paste mode, and what the line editor moves the cursor with. The
    /// terminal's line discipline makes CR LF of every LF; that a CR of foreign text is
    /// shown is asserted on the screen.
    private static func withoutOurs(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes.filter { $0 != 0x0D }, as: UTF8.self)
            .replacing(#/\u{1B}\[(\d+(;\d+)*)?[mKJCDGPA@]/#, with: "")
            .replacing(#/\u{1B}\[\?2004[hl]/#, with: "")
        return text.utf8.filter { $0 != 0x08 }
    }

    private static func json(_ text: String) -> String { JSONWriter.string(.string(text)) }

    func testNothingHostileGetsThroughAPipe() throws {
        let whole = Self.payloads.joined(separator: "|")
        for format in [WireFormat.responses, .chat, .messages] {
            let server = try ProviderServer(
                format,
                [
                    .toolCall("create_reminder", "{\"title\":\(Self.json("milk " + whole))}"),
                    .init { .sse(WireScript.text(Self.payloads + ["end"], format: $0)) },
                    .toolCall("no" + whole, "{\"\(whole)\":1}"), .text("end"),
                    .response(400, [], "{\"error\":{\"message\":\(Self.json(whole))}}"),
                    .response(401, [], whole),
                ])
            let chat = try ChatProgram(server)
            for arguments in [
                ["-p", "one"], ["-p", "two"], ["-p", whole.replacing("\0", with: "")],
                ["-p", "four"], ["reminders", "list"], ["reminders", "search", "milk"],
                ["conversations", "list"], ["conversations", "show"],
            ] {
                let result = try chat.run(
                    (arguments[0] == "-p" ? ["--verbose", "--provider", server.provider] : [])
                        + arguments)
                // Thai needs its breaks, and nothing here is a terminal.
                assertClean(result.output, "stdout of \(arguments[0])", mayBreak: true)
                assertClean(result.errors, "stderr of \(arguments[0])", mayBreak: true)
            }
            // JSON escapes what is a control character; the text is exact.
            let shown = try chat.json(["reminders", "list", "--json"])
            XCTAssert(shown[0]?["title"]?.stringValue?.hasPrefix("milk ") == true)
            server.stop()
        }
    }

    func testNothingHostileGetsThroughToATerminal() throws {
        let rounds = Self.payloads.enumerated().map { index, payload in
            "<<\(index) \(payload) >>\n"
        }
        let all = Self.payloads.joined(separator: " ")
        let server = try ProviderServer(
            .messages,
            [
                .init { .sse(WireScript.text(rounds + ["that was all"], format: $0)) },
                .toolCall(
                    "create_reminder", "{\"title\":\(Self.json("<<milk \(all) >>"))}"),
                .text("created it"),
                // What the file has kept of it: a call that matches nothing is not asked.
                .toolCall(
                    "delete_reminder",
                    "{\"title\":\(Self.json(Self.payloads[16...18].joined(separator: " ")))}"),
                .text("kept it"),
                .response(400, [], "{\"error\":{\"message\":\(Self.json("<<no \(all) >>"))}}"),
            ])
        let chat = try ChatProgram(server)
        let repl = try ChatTerminal(chat, rows: 60)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("one", until: "that was all")
        try repl.enter("two", until: "created it")
        repl.enter("three")
        try repl.answer("", to: "Enter for no", until: "kept it")
        try repl.waitForPrompt(after: "kept it")
        try repl.enter("four", until: "refused the request")
        try repl.enter("/reminders", until: "No date")
        repl.leave()
        let again = try ChatTerminal(chat, rows: 60)
        try again.waitForPrompt(after: "/help")
        again.leave()

        for bytes in [repl.terminal.transcript, again.terminal.transcript] {
            let text = String(decoding: bytes.filter { $0 != 0x0D }, as: UTF8.self)
            assertClean(Self.withoutOurs(bytes), "the terminal")
            // Between the marks there is none of them at all.
            for part in text.components(separatedBy: "<<").dropFirst() {
                guard let end = part.range(of: ">>") else { continue }
                let own = part[..<end.lowerBound].replacing(#/\u{1B}\[[\d;]*m/#, with: "")
                assertClean(Array(own.utf8), "a payload")
            }
        }
        let shown = repl.transcript.first { $0.hasPrefix("<<19") }
        XCTAssertEqual(shown, "<<19 over\\x0dwrite >>")
        XCTAssertEqual(server.violations, [])
        server.stop()
    }

    /// T1 for what is kept: each source by itself, with every payload in it, shown by the
    /// commands that show it.
    func testNothingThatIsKeptGetsThroughToATerminal() throws {
        let all = Self.payloads.joined(separator: "|")
        let typed = all.replacing("\0", with: "")
        let field = typed.replacing("\r", with: "").replacing(",", with: "\\,")
            .replacing(";", with: "\\;").replacing("\u{B}", with: "").replacing("\u{C}", with: "")
        let server = try ProviderServer(
            .messages,
            [
                .toolCall("list_reminders", "{}"), .text("<<" + all),
                .toolCall("no" + all, "{\(Self.json(all)):\(Self.json(all))}"), .text("end"),
            ], titles: .text("T " + all))
        let chat = try ChatProgram(server)
        try chat.prepare(
            "calendars/reminders/a.ics",
            [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:\(field)", "BEGIN:VTODO", "UID:a\(field)",
                "SUMMARY:\(field)", "DESCRIPTION:\(field)", "LOCATION:\(field)",
                "CATEGORIES:\(field)", "DUE:20310101T090000Z", "END:VTODO", "END:VCALENDAR", "",
            ].joined(separator: "\r\n"))
        try chat.prepare(
            "calendars/calendar/b.ics",
            [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:b",
                "SUMMARY:\(field)", "DESCRIPTION:\(field)", "LOCATION:\(field)",
                "ATTENDEE;CN=\"\(field.replacing("\"", with: ""))\":mailto:eve@evil.example",
                "DTSTART:20310101T090000Z", "DTEND:20310101T100000Z", "END:VEVENT",
                "END:VCALENDAR", "",
            ].joined(separator: "\r\n"))
        try chat.prepare("calendars/calendar/\u{1B}[2J\u{202E}.ics", "no calendar \(all)")
        let argument = String(typed.prefix(100))
        for (words, input) in [
            (["library", "save", argument], typed),
            (["story", "import", "-", "--title", argument], "\"\(typed)\", said \(typed)."),
            (["prompt", "new", "p", argument, "--summary", argument], ""),
            (["-p", "what is there?"], ""),
            (["-p", "two"], ""),
        ] as [([String], String)] { try chat.run(words, input: input) }
        let sources: [[String]] = [
            ["reminders", "list"], ["reminders", "search", "reversed"],
            ["calendar", "list", "--from", "2031-01-01"],
            ["calendar", "agenda", "day", "2031-01-01"], ["library", "list"],
            ["library", "show", "i1"],
            ["library", "search", "reversed"], ["story", "list"], ["story", "cast", "i2"],
            ["conversations", "list"], ["conversations", "show"],
            ["conversations", "search", "reversed"],
            ["tools", "log"], ["undo", "list"], ["prompt", "list"], ["prompt", "show", "p"],
            ["library", "show", argument], ["-p", "x", "--attach", argument], ["doctor"],
            ["reminders", "done", argument],
        ]
        var broken = 0
        for words in sources {
            let terminal = try ChatTerminal(chat, words, rows: 60)
            terminal.waitForEnd()
            // What it wrote last may still be on its way to the screen.
            try terminal.terminal.waitFor("what \(words) says") { screen in
                screen.transcript.contains { !$0.isEmpty }
            }
            let bytes = terminal.terminal.transcript
            XCTAssertFalse(bytes.isEmpty, "\(words)")
            let rest = Self.withoutOurs(bytes)
            assertClean(rest, "\(words.prefix(2))")
            if rest.isEmpty || !Self.forbidden(rest).isEmpty { broken += 1 }
        }
        print(
            "attack: T1 sources whose text acts on the terminal | \(broken) | "
                + "\(Self.payloads.count) payloads x \(sources.count) sources")
        server.stop()
    }
}
