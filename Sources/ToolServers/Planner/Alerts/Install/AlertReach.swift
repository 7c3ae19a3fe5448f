/// The way an alert would be delivered now: the processes that check for due alerts, and
/// the channels through which they reach the user. `alerts status`, `alerts install` and
/// `chat doctor` all report the decision made here. Pure.
package struct AlertReach: Sendable, Equatable {
    package struct Channel: Sendable, Equatable {
        package var name: String
        /// The reason why it cannot be used now; nil if it can.
        package var obstacle: String?
    }

    package let isChatOpen: Bool
    package let isDaemonRunning: Bool
    package let ways: [AlertInstaller.Way]
    /// The channels as seen by the process that delivers the alert.
    package let channels: [Channel]
    private let hasTerminal: Bool

    /// - Parameter terminal: whether an open chat shows alerts.
    package init(
        isChatOpen: Bool, isDaemonRunning: Bool, ways: [AlertInstaller.Way], channels: [Channel],
        terminal: Bool
    ) {
        self.isChatOpen = isChatOpen
        self.isDaemonRunning = isDaemonRunning
        self.ways = ways
        hasTerminal = isChatOpen && terminal
        let isCronAlone = !isChatOpen && !isDaemonRunning && ways == [.cron]
        self.channels = channels.map { channel in
            guard isCronAlone, channel.name == "desktop" else { return channel }
            // Cron starts a program without the variables of a session.
            return Channel(name: channel.name, obstacle: "cron cannot reach the desktop")
        }
    }

    /// Whether a process checks for due alerts; cron does so each minute.
    package var isWatched: Bool { isChatOpen || isDaemonRunning || ways.contains(.cron) }

    /// The channels other than the terminal, which requires an open chat.
    package var outside: [Channel] { channels.filter { $0.name != "terminal" } }

    private var ready: [String] {
        outside.filter { $0.obstacle == nil }.map(\.name) + (hasTerminal ? ["terminal"] : [])
    }

    /// The channels that would accept an alert now.
    package var names: [String] { isWatched ? ready : [] }

    /// The reason why an alert would not be delivered, and how to change that; nil if it would.
    package var warning: String? {
        if !isWatched, ways.isEmpty, !ready.isEmpty {
            return "Nothing would deliver an alert now. This line changes that:  "
                + "chat alerts install"
        }
        if ready.isEmpty {
            let why = outside.compactMap { channel in
                channel.obstacle.map { "\(channel.name): \($0)" }
            }.joined(separator: "; ")
            return (isChatOpen ? "Nothing" : "Without an open chat nothing")
                + " would deliver an alert\(why.isEmpty ? "" : " (\(why))"). "
                + "Your own command can: chat config set alerts.hook PROGRAM; "
                + "chat alerts test tries every channel."
        }
        return isWatched
            ? nil : "Nothing would deliver an alert now. Until it is started:  chat alerts run &"
    }
}
