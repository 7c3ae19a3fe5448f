import Base
import CWords

/// The classes of a word in the tables.
package struct WordClass: OptionSet, Sendable, Hashable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    fileprivate init(bit: Int) { rawValue = 1 << UInt64(bit) }

    /// "said", "cried": its subject beside a quotation is the speaker.
    package static let speechVerb = WordClass(bit: 0)
    /// "began", "went", "smiled": a speech verb beside a quotation only.
    package static let weakSpeechVerb = WordClass(bit: 1)
    /// "Mr", "Lord", "uncle"; "Mrs", "Lady", "aunt"; "Dr", "Captain".
    package static let maleTitle = WordClass(bit: 2)
    package static let femaleTitle = WordClass(bit: 3)
    package static let neutralTitle = WordClass(bit: 4)
    /// "he", "him", "his", "himself".
    package static let malePronoun = WordClass(bit: 5)
    package static let femalePronoun = WordClass(bit: 6)
    /// "I", "me", "my".
    package static let firstPerson = WordClass(bit: 7)
    package static let secondPerson = WordClass(bit: 8)
    /// "they", "we".
    package static let pluralPronoun = WordClass(bit: 9)
    /// "he", "she", "I", "they": the form of a subject.
    package static let subjectPronoun = WordClass(bit: 10)
    /// "man", "king", "gentleman"; "woman", "queen"; "voice", "guest".
    package static let maleNoun = WordClass(bit: 11)
    package static let femaleNoun = WordClass(bit: 12)
    package static let personNoun = WordClass(bit: 13)
    /// "the", "a", "her", "that": before a noun.
    package static let determiner = WordClass(bit: 14)
    /// "of", "with", "to": the next word is not a subject.
    package static let preposition = WordClass(bit: 15)
    package static let conjunction = WordClass(bit: 16)
    /// A word that is not a name although capitalized at the start of a sentence.
    package static let commonWord = WordClass(bit: 17)
    /// A word whose period does not end the sentence: "Mr.", "St.".
    package static let abbreviation = WordClass(bit: 18)
    package static let maleName = WordClass(bit: 19)
    package static let femaleName = WordClass(bit: 20)
    /// "dear", "my": before a name in address.
    package static let endearment = WordClass(bit: 21)
    /// "have", "was": a verb that makes the word before it a subject.
    package static let auxiliary = WordClass(bit: 22)
    /// "not", "quickly", "then": allowed between a subject and its verb.
    package static let adverb = WordClass(bit: 23)
    /// "London", "Monday", "English": capitalized, but not a person.
    package static let notPerson = WordClass(bit: 24)
    /// "sister", "cousin", "guest": a relation to another person.
    package static let kin = WordClass(bit: 25)
    /// "man", "lady": a description that fits anyone.
    package static let generic = WordClass(bit: 26)
    /// "street", "abbey": makes the name before it a place.
    package static let placeEnding = WordClass(bit: 27)
    /// "in", "near": before a place.
    package static let placePreposition = WordClass(bit: 28)
    /// "face", "voice", "sister": belongs to a person.
    package static let humanNoun = WordClass(bit: 29)
    /// "Colonel", "Lord", "Uncle": a title that distinguishes two people of one surname.
    package static let rank = WordClass(bit: 30)
    /// "Sir", "Aunt": a title that stands before a first name.
    package static let givenTitle = WordClass(bit: 31)
    /// "other", "latter": not a name for a person, even after "the".
    package static let noRole = WordClass(bit: 32)
    /// "replied", "asked": another character spoke before; "continued": the same one.
    package static let reply = WordClass(bit: 33)
    package static let continuation = WordClass(bit: 34)

    package static let title: WordClass = [.maleTitle, .femaleTitle, .neutralTitle]
    package static let roleNoun: WordClass = [.maleNoun, .femaleNoun, .personNoun]
    package static let anyPronoun: WordClass = [
        .malePronoun, .femalePronoun, .firstPerson, .secondPerson, .pluralPronoun,
    ]
}

/// The word tables (`Words/*.txt`): each section names a class, each word is lowercase.
struct StoryWords: Sendable {
    /// Each text begins with a copy, so that the IDs of these words are always the same.
    let vocabulary: StoryVocabulary

    private static let english = StoryWords([
        .storyEnglish, .storyPeople, .storyFirstNames,
    ])
    private static let german = StoryWords([
        .storyGerman, .storyFirstNames,
    ])
    private static let french = StoryWords([
        .storyFrench, .storyFirstNames,
    ])

    /// The tables for a language code; the English ones for an unknown one.
    static func table(for language: String) -> StoryWords {
        switch language.prefix(2) {
        case "de": german
        case "fr": french
        default: english
        }
    }

    init(_ files: [WordFile]) {
        vocabulary = StoryVocabulary(
            files.flatMap { bytes in
                let file = LexiconFile(bytes)
                return Self.sections.enumerated().flatMap { bit, section in
                    file.words(section).map { ($0, WordClass(bit: bit)) }
                }
            })
    }

    /// The sections in the order of the bits of `WordClass`.
    private static let sections = [
        "speech verbs", "weak speech verbs", "male titles", "female titles", "neutral titles",
        "male pronouns", "female pronouns", "first person", "second person", "plural pronouns",
        "subject pronouns", "male nouns", "female nouns", "person nouns", "determiners",
        "prepositions", "conjunctions", "common words", "abbreviations", "male names",
        "female names", "endearments", "auxiliaries", "adverbs", "no persons", "kin", "generic",
        "place endings", "place prepositions", "human nouns", "ranks", "given titles", "no roles",
        "replies", "continuations",
    ]
}
