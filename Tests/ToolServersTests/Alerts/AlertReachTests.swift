import XCTest

@testable import Planner

/// What would give an alert, for `status`, `install` and `doctor`.
final class AlertReachTests: XCTestCase {
    private func reach(
        chat: Bool = false, daemon: Bool = false, ways: [AlertInstaller.Way] = [],
        desktop: String? = nil, hook: Bool = false
    ) -> AlertReach {
        AlertReach(
            isChatOpen: chat, isDaemonRunning: daemon, ways: ways,
            channels: [
                AlertReach.Channel(name: "terminal", obstacle: nil),
                AlertReach.Channel(name: "desktop", obstacle: desktop),
            ] + (hook ? [AlertReach.Channel(name: "hook", obstacle: nil)] : []), terminal: true)
    }

    func testSomebodyMustLookAtTheTimeAndAChannelMustBeReady() {
        let table: [(AlertReach, [String], String?)] = [
            (reach(), [], "chat alerts install"),
            (reach(ways: [.autostart]), [], "chat alerts run &"),
            (reach(ways: [.systemd], desktop: "no bus", hook: true), [], "chat alerts run &"),
            (reach(daemon: true), ["desktop"], nil),
            (reach(chat: true), ["desktop", "terminal"], nil),
            (reach(chat: true, desktop: "no bus"), ["terminal"], nil),
            (reach(daemon: true, desktop: "no bus"), [], "(desktop: no bus)"),
            (reach(daemon: true, desktop: "no bus", hook: true), ["hook"], nil),
            // Cron looks each minute, without the variables of the session.
            (reach(ways: [.cron], hook: true), ["hook"], nil),
            (reach(ways: [.cron]), [], "cron cannot reach the desktop"),
            (reach(daemon: true, ways: [.cron]), ["desktop"], nil),
        ]
        for (number, (reach, names, warning)) in table.enumerated() {
            XCTAssertEqual(reach.names, names, "row \(number)")
            XCTAssertEqual(reach.warning == nil, warning == nil, "row \(number)")
            XCTAssert(reach.warning?.contains(warning ?? "") ?? true, "\(number): \(reach)")
        }
    }
}
