/// A name form of a story, such as "Mr. Darcy" or "the Hatter", with the evidence from its
/// mentions that it is a person.
struct NameForm {
    /// The title before the name, if any.
    var title: Int32?
    /// The words of the name without title and article.
    var words: [Int32]
    /// "the Hatter" rather than "Hatter".
    var isDefinite = false
    /// A lowercase noun: "the ferryman".
    var isCommonNoun = false
    /// Tokens of one mention, used to write the name as the story does.
    var example: Range<Int>
    var tally = Tally()

    struct Tally {
        var narrated = 0
        var spoken = 0
        /// Number of times as subject of a verb of saying.
        var speech = 0
        /// Number of times in an address in speech.
        var vocative = 0
        /// Number of times as subject of another verb, or owner of a face or a hand.
        var human = 0
        /// Number of times after "in" or "near".
        var placed = 0
        /// Number of times after "the" or "a", although it is a name.
        var withArticle = 0
        var male = 0.0
        var female = 0.0

        var count: Int { narrated + spoken }

        static func += (sum: inout Tally, other: Tally) {
            sum.narrated += other.narrated
            sum.spoken += other.spoken
            sum.speech += other.speech
            sum.vocative += other.vocative
            sum.human += other.human
            sum.placed += other.placed
            sum.withArticle += other.withArticle
            sum.male += other.male
            sum.female += other.female
        }
    }

    struct Key: Hashable {
        var title: Int32?
        var words: [Int32]
        var isDefinite: Bool
        var isCommonNoun: Bool
    }
    var key: Key {
        Key(title: title, words: words, isDefinite: isDefinite, isCommonNoun: isCommonNoun)
    }
}

/// A mention of a name form in the story.
struct NameMention {
    var form: Int
    /// The tokens from the title or the article to the end of the name.
    var tokens: Range<Int>
    var isSpoken: Bool
    /// Whether "'s" follows.
    var isPossessive: Bool
}
