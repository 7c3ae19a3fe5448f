import AgentCore
import FoundationEssentials
import TerminalKit

/// The history as a list to pick from: newest first, each entry once, with its
/// age and the conversation it was typed in. Pure.
enum HistoryPicker {
    /// - Parameter entries: oldest first; an item's id is its index in them.
    static func request(
        _ entries: [HistoryEntry], query: String, now: Int
    ) -> PickerRequest {
        let items = entries.enumerated().reversed().map { index, entry in
            var detail = ""
            if let place = entry.place {
                detail = Quantities.ago(
                    Date(timeIntervalSince1970: Double(place.time)),
                    now: Date(timeIntervalSince1970: Double(now)))
                if !place.title.isEmpty { detail += " · \(place.title)" }
            }
            return PickerItem(
                id: "\(index)", title: shown(entry.text), detail: detail,
                searchText: entry.place?.title ?? "")
        }
        return PickerRequest(
            heading: "History", items: items, initialQuery: query.contains("\n") ? "" : query)
    }

    /// In one line, and not longer than any line shows.
    private static func shown(_ text: String) -> String {
        var line = ""
        for character in text.prefix(400) {
            if character.isNewline { line += " ⏎ " } else { line.append(character) }
        }
        return line
    }
}
