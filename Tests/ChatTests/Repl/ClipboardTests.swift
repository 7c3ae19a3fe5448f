import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

final class ClipboardTests: XCTestCase {
    private func program(_ name: String, _ body: String, in folder: TemporaryFolder) throws {
        let path = folder.path + "/" + name
        try Data("#!/bin/sh\n\(body)\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    private func way(
        _ choice: Settings.Clipboard, _ variables: [String: String], _ count: Int = 10
    ) throws -> Clipboard.Way {
        try Clipboard(choice: choice, variables: variables).way(for: count)
    }

    func testTheDesktopsProgramComesFirstThenTheTerminalAfterAQuestion() throws {
        let folder = try TemporaryFolder()
        let path = ["PATH": folder.path]
        let wayland = path.merging(["WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"]) { $1 }
        XCTAssertEqual(try way(.auto, wayland), .terminal(asks: true))
        try program("xsel", "", in: folder)
        XCTAssertEqual(
            try way(.auto, wayland),
            .program(
                name: "xsel", path: folder.path + "/xsel", arguments: ["--input", "--clipboard"]))
        try program("wl-copy", "", in: folder)
        XCTAssertEqual(
            try way(.auto, wayland),
            .program(name: "wl-copy", path: folder.path + "/wl-copy", arguments: []))
        XCTAssertEqual(try way(.auto, path), .terminal(asks: true))
        XCTAssertEqual(try way(.osc52, wayland), .terminal(asks: false))
        XCTAssertThrowsError(try way(.off, wayland))
        XCTAssertThrowsError(try way(.osc52, path, Clipboard.terminalLimit + 1))
        XCTAssertNoThrow(try way(.auto, wayland, 10_000_000))
    }

    func testTheTerminalIsAskedForOnceAndTheAnswerIsKept() throws {
        let folder = try TemporaryFolder()
        var clipboard = Clipboard(choice: .auto, variables: ["PATH": folder.path])
        clipboard.answerPath = folder.path + "/state/clipboard"
        XCTAssertEqual(try clipboard.way(for: 10), .terminal(asks: true))
        clipboard.rememberYes()
        XCTAssertEqual(try clipboard.way(for: 10), .terminal(asks: false))
        // What an earlier version kept after one Enter.
        try Data("no\n".utf8).write(to: URL(fileURLWithPath: clipboard.answerPath ?? ""))
        XCTAssertEqual(try clipboard.way(for: 10), .terminal(asks: true))
        // The configuration is the user's last word, and a desktop needs no answer.
        clipboard = Clipboard(
            choice: .osc52, variables: clipboard.variables, answerPath: clipboard.answerPath)
        XCTAssertEqual(try clipboard.way(for: 10), .terminal(asks: false))
        clipboard = Clipboard(
            choice: .auto, variables: ["PATH": folder.path, "DISPLAY": ":0"],
            answerPath: clipboard.answerPath)
        try program("xsel", "", in: folder)
        XCTAssertNotEqual(try clipboard.way(for: 10), .terminal(asks: false))
        try Data("rubbish".utf8).write(to: URL(fileURLWithPath: clipboard.answerPath ?? ""))
        clipboard = Clipboard(
            choice: .auto, variables: [:], answerPath: clipboard.answerPath)
        XCTAssertEqual(try clipboard.way(for: 10), .terminal(asks: true))
    }

    func testAProgramThatStaysBehindDoesNotHoldUsUp() async throws {
        let folder = try TemporaryFolder()
        try program("keeper", "cat > \"$1\"; sleep 30 &", in: folder)
        let clipboard = Clipboard(choice: .auto, variables: TestMachine.variables)
        let file = folder.path + "/text"
        try await clipboard.run(folder.path + "/keeper", [file], Array("a\u{1B}b\n".utf8))
        XCTAssertEqual(try String(contentsOfFile: file, encoding: .utf8), "a\u{1B}b\n")
        do {
            try await clipboard.run("/bin/false", [], [])
            XCTFail("it failed")
        } catch let error as UsageError {
            XCTAssertTrue(error.problem.contains("/bin/false"))
        }
    }

    func testTheTerminalsSequenceIsBase64() {
        XCTAssertEqual(
            String(decoding: Clipboard.sequence(Array("é\u{1B}\\".utf8)), as: UTF8.self),
            "\u{1B}]52;c;w6kbXA==\u{1B}\\")
    }
}
