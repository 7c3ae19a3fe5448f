import Base

/// A former or other name of the applicant: "née Wolkenstein", "geb. Köhler",
/// "aka Bob Smith". Pure.
enum FormerName {
    /// What stands in front of the first such word, and the names after all of them.
    static func split(_ text: String) -> (front: String, names: [String]) {
        let words = text.split(separator: " ").map(String.init)
        var front: [String]?
        var names: [String] = []
        var index = 0
        while index < words.count {
            guard let length = mark(words, index) else {
                index += 1
                continue
            }
            var name: [String] = []
            var next = index + length
            while next < words.count, name.count < 3 {
                let word = words[next]
                let plain = String(word.trimming { ",.;:()[]|\"“”–-".contains($0) })
                let isParticle = ["von", "van", "de", "der", "den", "del", "di", "da", "la"]
                    .contains(plain)
                // "geb. 12.05.1985" and "née le 3 mars" are dates.
                guard plain.first?.isUppercase == true || isParticle,
                    !plain.contains(where: \.isNumber),
                    NameShape(plain, allowsOne: true) != nil || isParticle
                else { break }
                name.append(plain)
                next += 1
                if let last = word.last, ",;:)]|".contains(last) { break }
            }
            let isDate = next < words.count && words[next].first?.isNumber == true
            if !isDate, name.last?.first?.isUppercase == true {
                if front == nil { front = Array(words[..<index]) }
                names.append(name.joined(separator: " "))
            }
            index = max(next, index + length)
        }
        guard let front else { return (text, []) }
        return (
            String(front.joined(separator: " ").trimming { " ,(–-|[".contains($0) }), names
        )
    }

    /// "née Wolkenstein" and nothing else.
    static func isWhole(_ line: ResumeLine) -> Bool {
        let (front, names) = split(line.closed)
        return !names.isEmpty && front.isEmpty && line.words.count <= 5
    }

    /// How many words there say that another name follows.
    private static func mark(_ words: [String], _ index: Int) -> Int? {
        func key(_ place: Int) -> String {
            guard words.indices.contains(place) else { return "" }
            return ResumeWords.letters(ResumeWords.folded(words[place]))
        }
        if ["also", "formerly"].contains(key(index)), key(index + 1) == "known",
            key(index + 2) == "as"
        {
            return 3
        }
        if key(index) == "z", key(index + 1) == "domu" || key(index + 1) == "d" { return 2 }
        if key(index) == "maiden" || key(index) == "birth", key(index + 1) == "name" { return 2 }
        return marks.contains(key(index)) ? 1 : nil
    }

    private static let marks: Set<String> = [
        "nee", "geb", "geborene", "geborener", "formerly", "aka", "alias", "genannt", "nata", "roz",
        "rozena", "fodt", "fodd", "os", "szul", "gen", "ehemals", "geburtsname", "madchenname",
        "meisjesnaam", "dite", "soltera",
    ]
}
