import Base
import Foundation

/// Looks for people in what left the machine, as the one who gets it could: as it is,
/// as its JSON says, with escapes undone, without markup and characters nobody sees, and
/// with base64 decoded; names also without accents and blanks, numbers as their digits.
///
/// It knows nothing of how the program redacts. `Benchmarks/resumes/leaks.py` is the same
/// for thousands.
package struct PersonScan: Sendable {
    private enum Way: Sendable { case words, run, number }

    private struct Needle: Sendable {
        var kind: String
        var way: Way
        var form: Data
        var text: String
    }

    private var needles: [Needle] = []

    /// Everybody in it: its person, those who vouch, the recruiter, and what of others
    /// stands in the body. What is among the words that stay is nobody's.
    package init(_ resume: InventedResume, withRecruiter: Bool = true, withUnknown: Bool = true) {
        let stay = resume.stay.values.joined().joined(separator: " ")
        let ours = (Self.words(stay), Self.run(stay), Self.number(stay))
        add("own", resume.person, ours)
        for referee in resume.referees { add("referee", referee, ours) }
        if withRecruiter { add("recruiter", resume.recruiter, ours) }
        guard withUnknown else { return }
        for (kind, text) in resume.unknown {
            let way: Way = kind == "phone" ? .number : kind == "birth" ? .words : .run
            let text =
                kind == "address"
                ? text.components(separatedBy: ", ").dropLast().joined(separator: ", ") : text
            add("unknown \(kind)", way, text, ours)
        }
    }

    /// For literals that a test has chosen: each in all its forms.
    package init(literals: [String]) {
        let none = (Data(), Data(), Data())
        for literal in literals {
            add("literal", .run, literal, none)
            let digits = literal.filter(\.isNumber).count
            if digits >= 7, digits * 2 > literal.count { add("literal", .number, literal, none) }
            if literal.contains("@"), let local = literal.split(separator: "@").first {
                add("local part", .run, String(local), none)
            }
            // "Doe, J.", "J Doe": initials with the surname.
            let parts = literal.split(separator: " ")
            if parts.count > 1, digits == 0, let initial = parts[0].first {
                add("initials", .words, "\(initial) \(parts[1...].joined(separator: " "))", none)
                add("initials", .words, "\(parts[1...].joined(separator: " ")) \(initial)", none)
            }
        }
    }

    /// Kind, way of reading and what was looked for; empty is good.
    package func hits(in bytes: [UInt8]) -> [String] {
        var found: [String: String] = [:]
        for (reading, view) in Self.views(bytes) {
            let forms: [Way: Data] = [
                .words: Self.words(view), .run: Self.run(view), .number: Self.number(view),
            ]
            for needle in needles
            where found[needle.kind + " " + needle.text] == nil
                && forms[needle.way]?.range(of: needle.form) != nil
            { found[needle.kind + " " + needle.text] = reading }
        }
        let whole = Data(bytes)
        for needle in needles {
            let text = Array(needle.text.utf8)
            for shift in 0..<3 where text.count - shift >= 9 {
                let part = Array(text.dropFirst(shift))
                let code = Data(part.prefix(part.count / 3 * 3)).base64EncodedString()
                if whole.range(of: Data(code.utf8)) != nil {
                    found[needle.kind + " " + needle.text] = "base64"
                }
            }
        }
        return found.map { "\($0.key) (\($0.value))" }.sorted()
    }

    package func hits(in text: String) -> [String] { hits(in: Array(text.utf8)) }

    // MARK: - What is looked for

    private mutating func add(
        _ role: String, _ person: InventedResume.Person, _ ours: (Data, Data, Data)
    ) {
        let (first, last) = (person.first, person.last.replacing(" Jr.", with: ""))
        let initial = first.prefix(1)
        for name in ["\(first) \(last)", "\(last) \(first)", "\(initial) \(last)"] {
            add("\(role) name", .words, name, ours)
        }
        add("\(role) name", .run, first + last, ours)
        add("\(role) name", .run, last + first, ours)
        if !person.script.isEmpty {
            add("\(role) name", .words, person.script, ours)
            for part in person.script.split(separator: " ") where part.count > 1 {
                add("\(role) name", .words, String(part), ours)
            }
        }
        if !person.isWord {
            for name in [first, last] { add("\(role) name", .words, name, ours) }
        }
        add("\(role) email", .run, person.email, ours)
        add("\(role) email", .run, person.email.components(separatedBy: "@")[0], ours)
        let place = person.url.replacing("https://", with: "").replacing("www.", with: "")
        for url in [place, person.handle] { add("\(role) url", .run, url, ours) }
        for birth in [person.birth, person.born] { add("\(role) birth", .words, birth, ours) }
        add("\(role) phone", .number, person.phone, ours)
        add("\(role) id", .run, person.identifier, ours)
        add("\(role) address", .run, person.street, ours)
        add("\(role) address", .run, person.city.replacing("(FI)", with: ""), ours)
    }

    private mutating func add(
        _ kind: String, _ way: Way, _ text: String, _ ours: (Data, Data, Data)
    ) {
        let form: Data
        switch way {
        case .words: form = Self.words(text)
        case .run: form = Self.run(text)
        case .number:
            let before = text.components(separatedBy: "x")[0].replacing("(0)", with: "")
            form = Data(before.utf8.filter { (0x30...0x39).contains($0) }.suffix(8))
        }
        guard form.count > 3 else { return }
        let mine = way == .words ? ours.0 : way == .run ? ours.1 : ours.2
        guard mine.range(of: form) == nil else { return }
        needles.append(Needle(kind: kind, way: way, form: form, text: text))
    }

    // MARK: - How a text is read

    private static func views(_ bytes: [UInt8]) -> [(String, String)] {
        let raw = String(decoding: bytes, as: UTF8.self)
        var found = [("raw", raw)]
        var text = raw
        // `try?`: what is no JSON is read as it is.
        if let value = try? JSONParser.parse(bytes) {
            text = strings(value).joined(separator: "\n")
            found.append(("text", text))
        }
        let plain = text
        func add(_ reading: String, _ view: String) {
            if view != plain { found.append((reading, view)) }
        }
        add("html", entities(text))
        add("percent", percent(text))
        add("markup", replacing(#"</?[a-zA-Z][^<>]{0,40}>|[*_`~\\]"#, in: text) { _ in "" })
        add("base64", base64(text))
        return found
    }

    /// What a text says: the strings of its JSON, or the text.
    package static func plain(_ text: String) -> String {
        let views = views(Array(text.utf8))
        return views.first { $0.0 == "text" }?.1 ?? text
    }

    private static func strings(_ value: JSONValue) -> [String] {
        if let list = value.arrayValue { return list.flatMap(strings) }
        if let object = value.objectValue {
            return object.members.flatMap { [$0.name] + strings($0.value) }
        }
        return value.stringValue.map { [$0] } ?? []
    }

    private static func entities(_ text: String) -> String {
        var text = text
        let signs = [
            "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&apos;": "'", "&nbsp;": " ", "&commat;": "@",
        ]
        for (name, sign) in signs {
            text = text.replacing(name, with: sign)
        }
        return replacing(#"&#[xX]?[0-9a-fA-F]+;"#, in: text) { code in
            let digits = code.dropFirst(2).dropLast()
            let number =
                digits.first == "x" || digits.first == "X"
                ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return number.flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }.replacing("&amp;", with: "&")
    }

    private static func percent(_ text: String) -> String {
        var output: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let code = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), code.utf8.count == 2, let value = UInt8(code, radix: 16) {
                output.append(value)
                rest = rest.dropFirst(2)
            } else {
                output.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func base64(_ text: String) -> String {
        var decoded: [String] = []
        _ = replacing(#"[A-Za-z0-9+/_-]{12,}"#, in: text) { run in
            let plain = run.replacing("-", with: "+").replacing("_", with: "/")
            for shift in 0..<4 {
                let part = plain.dropFirst(shift)
                if let data = Data(base64Encoded: String(part.prefix(part.count / 4 * 4))) {
                    decoded.append(String(decoding: data, as: UTF8.self))
                }
            }
            return run
        }
        return decoded.isEmpty ? text : decoded.joined(separator: "\n")
    }

    private static func replacing(
        _ pattern: String, in text: String, with made: (String) -> String
    ) -> String {
        // The patterns are those above.
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return text }
        let whole = text as NSString
        var output = ""
        var position = 0
        for match in expression.matches(
            in: text, range: NSRange(location: 0, length: whole.length))
        {
            output += whole.substring(
                with: NSRange(location: position, length: match.range.location - position))
            output += made(whole.substring(with: match.range))
            position = match.range.location + match.range.length
        }
        return output + whole.substring(from: position)
    }

    // MARK: - In which form it is compared

    private static let unseen = CharacterSet(
        charactersIn: "\u{AD}\u{200B}\u{200C}\u{200D}\u{200E}\u{200F}\u{2060}\u{FEFF}")

    private static func folded(_ text: String) -> String {
        var text = text.components(separatedBy: unseen).joined()
            .precomposedStringWithCompatibilityMapping
            .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        for (letter, base) in [
            "ß": "ss", "ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "’": "'",
        ] { text = text.replacing(letter, with: base) }
        return text
    }

    /// Words with one blank between them and around all.
    private static func words(_ text: String) -> Data {
        let parts = folded(text).split { !$0.isLetter && !$0.isNumber }
        return Data((" " + parts.joined(separator: " ") + " ").utf8)
    }

    /// Letters and digits alone.
    private static func run(_ text: String) -> Data {
        Data(String(folded(text).filter { $0.isLetter || $0.isNumber }).utf8)
    }

    /// Digits, joined over what stands inside a number; other numbers stay apart.
    private static func number(_ text: String) -> Data {
        var output = Data()
        var between = 0
        var isInside = true
        for scalar in text.unicodeScalars {
            if let digit = scalar.properties.numericType == .decimal
                ? scalar.properties.numericValue : nil
            {
                if !isInside || between > 4 { output.append(UInt8(ascii: "|")) }
                output.append(UInt8(ascii: "0") + UInt8(digit))
                (between, isInside) = (0, true)
            } else {
                between += 1
                if !scalar.properties.isWhitespace, !"()+./-–x".unicodeScalars.contains(scalar) {
                    isInside = false
                }
            }
        }
        return output
    }
}
