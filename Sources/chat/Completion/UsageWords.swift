import AgentCore

/// What the arguments of a command may be, read from the usage that help
/// shows: `TITLE|ID [--list L] [10m|until WHEN]`. Pure.
struct UsageWords: Equatable {
    struct Flag: Equatable {
        var name: String
        /// What may follow; nil when nothing does.
        var value: [Expected]?
    }

    enum Expected: Equatable {
        case word(String)
        case kind(WordKind)
    }

    var flags: [Flag] = []
    /// By position.
    var arguments: [[Expected]] = []
    /// The last position stands for all that follow.
    var repeats = false

    /// - Parameter owner: the command; `ID|TITLE` means conversations only
    ///   where they are its business.
    init(_ usage: String, flags more: [String] = [], owner: String = "") {
        let fragments = more.map { fragment in
            fragment.split(whereSeparator: { " []".contains($0) }).map(String.init)
        }
        for part in Self.groups(usage) + fragments { read(part[...], owner) }
    }

    /// `[--from DATE|--all] X` is `--from DATE`, `--all`, `X`.
    private static func groups(_ usage: String) -> [[String]] {
        var groups: [[String]] = []
        var group = ""
        func end() {
            for part in alternatives(group) {
                let words = part.split(separator: " ").map(String.init)
                if !words.isEmpty { groups.append(words) }
            }
            group = ""
        }
        for character in usage {
            if character == "[" || character == "]" { end() } else { group.append(character) }
        }
        end()
        return groups
    }

    /// Options are told apart at `|`, words are not.
    private static func alternatives(_ group: String) -> [String] {
        guard group.contains("|-") else { return [group] }
        return group.split(separator: "|").map(String.init)
    }

    private mutating func read(_ words: ArraySlice<String>, _ owner: String) {
        var words = words
        while let word = words.popFirst() {
            if word == "…" { continue }
            guard word.hasPrefix("-") else {
                arguments.append(Self.expected(word, owner: owner))
                repeats = word.split(separator: "|").contains { $0.hasSuffix("…") }
                continue
            }
            // `-r, --resume`
            var names = [word]
            while let last = names.last, last.hasSuffix(","), let next = words.popFirst() {
                names[names.count - 1].removeLast()
                names.append(next)
            }
            var value: [Expected]?
            if let next = words.first, !next.hasPrefix("-"), next != "…" {
                words.removeFirst()
                value = Self.expected(next, owner: owner, flag: names.last)
            }
            for name in names where !flags.contains(where: { $0.name == name }) {
                flags.append(Flag(name: name, value: value))
            }
        }
    }

    private static func expected(_ word: String, owner: String, flag: String? = nil) -> [Expected] {
        switch flag {
        case "--provider"?: return ProviderName.allCases.map { .word($0.rawValue) }
        case "--output"? where !word.hasPrefix("FILE"):
            return OneShotOptions.Output.allCases.map { .word($0.rawValue) }
        case "--list"?: return [.kind(.list)]
        case "--calendar"?: return [.kind(.calendar)]
        case "--voice"?: return [.kind(.voice)]
        case "--role"?: return [.kind(.role)]
        default: break
        }
        let parts = word.split(separator: "|").map { part in
            part.split(whereSeparator: { $0 == "…" || $0 == "," }).first.map(String.init) ?? ""
        }
        if parts.contains("ID"), parts.contains("TITLE") {
            return ["conversations", "", "resume", "delete"].contains(owner)
                ? [.kind(.conversation)] : []
        }
        return parts.flatMap { part -> [Expected] in
            switch part {
            case "FILE", "FILE.wav", "PATH": [.kind(.file)]
            case "MODEL": [.kind(.model)]
            case "TOOL": [.kind(.tool)]
            case "LEVEL": Effort.allCases.map { .word($0.rawValue) }
            case "NAME" where owner == "role": [.kind(.role)]
            case "NAME" where owner == "config": [.kind(.setting)]
            // One word by itself is an example: `--duration 30m`.
            default: parts.count > 1 && isWord(part) ? [.word(part)] : []
            }
        }
    }

    /// Placeholders are in capitals, examples of dates have no letter.
    private static func isWord(_ text: String) -> Bool {
        text.contains { $0.isLetter } && text == text.lowercased()
    }
}
