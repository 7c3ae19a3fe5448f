import AgentCore
import Base

@testable import Persistence

extension FuzzTarget {
    /// Exports of other programs.
    static let imports = FuzzTarget("imports") { bytes in
        guard let value = try? JSONParser.parse(bytes) else { return }
        var (chatGPT, claude) = (ChatGPTExport(), ClaudeExport())
        for entry in value.arrayValue ?? [value] {
            for found in [chatGPT.read(entry), claude.read(entry)].compactMap(\.self) {
                try demand(found.turns.allSatisfy { !$0.turn.messages.isEmpty }, "an empty turn")
            }
        }
        try demand(chatGPT.leftOut.total >= 0 && claude.leftOut.total >= 0, "below nothing")
    }
}
