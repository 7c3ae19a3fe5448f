import Base

/// The spellings of a name: in another order, with initials, without the middle name, with
/// ü as ue. Pure.
enum NameSpellings {
    private struct Word {
        var bytes: [UInt8]
        /// The parts between hyphens or apostrophes.
        var pieces: [[UInt8]]
        var isParticle: Bool
        var isCommon: Bool
        var letters: Int { bytes.count { $0 & 0xC0 != 0x80 } }
        /// The first letter, which may take several bytes.
        var initial: [UInt8] {
            Array(bytes.prefix(1) + bytes.dropFirst().prefix { $0 & 0xC0 == 0x80 })
        }
    }

    static func needles(_ value: String) -> [LeakNeedle] {
        let raw = words(of: value)
        return spellings(raw).flatMap { spelt in orders(of: spelt.compactMap(word)) }
    }

    /// The words without titles and degrees; "Olsen, Jana" in spoken order.
    private static func words(of value: String) -> [String] {
        let parts = value.split(separator: ",").map { part in
            var words = part.split(whereSeparator: { $0.isWhitespace || "\"“”„()".contains($0) })
                .map { String($0) }.filter { !ScannedText.compact($0).isEmpty }
            while words.count > 1, RedactionWords.titles.contains(ScannedText.compact(words[0])) {
                words.removeFirst()
            }
            while let last = words.last, NameLiteral.suffixes.contains(SearchText.folded(last)) {
                words.removeLast()
            }
            return words
        }.filter { !$0.isEmpty }
        return parts.count == 2 ? parts[1] + parts[0] : parts.flatMap { $0 }
    }

    private static func word(_ text: String) -> Word? {
        let pieces = LeakNeedle.words(text)
        let bytes = pieces.flatMap { $0 }
        if bytes.isEmpty { return nil }
        let folded = String(decoding: bytes, as: UTF8.self)
        return Word(
            bytes: bytes, pieces: pieces, isParticle: NameLiteral.particles.contains(folded),
            isCommon: pieces.count == 1 && LeakNeedle.isCommon(bytes))
    }

    // MARK: - Letters

    private static let expanded: [Character: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "đ": "dj", "Ä": "Ae", "Ö": "Oe",
        "Ü": "Ue", "Ø": "Oe", "Å": "Aa", "Đ": "Dj",
    ]

    /// Each word unchanged, with ü as ue, and with ue as u; and mixtures, as they occur.
    private static func spellings(_ words: [String]) -> [[String]] {
        var all: [[String]] = [[]]
        for word in words {
            var ways = [word]
            for other in [word.map { expanded[$0] ?? String($0) }.joined(), contracted(word)]
            where !ways.contains(other) {
                ways.append(other)
            }
            if all.count * ways.count > mostSpellings { ways = [word] }
            all = all.flatMap { begun in ways.map { begun + [$0] } }
        }
        return all
    }

    private static let mostSpellings = 16

    /// "Mueller" for a name that may be "Müller"; not "Michael", "Manuel".
    private static func contracted(_ word: String) -> String {
        let letters = Array(word)
        guard letters.count >= 6 else { return word }
        var output = ""
        for (index, letter) in letters.enumerated() {
            let ends = index + 1 == letters.count || letters[(index + 1)...] == ["l"]
            if index > 0, !ends, letter == "e" || letter == "E",
                "aouAOU".contains(letters[index - 1])
            {
                continue
            }
            output.append(letter)
        }
        return output
    }

    // MARK: - Orders

    private static func orders(of words: [Word]) -> [LeakNeedle] {
        let proper = words.filter { !$0.isParticle }
        var needles = words.flatMap(alone)
        for word in words.dropFirst() where !word.isParticle && !word.isCommon {
            var surname = LeakNeedle([word.bytes], .name, .word(isCommon: false))
            guard surname.letters >= NameLiteral.longInside, word.bytes[0] < 0xE0,
                word.pieces.count == 1
            else { continue }
            surname.countsInside = true
            needles.append(surname)
        }
        guard words.count > 1, let first = words.first else { return needles }
        func full(_ parts: [Word]) {
            let names = parts.filter { !$0.isParticle }
            let needle = LeakNeedle(
                parts.flatMap { $0.pieces }, .name,
                .fullName(allWords: names.allSatisfy(\.isCommon)))
            if names.count > 1 || parts.count > 1 && needle.letters >= 6, needle.letters >= 4 {
                needles.append(needle)
            }
        }
        full(words)
        for (index, last) in words.enumerated().dropFirst() where !last.isParticle {
            var particles: [Word] = []
            for word in words[1..<index].reversed() {
                guard word.isParticle else { break }
                particles.insert(word, at: 0)
            }
            let surname = particles + [last]
            full([first] + surname)
            full(surname + [first])
            full([first, last])
            full([last, first])
            // Half of a double name.
            for piece in last.pieces where last.pieces.count > 1 && piece.count >= 3 {
                let half = Word(
                    bytes: piece, pieces: [piece], isParticle: false,
                    isCommon: LeakNeedle.isCommon(piece))
                full([first, half])
                full([half, first])
            }
            if index == words.count - 1 {
                let given = Array(words[..<(index - particles.count)])
                full(surname + given)
                full([last] + given + particles)
                full(given + surname)
            }
            let middle = proper.dropFirst().prefix { $0.bytes != last.bytes }
            if !middle.isEmpty {
                let short = [first.pieces.flatMap { $0 }] + middle.map(\.initial)
                needles.append(
                    LeakNeedle(
                        short + surname.flatMap { $0.pieces }, .name, .fullName(allWords: false)))
            }
            for initials in [[first.initial], [first.initial] + middle.map(\.initial)] {
                for name in [surname.flatMap { $0.pieces }, last.pieces] {
                    let rule = LeakNeedle.Rule.initialled(
                        isCommon: last.isCommon || last.letters < 4)
                    needles.append(LeakNeedle(initials + name, .name, rule))
                    needles.append(LeakNeedle(name + initials, .name, rule))
                }
            }
        }
        return needles
    }

    private static let slavic: Set<String> = ["ski", "ska", "cki", "cka"]

    private static func alone(_ word: Word) -> [LeakNeedle] {
        if word.isParticle { return [] }
        let whole = LeakNeedle(word.pieces, .name, .word(isCommon: word.isCommon))
        if whole.isUnspaced {
            return whole.letters >= 2
                ? [LeakNeedle(word.pieces, .name, .fullName(allWords: false))] : []
        }
        var needles = whole.letters >= 3 ? [whole] : []
        needles += LookAlikes.withCyrillicVe(word.bytes, [0xD0, 0xB2]).map {
            LeakNeedle([$0], .name, .word(isCommon: false))
        }.filter { $0.letters >= 4 }
        if word.pieces.count > 1 {
            needles += word.pieces.map {
                LeakNeedle([$0], .name, .word(isCommon: LeakNeedle.isCommon($0)))
            }.filter { $0.letters >= 4 }
        }
        // "Kowalski" is "Kowalskiego" in Polish, "Kowalska" a woman's.
        for name in [word.bytes] + (word.pieces.count > 1 ? word.pieces : [])
        where name.count >= 7 && slavic.contains(String(decoding: name.suffix(3), as: UTF8.self)) {
            needles += ["i", "a", "iego", "iej", "iemu", "im", "ich", "imi"].map {
                LeakNeedle([name.dropLast() + Array($0.utf8)], .name, .word(isCommon: false))
            }
        }
        return needles
    }
}
