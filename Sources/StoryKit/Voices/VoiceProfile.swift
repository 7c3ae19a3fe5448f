/// A voice of an engine, with its known properties.
package struct VoiceProfile: Sendable, Equatable {
    package enum Gender: String, Sendable { case female, male }

    /// `en-us+f3`, `nova`.
    package var identifier: String
    /// `en-gb`; empty if it speaks any.
    package var language: String
    package var gender: Gender?
    /// Fundamental frequency in Hz, at the voice's own pitch.
    package var pitch: Double?
    /// Centre of gravity of its spectrum in Hz: how bright it is.
    package var centroid: Double?

    package init(
        identifier: String, language: String = "", gender: Gender? = nil, pitch: Double? = nil,
        centroid: Double? = nil
    ) {
        self.identifier = identifier
        self.language = language
        self.gender = gender
        self.pitch = pitch
        self.centroid = centroid
    }

    /// The variant in an espeak-ng ID: "f3" of "en-us+f3".
    var variant: Substring? {
        guard let plus = identifier.firstIndex(of: "+") else { return nil }
        return identifier[identifier.index(after: plus)...]
    }
}
