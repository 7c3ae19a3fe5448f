/// What `espeak-ng --voices` prints, and what of it is worth listing. Pure.
struct EspeakListing: Sendable, Equatable {
    struct Row: Sendable, Equatable {
        /// `en-gb-x-rp`; of a variant its file's name, `f3`.
        var identifier: String
        var name: String
        var gender: SpeechVoice.Gender?
    }

    /// Languages and accents, without those of MBROLA: their data is not free
    /// and mostly missing, and then many of them speak as another voice.
    var bases: [Row] = []
    var variants: [Row] = []
    /// Further names for a base: `en`, `fr`.
    var aliases: Set<String> = []

    /// - Parameters: the output with no language, and with `variant`.
    init(voices: String, variants: String) {
        var seen: Set<String> = []
        for columns in Self.rows(voices) where !columns.file.hasPrefix("mb/") {
            aliases.formUnion(columns.others)
            guard columns.language != "variant", !columns.file.hasPrefix("!v/"),
                EspeakVoiceName(columns.language)?.text == columns.language,
                seen.insert(columns.language).inserted
            else { continue }
            bases.append(
                Row(
                    identifier: columns.language, name: columns.name,
                    // The program calls all of them male.
                    gender: columns.gender))
        }
        for columns in Self.rows(variants) where columns.file.hasPrefix("!v/") {
            let file = String(columns.file.dropFirst(3))
            guard EspeakVoiceName(base: "en", variant: file) != nil, !Self.unfit(file),
                seen.insert("+" + file).inserted
            else { continue }
            self.variants.append(
                Row(identifier: file, name: file, gender: Self.gender(file) ?? columns.gender))
        }
    }

    // MARK: - Columns

    private struct Columns {
        var language: String
        var gender: SpeechVoice.Gender?
        var name: String
        var file: String
        var others: [String]
    }

    /// `Pty Language Age/Gender VoiceName File Other Languages`.
    private static func rows(_ text: String) -> [Columns] {
        text.split(separator: "\n").dropFirst().compactMap { line -> Columns? in
            let words = line.split(separator: " ")
            // A file's name in two words cannot be told from what follows it.
            guard words.count >= 5, Int(words[0]) != nil,
                words.dropFirst(5).first?.hasPrefix("(") ?? true
            else { return nil }
            let gender: SpeechVoice.Gender? =
                switch words[2].split(separator: "/").last {
                case "M": .male
                case "F": .female
                default: nil
                }
            // "(zh-cmn 5)(zh 5)".
            let others = line.split(separator: "(").dropFirst().compactMap {
                $0.split(separator: " ").first.map(String.init)
            }.filter { EspeakVoiceName($0) != nil }
            return Columns(
                language: String(words[1]), gender: gender,
                name: String(words[3]).replacing("_", with: " "), file: String(words[4]),
                others: others)
        }
    }

    // MARK: - What was measured of 1.51

    /// Unvoiced, distorted or sung: no voice to listen to for long.
    private static func unfit(_ variant: String) -> Bool {
        variant.hasPrefix("robosoft") || noVoices.contains(variant)
    }

    private static let noVoices: Set<String> = [
        "whisper", "whisperf", "croak", "Demonic", "zac", "UniRobot", "anikaRobot", "AnxiousAndy",
        "Marco", "Tweaky", "fast",
    ]

    /// By their pitch: above 170 Hz they sound female, below 135 male,
    /// whatever the program says of them.
    private static func gender(_ variant: String) -> SpeechVoice.Gender? {
        female.contains(variant) ? .female : male.contains(variant) ? .male : nil
    }

    private static let female: Set<String> = [
        "aunty", "f1", "f2", "f3", "f4", "f5", "shelby", "steph", "grandma", "linda", "belinda",
        "Annie", "Andrea", "anika",
    ]

    private static let male: Set<String> = [
        "announcer", "david", "paul", "Storm", "quincy", "Mike", "m1", "m2", "m3", "m4", "m5", "m6",
        "m7", "m8", "Gene", "victor", "Lee", "iven", "Denis", "max", "robert", "adam", "edward",
        "norbert", "boris", "Alex", "travis", "Michael", "grandpa", "gustave", "pablo", "rob", "ed",
    ]
}
