/// The audible traits of a character, from a description written by a user or a model.
struct VoiceTraits: Sendable, Equatable {
    enum Age: Sendable { case child, teen, adult, old }

    var age: Age?
    /// espeak-ng's name for an accent.
    var accent: String?
    /// Added to the voice's own pitch, which counts as 1.
    var pitch = 0.0
    /// Added to the rate of reading.
    var rate = 0.0
    /// Multiplies the volume.
    var volume = 1.0
    /// Labels of the recognized traits.
    var labels: [String] = []

    init(_ character: StoryCharacter) {
        // "Old Mr. Weller", "the little boy": names reveal ages too.
        age = Self.age(character.age ?? "") ?? Self.age(character.name)
        switch age {
        case .child:
            (pitch, rate) = (0.5, 0.045)
            labels.append("child")
        case .teen:
            pitch = 0.16
            labels.append("young")
        case .old:
            rate = -0.06
            labels.append("old")
        case .adult, nil: break
        }
        addAccent(Self.words(character.accent ?? ""))
        addPersonality(Self.words(character.personality ?? ""))
    }

    // MARK: - Age

    private static func age(_ text: String) -> Age? {
        let words = words(text)
        for word in words {
            if let years = Int(word) ?? numbers[word] {
                return years < 13 ? .child : years < 20 ? .teen : years < 60 ? .adult : .old
            }
        }
        // "old boy", "young girl": the first word that gives an age counts.
        for word in words {
            if oldWords.contains(word) { return .old }
            if childWords.contains(word) { return .child }
            if teenWords.contains(word) { return .teen }
            if word == "adult" || word == "middle" { return .adult }
        }
        return nil
    }

    private static let childWords: Set<String> = [
        "child", "boy", "girl", "little", "baby", "kid", "lad", "lass", "infant", "toddler",
    ]
    private static let teenWords: Set<String> = [
        "teen", "teenager", "teenage", "adolescent", "youth", "youngster",
    ]
    private static let oldWords: Set<String> = [
        "old", "elderly", "aged", "ancient", "senior", "grandmother", "grandfather", "grandma",
        "grandpa", "granny",
    ]
    private static let numbers = [
        "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
        "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
        "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenties": 25, "thirties": 35,
        "forties": 45, "fifties": 55, "sixties": 65, "seventies": 75, "eighties": 85,
    ]

    // MARK: - Accent and personality

    private mutating func addAccent(_ words: [String]) {
        guard let found = Self.accents.first(where: { $0.words.allSatisfy(words.contains) })
        else { return }
        accent = found.voice
        labels.append(found.label)
        // For the drawl; the sounds are American.
        if found.label == "Southern" { rate -= 0.04 }
    }

    /// More specific descriptions come first.
    private static let accents: [(words: [String], voice: String, label: String)] = [
        (["new", "york"], "en-us-nyc", "New York"), (["brooklyn"], "en-us-nyc", "New York"),
        (["scottish"], "en-gb-scotland", "Scottish"), (["scots"], "en-gb-scotland", "Scottish"),
        (["scotland"], "en-gb-scotland", "Scottish"), (["caribbean"], "en-029", "Caribbean"),
        (["jamaican"], "en-029", "Caribbean"), (["lancashire"], "en-gb-x-gbclan", "Lancashire"),
        (["birmingham"], "en-gb-x-gbcwmd", "West Midlands"),
        (["midlands"], "en-gb-x-gbcwmd", "West Midlands"), (["southern"], "en-us", "Southern"),
        (["texan"], "en-us", "Southern"), (["american"], "en-us", "American"),
        (["british"], "en-gb-x-rp", "British"), (["english"], "en-gb-x-rp", "British"),
        (["london"], "en-gb-x-rp", "British"),
    ]

    private mutating func addPersonality(_ words: [String]) {
        if let word = words.first(where: Self.stern.contains) {
            pitch -= 0.12
            labels.append(word)
        } else if let word = words.first(where: Self.cheerful.contains) {
            pitch += 0.12
            rate += 0.045
            labels.append(word)
        }
        if let word = words.first(where: Self.shy.contains) {
            volume = 0.9
            labels.append(word)
        }
    }

    private static let stern: Set<String> = [
        "stern", "strict", "severe", "grim", "grave", "gruff", "angry", "serious", "proud", "cold",
        "commanding", "authoritative", "menacing",
    ]
    private static let cheerful: Set<String> = [
        "cheerful", "merry", "lively", "happy", "playful", "excited", "energetic", "jolly",
        "excitable", "bubbly", "witty",
    ]
    private static let shy: Set<String> = [
        "shy", "timid", "quiet", "gentle", "meek", "nervous", "reserved", "soft", "modest",
    ]

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
