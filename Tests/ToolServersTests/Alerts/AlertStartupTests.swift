import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Planner

/// The start with the system: texts, and programs that stand in for the
/// system's.
final class AlertStartupTests: XCTestCase {
    private let startup = AlertStartup(
        program: "/opt/my $chat/50%/chat", variables: [("CHAT_HOME", "/home/a b/it's \"x\"")])

    func testTheUnitQuotesAsSystemdReads() {
        XCTAssert(
            startup.unit.contains(
                #"Environment="CHAT_HOME=/home/a b/it's \"x\"""# + "\n"), startup.unit)
        XCTAssert(
            startup.unit.contains(#"ExecStart="/opt/my $$chat/50%%/chat" alerts run"#),
            startup.unit)
    }

    func testNothingIsStartedOnceTheProgramIsGone() throws {
        XCTAssert(
            startup.unit.contains("\nConditionFileIsExecutable=/opt/my $chat/50%%/chat\n"),
            startup.unit)
        let odd = AlertStartup(program: #"/opt/a \b/chat"#, variables: [])
        XCTAssert(odd.entry.contains("\n" + #"TryExec=/opt/a \\b/chat"# + "\n"), odd.entry)
        for line in startup.cronLines {
            XCTAssert(line.contains(#" test -x '/opt/my $chat/50'\%'/chat' && CHAT_HOME="#), line)
        }
    }

    func testWhatSystemdEnabledGoesAlthoughItDoesNotAnswer() async throws {
        let folder = try CalendarFolder()
        let wants = folder.path + "/config/systemd/user/default.target.wants"
        let unit = folder.path + "/config/systemd/user/chat-alerts.service"
        try put(folder.path + "/bin/systemctl", "#!/bin/sh\n")
        _ = try await installer(folder).install()
        try FileManager.default.createDirectory(
            atPath: wants, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: wants + "/chat-alerts.service", withDestinationPath: unit)
        try put(folder.path + "/bin/systemctl", "#!/bin/sh\nexit 1\n")
        _ = try await installer(folder).uninstall()
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: wants), [])
    }

    func testTheCrontabKeepsForeignLinesByteForByte() {
        let foreign = "MAILTO=x\n# mine\n0 5 * * * a % b"
        let latin: [UInt8] = Array("# caf".utf8) + [0xE9, 0x0D, 0x0A]
        let tables = ["", foreign, foreign + "\n", "\n\n" + foreign + "\n\n", "a\r\nb\r\n"]
        for crontab in tables.map({ Array($0.utf8) }) + [latin, latin + [0xE9]] {
            let added = startup.added(to: crontab)
            XCTAssertEqual(startup.added(to: added), added)
            XCTAssertEqual(AlertStartup.removed(from: added), crontab)
            // A line that was added since keeps its end.
            let more = Array("new\n".utf8)
            let removed = AlertStartup.removed(from: added + more)
            let isOpen = !crontab.isEmpty && crontab.last != 0x0A
            XCTAssertEqual(removed, crontab + (isOpen ? [0x0A] : []) + more)
        }
        // Half of ours is not ours.
        let half = Array("a\n\(AlertStartup.beginLine)\nb\n".utf8)
        XCTAssertEqual(AlertStartup.removed(from: half), half)
    }

    /// The line, run by a real shell as cron would, starts the program: whether
    /// or not cron gives a meaning to percent signs and backslashes.
    func testTheCronLineRunsTheProgramItNames() throws {
        for name in ["it's 100% $HOME", "a'\u{301}%\u{301}b", #"50\% \\ a\"#, #"%\'%\%\\%"#] {
            let folder = try CalendarFolder()
            let program = folder.path + "/" + name
            try put(program, "#!/bin/sh\nprintf '%s|' \"$CHAT_HOME\" \"$@\" >\(folder.path)/out\n")
            let startup = AlertStartup(program: program, variables: [("CHAT_HOME", "/a 'b' \\%")])
            let line = try XCTUnwrap(startup.cronLines.first { $0.hasPrefix("@reboot") })
            let command = String(line.dropFirst("@reboot ".count))
            for command in [Self.asCronReads(command), command] {
                let shell = Process.apart()
                shell.executableURL = URL(fileURLWithPath: "/bin/sh")
                shell.arguments = ["-c", command]
                try shell.run()
                shell.waitUntilExit()
                XCTAssertEqual(
                    String(decoding: try folder.bytes(folder.path + "/out"), as: UTF8.self),
                    "/a 'b' \\%|alerts|run|", command)
                unlink(folder.path + "/out")
            }
        }
    }

    /// As Vixie's cron does before it calls the shell (do_command.c): the
    /// backslash goes before `%` and another, and a bare `%` ends the command.
    private static func asCronReads(_ command: String) -> String {
        var read = ""
        var isEscaped = false
        for character in command {
            if isEscaped {
                if character == "%" || character == "\\" { read.removeLast() }
                isEscaped = false
            } else if character == "%" {
                break
            } else {
                isEscaped = character == "\\"
            }
            read.append(character)
        }
        return read
    }

    private func put(_ path: String, _ text: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o755)
    }

    private func installer(
        _ folder: CalendarFolder, _ more: [String: String] = [:]
    ) -> AlertInstaller {
        var variables = ["PATH": folder.path + "/bin", "HOME": folder.path]
        variables.merge(more) { $1 }
        return AlertInstaller(
            variables: variables, configFolder: folder.path + "/config",
            startup: AlertStartup(program: "/usr/bin/chat", variables: []))
    }

    func testSystemdIsTakenWhereItAnswersAndAllOfItIsTakenBack() async throws {
        let folder = try CalendarFolder()
        try put(
            folder.path + "/bin/systemctl", "#!/bin/sh\necho \"$@\" >>\(folder.path)/calls\n")
        let installer = installer(folder)
        let first = try await installer.install()
        XCTAssertEqual(first.json?["installed"], "systemd")
        let second = try await installer.install()
        XCTAssertEqual(second, first)
        let unit = folder.path + "/config/systemd/user/chat-alerts.service"
        XCTAssert(FileManager.default.fileExists(atPath: unit))
        var installed = await installer.installed()
        XCTAssertEqual(installed, [.systemd])
        _ = try await installer.uninstall()
        installed = await installer.installed()
        XCTAssertEqual(installed, [])
        XCTAssertFalse(FileManager.default.fileExists(atPath: unit))
        let calls = String(decoding: try folder.bytes(folder.path + "/calls"), as: UTF8.self)
        XCTAssert(calls.contains("--user enable --now chat-alerts.service"), calls)
        XCTAssert(calls.contains("--user disable --now chat-alerts.service"), calls)
    }

    func testAUnitOfSomebodyElseIsNeverReplacedOrRemoved() async throws {
        let folder = try CalendarFolder()
        try put(folder.path + "/bin/systemctl", "#!/bin/sh\n")
        let unit = folder.path + "/config/systemd/user/chat-alerts.service"
        try put(unit, "[Service]\n")
        let installer = installer(folder)
        do {
            _ = try await installer.install()
            XCTFail("it was replaced")
        } catch {}
        _ = try await installer.uninstall()
        XCTAssertEqual(try folder.bytes(unit), Array("[Service]\n".utf8))
    }

    func testWithoutSystemdTheDesktopThenCronThenNothing() async throws {
        let folder = try CalendarFolder()
        try put(folder.path + "/bin/systemctl", "#!/bin/sh\nexit 1\n")
        let desktop = try await installer(folder, ["DISPLAY": ":0"]).install()
        XCTAssertEqual(desktop.json?["installed"], "autostart")
        let nothing = try await installer(folder).install()
        XCTAssertEqual(nothing.outcome, .missingProgram)
        let table = folder.path + "/table"
        try put(
            folder.path + "/bin/crontab",
            """
            #!/bin/sh
            if [ "$1" = -l ]; then
                [ -e \(table) ] && exec /bin/cat \(table)
                echo "no crontab for me" >&2
                exit 1
            fi
            [ "$1" = -r ] && exec /bin/rm \(table)
            exec /bin/cat >\(table)

            """)
        let cron = try await installer(folder).install()
        XCTAssertEqual(cron.json?["installed"], "cron")
        // One way at a time.
        let installed = await installer(folder).installed()
        XCTAssertEqual(installed, [.cron])
        _ = try await installer(folder).uninstall()
        XCTAssertFalse(FileManager.default.fileExists(atPath: table))
        let bytes: [UInt8] = Array("# caf".utf8) + [0xE9, 0x0D, 0x0A, 0x23]
        try Data(bytes).write(to: URL(fileURLWithPath: table))
        _ = try await installer(folder).install()
        _ = try await installer(folder).uninstall()
        XCTAssertEqual(try folder.bytes(table), bytes)
    }
}
