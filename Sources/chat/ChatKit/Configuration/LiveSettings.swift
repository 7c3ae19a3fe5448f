import Synchronization

/// The current settings, which `config set` changes at the prompt. Most parts of the program keep
/// their initial settings: `Settings.live` names those read each time.
package final class LiveSettings: Sendable {
    private let settings: Mutex<Settings>

    package init(_ settings: Settings) { self.settings = Mutex(settings) }

    package var now: Settings { settings.withLock { $0 } }

    package func set(_ new: Settings) { settings.withLock { $0 = $0.replaced(by: new) } }
}

extension Settings {
    /// Settings whose new value applies from the next message on; the others apply at the
    /// next launch.
    static let live: Set = [
        "max_tokens", "temperature", "routing", "failover", "send_local_turns", "thinking",
        "effort", "markdown", "compaction", "context_window", "clipboard", "title", "prices",
        "conversation_titles", "redact", "memory", "tools",
    ]

    package static func isLive(_ name: String) -> Bool {
        live.contains(String(name.prefix { $0 != "." }))
    }
}
