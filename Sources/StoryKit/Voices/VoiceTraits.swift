import Base
import CWords

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

    private static func age(_ text: String) -> Age? {
        let words = words(text)
        if let years = words.lazy.compactMap({ Int($0) }).first {
            return years < 13 ? .child : years < 20 ? .teen : years < 60 ? .adult : .old
        }
        // "old boy", "young girl": the first word that gives an age counts.
        return words.lazy.compactMap { years[$0] }.first
            ?? words.lazy.compactMap { ages[$0] }.first
    }

    private mutating func addAccent(_ words: [String]) {
        guard
            let found = Self.accents.first(where: {
                $0.key.split(separator: " ").allSatisfy { words.contains(String($0)) }
            })
        else { return }
        let label = String(found.lines[1])
        accent = String(found.lines[0])
        labels.append(label)
        // For the drawl; the sounds are American.
        if label == "Southern" { rate -= 0.04 }
    }

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

    // MARK: - Words

    private static let table = LexiconFile(.storyPeople)
    private static let accents = table.rows("accents")
    private static let (stern, cheerful, shy) = (
        table.words("stern"), table.words("cheerful"), table.words("shy")
    )
    private static let years = byWord(" years")
    private static let ages = byWord("")

    private static func byWord(_ ending: String) -> [String: Age] {
        let named: [(String, Age)] = [
            ("child", .child), ("teen", .teen), ("adult", .adult), ("old", .old),
        ]
        return Dictionary(
            uniqueKeysWithValues: named.flatMap { name, age in
                table.words(name + ending).map { ($0, age) }
            })
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
