/// Chooses "a" or "an" by the sound of the next word. Words whose sound depends
/// on the dialect ("a/an historic", "a/an SQL query") are left alone.
extension EnglishRules {
    func article(_ index: Int, _ passage: Passage) -> Correction? {
        let item = passage.items[index]
        guard item.text == "a" || item.text == "an", index + 1 < passage.items.count,
            !item.isAllCapitals, passage.items[index + 1].gap.joins
        else { return nil }
        // "Plan A", "vitamin A", "a A"
        if item.isCapitalised, item.start == .no { return nil }
        if let before = passage.wordBefore(index), item.text == "a",
            words.isIn("label", before.text)
        {
            return nil
        }
        // A letter of the alphabet: "a, b", "(a) is".
        if item.gap == .none, index > 0, item.text == "a" { return nil }
        guard let sound = sound(of: passage.items[index + 1]) else { return nil }
        let wanted = sound == .vowel ? "an" : "a"
        guard wanted != item.text else { return nil }
        let text = item.isCapitalised ? (sound == .vowel ? "An" : "A") : wanted
        return correction(item.range, text, .article)
    }

    enum Sound { case vowel, consonant }

    /// The sound with which an item begins; nil if it is not certain.
    private func sound(of item: Passage.Item) -> Sound? {
        switch item.kind {
        case .number: return Self.sound(ofNumber: item.text)
        case .word:
            if item.isAllCapitals { return Self.sound(ofCapitals: item.text) }
            return sound(ofWord: item.text)
        case .technical, .mark, .opaque: return nil
        }
    }

    private static func sound(ofNumber text: String) -> Sound? {
        let digits = text.prefix { $0.isNumber }
        guard !digits.isEmpty,
            digits.count == text.prefix(while: { $0.isNumber || $0 == "," }).count
        else { return nil }
        if digits == "11" || digits == "18" || digits.first == "8" { return .vowel }
        // "1100" may be eleven hundred.
        return digits.count > 3 && (digits.hasPrefix("11") || digits.hasPrefix("18"))
            ? nil : .consonant
    }

    private static let spelledVowels: Set<String> = [
        "html", "http", "https", "fbi", "xml", "ssd", "ssh", "sms", "mri", "mba", "ngo", "lcd",
        "llc",
        "rss", "rfc", "nhs", "svg", "sdk", "mp", "hr", "hdmi", "ftp", "nda", "npc", "mvp", "lp",
        "rv",
        "x-ray",
    ]

    private static func sound(ofCapitals text: String) -> Sound? {
        guard text.utf8.allSatisfy({ $0 &- 0x61 < 26 || $0 == 0x2D }), text.utf8.count >= 2,
            let first = text.first
        else { return nil }
        switch first {
        case "a", "e", "i", "o":
            return text.hasPrefix("eur") || text.hasPrefix("one") || text.hasPrefix("uni")
                ? nil : .vowel
        case "u":
            return ["usb", "ufo", "uk", "us", "usa", "ui", "uri", "uuid", "udp", "un"].contains(
                text)
                ? .consonant : nil
        case "f", "h", "l", "m", "n", "r", "s", "x":
            return spelledVowels.contains(text) ? .vowel : nil
        default: return .consonant
        }
    }

    private func sound(ofWord word: String) -> Sound? {
        guard let first = word.utf8.first, word.utf8.count >= 3, first < 0x80,
            !words.isIn("function", word)
        else { return nil }
        switch first {
        case UInt8(ascii: "a"), UInt8(ascii: "i"): return .vowel
        case UInt8(ascii: "e"):
            return word.hasPrefix("eu") || word.hasPrefix("ew") ? .consonant : .vowel
        case UInt8(ascii: "o"):
            if word.hasPrefix("onero") || word.hasPrefix("oneir") { return .vowel }
            return word.hasPrefix("one") || word == "once" || word.hasPrefix("oui")
                || word.hasPrefix("once-") || word.hasPrefix("oax") ? .consonant : .vowel
        case UInt8(ascii: "u"): return Self.sound(ofU: word)
        case UInt8(ascii: "h"): return Self.sound(ofH: word)
        case UInt8(ascii: "x"): return word.hasPrefix("x-ray") ? .vowel : nil
        case UInt8(ascii: "y"):
            return word.utf8.dropFirst().first.map(Self.isVowel) == true ? .consonant : nil
        default:
            return Self.isSpeakable(word) ? .consonant : nil
        }
    }

    /// "a unit", "an uncle".
    private static func sound(ofU word: String) -> Sound? {
        let long = [
            "unic", "unid", "unif", "unil", "union", "unip", "uniq", "unis", "unit", "univ", "unix",
            "use", "usa", "usu", "usi", "util", "utop", "ura", "uri", "ubiq", "ukr", "uku",
            "uganda",
            "euro",
        ]
        let short = [
            "unidentif", "unimp", "unint", "uninv", "uninf", "unins", "unind", "unill", "unimag",
            "uninh", "unirr",
        ]
        if short.contains(where: word.hasPrefix) { return .vowel }
        if long.contains(where: word.hasPrefix)
            || word.hasPrefix("unan") && !word.hasPrefix("unann")
                && !word.hasPrefix("unans")
        {
            return .consonant
        }
        if word.hasPrefix("uni") || word == "unary" || word.utf8.count < 5 { return nil }
        let sure = [
            "un", "up", "ultim", "ultra", "ulcer", "umbr", "umpi", "usher", "utter", "utmost",
            "urgen", "urban", "urge", "ugly", "udder",
        ]
        return sure.contains(where: word.hasPrefix) ? .vowel : nil
    }

    /// "an hour"; "an historic" and "an hotel" are in use, too, so such words
    /// are left alone.
    private static func sound(ofH word: String) -> Sound? {
        if word.hasPrefix("hour") || word.hasPrefix("heir") || word.hasPrefix("honour") {
            return .vowel
        }
        if word.hasPrefix("honest") || word.hasPrefix("honor") {
            return word.hasPrefix("honora") && word != "honorable" && word != "honorary"
                ? nil : .vowel
        }
        let doubtful = [
            "his", "hot", "her", "hab", "hal", "hys", "hom", "hor", "hil", "har", "hyp", "hyd",
            "hex",
            "hon", "hei", "hal", "has",
        ]
        if doubtful.contains(where: word.hasPrefix) { return nil }
        return isSpeakable(word) ? .consonant : nil
    }

    /// Pronounced as a word, not letter by letter: "led" and "mit" are both.
    private static func isSpeakable(_ word: String) -> Bool {
        if ["led", "lan", "mit", "rom", "sat", "sos", "faq", "sim", "fax", "rsa", "nes"].contains(
            word)
        {
            return false
        }
        let letters = Array(word.utf8.prefix(3))
        guard letters.count == 3 else { return false }
        if isVowel(letters[1]) { return true }
        let pair = String(decoding: letters[..<2], as: UTF8.self)
        guard onsets.contains(pair) else { return false }
        return isVowel(letters[2])
            || ["sch", "scr", "shr", "spl", "spr", "str", "squ", "thr", "chr"]
                .contains(String(decoding: letters, as: UTF8.self))
    }

    private static let onsets: Set<String> = [
        "bl", "br", "ch", "cl", "cr", "dr", "dw", "fl", "fr", "gh", "gl", "gr", "kn", "kr", "ph",
        "pl",
        "pr", "qu", "sc", "sh", "sk", "sl", "sm", "sn", "sp", "sq", "st", "sw", "th", "tr", "tw",
        "wh",
        "wr",
    ]

    private static func isVowel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"),
            UInt8(ascii: "u"), UInt8(ascii: "y"):
            true
        default: false
        }
    }
}
