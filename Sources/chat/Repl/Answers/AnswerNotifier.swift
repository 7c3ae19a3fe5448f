import Base
import ChatKit
import Persistence
import Planner
import Sound
import TerminalKit

/// Notifies a user who is looking elsewhere that a long answer has ended: by the bell, the
/// terminal's notification or the desktop's, as configured. A notification has the conversation's
/// title, but nothing of the answer.
struct AnswerNotifier: Sendable {
    let way: Settings.Notify
    let variables: [String: String]

    /// Number of seconds after which the user may be looking elsewhere.
    static let longAnswer = 10.0

    /// Whether this answer is worth a notification. `isFocused` is nil if the terminal
    /// does not report it.
    func isDue(seconds: Double, isFocused: Bool?) -> Bool {
        way != .off && seconds >= Self.longAnswer && isFocused != true
    }

    /// The bytes for the terminal; empty where the desktop notifies.
    func bytes(title: String) -> [UInt8] {
        switch way {
        case .off, .desktop: []
        case .bell: [0x07]
        case .terminal:
            TerminalNotification(variables: variables)
                .bytes(title: "The answer is ready", text: title)
        }
    }

    /// Notifies the desktop.
    func tellDesktop(title: String) async {
        // A failure is not worth a message.
        guard way == .desktop, let program = try? Subprocess.find("notify-send", in: variables)
        else { return }
        let words = [
            "--app-name=chat", "--", "The answer is ready",
            DesktopChannel.escaped(HostileText.line(title)),
        ]
        // The answer is on the screen: a missing notification is no error.
        _ = try? await Subprocess(
            program: program, arguments: words,
            environment: Subprocess.baseEnvironment(from: variables),
            limits: Subprocess.Limits(time: .seconds(3), outputBytes: 4_096, errorBytes: 4_096)
        ).run()
    }
}
