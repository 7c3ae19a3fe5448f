import Glibc

/// How a voice sounds in the pitch it is given, and whether a listener can tell it from
/// another.
struct VoiceSound: Sendable, Equatable {
    var identifier: String
    var pitch: Double?
    var centroid: Double?

    init(_ profile: VoiceProfile, _ config: VoiceConfig) {
        identifier = config.voiceIdentifier ?? profile.identifier
        pitch = profile.pitch.map { $0 * Self.factor(config.pitchMultiplier) }
        centroid = profile.centroid
    }

    /// How much higher espeak-ng speaks: measured of 1.51, where 62 instead of 50 is
    /// 10 % and not 24 %.
    static func factor(_ multiplier: Double) -> Double {
        let off = min(0.98, multiplier - 1)
        return exp(0.415 * off + 0.05 * off * off)
    }

    /// What is asked for, and what is hoped for: measuring is not exact.
    enum Margin: Double {
        case needed = 1
        case wished = 1.35
    }

    /// 12 % of the pitch or 15 % of the brightness.
    func differs(from other: VoiceSound, by margin: Margin) -> Bool {
        guard let pitch, let second = other.pitch else { return identifier != other.identifier }
        if Self.ratio(pitch, second) >= 1 + 0.12 * margin.rawValue { return true }
        guard let centroid, let third = other.centroid else { return false }
        return Self.ratio(centroid, third) >= 1 + 0.15 * margin.rawValue
    }

    private static func ratio(_ one: Double, _ other: Double) -> Double {
        max(one, other) / max(1, min(one, other))
    }
}
