/// The spellings of an address: whole, each line, street and number in either order
/// and with the short form of "street", the street without its number, the postal
/// code. Pure.
///
/// The city, region and country alone are not a secret: they are in every résumé beside the
/// employers. Next to the rest of the address they belong to it.
struct AddressLiteral: Sendable {
    private(set) var spellings: [(phrase: [UInt32], rule: PersonalLiterals.Rule)] = []

    private struct Line {
        var text: ScannedText
        var phrase: [UInt32]
        var hasDigit: Bool

        /// Whether its last word means a street: Mill Lane.
        var isStreet: Bool {
            guard !hasDigit, text.words.count > 1, let last = text.words.last else { return false }
            let word = text.folded(last)
            return RedactionWords.streetsBehind.contains(word)
                && !RedactionWords.weakStreetsBehind.contains(word)
        }
    }

    init(_ value: String) {
        let whole = ScannedText.compact(value)
        if whole.contains(where: Self.isDigit) { add(whole, .phrase) }
        let lines = value.split { $0.isNewline || [",", ";", "|", "•", "·"].contains($0) }
            .map { part -> Line in
                let text = ScannedText(String(part))
                let phrase = text.units.indices.filter { text.isWord($0) }.map { text.units[$0] }
                return Line(
                    text: text, phrase: phrase, hasDigit: phrase.contains(where: Self.isDigit))
            }
            .filter { !$0.phrase.isEmpty }
        // The Old Forge, Mill Lane: a street without a number is just as revealing.
        let lane = lines.lastIndex { $0.isStreet }
        if lane != nil, !lines.contains(where: \.hasDigit) { add(whole, .phrase) }
        // The last line with a number has the postal code, if there are two.
        let numbered = lines.indices.filter { lines[$0].hasDigit }
        let code = numbered.count > 1 ? numbered.last : nil
        for (index, line) in lines.enumerated() {
            if index == code {
                addCode(line)
            } else if line.hasDigit {
                addStreet(line)
            } else if index <= lane ?? -1
                || index < Self.firstPlace(lines.count, code, lines.map(\.hasDigit)),
                line.text.words.count > 1, line.phrase.count >= 8
            {
                // The name of a house or of a quarter.
                add(line.phrase, .capital)
            }
            add(line.phrase, .place)
            for word in line.text.words where word.count > 1 && word.isCapital {
                // Springfield, IL: in the text the region may stand alone.
                if !line.hasDigit { add(line.text.folded(word), .place) }
            }
        }
    }

    private mutating func add(_ phrase: [UInt32], _ rule: PersonalLiterals.Rule) {
        if phrase.count >= (isPlace(rule) ? 2 : 4) { spellings.append((phrase, rule)) }
    }

    private func isPlace(_ rule: PersonalLiterals.Rule) -> Bool {
        if case .place = rule { true } else { false }
    }

    private static func isDigit(_ unit: UInt32) -> Bool { unit >= 0x30 && unit < 0x3A }

    /// The index at which city, region and country begin, which are not redacted alone.
    private static func firstPlace(_ count: Int, _ code: Int?, _ hasDigit: [Bool]) -> Int {
        guard let code else { return max(count - 2, 0) }
        return code > 0 && !hasDigit[code - 1] ? code - 1 : code
    }

    // MARK: - Street and number

    private mutating func addStreet(_ line: Line) {
        if line.phrase.count >= 5 { add(line.phrase, .phrase) }
        let words = line.text.words
        // 12 a Elm Street, Długa 5/7 m. 3
        let isNumberFirst = words.first?.hasDigit ?? false
        var names: [ScannedText.Word]
        var numbers: [ScannedText.Word]
        if isNumberFirst {
            numbers = Array(words.prefix { $0.hasDigit || $0.count == 1 && !$0.isCapital })
            names = Array(words.dropFirst(numbers.count).prefix { !$0.hasDigit })
        } else {
            names = Array(words.prefix { !$0.hasDigit })
            numbers = Array(words.dropFirst(names.count))
        }
        if names.isEmpty {
            (names, numbers) = (words.filter { !$0.hasDigit }, words.filter(\.hasDigit))
        }
        let name = names.flatMap { line.text.folded($0) }
        guard name.count >= 3 else { return addPostalCodes(line) }
        let number = numbers.flatMap { line.text.folded($0) }
        for name in Self.shortened(names.map { line.text.folded($0) }) where name.count >= 3 {
            if name.count + number.count >= 5 {
                add(name + number, .phrase)
                add(number + name, .phrase)
            }
            for count in 1..<max(numbers.count, 1) {
                let first = numbers.prefix(count).flatMap { line.text.folded($0) }
                guard name.count + first.count >= 6 else { continue }
                add(name + first, .phrase)
                add(first + name, .phrase)
            }
            if name.count >= 8, isStreet(names, line), !RedactionWords.commonStreets.contains(name)
            {
                add(name, .capital)
            }
        }
        if words.count == 2 || numbers.contains(where: { $0.count >= 4 }) { addPostalCodes(line) }
    }

    private func isStreet(_ names: [ScannedText.Word], _ line: Line) -> Bool {
        names.count > 1
            || names.contains { word in line.text.streetEndings(word).contains { !$0.isWeak } }
    }

    /// Street and St, Hauptstraße and Hauptstr, ulica and ul.
    private static func shortened(_ words: [[UInt32]]) -> [[UInt32]] {
        func units(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }
        var spellings = [[UInt32]]()
        let whole = words.flatMap { $0 }
        spellings.append(whole)
        for (index, word) in words.enumerated() {
            for (long, short) in RedactionWords.shortForms where word == long || word == short {
                var other = words
                other[index] = word == long ? short : long
                spellings.append(other.flatMap { $0 })
            }
            for (long, short) in [("strasse", "str"), ("straat", "str"), ("platz", "pl")] {
                var other = words
                if word.count > long.utf8.count, word.suffix(long.utf8.count) == units(long)[...] {
                    other[index] = word.dropLast(long.utf8.count) + units(short)
                } else if long != "platz", word.count > 5, word.suffix(3) == units(short)[...] {
                    other[index] = word.dropLast(3) + units(long)
                } else {
                    continue
                }
                spellings.append(other.flatMap { $0 })
            }
        }
        if words.count > 1,
            ["ul", "ulica", "calle", "c", "via", "rue", "rua", "al", "aleja", "os", "pl"].map(units)
                .contains(words[0])
        {
            let bare = words.dropFirst().flatMap { $0 }
            if bare.count >= 4 { spellings.append(bare) }
        }
        return spellings
    }

    // MARK: - Postal code

    private mutating func addCode(_ line: Line) {
        if line.phrase.count >= 5 { add(line.phrase, .phrase) }
        let words = line.text.words
        if words.count > 1 {
            // Berlin 10115 as well as 10115 Berlin.
            let numbers = words.filter(\.hasDigit).flatMap { line.text.folded($0) }
            let names = words.filter { !$0.hasDigit }.flatMap { line.text.folded($0) }
            if names.count + numbers.count >= 6 {
                add(names + numbers, .phrase)
                add(numbers + names, .phrase)
            }
        }
        addPostalCodes(line)
    }

    /// SW1A 1AA, 62704, 00-950, 1015 CJ.
    private mutating func addPostalCodes(_ line: Line) {
        let words = line.text.words
        for (index, word) in words.enumerated() where word.hasDigit && word.count >= 3 {
            let letters = line.text.folded(word)
            if word.isNumber, word.count >= 5 { add(letters, .number) }
            guard index + 1 < words.count else {
                if !word.isNumber, word.count >= 5 { add(letters, .phrase) }
                continue
            }
            let next = words[index + 1]
            let both = letters + line.text.folded(next)
            let isHyphened = line.text.ascii(word.end) == 0x2D && next.start == word.end + 1
            let isMixed =
                !word.isNumber && next.hasDigit && next.isAllCaps || !word.isNumber && next.hasDigit
            let isDutch = word.isNumber && word.count == 4 && next.count == 2 && next.isAllCaps
            if isHyphened && next.isNumber {
                add(both, .phrase)
            } else if isMixed && both.count <= 8 || isDutch {
                add(both, .phrase)
            } else if next.isNumber, word.isNumber, both.count == 5 || both.count == 6 {
                add(both, .number)
            }
        }
        for (index, word) in words.enumerated().dropFirst()
        where word.hasDigit && !word.isNumber && words[index - 1].hasDigit == false
            && word.count == 3
        {
            // M5V 2T6 is covered; E1 6AN begins with two characters.
            let before = words[index - 1]
            if before.count <= 2 { add(line.text.folded(before) + line.text.folded(word), .phrase) }
        }
        for (index, word) in words.enumerated().dropFirst()
        where word.hasDigit && !word.isNumber && word.count == 3 && words[index - 1].hasDigit
            && words[index - 1].count == 2
        {
            add(line.text.folded(words[index - 1]) + line.text.folded(word), .phrase)
        }
    }
}
