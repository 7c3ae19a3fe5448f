import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Folders that the model may read, folders that are attached, and images from the
/// clipboard, in the real program.
final class FolderTests: XCTestCase {
    private func tools(_ server: ProviderServer, _ index: Int) throws -> Set<String> {
        let body = try JSONParser.parse(server.requests[index].body)
        return Set((body["tools"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue })
    }

    private func text(_ server: ProviderServer, _ index: Int) -> String {
        String(decoding: server.requests[index].body, as: UTF8.self)
    }

    private func tree(_ chat: ChatProgram, files: Int = 2) throws -> String {
        let folder = chat.folder.path("app")
        try FileManager.default.createDirectory(
            atPath: folder + "/sub", withIntermediateDirectories: true)
        for index in 1...files {
            try chat.folder.write(Array("text \(index)\n".utf8), to: "app/f\(index).txt")
        }
        try chat.folder.write(Array("KEY=CANARY\n".utf8), to: "app/.env")
        try chat.folder.write([0, 1, 2], to: "app/sub/bin")
        return folder
    }

    func testAFolderIsReadWhileItIsOpenAndNotBeforeOrAfter() throws {
        let names: Set = ["list_folder", "read_file", "search_files"]
        let server = try ProviderServer(
            .messages,
            [
                .text("Before."), .toolCall("read_file", #"{"path": "f1.txt"}"#),
                .toolCall("read_file", #"{"path": "app/.env"}"#, id: "call_2"),
                .toolCall("create_reminder", #"{"title": "milk"}"#, id: "call_3"),
                .text("While."), .text("After."),
            ])
        let chat = try ChatProgram(server)
        let folder = try tree(chat)
        let repl = try ChatTerminal(chat, ["--provider", "claude"])
        try repl.waitForPrompt(after: "/help")
        try repl.enter("first", until: "Before.")
        try repl.enter("/open \(folder)", until: "What it reads goes to")
        try repl.enter("/open", until: "/close NAME")
        repl.enter("look")
        try repl.waitFor("app/f1.txt, 1 line")
        // Text of others has been read: a write asks.
        try repl.answer("n", to: "y to do it", until: "While.")
        try repl.waitForPrompt()
        try repl.enter("/close app", until: "is closed")
        try repl.enter("last", until: "After.")
        repl.leave()
        XCTAssertTrue(try tools(server, 0).isDisjoint(with: names))
        XCTAssertTrue(try tools(server, 1).isSuperset(of: names))
        XCTAssertTrue(try tools(server, 5).isDisjoint(with: names))
        XCTAssertTrue(text(server, 2).contains(#"app/f1.txt, 1 line\n1\ttext 1"#))
        XCTAssertTrue(text(server, 3).contains("may hold keys"))
        XCTAssertFalse(text(server, 5).contains("CANARY"))
        server.finish()
    }

    func testOneAnswerReadsAndAttachesFolders() throws {
        let server = try ProviderServer(
            .messages,
            [.toolCall("search_files", #"{"text": "text 2"}"#), .text("Found."), .text("Seen.")])
        let chat = try ChatProgram(server)
        let folder = try tree(chat, files: 21)
        let read = try chat.run(["-p", "look", "--provider", "claude", "--open", folder])
        XCTAssertEqual(read.exit, 0, read.errorText)
        XCTAssertTrue(text(server, 1).contains("app/f2.txt:1: text 2"))
        let much = try chat.run(["-p", "see", "--provider", "claude", "--attach", folder])
        XCTAssertEqual(much.exit, 2)
        XCTAssertTrue(much.errorText.contains("matches 21 files"), much.errorText)
        XCTAssertTrue(much.errorText.contains("--yes"), much.errorText)
        let all = try chat.run(["-p", "see", "--provider", "claude", "--yes", "--attach", folder])
        XCTAssertEqual(all.exit, 0, all.errorText)
        XCTAssertTrue(
            all.errorText.contains(
                "21 files, 159 bytes (left out: 1 that may hold keys, 1 not text)"),
            all.errorText)
        XCTAssertTrue(text(server, 2).contains("File app/f21.txt:"))
        XCTAssertFalse(text(server, 2).contains("CANARY"))
        let gone = try chat.run(["-p", "x", "--open", chat.folder.path("none")])
        XCTAssertEqual(gone.exit, 2)
        let home = try chat.run(["-p", "x", "--open", chat.home])
        XCTAssertEqual(home.exit, 2)
        XCTAssertTrue(home.errorText.contains("belongs to chat itself"), home.errorText)
        server.finish()
    }

    func testAFolderInAMessageIsAskedAboutWhereItIsMuch() throws {
        let server = try ProviderServer(.messages, [.text("Seen."), .text("Two.")])
        let chat = try ChatProgram(server)
        let folder = try tree(chat, files: 21)
        let repl = try ChatTerminal(chat, ["--provider", "claude"])
        try repl.waitForPrompt(after: "/help")
        repl.enter("see @\(folder)/")
        try repl.answer("n", to: "Attach 21 files", until: "Not sent")
        try repl.enter("see @\(folder)/f1*.txt", until: "Seen.")
        try repl.enter("/attach \(folder)/f2.txt \(folder)/f3.txt", until: "with the next message")
        try repl.enter("and these", until: "Two.")
        repl.leave()
        let sent = text(server, 0)
        XCTAssertTrue(sent.contains("File app/f19.txt:") && !sent.contains("File app/f2.txt:"))
        XCTAssertTrue(text(server, 1).contains("File f3.txt:"))
        server.finish()
    }

    func testAnImageOnTheClipboardIsAttachedByAKeyAndTheLineStays() throws {
        let server = try ProviderServer(.messages, [.text("I see it.")])
        let chat = try ChatProgram(server)
        let png: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
            + Array("IHDR".utf8) + [0, 0, 4, 0, 0, 0, 3, 0]
        let image = try chat.folder.write(png, to: "image")
        let script = """
            #!/bin/sh
            case "$*" in
            --list-types) echo text/plain; cat '\(chat.folder.path)/types' ;;
            *image/png) cat '\(image)' ;;
            *) printf 'two words' ;;
            esac
            """
        let program = try chat.folder.write(Array(script.utf8), to: "wl-paste")
        XCTAssertEqual(chmod(program, 0o755), 0)
        chat.variables["PATH"] = chat.folder.path + ":" + (chat.variables["PATH"] ?? "")
        chat.variables["WAYLAND_DISPLAY"] = "wayland-0"
        try chat.folder.write(Array("image/png\n".utf8), to: "types")
        let repl = try ChatTerminal(chat, ["--provider", "claude"])
        try repl.waitForPrompt(after: "/help")
        repl.terminal.type("what is \u{16}")
        try repl.waitFor("+ clipboard.png  1,024 × 768, 24 bytes")
        try repl.waitForLine("> what is")
        try chat.folder.write([], to: "types")
        repl.terminal.type("\u{16}")
        try repl.waitForLine("> what is two words")
        try repl.enter(" here", until: "I see it.")
        repl.leave()
        let sent = text(server, 0)
        XCTAssertTrue(sent.contains(Base64.text(png)))
        XCTAssertEqual(try server.messages(0), ["user: what is two words here"])
        server.finish()
    }
}
