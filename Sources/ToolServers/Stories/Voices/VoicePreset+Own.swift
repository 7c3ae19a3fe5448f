import Base
import StoryKit

/// The user's own presets: in `config.json` by name, and in stories that use one, as they
/// were when chosen.
extension VoicePreset {
    /// The settings of a preset in `config.json`.
    package static let settings = SettingTable<VoicePreset>(
        "an object such as { \"rate\": -0.05, \"turn\": 0.8 }",
        [
            .init("rate", \.rate, .number(-0.3...0.3), .plain),
            .init("spread", \.spread, .number(0...3), .plain),
            .init("sentence", \.pauses.sameSpeaker, .number(0...10, unit: " s"), .plain),
            .init("turn", \.pauses.change, .number(0...10, unit: " s"), .plain),
            .init("chapter", \.pauses.chapter, .number(0...60, unit: " s"), .plain),
        ])

    package static let own = VoicePreset(name: "", summary: "your own")

    /// The built-in presets, then those of the configuration with other names.
    static func all(_ own: [String: VoicePreset]) -> [VoicePreset] {
        all
            + own.sorted { $0.key < $1.key }.filter { named($0.key) == nil }.map { name, preset in
                var preset = preset
                preset.name = name
                return preset
            }
    }

    /// Reads a built-in preset by its name, another as an object.
    init?(_ json: JSONValue) {
        if let name = json.stringValue {
            guard let known = Self.named(name) else { return nil }
            self = known
            return
        }
        guard let name = json["name"]?.stringValue, let rate = json["rate"]?.doubleValue,
            let spread = json["spread"]?.doubleValue,
            let pauses = json["pauses"]?.arrayValue?.compactMap(\.doubleValue), pauses.count == 3,
            (pauses + [rate, spread]).allSatisfy({ $0.isFinite && abs($0) <= 60 })
        else { return nil }
        self.init(
            name: name, summary: Self.own.summary, rate: rate, spread: spread,
            pauses: VoicePauses(
                sameSpeaker: pauses[0], change: pauses[1], chapter: pauses[2]))
    }

    var json: JSONValue {
        if Self.named(name) != nil { return .string(name) }
        return [
            "name": .string(name), "rate": JSONValue(rate), "spread": JSONValue(spread),
            "pauses": [
                JSONValue(pauses.sameSpeaker), JSONValue(pauses.change), JSONValue(pauses.chapter),
            ],
        ]
    }
}
