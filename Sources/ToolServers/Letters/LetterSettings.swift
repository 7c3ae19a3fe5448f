import Base
import Documents

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
    /// When the work can begin and what it is to pay, where an advert asks for it.
    package var start: String?
    package var salary: String?
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
            emphasis: object["emphasis"]?.stringValue, start: object["start"]?.stringValue,
            salary: object["salary"]?.stringValue,
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
            + [("start", start), ("salary", salary)].compactMap { name, value in
                value.map { .init(name, .string($0)) }
            }
    }
}

extension LetterSettings {
    /// "Start date: 1 March", where the advert asks for it and the user has said it.
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
