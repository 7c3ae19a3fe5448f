import Base

/// Placeholders as models write them back: `[Name]`, `[ NAME ]`, `{{NAME}}`, `NAME`,
/// `\[NAME\]`, `[NAME 2]`, `[NOMBRE]`.
extension RedactionMap {
    /// Puts the originals back in place of placeholders in any such spelling. Values are
    /// inserted as they are; placeholders inside them are not replaced.
    ///
    /// - Returns: the text, and the placeholders in it that are not in the map, each once, as they
    ///   stand in the text.
    package func restoreTolerantly(_ text: String) -> (text: String, unknown: [String]) {
        let utf8 = Array(text.utf8)
        var output: [UInt8] = []
        var unknown: [String] = []
        var position = 0
        var index = 0
        while index < utf8.count {
            guard let token = token(at: index, in: utf8) else {
                index += 1
                continue
            }
            if let original = token.original {
                output += utf8[position..<index]
                output += original.utf8
                position = token.end
            } else {
                let spelling = String(decoding: utf8[index..<token.end], as: UTF8.self)
                if !unknown.contains(spelling) { unknown.append(spelling) }
            }
            index = token.end
        }
        return (String(decoding: output + utf8[position...], as: UTF8.self), unknown)
    }

    private struct Token {
        var end: Int
        /// Nil if the map does not have the placeholder.
        var original: String?
    }

    private func token(at index: Int, in text: [UInt8]) -> Token? {
        switch text[index] {
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "<"), UInt8(ascii: "\\"), 0xC2:
            bracketed(at: index, in: text)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): bare(at: index, in: text)
        default: nil
        }
    }

    // MARK: - In brackets

    private func bracketed(at start: Int, in text: [UInt8]) -> Token? {
        var index = start
        while index < text.count, Self.opening.contains(text[index]) || text[index] == 0xC2 {
            // « is C2 AB; any other character is not a bracket.
            if text[index] == 0xC2 {
                guard index + 1 < text.count, text[index + 1] == 0xAB else { return nil }
                index += 1
            }
            index += 1
        }
        guard text[start..<index].contains(where: { $0 != UInt8(ascii: "\\") }) else { return nil }
        let inside = index
        while index < text.count, index - inside <= 48, !Self.closing.contains(text[index]),
            !Self.opening.contains(text[index])
        {
            index += 1
        }
        guard index < text.count, index > inside, index - inside <= 48 else { return nil }
        var end = index
        let mostClosing = (inside - start) * 2
        while end < text.count, Self.closing.contains(text[end]), end - index < mostClosing {
            end += 1
        }
        var content = text[inside..<index]
        // » is C2 BB.
        if content.last == 0xC2, text[index] == 0xBB { content = content.dropLast() }
        guard text[index..<end].contains(where: { $0 != UInt8(ascii: "\\") }) else { return nil }
        let words = String(decoding: content, as: UTF8.self)
        if let original = original(of: "[\(words)]") {
            return Token(end: end, original: original)
        }
        // The text of a Markdown link is not a placeholder.
        if text[inside - 1] == UInt8(ascii: "["), end < text.count, text[end] == UInt8(ascii: "(") {
            return nil
        }
        if let original = original(spelled: words) { return Token(end: end, original: original) }
        guard isLeftOver(words, mark: text[inside - 1]) else { return nil }
        return Token(end: end)
    }

    private static let opening = Array("[{<\\".utf8)
    private static let closing = Array("]}>\\".utf8) + [0xBB]

    /// "Name", "NAME_2", "name 2", "Nombre".
    private func original(spelled content: String) -> String? {
        var name = ""
        var digits = ""
        for scalar in content.unicodeScalars {
            if ("0"..."9").contains(scalar), !name.isEmpty {
                digits.unicodeScalars.append(scalar)
            } else if scalar.properties.isAlphabetic {
                guard digits.isEmpty else { return nil }
                name.unicodeScalars.append(scalar)
            } else {
                guard " _-*`\u{A0}\t\n\r#".unicodeScalars.contains(scalar) else { return nil }
            }
        }
        guard let kind = Self.kinds[SearchText.folded(name)], digits.utf8.count <= 6 else {
            return nil
        }
        let number = digits.isEmpty ? 1 : Int(digits) ?? 0
        if let original = original(of: Self.placeholder(kind, number)) { return original }
        // The only placeholder of its kind in the map.
        let own = entries.filter { $0.kind == kind }
        return digits.isEmpty && own.count == 1 ? own[0].original : nil
    }

    /// The kinds as models translate them.
    private static let kinds: [String: PersonalData.Kind] = {
        var kinds: [String: PersonalData.Kind] = [:]
        let names: [PersonalData.Kind: String] = [
            .name:
                "name nombre nom nome imię naam namn navn nimi jméno név ime имя όνομα isim 姓名 이름 名前",
            .email: "email mail correo courriel emailadresse e-mail correoelectrónico",
            .phone:
                "phone telephone phonenumber telefon teléfono téléphone telefono telefone telefoon telefonnummer",
            .address: "address adresse dirección indirizzo adres endereço anschrift adress",
            .url: "url link website",
            .birthDate: "birthdate dateofbirth dob geburtsdatum",
            .identifier: "identifier id", .employer: "employer arbeitgeber empleador employeur",
        ]
        for (kind, list) in names {
            for name in list.split(separator: " ") {
                kinds[SearchText.folded(String(name)).replacing("-", with: "")] = kind
            }
        }
        return kinds
    }()

    /// Whether it is a blank that a model leaves for the user to fill in: `[Your Name]`,
    /// `[Company]`, `{{x}}`.
    private func isLeftOver(_ content: String, mark: UInt8) -> Bool {
        let words = content.split { " _-*`'’/\u{A0}\n".contains($0) }.map {
            SearchText.folded(String($0))
        }
        guard (1...7).contains(words.count), content.unicodeScalars.count > 1,
            words.allSatisfy({ $0.allSatisfy { $0.isLetter || $0.isNumber } }),
            words[0].first?.isLetter == true
        else { return false }
        // An HTML tag is not a placeholder.
        if mark == UInt8(ascii: "<"), words.count == 1, Self.kinds[words[0]] == nil { return false }
        if mark == UInt8(ascii: "{") { return true }
        let letters = content.unicodeScalars.filter(\.properties.isAlphabetic)
        if letters.count > 1, letters.allSatisfy({ !$0.properties.changesWhenUppercased }),
            letters.allSatisfy(\.isASCII)
        {
            return true
        }
        return words.contains { Self.fields.contains($0) || Self.kinds[$0] != nil }
    }

    private static let fields = RedactionWords.list("blanks")

    // MARK: - Without brackets

    /// NAME, EMAIL_2: in capitals, and not among other words in capitals.
    private func bare(at start: Int, in text: [UInt8]) -> Token? {
        if start > 0, Self.isWord(text[start - 1]) { return nil }
        var end = start
        while end < text.count, Self.isWord(text[end]) { end += 1 }
        let word = String(decoding: text[start..<end], as: UTF8.self)
        guard let original = original(of: "[\(word)]") else { return nil }
        let hasNumber =
            word.utf8.contains(UInt8(ascii: "_")) && word.utf8.last.map { $0 < 0x3A } == true
        // "the URL" is a word.
        if !hasNumber, ["URL", "IDENTIFIER", "EMPLOYER"].contains(word) { return nil }
        if !hasNumber, isCapitals(before: start, in: text) || isCapitals(behind: end, in: text) {
            return nil
        }
        return Token(end: end, original: original)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || byte.isASCIILetterOrDigit
    }

    private func isCapitals(before start: Int, in text: [UInt8]) -> Bool {
        let word = text[..<start].suffix(60).reversed().drop { $0 == UInt8(ascii: " ") }
            .prefix(while: Self.isWord)
        return word.count > 1 && word.allSatisfy { $0 &- UInt8(ascii: "A") < 26 }
    }

    private func isCapitals(behind end: Int, in text: [UInt8]) -> Bool {
        let word = text[end...].prefix(60).drop { $0 == UInt8(ascii: " ") }.prefix(
            while: Self.isWord)
        return word.count > 1 && word.allSatisfy { $0 &- UInt8(ascii: "A") < 26 }
    }
}
