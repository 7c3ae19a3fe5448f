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
