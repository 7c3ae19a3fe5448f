import AgentCore
import FoundationEssentials
import Persistence
import Synchronization

/// Where something is typed, for the history: told when a prompt opens, asked
/// on the terminal's thread.
final class HistoryPlace: Sendable {
    private let environment: Environment
    private let place = Mutex<(id: String, title: String)>(("", ""))

    init(environment: Environment) { self.environment = environment }

    func set(_ record: ConversationRecord?) {
        place.withLock { $0 = (record?.id ?? "", record?.title ?? "") }
    }

    var now: HistoryEntry.Place {
        let (id, title) = place.withLock { $0 }
        let time = environment.now().timeIntervalSince1970
        return HistoryEntry.Place(time: Int(time), conversation: id, title: title)
    }
}
