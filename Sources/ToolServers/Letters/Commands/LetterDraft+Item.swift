import AgentCore
import Base
import Persistence

/// Restores a draft from the metadata of a saved letter's item.
extension LetterDraft {
    /// Nil for an item without its sources, such as one saved as a letter by hand.
    package init?(_ item: LibraryItem) {
        let facts = item.metadata
        guard let resume = Source(json: facts["resume"]), let job = Source(json: facts["job"])
        else { return nil }
        func texts(_ name: String) -> [String] {
            (facts[name]?.arrayValue ?? []).compactMap(\.stringValue)
        }
        self.init(
            title: item.title, body: item.body, resume: resume, job: job,
            settings: LetterSettings(facts),
            language: facts["writtenIn"]?.stringValue ?? "",
            model: facts["model"]?.stringValue.flatMap(Self.model),
            host: facts["host"]?.stringValue, requests: texts("requests"),
            answer: facts["answer"]?.stringValue ?? "",
            cost: facts["cost"]?.stringValue, flagged: texts("flagged"),
            faults: texts("faults").compactMap { Fault(rawValue: $0) })
    }

    /// Parses `openai/gpt-5.5`; the format is not saved.
    private static func model(_ words: String) -> ModelOrigin? {
        let parts = words.split(separator: "/", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        return ModelOrigin(
            provider: ProviderName(rawValue: String(parts[0])) ?? .local, format: .none,
            model: String(parts[1]))
    }

    /// Flagged sentences that are still in the letter; those edited away no longer claim
    /// anything.
    package var standing: [String] {
        let text = ClaimCheck.oneLine(body)
        return flagged.filter { text.contains($0) }
    }
}
