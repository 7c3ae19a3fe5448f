import AgentCore
import Base
import Foundation
import Persistence
import TestSupport
import XCTest

@testable import Texts

final class PromptCommandTests: XCTestCase {
    func testTheListSaysWhereEachIsAndWhatItIsFor() async throws {
        let rig = try PromptRig()
        try rig.folder.write(Array("From a file.".utf8), to: "roles/mine.md")
        _ = try await rig.keep("shell", "---\neffort: low\nodd line\n---\nMy shell.\nMore.")
        let output = try await rig.run(["list"])
        XCTAssertEqual(
            output.lines.map(\.text),
            [
                "mine       file        From a file.",
                "proofread  built in    writing tool · Correct.",
                "shell      i1, edited  effort low · My shell.",
                "tutor      built in    Teach.",
            ])
        XCTAssertEqual(output.notices, ["shell: not understood: odd line"])
        let shell = try XCTUnwrap(output.json?.arrayValue?[2])
        XCTAssertEqual(shell["source"]?.stringValue, "item")
        XCTAssertEqual(shell["item"]?.stringValue, "i1")
        XCTAssertEqual(shell["effort"]?.stringValue, "low")
        XCTAssertEqual(shell["writingTool"], false)
        let tools = try await rig.run(["list", "--writing-tools"])
        XCTAssertEqual(tools.lines.count, 1)
    }

    func testTheListFitsTheWindow() async throws {
        let rig = try PromptRig()
        for (columns, lines) in [
            (
                40,
                [
                    "proofread  writing tool · Correct.", "shell      one command",
                    "tutor      Teach.",
                ]
            ),
            (
                30,
                [
                    "proofread  writing tool · Co…", "shell      one command",
                    "tutor      Teach.",
                ]
            ),
        ] {
            let server = PromptServer(book: rig.book, library: rig.library, files: rig.files) {
                columns
            }
            let output = try await server.commands[0].run(["list"])
            XCTAssertEqual(output.lines.map(\.text), lines)
        }
    }

    func testShowGivesAFileThatCouldBeOneAndSaysHowItIsSaid() async throws {
        let rig = try PromptRig()
        let built = try await rig.run(["show", "shell"])
        XCTAssertEqual(
            built.document.map { String(decoding: $0, as: UTF8.self) },
            "---\nsummary: one command\n---\n\nHelp.\n")
        XCTAssertEqual(built.remarks.map(\.text), ["built in · /p shell [TEXT]"])
        _ = try await rig.keep("shell", "Into {{lang}}: {{input}}")
        let edited = try await rig.run(["show", "shell"])
        XCTAssertEqual(
            edited.remarks.map(\.text),
            ["i1, edited · /p shell lang=… TEXT", "instead of the built-in one"])
    }

    func testEditingABuiltInOneMakesAnItemAndResettingTrashesIt() async throws {
        let rig = try PromptRig()
        let output = try await rig.run(["edit", "shell"]) { text in
            .changed(text.replacing("Help.", with: "Help me."))
        }
        XCTAssertEqual(output.lines.map(\.text), ["✓ edited: shell as i1 · /undo"])
        let item = try await rig.library.liveItem(ItemID(rawValue: 1))
        XCTAssertEqual(item.kind, .prompt)
        XCTAssertEqual(item.title, "shell")
        XCTAssertEqual(item.body, "---\nsummary: one command\n---\n\nHelp me.")
        XCTAssertEqual(item.metadata["builtin"]?.stringValue, "shell")
        // Again: a revision of the same item.
        _ = try await rig.run(["edit", "shell"]) { .changed($0 + " Please.") }
        let text = try await rig.book.prompt("shell")?.text
        XCTAssertEqual(text, "Help me. Please.")
        let history = try await rig.library.history(of: ItemID(rawValue: 1))
        XCTAssertEqual(history.count, 2)

        let reset = try await rig.run(["reset", "shell"])
        XCTAssertEqual(
            reset.lines.map(\.text),
            ["✓ reset: shell (the built-in one again) · i1 can be brought back: /undo"])
        let after = try await rig.book.prompt("shell")
        XCTAssertEqual(after?.source, .builtIn)
        let step = try await rig.library.steps(undone: false, limit: 1)[0]
        try await rig.library.undo(step.id)
        let back = try await rig.book.prompt("shell")?.text
        XCTAssertEqual(back, "Help me. Please.")
        let nothing = try await rig.run(["reset", "tutor"])
        XCTAssertEqual(nothing.lines.map(\.text), ["tutor is already the built-in one."])
    }

    func testAnUnchangedFileIsNoRevisionAndAFailedEditorSaysItsReason() async throws {
        let rig = try PromptRig()
        let output = try await rig.run(["edit", "shell"])
        XCTAssertEqual(output.lines.map(\.text), ["Nothing changed."])
        let count = try await rig.library.count()
        XCTAssertEqual(count, 0)
        await assertFails(rig, ["edit", "shell"], .failed("vi ended with 1"), "vi ended with 1")
    }

    func testAnEmptyTextOrAKeyIsNeverKept() async throws {
        let rig = try PromptRig()
        await assertFails(
            rig, ["edit", "shell"], .changed("---\nmodel: x\n---\n"),
            "a prompt needs a text; shell is unchanged")
        await assertFails(
            rig, ["edit", "shell"],
            .changed("use sk-ant-api03-" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"),
            "the text contains what looks like an API key; shell is unchanged")
        let count = try await rig.library.count()
        XCTAssertEqual(count, 0)
    }

    func testWhatCannotBeUsedIsEditedAgain() async throws {
        let rig = try PromptRig()
        let output = try await rig.run(["edit", "shell"], confirms: true) { text in
            text.isEmpty ? .changed("Better.") : .changed("")
        }
        XCTAssertEqual(output.lines.map(\.text), ["✓ edited: shell as i1 · /undo"])
        let text = try await rig.book.prompt("shell")?.text
        XCTAssertEqual(text, "Better.")
    }

    func testAChangeElsewhereMeanwhileIsKeptAndSoIsOurs() async throws {
        let rig = try PromptRig()
        let id = try await rig.keep("mine", "one")
        let library = rig.library
        let command = rig.server.commands[0]
        var interaction = Interaction()
        interaction.edit = { _, _ in
            // A failure shows below: nothing would be kept beside it.
            _ = try? await library.change(id, ItemChange(body: "theirs"))
            return .changed("ours")
        }
        let output = try await command.run(["edit", "mine"], interaction)
        XCTAssertEqual(output.outcome, .degraded)
        XCTAssertEqual(
            output.notices,
            ["Your text is kept as revision 3: chat library restore i1 --revision 3"])
        let text = try await rig.book.prompt("mine")?.text
        XCTAssertEqual(text, "theirs")
        let kept = try await library.revision(3, of: id)
        XCTAssertEqual(kept?.body, "ours")
    }

    func testAFileIsChangedWhereItIs() async throws {
        let rig = try PromptRig()
        try rig.folder.write(Array("# mine\nold\n".utf8), to: "roles/mine.md")
        let path = rig.folder.path + "/roles/mine.md"
        let output = try await rig.run(["edit", "mine"]) { .changed($0 + "\nnew") }
        XCTAssertEqual(output.lines.map(\.text), ["✓ edited: mine in \(path) · /undo"])
        XCTAssertEqual(
            try String(contentsOfFile: path, encoding: .utf8), "# mine\nold\nnew\n")
        // One that another program has changed meanwhile is left alone.
        let folder = rig.folder
        do {
            _ = try await rig.run(["edit", "mine"]) { text in
                // A failure shows below: the file would be written.
                _ = try? folder.write(Array("theirs".utf8), to: "roles/mine.md")
                return .changed(text + "ours")
            }
            XCTFail("the file has other words by now")
        } catch {
            XCTAssertEqual((error as? WritingFileError)?.reason, .changedMeanwhile)
        }
        XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "theirs")
    }

    func testLineEndsLinksAndTheLastLineOfAFileStayAndItsEditIsUndone() async throws {
        let rig = try PromptRig()
        try rig.folder.write(Array("old\r\nlines".utf8), to: "real.md")
        let (real, link) = (rig.folder.path + "/real.md", rig.folder.path + "/roles/mine.md")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
        let nothing = try await rig.run(["edit", "mine"])
        XCTAssertEqual(nothing.lines.map(\.text), ["Nothing changed."])
        _ = try await rig.run(["edit", "mine"]) { .changed($0 + "\nnew") }
        XCTAssertEqual(try rig.folder.read("real.md"), Array("old\r\nlines\r\nnew".utf8))
        XCTAssertEqual(try FileManager.default.destinationOfSymbolicLink(atPath: link), real)
        let step = try await rig.files.history(undone: false, limit: 1)[0]
        try await rig.files.undo(step)
        XCTAssertEqual(try rig.folder.read("real.md"), Array("old\r\nlines".utf8))
    }

    func testNewMakesOneFromATextAFileOrTheEditor() async throws {
        let rig = try PromptRig()
        let output = try await rig.run([
            "new", "translate", "Into {{lang|English}}:", "{{input}}", "--summary", "other words",
            "--writing-tool",
        ])
        XCTAssertEqual(output.lines.map(\.text), ["✓ saved: translate as i1 · /undo"])
        let made = try await rig.book.prompt("translate")
        XCTAssertEqual(made?.text, "Into {{lang|English}}: {{input}}")
        XCTAssertEqual(made?.summary, "other words")
        XCTAssertEqual(made?.isWritingTool, true)

        let file = "---\n# a comment stays\neffort: low\n---\nFrom a file.\n"
        try rig.folder.write(Array(file.utf8), to: "p.md")
        _ = try await rig.run(["new", "filed", "--from", rig.folder.path + "/p.md"])
        let body = try await rig.library.liveItem(ItemID(rawValue: 2)).body
        XCTAssertEqual(body, file)
        let marks = [made?.hasUntrustedText, try await rig.book.prompt("filed")?.hasUntrustedText]
        XCTAssertEqual(marks, [false, true])

        let none = try await rig.run(["new", "typed"])
        XCTAssertEqual(none.lines.map(\.text), ["No prompt was made."])
        _ = try await rig.run(["new", "typed"]) { .changed($0 + "\nTyped.") }
        let typed = try await rig.book.prompt("typed")
        XCTAssertEqual(typed?.text, "Typed.")
        XCTAssertEqual(typed?.problems, [])
    }

    func testNamesThatAreTakenOrCannotBeTypedAreRefused() async throws {
        let rig = try PromptRig()
        try await assertUsage(
            rig, ["new", "shell", "x"], "There is a prompt shell already (built in).")
        try await assertUsage(
            rig, ["new", "two words", "x"], "\"two words\" cannot be the name of a prompt.")
        try await assertUsage(
            rig, ["new", "x", "--from", rig.folder.path + "/none"],
            "\(rig.folder.path)/none cannot be read: No such file or directory.")
        try await assertUsage(
            rig, ["show", "nothing-like-it"], "There is no prompt \"nothing-like-it\".")
    }

    func testAWritingToolThatAsksForMoreThanATextIsSaidToBeNone() async throws {
        let rig = try PromptRig()
        let output = try await rig.run(["new", "t", "Into {{lang}}.", "--writing-tool"])
        XCTAssertEqual(
            output.notices,
            [
                "As a writing tool it would ask for more than a text: give each argument a default, {{name|default}}."
            ])
    }

    func testTheDoctorNamesLinesThatMeanNothing() async throws {
        let rig = try PromptRig()
        _ = try await rig.keep("mine", "---\ntools: all\n---\nText.")
        let capability = rig.server.capability
        let findings = await capability.check()
        XCTAssertEqual(
            findings,
            [
                Finding(
                    .settings, .warning, "prompt mine: not understood: tools: all",
                    remedy: "chat prompt edit mine")
            ])
    }

    func testAFileThatCannotBeReadIsReportedAndNotTakenForMissing() async throws {
        let rig = try PromptRig()
        try rig.folder.write([UInt8](repeating: 0x61, count: (256 << 10) + 1), to: "roles/shell.md")
        let problem = "\(rig.folder.path)/roles/shell.md cannot be read: it is larger than 256 KB."
        try await assertUsage(rig, ["show", "shell"], problem)
        try await assertUsage(rig, ["new", "shell", "x"], problem)
        let list = try await rig.run(["list"])
        XCTAssertEqual(list.notices, [problem])
        let findings = await rig.server.capability.check()
        XCTAssertEqual(findings, [Finding(.settings, .warning, problem)])
    }

    func testOnlyOnesOwnAreDeleted() async throws {
        let rig = try PromptRig(configured: [
            Prompt(name: "set", text: "x", source: .configuration)
        ])
        try rig.folder.write(Array("x".utf8), to: "roles/filed.md")
        _ = try await rig.keep("mine", "x")
        _ = try await rig.keep("shell", "edited")
        let output = try await rig.run(["delete", "mine"])
        XCTAssertEqual(
            output.lines.map(\.text),
            ["✓ deleted: mine (in the trash) · i1 can be brought back: /undo"])
        let gone = try await rig.book.prompt("mine")
        XCTAssertNil(gone)
        try await assertUsage(
            rig, ["delete", "shell"], "shell is built in and cannot be deleted.")
        try await assertUsage(
            rig, ["delete", "tutor"], "tutor is built in and cannot be deleted.")
        try await assertUsage(
            rig, ["delete", "filed"],
            "filed is a file of yours: \(rig.folder.path)/roles/filed.md")
        try await assertUsage(rig, ["delete", "set"], "set is in config.json.")
        try await assertUsage(rig, ["edit", "set"], "set is in config.json.")
        try await assertUsage(rig, ["reset", "filed"], "filed is yours, not built in.")
    }

    private func assertUsage(
        _ rig: PromptRig, _ words: [String], _ problem: String, line: UInt = #line
    ) async throws {
        do {
            _ = try await rig.run(words)
            XCTFail("it was done", line: line)
        } catch {
            XCTAssertEqual((error as? UsageError)?.problem, problem, line: line)
        }
    }

    private func assertFails(
        _ rig: PromptRig, _ words: [String], _ edited: EditedText, _ text: String,
        line: UInt = #line
    ) async {
        do {
            _ = try await rig.run(words) { _ in edited }
            XCTFail("it was done", line: line)
        } catch {
            XCTAssertEqual(error as? ToolError, .failed(text), line: line)
        }
    }
}
