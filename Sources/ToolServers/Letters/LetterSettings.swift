import Base
import Documents

/// The settings of a letter: tone, length, language and emphasis. A value.
package struct LetterSettings: Sendable, Equatable {
    package enum Tone: String, Sendable, CaseIterable {
        case professional, friendly, warm, confident, plain
    }

    package enum Length: String, Sendable, CaseIterable {
        case short, medium, long

        /// Number of words from the first sentence to the last, without header, salutation
        /// and signature.
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
    /// The language as named by the user (`de`, `en-GB`); nil for the language of the advert.
    package var language: String?
    /// The main point, in the user's words.
    package var emphasis: String?
    /// Earliest start date and desired salary, for adverts that ask for them.
    package var start: String?
    package var salary: String?
    /// Whether employers and schools are also removed from the request.
    package var hidesEmployers = false
}

extension LetterSettings {
    /// Reads stored settings. Unknown names, from later versions, become the defaults.
    package init(_ object: JSONObject) {
        self.init(
            tone: object["tone"]?.stringValue.flatMap { Tone(rawValue: $0) } ?? .professional,
            length: object["length"]?.stringValue.flatMap { Length(rawValue: $0) } ?? .medium,
            language: object["language"]?.stringValue,
            emphasis: object["emphasis"]?.stringValue, start: object["start"]?.stringValue,
            salary: object["salary"]?.stringValue,
            hidesEmployers: object["hidesEmployers"]?.boolValue ?? false)
    }

    /// The form saved with a letter and in the current inputs.
    package var members: [JSONObject.Member] {
        [
            .init("tone", .string(tone.rawValue)), .init("length", .string(length.rawValue)),
            .init("language", language.map { .string($0) } ?? .null),
            .init("emphasis", emphasis.map { .string($0) } ?? .null),
            .init("hidesEmployers", .bool(hidesEmployers)),
        ]
            + [("start", start), ("salary", salary)].compactMap { name, value in
                value.map { .init(name, .string($0)) }
            }
    }
}

extension LetterSettings {
    /// "Start date: 1 March", if the advert asks for it and the user has given it.
    func answers(to advert: String) -> [String] {
        let advert = SearchText.folded(advert)
        func fact(_ name: String, _ value: String?, _ section: String) -> String? {
            guard let value, JobQuestions.words(section).contains(where: advert.contains) else {
                return nil
            }
            return "\(name): \(value)"
        }
        return [fact("Start date", start, "start"), fact("Salary", salary, "salary")]
            .compactMap(\.self)
    }
}
