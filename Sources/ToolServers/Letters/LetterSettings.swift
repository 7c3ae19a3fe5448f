import Base

/// The settings of a letter: tone, length, language and what to stress. A value.
package struct LetterSettings: Sendable, Equatable {
    package enum Tone: String, Sendable, CaseIterable {
        case professional, friendly, warm, confident, plain
    }

    package enum Length: String, Sendable, CaseIterable {
        case short, medium, long

        /// Words of the letter itself, from the first sentence to the last:
        /// without head, salutation and signature.
        package var words: ClosedRange<Int> {
            switch self {
            case .short: 120...200
            case .medium: 200...320
            case .long: 320...450
            }
        }

        package var paragraphs: Int {
            switch self {
            case .short: 2
            case .medium: 3
            case .long: 4
            }
        }
    }

    package var tone: Tone = .professional
    package var length: Length = .medium
    /// As the user named it: `de`, `en-GB`. Nil is the language of the advert.
    package var language: String?
    /// What matters most, in the user's words.
    package var emphasis: String?
    /// Employers and schools are taken out of what is sent as well.
    package var hidesEmployers = false
}

extension LetterSettings {
    /// Names of a later version are read as the defaults.
    package init(_ object: JSONObject) {
        self.init(
            tone: object["tone"]?.stringValue.flatMap { Tone(rawValue: $0) } ?? .professional,
            length: object["length"]?.stringValue.flatMap { Length(rawValue: $0) } ?? .medium,
            language: object["language"]?.stringValue,
            emphasis: object["emphasis"]?.stringValue,
            hidesEmployers: object["hidesEmployers"]?.boolValue ?? false)
    }

    /// As they are kept with a letter and as the current inputs.
    package var members: [JSONObject.Member] {
        [
            .init("tone", .string(tone.rawValue)), .init("length", .string(length.rawValue)),
            .init("language", language.map { .string($0) } ?? .null),
            .init("emphasis", emphasis.map { .string($0) } ?? .null),
            .init("hidesEmployers", .bool(hidesEmployers)),
        ]
    }
}
