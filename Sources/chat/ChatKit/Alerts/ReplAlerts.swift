import AgentCore
import Base
import FoundationEssentials
import Planner
import Sound
import TerminalKit

/// Alerts while the chat is open: the scheduler runs beside the prompt, and an alert is
/// printed above the line being typed, or between the lines of an answer.
///
/// While a question is on the screen, the terminal holds the alert back until it is
/// answered; a desktop notification comes at once all the same.
package final class ReplAlerts: Sendable {
    private let parts: AlertAssembly
    private let log: LogFile
    private let channel: AlertChannel
    private let answered: @Sendable (Alert, Bool) async -> Void

    /// - Parameter show: prints whole lines at a suitable place on the screen.
    package init(
        parts: AlertAssembly, log: LogFile, terminal: TerminalSession, sound: SoundOwner,
        variables: [String: String], show: @escaping @Sendable ([StyledLine]) async -> Void
    ) {
        self.parts = parts
        self.log = log
        let settings = parts.settings
        let notification = TerminalNotification(variables: variables)
        channel = AlertChannel("terminal", isQuick: true) { notice in
            // If the desktop can be notified directly, the terminal must not notify it a
            // second time.
            if settings.desktop, DesktopChannel.obstacle(variables) != nil {
                await terminal.write(notification.bytes(title: notice.title, text: notice.when))
            }
            await show([notice.line(hints: true)])
            // Print the text before the bell interrupts speech.
            if settings.bell { await sound.ring { await terminal.write([0x07]) } }
            return true
        }
        answered = { alert, isDone in
            let title = AlertNotice.title(alert)
            await show([
                isDone
                    ? StyledLine("  ✓ \(title) · by its button", .dim)
                    : StyledLine("  \(title): the button could not be carried out", .warning)
            ])
        }
    }

    package var dependencies: AlertScheduler.Dependencies {
        parts.dependencies(terminal: channel, log: log, isChat: true, onAnswer: answered)
    }

    /// Runs until the task is cancelled.
    package func run() async {
        let held = parts.presence.enterChat()
        defer { withExtendedLifetime(held) {} }
        guard let watch = AlertWatch() else {
            log.write("alerts: could not start the alert thread")
            return
        }
        await AlertScheduler(dependencies).run(watch)
        watch.stop()
    }

    package func done() async throws -> CommandOutput { try await parts.rung.done() }

    package func snooze(_ arguments: [String]) async throws -> CommandOutput {
        try await parts.rung.snooze(arguments)
    }
}
