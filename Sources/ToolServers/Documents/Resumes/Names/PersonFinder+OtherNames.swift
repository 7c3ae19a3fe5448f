import Base
import Privacy

/// Finds further names of the applicant besides the one at the top of the résumé.
extension PersonFinder {
    /// Takes names that the text declares: "née Holm".
    ///
    /// - Parameter lines: the lines that are not sent, and so bypass the redactor.
    mutating func takeOtherNames(_ lines: [ResumeLine]) {
        guard let first = names.first?.text.split(separator: " ").first else { return }
        let text = lines.map(\.closed).joined(separator: "\n")
        let bytes = Array(text.utf8)
        for finding in Redactor(person).findings(in: text)
        where finding.kind == .name && finding.by == .pattern {
            let name = String(decoding: bytes[finding.range], as: UTF8.self)
            // A surname is combined with the first name.
            if let shape = NameShape(name) ?? NameShape("\(first) \(name)") { add(shape) }
        }
    }

    /// Takes the name in another script on a line of its own: "王小明" below "Wang Xiaoming".
    ///
    /// - Parameters:
    ///   - lines: the lines of the header and the end.
    ///   - all: all lines. If nearly all are in the script of the name, one in another script may
    ///     be anywhere.
    mutating func takeOtherSpellings(_ lines: [ResumeLine], among all: [ResumeLine]) {
        guard let script = names.first.flatMap({ Self.script(of: $0.text) }) else { return }
        let others = all.filter { line in
            Self.script(of: line.text).map { $0 != script } ?? false
        }
        let isRare = others.count * 5 <= all.count
        for line in isRare ? others + lines : lines
        where line.words.count <= 8 && !line.isBullet || line.style == .spaced {
            for part in LabelledValue.parts(line.text) {
                guard let other = Self.script(of: part), other != script,
                    let shape = NameShape(part), !AddressShape.isPlace(part)
                else { continue }
                add(shape)
            }
        }
    }

    /// Takes a nickname that occurs in quotes, and elsewhere before the surname: "Known as
    /// “Bobby”", "Bobby Muster".
    mutating func takeNicknames(_ lines: [ResumeLine]) {
        guard let name = names.first else { return }
        let own = name.text.split(separator: " ").map(String.init)
        let quoted = Set(
            lines.flatMap { NameFinder.withoutAsides($0.closed).asides }
                .filter { !$0.contains(" ") && $0.first?.isUppercase == true && !own.contains($0) })
        if quoted.isEmpty { return }
        for line in lines {
            let words = line.words.map { String($0.trimming { ",.;:()\"“”„«»".contains($0) }) }
            for (index, word) in words.enumerated() where quoted.contains(word) {
                // The surname, alone or with preceding particles: "von der Heide".
                for count in 1..<max(own.count, 2)
                where Array(words[(index + 1)...].prefix(count)) == Array(own.suffix(count)) {
                    let surname = own.suffix(count).joined(separator: " ")
                    if let shape = NameShape("\(word) \(surname)") { add(shape) }
                }
            }
        }
    }

    /// The script of the text as a Unicode block; nil for a mix of several.
    private static func script(of text: String) -> Int? {
        var found: Int?
        for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
            let script =
                switch scalar.value {
                case ..<0x0250, 0x1E00...0x1EFF: 0
                case 0x0370...0x03FF, 0x1F00...0x1FFF: 1
                case 0x0400...0x052F: 2
                case 0x3040...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF: 3
                // Blocks of 128, as for the Indian scripts.
                default: Int(scalar.value >> 7)
                }
            if let found, found != script { return nil }
            found = script
        }
        return found
    }
}
