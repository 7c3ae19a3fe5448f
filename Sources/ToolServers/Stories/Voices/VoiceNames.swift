import Base
import Sound

/// The names of an engine's voices, as users type them. Pure.
struct VoiceNames: Sendable {
    private let voices: [SpeechVoice]
    private let names: [String]
    /// The variants of espeak-ng: "f3".
    private let variants: [String]

    init(_ voices: [SpeechVoice]) {
        self.voices = voices
        names = voices.map(\.identifier)
        variants = names.compactMap { $0.contains("+") ? EspeakVoiceName($0)?.variant : nil }
    }

    /// The engine's identifier; nil for an unknown voice.
    func find(_ name: String) -> String? {
        // If the server does not list its voices, accept any name.
        if names.isEmpty { return name }
        if let same = names.first(where: { $0.lowercased() == name.lowercased() }) { return same }
        guard let composed = EspeakVoiceName(name), let variant = composed.variant,
            names.contains(composed.base), variants.contains(variant)
        else { return nil }
        return composed.text
    }

    /// A variant without a language.
    func variant(_ name: String) -> String? {
        variants.first { $0.lowercased() == name.lowercased() }
    }

    /// Up to three suggestions: similarly spelled names, and voices whose description
    /// contains the word ("scotland", "female"); without any, those with the closest
    /// spelling.
    func nearest(_ name: String) -> [String] {
        let typed = (EspeakVoiceName(name)?.variant ?? name).lowercased()
        let candidates = variants + names.filter { !$0.contains("+") }
        var near = NearestWord.rank(typed, among: candidates, limit: 3)
        if typed.count >= 3 {
            near += voices.filter { voice in
                voice.gender?.rawValue == typed || voice.name.lowercased().contains(typed)
            }.map { EspeakVoiceName($0.identifier)?.variant ?? $0.identifier }
        }
        if near.isEmpty {
            let letters = Array(typed)
            near = candidates.enumerated().map {
                (
                    EditDistance.between(letters, Array($0.element.lowercased())), $0.offset,
                    $0.element
                )
            }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
        }
        return near.enumerated().filter { near.firstIndex(of: $1) == $0 }.prefix(3).map(\.1)
    }
}
