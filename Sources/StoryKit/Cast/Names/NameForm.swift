/// One way in which a story names someone, "Mr. Darcy" or "the Hatter", with all that
/// its mentions say about whether this is a person.
struct NameForm {
    /// The title's word, where one stands before the name.
    var title: Int32?
    /// The words of the name without title and article.
    var words: [Int32]
    /// "the Hatter", and not "Hatter".
    var isDefinite = false
    /// A noun in small letters: "the ferryman".
    var isCommonNoun = false
    /// The tokens of one mention, to write it as the story does.
    var example: Range<Int>
    var tally = Tally()

    struct Tally {
        var narrated = 0
        var spoken = 0
        /// Beside a verb of saying, as its subject.
        var speech = 0
        /// Called by this name in what others say.
        var vocative = 0
        /// The subject of another verb, or the owner of a face or a hand.
        var human = 0
        /// After "in" or "near".
        var placed = 0
        /// After "the" or "a", although it is a name.
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

/// Where a story uses a form.
struct NameMention {
    var form: Int
    /// From the title or the article to the end of the name.
    var tokens: Range<Int>
    var isSpoken: Bool
    /// Whether "'s" follows.
    var isPossessive: Bool
}
