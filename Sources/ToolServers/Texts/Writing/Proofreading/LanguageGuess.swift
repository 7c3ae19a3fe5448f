/// Guesses the language of a text by its commonest words and its letters. Pure. Two languages
/// matter here; other languages only have to be distinguished from them.
///
/// Several languages share words ("in", "was", "die", "an"): such a word counts for each of them
/// with a part of its weight.
struct LanguageGuess: Sendable {
    enum Language: String, Sendable, CaseIterable {
        case english = "en"
        case german = "de"
    }

    private var scores = [Double](repeating: 0, count: Self.lists.count)
    private var words = 0
    private var otherLetters = 0

    /// The language of a text, or nil if there is too little text.
    static func language(of text: String) -> Language? {
        var guess = LanguageGuess()
        guess.add(Passage(Array(text.utf8)))
        return guess.language
    }

    mutating func add(_ passage: Passage) {
        for item in passage.items where item.kind == .word { add(item.text) }
    }

    mutating func add(_ guess: LanguageGuess) {
        for index in scores.indices { scores[index] += guess.scores[index] }
        words += guess.words
        otherLetters += guess.otherLetters
    }

    /// - Parameter word: in lower case, with straight apostrophes.
    private mutating func add(_ word: String) {
        words += 1
        if let mask = Self.masks[word] {
            let weight = 1 / Double(mask.nonzeroBitCount)
            for index in scores.indices where mask & 1 << index != 0 { scores[index] += weight }
        } else if EnglishWords.shared.common.contains(word) {
            scores[0] += 0.3
        } else if EnglishWords.shared.mistakes.contains(word) {
            scores[0] += 1
        }
        for scalar in word.unicodeScalars where !scalar.isASCII && scalar != "’" {
            switch scalar {
            case "ä", "ö", "ü", "ß": scores[1] += 0.4
            default:
                otherLetters += 1
            }
        }
    }

    /// The language of a part of a text: a short part is assumed to be like the
    /// rest, unless it indicates another language.
    func language(within whole: Language?) -> Language? {
        if let language { return language }
        guard let whole, words < 8, otherLetters == 0 else { return nil }
        let own = whole == .english ? 0 : 1
        return scores.indices.contains { $0 != own && scores[$0] > scores[own] } ? nil : whole
    }

    var language: Language? {
        guard words > 0, Double(otherLetters) < 0.06 * Double(words) + 2 else { return nil }
        guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), best < 2 else {
            return nil
        }
        let second = scores.indices.filter { $0 != best }.map { scores[$0] }.max() ?? 0
        // One word in eight, at least one, and clearly more than any other language.
        guard scores[best] >= max(0.9, Double(words) * 0.12), second <= scores[best] * 0.6 else {
            return nil
        }
        return best == 0 ? .english : .german
    }

    /// English, German, then languages that must be distinguished from them.
    private static let lists = [
        """
        the and of to in is that it was for on are with as be this have from or had by but not what
        all were when we there can an your which their if will each about how up out them then she
        many some so these would other into has more her two him see time could no make than first
        been its who now people my made over did down only way find use may long little after our
        a i you he his at me do just like know they're it's don't i'm didn't can't isn't very us
        because should where why dont they never always again am
        something someone any much too here also most before yesterday please every
        """,
        """
        der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an
        werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum
        war haben nur oder aber vor zur bis mehr durch man sein wurde sei ich du wir ihr uns mich
        dich mir dir kann muss soll wenn weil doch schon immer sehr hier dort heute gestern morgen
        kein keine meine deine seine ihre unser wo was wer warum bitte danke ja nein habe bin bist
        daß muß mal dann denn also alle alles nichts etwas viel wieder wollen können müssen
        """,
        """
        le la les de des du un une et est en que qui dans pour pas sur au par avec il elle nous vous
        je ne se ce cette sont plus ou mais son sa ses leur été aux on comme tout fait être à où très dont
        """,
        """
        el la los las de del un una y es en que por para con no se su al lo como más pero sus le ya
        o este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien yo está
        """,
        """
        il lo la i gli le di del della un una e è in che per con non si su al come più ma da sono mi
        anche questo questa nel alla dei ha hai io tu noi voi loro era essere perché molto
        """,
        """
        o a os as de do da dos das um uma e é em que por para com não se no na ao como mais mas foi
        ele ela eu você nós isso este esta são tem muito também já está pelo pela
        """,
        """
        de het een en van in is dat op te zijn met voor niet die aan er om dan maar ook als bij uit
        door over wordt naar heeft hij zij ik je we wij nog wel geen kan al deze dit worden hebben
        was of had me
        """,
        """
        och att det i en på är som av för med den till han hon jag du inte om ett men var sig så vi
        har de kan från eller nu när bara vad mycket och alla efter ut upp
        og at det er en på til av for med som ikke den han hun jeg du om et men var seg så vi har de
        kan fra eller nå når bare hva meget ud op skal vil efter
        """,
        """
        i w na z do się nie jest to że o jak ale po co tak za od przez dla są przy być był czy już
        a v se je že s z k o jako za pro ale po by si tak když ze jsem jsou který
        """,
        """
        ja ei on se että oli hän mutta niin kuin ovat tämä mikä joka minä sinä
        a az és hogy nem is egy de ez meg van volt csak mint
        """,
        """
        bir ve bu da de için ile çok ne gibi daha ama ben sen var yok değil olarak
        yang dan di dari untuk dengan tidak ini itu adalah pada ke akan
        """,
    ]

    private static let masks: [String: UInt16] = {
        var masks: [String: UInt16] = [:]
        for (index, list) in lists.enumerated() {
            for word in list.split(whereSeparator: \.isWhitespace) {
                masks[String(word), default: 0] |= 1 << index
            }
        }
        return masks
    }()
}
