import AgentCore
import Synchronization

/// Shows the progress of a backup or a restore, once it has taken half a
/// second. Called from any thread.
final class BackupProgress: Sendable {
    private struct State {
        var total = 0
        var shown = -1
    }

    /// Seconds before anything is shown.
    private static let patience = 0.5

    private let emit: Emitter
    private let activity: String
    private let title: String
    private let uptime: @Sendable () -> Double
    private let began: Double
    private let state = Mutex(State())

    init(
        _ emit: Emitter, activity: String, title: String, uptime: @escaping @Sendable () -> Double
    ) {
        self.emit = emit
        self.activity = activity
        self.title = title
        self.uptime = uptime
        began = uptime()
    }

    /// - Parameter total: approximate number of bytes to come.
    func start(_ total: Int) { state.withLock { $0.total = max(1, total) } }

    func reached(_ bytes: Int) {
        guard uptime() - began >= Self.patience else { return }
        let (percent, isNew) = state.withLock { state in
            let percent = min(100, bytes * 100 / max(1, state.total))
            defer { state.shown = percent }
            return (percent, percent != state.shown)
        }
        guard isNew else { return }
        var progress = ToolProgress(activity: activity, title: title)
        progress.fraction = Double(percent) / 100
        emit(progress)
    }
}
