import AgentCore

/// Whether the words left of a phrase are one thing to do, and surely so.
/// Pure.
enum TaskTitle {
    /// Nothing in it needs understanding: one wish, no condition, in letters
    /// whose dates we know.
    static func isPlain(_ title: String) -> Bool {
        let words = MessageWords.words(title)
        if words.isEmpty || words.contains(where: notPlain.contains) { return false }
        if title.contains(where: { "?\n;".contains($0) }) { return false }
        if title.contains(". ") || title.contains(": ") { return false }
        if pronouns.contains(words.joined(separator: " ")) { return false }
        if ["what", "why", "how", "who", "where", "which"].contains(words[0]) { return false }
        for (word, next) in zip(words, words.dropFirst()) {
            if word == "and", secondWish.contains(next) { return false }
            if next == "i" || next == "we", ["when", "once", "after", "before"].contains(word) {
                return false
            }
        }
        return title.unicodeScalars.allSatisfy { scalar in
            // Dates in other scripts are not in the grammar.
            scalar.value < 0x250 || !scalar.properties.isAlphabetic
        }
    }

    /// It begins as people begin what is theirs to do. Verbs that an assistant
    /// may be asked to do itself (write, find, plan …) are left out.
    static func isTask(_ title: String) -> Bool {
        MessageWords.words(title).first.map(isVerb) ?? false
    }

    static func isVerb(_ word: String) -> Bool { verbs.contains(word) }

    static func isDoneAlone(_ word: String) -> Bool { alone.contains(word) }

    private static let alone: Set<String> = [
        "swim", "run", "exercise", "train", "stretch", "shower", "practise", "practice", "vacuum",
        "hoover", "dust", "pack", "unpack", "meditate", "journal", "jog", "walk", "shave", "pray",
    ]
    private static let pronouns: Set<String> = ["it", "this", "that", "these", "those", "them"]
    private static let notPlain: Set<String> = [
        "if", "unless", "whenever", "otherwise", "instead", "except", "remind", "reminder",
        "reminders",
    ]
    private static let secondWish: Set<String> = [
        "what", "how", "why", "who", "where", "which", "tell", "show", "list", "remind", "add",
        "create", "write", "delete", "explain", "give", "also", "then", "set", "make",
    ]
    private static let verbs: Set<String> = Set(
        """
        call ring phone text email mail buy pay pick drop take water feed walk clean wash renew
        return post collect fetch submit visit meet iron charge refill replace repair mow vacuum
        bake cook defrost descale pack unpack empty hoover dust turn switch lock bring get grab
        send hand register vote file sign practice practise stretch exercise run swim train shower
        medicate inject apply change rotate shave trim cut plant prune harvest sweep mop tidy
        declutter recycle donate sell ship deliver deposit withdraw transfer invoice reply respond
        confirm rsvp congratulate thank back backup reboot restart update upgrade reset measure
        weigh check-in unplug plug open close shut cover wrap print scan fax laminate oil grease
        sharpen polish paint sand varnish fix mend sew hem
        anrufen kaufen zahlen bezahlen abholen gießen putzen waschen
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
