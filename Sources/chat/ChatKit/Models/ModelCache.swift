import AgentCore
import Base
import FoundationEssentials

/// The last known model lists of the servers, stored in the state folder. Pure: text in, text out.
///
/// A list belongs to an address: it is not used with another base URL. An unreadable file is an
/// empty cache.
struct ModelCache: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        /// The base URL of the server.
        var address: String
        /// Seconds since 1970.
        var time: Int
        var models: [ModelInfo]
        /// Announced ends, also of models that are not for chat.
        var endings: [ModelEnding] = []
    }

    /// Age at which a list is fetched again before it is shown.
    static let lifeInSeconds = 24 * 3600
    static let limitInBytes = 4 << 20

    var entries: [ProviderName: Entry] = [:]

    func entry(_ name: ProviderName, address: String) -> Entry? {
        entries[name].flatMap { $0.address == address ? $0 : nil }
    }

    init() {}

    /// Reads the cache of an earlier run.
    init(at path: String) {
        // An unreadable file is an empty cache.
        self = (try? WholeFile.read(path, limit: Self.limitInBytes)).map(Self.init) ?? Self()
    }

    init(_ bytes: [UInt8]) {
        // A damaged cache is empty: the servers are asked again.
        guard let json = try? JSONParser.parse(bytes), json["version"] == 1 else { return }
        for value in json["lists"]?.arrayValue ?? [] {
            guard let name = value["provider"]?.stringValue.flatMap(ProviderName.init(rawValue:)),
                let address = value["address"]?.stringValue, let time = value["time"]?.integerValue
            else { continue }
            let models = (value["models"]?.arrayValue ?? []).compactMap { model -> ModelInfo? in
                guard let id = model["id"]?.stringValue, !id.isEmpty else { return nil }
                return ModelInfo(
                    id: id, displayName: model["name"]?.stringValue,
                    maxInput: model["maxInput"]?.integerValue,
                    maxOutput: model["maxOutput"]?.integerValue)
            }
            let endings = (value["endings"]?.arrayValue ?? []).compactMap { value -> ModelEnding? in
                guard let model = value["id"]?.stringValue, let day = value["day"]?.stringValue
                else { return nil }
                return ModelEnding(model: model, day: day, next: value["next"]?.stringValue)
            }
            entries[name] = Entry(address: address, time: time, models: models, endings: endings)
        }
    }

    var bytes: [UInt8] {
        let lists = entries.sorted { $0.key.rawValue < $1.key.rawValue }.map { name, entry in
            JSONValue.compact([
                "provider": .string(name.rawValue), "address": .string(entry.address),
                "time": JSONValue(entry.time),
                "models": .array(
                    entry.models.map { model in
                        .compact([
                            "id": .string(model.id),
                            "name": model.displayName.map(JSONValue.string),
                            "maxInput": model.maxInput.map { JSONValue($0) },
                            "maxOutput": model.maxOutput.map { JSONValue($0) },
                        ])
                    }),
                "endings": .array(
                    entry.endings.map { ending in
                        .compact([
                            "id": .string(ending.model), "day": .string(ending.day),
                            "next": ending.next.map(JSONValue.string),
                        ])
                    }),
            ])
        }
        let value: JSONValue = ["version": 1, "lists": .array(lists)]
        return Array((JSONWriter.string(value) + "\n").utf8)
    }
}
