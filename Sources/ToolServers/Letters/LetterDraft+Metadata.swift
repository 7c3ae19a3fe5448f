import AgentCore
import Base
import Persistence

/// Stores the facts of a letter as metadata of its item; title and body are the item's own.
extension LetterDraft {
    /// `{resume: {item, revision}, job: {…}, tone, length, …, writtenIn, model,
    /// host, requests, answer, usage, cost, flagged, faults}`.
    package var metadata: JSONObject {
        var object = JSONObject([
            .init("resume", resume.json), .init("job", job.json),
        ])
        object.members += settings.members
        object.members += [
            .init("writtenIn", .string(language)),
            .init(
                "model", model.map { .string("\($0.provider.rawValue)/\($0.model)") } ?? .null),
            .init("host", host.map { .string($0) } ?? .null),
            .init("requests", .array(requests.map { .string($0) })),
            .init("answer", .string(answer)),
            .init("usage", usage.letterJSON),
            .init("cost", cost.map { .string($0) } ?? .null),
            .init("flagged", .array(flagged.map { .string($0) })),
            .init("faults", .array(faults.map { .string($0.rawValue) })),
        ]
        return object
    }
}

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
}

extension LetterDraft.Source {
    /// `{"item": "i12", "revision": 1}`.
    package var json: JSONValue {
        ["item": .string("\(item)"), "revision": .integer(Int64(revision))]
    }

    /// Nil if the value is not a source.
    package init?(json: JSONValue?) {
        guard let name = json?["item"]?.stringValue, let item = ItemID(name),
            let revision = json?["revision"]?.integerValue
        else { return nil }
        self.init(item: item, revision: revision)
    }
}

extension Usage {
    fileprivate var letterJSON: JSONValue {
        [
            "input": .integer(Int64(input)), "output": .integer(Int64(output)),
            "cachedInput": .integer(Int64(cachedInput)),
            "reasoning": .integer(Int64(reasoning)),
        ]
    }
}
