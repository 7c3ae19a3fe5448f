import TestSupport

#if compiler(>=6.3) && compiler(<6.4)
    import Foundation
    import TestSupport
    import XCTest

    /// A program that waits sleeps: no timer of it ends within half a minute. How
    /// often it wakes is measured by `make bench`.
    final class IdleTests: XCTestCase {
        /// Seconds until the timers end that the process has armed (timerfd).
        private func timers(of pid: Int32) throws -> [Int] {
            let folder = "/proc/\(pid)/fdinfo"
            return try FileManager.default.contentsOfDirectory(atPath: folder).flatMap { name in
                // A descriptor may have been closed since.
                let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
                return text.split(separator: "\n").filter {
                    $0.hasPrefix("it_value: (") && $0 != "it_value: (0, 0)"
                }.compactMap { Int($0.dropFirst("it_value: (".count).prefix { $0.isNumber }) }
            }
        }

        func testTheDaemonWaitsWithoutATimerThatEndsSoon() throws {
            let chat = try ChatProgram()
            try chat.putReminder("later", dueIn: 3600)
            let daemon = try chat.start(["--verbose", "alerts", "run"])
            try daemon.waitFor(errors: "alerts: running")
            // Many files are read on several threads.
            for one in "abcdefghijklmnop" {
                for two in "abcdefghijklmnop" { try chat.putReminder("\(one)\(two)", dueIn: 7200) }
            }
            try chat.putReminder("now", dueIn: 0)
            try daemon.waitFor(errors: "alerts: no channel accepted an alert")
            let soon = try timers(of: daemon.pid).filter { $0 < 30 }
            XCTAssertEqual(soon, [])
            kill(daemon.pid, SIGTERM)
            daemon.endInput()
            XCTAssertEqual(try daemon.finish().exit, 0)
        }

        func testAnIdleChatWaitsWithoutATimerThatEndsSoon() throws {
            let chat = try ChatProgram()
            let session = try ChatTerminal(chat)
            try session.waitForPrompt()
            let soon = try timers(of: session.terminal.child).filter { $0 < 30 }
            XCTAssertEqual(soon, [])
            session.leave()
        }
    }
#endif
