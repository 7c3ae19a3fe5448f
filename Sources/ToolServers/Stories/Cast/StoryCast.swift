import Base
import StoryKit

/// The cast of a story as stored in its item, with line counts, and the changes that the
/// user can make to it. Pure: changes make a new value, which `StoryCastCommand` saves.
///
/// In JSON it is an array of `name`, `aliases`, `gender`, `age`, `accent`, `personality`,
/// `lines` and, for the character who says "I", `narrator`; `chat story attribute --cast`
/// reads the same.
struct StoryCast: Sendable, Equatable {
    struct Member: Sendable, Equatable {
        var character: StoryCharacter
        /// Number of quotations; nil before the story was indexed with this member.
        var lines: Int?
        var isNarrator = false
    }

    var members: [Member]

    init(_ cast: Cast, lines: [Int]? = nil) {
        members = cast.characters.enumerated().map { index, character in
            Member(
                character: character, lines: lines?[index], isNarrator: index == cast.narrator)
        }
    }

    /// The cast in the form that attribution uses.
    var cast: Cast {
        Cast(members.map(\.character), narrator: members.firstIndex { $0.isNarrator })
    }

    // MARK: - JSON

    /// - Parameter isLenient: for a cast that is used unchecked: an unknown gender is
    ///   ignored, and names may repeat.
    /// - Throws: `StoryCastError`.
    init(_ json: JSONValue, isLenient: Bool = false) throws(StoryCastError) {
        guard let array = json.arrayValue else { throw StoryCastError(.notArray) }
        members = []
        for (index, value) in array.enumerated() {
            guard let name = value["name"]?.stringValue?.trimmingSpace(), !name.isEmpty else {
                throw StoryCastError(.noName(index + 1))
            }
            let gender = value["gender"]?.stringValue
            if let gender, StoryCharacter.Gender(rawValue: gender) == nil, !isLenient {
                throw StoryCastError(.gender(name))
            }
            let aliases = value["aliases"]?.arrayValue ?? []
            let character = StoryCharacter(
                name: name,
                aliases: aliases.compactMap { $0.stringValue?.trimmingSpace() }.filter {
                    !$0.isEmpty
                },
                gender: gender.flatMap(StoryCharacter.Gender.init), age: value["age"]?.stringValue,
                accent: value["accent"]?.stringValue,
                personality: value["personality"]?.stringValue)
            guard isLenient || self.index(named: name) == nil else {
                throw StoryCastError(.twice(name))
            }
            members.append(
                Member(
                    character: character, lines: value["lines"]?.integerValue,
                    isNarrator: value["narrator"]?.boolValue == true))
        }
    }

    /// - Parameter all: include unknown members, as null.
    func json(all: Bool = false) -> JSONValue {
        .array(
            members.map { member in
                var object = JSONObject()
                let character = member.character
                object["name"] = .string(character.name)
                object["aliases"] = .array(character.aliases.map { .string($0) })
                object["gender"] = character.gender.map { .string($0.rawValue) } ?? .null
                let rest = [
                    ("age", character.age), ("accent", character.accent),
                    ("personality", character.personality),
                ]
                for (name, text) in rest where all || text != nil {
                    object[name] = text.map { .string($0) } ?? .null
                }
                if all || member.lines != nil {
                    object["lines"] = member.lines.map { JSONValue($0) } ?? .null
                }
                if all || member.isNarrator { object["narrator"] = .bool(member.isNarrator) }
                return .object(object)
            })
    }

    // MARK: - Finding

    private func index(named name: String) -> Int? {
        let wanted = Cast.compared(name)
        return members.firstIndex { Cast.compared($0.character.name) == wanted }
    }

    /// Finds a character by name or alias, ignoring case and article.
    /// - Throws: `StoryCastError` with the nearest name.
    func find(_ name: String) throws(StoryCastError) -> Int {
        if let index = cast.find(name) { return index }
        let names = members.flatMap { [$0.character.name] + $0.character.aliases }
        throw StoryCastError(.nobody(name, nearest: NearestWord.find(name, among: names)))
    }

    // MARK: - Changing

    /// Merges the other characters into the first: their names become its aliases, and
    /// their quotations become its own.
    mutating func merge(_ names: [String]) throws(StoryCastError) {
        var indexes: [Int] = []
        for name in names {
            let index = try find(name)
            if !indexes.contains(index) { indexes.append(index) }
        }
        guard let first = indexes.first, indexes.count > 1 else {
            throw StoryCastError(.one(names.first ?? "", names.last ?? ""))
        }
        for other in indexes.dropFirst() { members[first].take(members[other]) }
        for index in indexes.dropFirst().sorted(by: >) { members.remove(at: index) }
    }

    /// The old name becomes an alias.
    mutating func rename(_ name: String, to new: String) throws(StoryCastError) {
        let index = try find(name)
        if let other = cast.find(new), other != index { throw StoryCastError(.twice(new)) }
        var character = members[index].character
        let old = character.name
        character.name = new
        character.aliases.removeAll { $0 == new }
        character.add(old)
        members[index].character = character
    }

    mutating func add(_ name: String) throws(StoryCastError) {
        if cast.find(name) != nil { throw StoryCastError(.twice(name)) }
        members.append(Member(character: StoryCharacter(name: name)))
    }

    /// Adds members of an older cast that have one of `names`, unless a character has that
    /// name now.
    mutating func keep(_ older: [Member], named names: [String]) {
        for name in names where cast.find(name) == nil {
            guard let place = Cast(older.map(\.character)).find(name) else { continue }
            members.append(older[place])
            makeNamesUnique()
        }
    }

    /// Makes every name and alias identify one character: characters with the same name are
    /// merged, and an alias belongs to the character whose name it is, else to the first
    /// that has it.
    mutating func makeNamesUnique() {
        var kept: [Member] = []
        for member in members {
            let name = Cast.compared(member.character.name)
            if let same = kept.firstIndex(where: { Cast.compared($0.character.name) == name }) {
                kept[same].take(member)
            } else {
                kept.append(member)
            }
        }
        var taken = Set(kept.map { Cast.compared($0.character.name) })
        for index in kept.indices {
            kept[index].character.aliases.removeAll { !taken.insert(Cast.compared($0)).inserted }
        }
        if let narrator = kept.firstIndex(where: \.isNarrator) {
            for index in kept.indices { kept[index].isNarrator = index == narrator }
        }
        members = kept
    }

    mutating func remove(_ name: String) throws(StoryCastError) {
        members.remove(at: try find(name))
    }

    /// Sets the given facts, such as age and gender, and adds other names.
    mutating func set(_ name: String, _ facts: Facts) throws(StoryCastError) {
        let index = try find(name)
        var character = members[index].character
        for alias in facts.aliases {
            if let other = cast.find(alias), other != index {
                throw StoryCastError(.taken(alias, by: members[other].character.name))
            }
            character.add(alias)
        }
        character.gender = facts.gender ?? character.gender
        character.age = facts.age ?? character.age
        character.accent = facts.accent ?? character.accent
        character.personality = facts.personality ?? character.personality
        members[index].character = character
    }

    struct Facts: Sendable, Equatable {
        var aliases: [String] = []
        var gender: StoryCharacter.Gender?
        var age: String?
        var accent: String?
        var personality: String?
    }
}

extension StoryCast.Member {
    /// Merges another description of the same character: its names become aliases, its
    /// quotations this character's.
    fileprivate mutating func take(_ other: StoryCast.Member) {
        for alias in [other.character.name] + other.character.aliases { character.add(alias) }
        character.gender = character.gender ?? other.character.gender
        character.age = character.age ?? other.character.age
        character.accent = character.accent ?? other.character.accent
        character.personality = character.personality ?? other.character.personality
        if let lines = other.lines { self.lines = (self.lines ?? 0) + lines }
        if other.isNarrator { isNarrator = true }
    }
}

extension StoryCharacter {
    /// Adds another name, unless it is known already.
    fileprivate mutating func add(_ alias: String) {
        if alias != name, !aliases.contains(alias) { aliases.append(alias) }
    }
}

/// The reason why a text is not a valid cast, or why a change to a cast is not possible.
struct StoryCastError: Error, Sendable, Equatable {
    enum Reason: Sendable, Equatable {
        case notArray
        case noName(Int)
        case gender(String)
        /// Two characters have this name.
        case twice(String)
        case nobody(String, nearest: String?)
        case one(String, String)
        case taken(String, by: String)
        case notIndexed(String)
    }

    var reason: Reason

    init(_ reason: Reason) { self.reason = reason }
}

extension StoryCastError: DescribedError {
    var diagnostic: Diagnostic { sentence.namingCommands }

    private var sentence: Diagnostic {
        switch reason {
        case .notArray:
            Diagnostic(
                "A cast is an array of characters.", todo: "chat story cast --json shows one.")
        case .noName(let number): Diagnostic("Character \(number) has no name.")
        case .gender(let name):
            Diagnostic("The gender of \(Self.shown(name)) must be male, female or null.")
        case .twice(let name): Diagnostic("The cast already has \(Self.shown(name)).")
        case .nobody(let name, let nearest):
            Diagnostic(
                "No one in the cast is called \(Self.shown(name)).",
                todo: nearest.map { "Did you mean \(Self.shown($0))?" }
                    ?? "chat story cast lists them.")
        case .one(let one, let other):
            Diagnostic("\(Self.shown(one)) and \(Self.shown(other)) are already one character.")
        case .taken(let alias, let owner):
            Diagnostic(
                "\(Self.shown(alias)) is already a name of \(Self.shown(owner)).",
                todo: "chat story cast merge makes two characters one.")
        case .notIndexed(let id):
            Diagnostic("\(id) is not indexed yet.", todo: "chat story index \(id)")
        }
    }

    private static func shown(_ name: String) -> String {
        "\"\(DisplayWidth.cut(name.oneLine, to: 40))\""
    }
}
