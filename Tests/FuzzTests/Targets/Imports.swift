import AgentCore
import Base

@testable import Persistence

extension FuzzTarget {
    /// Conversations exported by chat.
    static let imports = FuzzTarget("imports") { bytes in
        guard let value = try? JSONParser.parse(bytes) else { return }
        var reader = ConversationFileReader()
        for entry in value["conversations"]?.arrayValue ?? [value] {
            let count = entry["turns"]?.arrayValue?.count ?? 0
            guard let found = reader.read(entry) else { continue }
            try demand(found.turns.count <= count, "a turn too many")
        }
    }
}
