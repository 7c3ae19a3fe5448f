import Foundation
import Glibc
import TestSupport
import XCTest

extension ChatProgram {
    /// Speech is the real espeak-ng with a few of its voices: a list of voices tries all,
    /// which takes a busy machine longer than a test waits.
    ///
    /// - Parameter cases: what it does instead, as cases of a shell on all its arguments.
    func usesEspeak(_ cases: String = "") throws {
        _ = try TestMachine.find("espeak-ng", package: "espeak-ng")
        let script = try folder.write(
            """
            #!/bin/sh
            case "$*" in
            --voices) /usr/bin/espeak-ng "$1" | /usr/bin/grep -E 'Pty|^ *[0-9]+ +en'; exit ;;
            --voices=variant) /usr/bin/espeak-ng "$1" | /usr/bin/head -n 8; exit ;;
            \(cases)
            esac
            exec /usr/bin/espeak-ng "$@"
            """.utf8, to: "new")
        XCTAssertEqual(chmod(script, 0o755), 0)
        // In one step: a run may read the old one.
        XCTAssertEqual(rename(script, folder.path("espeak-ng")), 0)
        variables["PATH"] = folder.path + ":" + TestMachine.path
    }

    /// Waits for a player, which writes its number into `pid` in its home.
    func waitForPlayer() throws {
        _ = try OtherProcess.waitUntil("a player") { player }
    }

    /// Waits until it has ended.
    func waitForSilence() throws {
        let pid = try OtherProcess.waitUntil("a player") { player }
        _ = try OtherProcess.waitUntil("silence") { OtherProcess.hasEnded(pid) ? true : nil }
    }

    private var player: pid_t? {
        let text = String(decoding: (try? folder.read("account/pid")) ?? [], as: UTF8.self)
        return pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
