/// One way to reach the user.
package struct AlertChannel: Sendable {
    /// Shown in the log and in `chat alerts status`: "terminal", "desktop", "hook".
    package var name: String
    /// Quick channels are tried first, in order, then the others together.
    package var isQuick: Bool
    /// The reason why it cannot be used now; nil if it can.
    package var obstacle: @Sendable () -> String?
    /// Returns true if it accepted the notice.
    package var deliver: @Sendable (AlertNotice) async -> Bool
    /// Ends whatever it has running.
    package var close: @Sendable () async -> Void

    package init(
        _ name: String, isQuick: Bool = false,
        obstacle: @escaping @Sendable () -> String? = { nil },
        deliver: @escaping @Sendable (AlertNotice) async -> Bool,
        close: @escaping @Sendable () async -> Void = {}
    ) {
        self.name = name
        self.isQuick = isQuick
        self.obstacle = obstacle
        self.deliver = deliver
        self.close = close
    }
}

/// All channels, in the order in which they are tried.
package struct AlertDelivery: Sendable {
    package var channels: [AlertChannel]

    package init(_ channels: [AlertChannel]) { self.channels = channels }

    /// The names of those that accepted it; if empty, the alert was not delivered.
    package func deliver(_ notice: AlertNotice) async -> [String] {
        var taken: [String] = []
        for channel in channels where channel.isQuick {
            if channel.obstacle() == nil, await channel.deliver(notice) {
                taken.append(channel.name)
            }
        }
        let slow = channels.filter { !$0.isQuick && $0.obstacle() == nil }
        let names = await withTaskGroup(of: String?.self) { group in
            for channel in slow {
                group.addTask { await channel.deliver(notice) ? channel.name : nil }
            }
            var names: [String] = []
            for await case let name? in group { names.append(name) }
            return names
        }
        return taken + slow.map(\.name).filter(names.contains)
    }

    package func close() async {
        for channel in channels { await channel.close() }
    }
}
