import AgentCore

/// The names that an engine's voices go by, as users type them. Pure.
struct VoiceNames: Sendable {
    private let names: [String]
    /// The speakers of espeak-ng: "f3".
    private let variants: [String]

    init(_ voices: [SpeechVoice]) {
        names = voices.map(\.identifier)
        variants = names.compactMap { $0.contains("+") ? EspeakVoiceName($0)?.variant : nil }
    }

    /// The engine's own name of it; nil where it has no such voice.
    func find(_ name: String) -> String? {
        // A server that does not list its voices has to be believed.
        if names.isEmpty { return name }
        if let same = names.first(where: { $0.lowercased() == name.lowercased() }) { return same }
        guard let composed = EspeakVoiceName(name), let variant = composed.variant,
            names.contains(composed.base), variants.contains(variant)
        else { return nil }
        return composed.text
    }

    /// A speaker without a language.
    func variant(_ name: String) -> String? {
        variants.first { $0.lowercased() == name.lowercased() }
    }

    /// The three that are written most alike, however far they are.
    func nearest(_ name: String) -> [String] {
        let letters = Array(name.lowercased())
        let near = (names + variants).enumerated().map {
            (EditDistance.between(letters, Array($0.element.lowercased())), $0.offset, $0.element)
        }
        return near.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(3).map(\.2)
    }
}
