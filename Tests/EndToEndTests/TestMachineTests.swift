import Base
import Foundation
import Glibc
import TestSupport
import XCTest

/// Nothing a test starts reaches what is the user's, and everything a test
/// asks for is installed by `scripts/setup --tests`.
final class TestMachineTests: XCTestCase {
    private static let report = """
        for name in crontab systemctl secret-tool; do
            case $(command -v $name) in /usr/*|/bin/*) echo "real $name" ;; *) echo own ;; esac
        done
        case $HOME in *chat-test*) echo own ;; *) echo "home $HOME" ;; esac
        echo "bus <$DBUS_SESSION_BUS_ADDRESS$XDG_RUNTIME_DIR>"
        """
    private static let expected = "own\nown\nown\nown\nbus <>\n"

    /// The variables of somebody's desktop, which the runner would hand on.
    private func asOnADesktop(_ body: () throws -> Void) rethrows {
        let names = ["HOME", "PATH", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"]
        let before = names.map { name in getenv(name).map { String(cString: $0) } }
        for (name, value) in zip(names, ["/home/ada", "/usr/bin:/bin", "unix:path=/b", "/r"]) {
            setenv(name, value, 1)
        }
        defer {
            for (name, value) in zip(names, before) {
                if let value { setenv(name, value, 1) } else { unsetenv(name) }
            }
        }
        try body()
    }

    func testAProgramSeesNothingOfTheUser() throws {
        try asOnADesktop {
            for chosen in [[:], ["PATH": "/usr/bin:/bin"], try ChatProgram().variables] {
                let program = try RunningProgram(
                    "/bin/sh", ["-c", Self.report], environment: chosen)
                program.endInput()
                XCTAssertEqual(try program.finish().text, Self.expected, "\(chosen)")
            }
            let process = Process.apart()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", Self.report]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let told = String(
                decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            XCTAssertEqual(told, Self.expected)
            let terminal = try PseudoTerminal(rows: 24, columns: 80)
            defer { terminal.end() }
            try terminal.spawn(
                "/bin/sh", ["-c", Self.report], environment: ["PATH": "/usr/bin:/bin"])
            try terminal.waitFor("the report") { $0.transcript.contains("bus <>") }
            XCTAssertEqual(terminal.waitForExit(), 0)
            XCTAssertEqual(
                terminal.screen.transcript.prefix(5).joined(separator: "\n") + "\n", Self.expected)
        }
    }

    func testWhatATestInstallsIsInItsOwnCrontab() throws {
        let chat = try ChatProgram()
        let output = try chat.run(["alerts", "install", "--json"]).output
        XCTAssertEqual(try JSONParser.parse(output)["installed"], "cron")
        let table = try String(
            contentsOfFile: chat.folder.path("account/.crontab"), encoding: .utf8)
        XCTAssert(table.contains("alerts run"), table)
        let other = try ChatProgram()
        XCTAssertEqual(try other.json(["alerts", "status", "--json"])["installed"], [])
    }

    func testAProgramThatCannotBeStartedIsAbsent() throws {
        let folder = try TemporaryFolder()
        for (name, text) in [
            ("script", "#!/bin/sh -e\n"), ("orphan", "#!/nowhere/python3\n"),
            ("no-script.jar", "PK\u{3}\u{4}"), ("empty", ""), ("plain", "#!/bin/sh\n"),
        ] {
            let path = try folder.write(text.utf8, to: name)
            chmod(path, name == "plain" ? 0o600 : 0o700)
        }
        func find(_ name: String) throws -> String {
            try TestMachine.find(name, package: "none", in: ["/nowhere", folder.path, "/bin"])
        }
        XCTAssertEqual(try find("script"), folder.path("script"))
        XCTAssertEqual(try find("sh"), "/bin/sh")
        for name in ["orphan", "no-script.jar", "empty", "plain", "no-such-program"] {
            XCTAssertThrowsError(try find(name), name) { XCTAssertTrue($0 is XCTSkip, name) }
        }
    }

    /// A test that skips names the package it wants. Bash is on every Debian; libical and
    /// epubcheck with its Java are not worth their size (docs/recurrence.md).
    func testSetupInstallsEveryPackageThatATestAsksFor() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let root = tests.deletingLastPathComponent()
        let setup = try String(
            contentsOf: root.appendingPathComponent("scripts/setup"), encoding: .utf8)
        let installed = Set(
            setup.split(separator: "\n").compactMap { line in
                let parts = line.split(separator: "|")
                return parts.count == 3
                    ? parts[0].split(separator: "'").last.map(String.init) : nil
            })
        var asked: Set<String> = []
        let files = FileManager.default.enumerator(atPath: tests.path)?.allObjects as? [String]
        for name in files ?? [] where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(tests.path)/\(name)", encoding: .utf8)
            for match in text.matches(
                of: #/(?:\(Debian: |(?:needs|package): ")([a-z0-9+, -]+)[")]/#)
            {
                for package in match.1.split(separator: ",") {
                    asked.insert(package.trimmingCharacters(in: .whitespaces))
                }
            }
        }
        XCTAssertGreaterThan(asked.count, 10)
        XCTAssertEqual(
            asked.subtracting(installed).sorted(),
            // LibreOffice is too large to install for one test; util-linux is part of every Debian.
            ["bash", "epubcheck", "libical3", "libreoffice-writer", "none", "util-linux"])
    }
}
