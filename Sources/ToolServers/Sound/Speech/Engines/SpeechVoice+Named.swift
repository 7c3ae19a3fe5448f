import Base
import CWords

/// Derives a voice's language and gender from its name.
extension SpeechVoice {
    /// - Parameters:
    ///   - language: the language, if known.
    ///   - aliases: other names, which may indicate a gender too.
    init(named identifier: String, language: String? = nil, aliases: [String] = []) {
        let (told, gender) = VoiceNameFacts.of(identifier)
        self.init(
            identifier: identifier, name: identifier,
            language: (language ?? told ?? "").lowercased().replacing("_", with: "-"),
            gender: gender
                ?? aliases.lazy.compactMap { VoiceNameFacts.of($0).gender }.first)
    }
}

/// Derives facts from names such as `af_bella`, `en_US-joe-medium`, `en-GB-SoniaNeural` and
/// `nova`. Pure.
enum VoiceNameFacts {
    /// "Female", "m", "FEMALE".
    static func gender(told word: String) -> SpeechVoice.Gender? {
        switch word.lowercased() {
        case "female", "f", "woman": .female
        case "male", "m", "man": .male
        case "neutral": .neutral
        default: nil
        }
    }

    static func of(_ name: String) -> (language: String?, gender: SpeechVoice.Gender?) {
        let words = words(of: name)
        // Kokoro's: a letter for the language and one for the gender.
        if let mark = words.first, mark.utf8.count == 2, words.count > 1,
            let language = kokoro[mark.prefix(1)], ["f", "m"].contains(mark.suffix(1))
        {
            return (language, mark.hasSuffix("f") ? .female : .male)
        }
        var language: String?
        if words.count > 1, words[0].utf8.count == 2, words[1].utf8.count == 2 {
            language = "\(words[0])-\(words[1])"
        }
        let genders = words.dropFirst(language == nil ? 0 : 2).compactMap { gender(of: $0) }
        return (language, genders.first)
    }

    private static func gender(of word: String) -> SpeechVoice.Gender? {
        if let known = own[word] { return known }
        return switch (male.contains(word), female.contains(word)) {
        case (true, false): .male
        case (false, true): .female
        default: nil
        }
    }

    /// The words of a name in lowercase, split at punctuation and before capitals:
    /// "SoniaNeural".
    private static func words(of name: String) -> [String] {
        var words: [String] = [""]
        var wasLower = false
        for character in name.prefix(100) {
            let isPart = character.isLetter || character.isNumber
            if !isPart || character.isUppercase && wasLower { words.append("") }
            if isPart { words[words.count - 1] += character.lowercased() }
            wasLower = character.isLowercase
        }
        return words.filter { !$0.isEmpty }
    }

    private static let kokoro: [Substring: String] = [
        "a": "en-us", "b": "en-gb", "d": "de", "e": "es", "f": "fr-fr", "h": "hi", "i": "it",
        "j": "ja", "p": "pt-br", "z": "zh",
    ]

    private static let names = LexiconFile(.storyFirstNames)
    private static let male = Set(names.words("male names"))
    private static let female = Set(names.words("female names"))

    /// Voices of OpenAI and piper data sets whose gender their makers state, and speakers
    /// of the VCTK corpus.
    private static let own: [String: SpeechVoice.Gender] = {
        let women = """
            female woman girl coral nova sage shimmer marin amy kathleen kristin lessac ljspeech \
            jenny alba cori semaine eva ramona kerstin siwis nathalie paola gosia irina lada huayan \
            lisa anna berta lili salka ugla rapunzelina natia marylux vais1000 raya prudence poppy
            """
        let men = """
            male man boy ash ballad echo onyx verse cedar joe ryan danny kusal bryce john norman \
            alan thorsten karlsson pavoque tom gilles riccardo davefx carlfm ald ronnie pim rdh \
            darkman faber edresson cadu jeff denis dmitri ruslan harri imre jirka artur fahrettin \
            fettah kareem amir bui steinn mihai obadiah spike p226 p227 p232 p237 p241 p243 p245 \
            p246 p247 p251 p252 p254 p255 p256 p258 p259 p260 p263 p270 p271 p272 p273 p274 p275 \
            p278 p279 p281 p284 p285 p286 p287 p292 p298 p302 p304 p311 p315 p316 p326 p334 p345 \
            p347 p360 p363 p364 p374 p376
            """
        var genders: [String: SpeechVoice.Gender] = [:]
        for name in women.split(separator: " ") { genders[String(name)] = .female }
        for name in men.split(separator: " ") { genders[String(name)] = .male }
        return genders
    }()
}
