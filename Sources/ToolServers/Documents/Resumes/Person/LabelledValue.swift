import Base

/// A value with a label before it: "Date of birth: 12 May 1990", "Nom    Dupont", "| E-Mail
/// | max@muster.de |". Pure.
struct LabelledValue: Sendable, Equatable {
    var label: ResumeWords.Label
    /// The label as written.
    var name: String
    var value: String

    /// All labelled values of a line, in order.
    static func all(in line: ResumeLine) -> [LabelledValue] {
        all(in: parts(line.text))
    }

    /// The separate parts of a line: cells, and text between bars and dots.
    static func parts(_ text: String) -> [String] {
        // "Father's name   : Max" has the colon next to the value.
        var text = text
        if text.utf8.contains(0x3A) {
            while text.contains("  :") { text = text.replacing("  :", with: " :") }
            text = text.replacing(" : ", with: ": ")
            while text.contains(":   ") { text = text.replacing(":   ", with: ":  ") }
            text = text.replacing(":  ", with: ": ")
        }
        return ResumeLine.cells(text).flatMap { cell in
            cell.unicodeScalars.split { signs.contains($0) }.map { String($0).trimmingSpace() }
        }.filter { !$0.isEmpty }
    }

    private static let signs = Set("|•·●▪‖¦⋅".unicodeScalars)

    private static func all(in parts: [String]) -> [LabelledValue] {
        var found: [LabelledValue] = []
        var waiting: (label: ResumeWords.Label, name: String)?
        for part in parts {
            if let whole = waiting, label(of: part) == nil, !part.contains(":") {
                let value = String(part.drop { ":-–= ".contains($0) })
                found.append(LabelledValue(label: whole.label, name: whole.name, value: value))
                waiting = nil
                continue
            }
            waiting = nil
            if let one = LabelledValue(part) {
                found.append(one)
            } else if let label = label(of: part) {
                waiting = (label, part)
            }
        }
        return found
    }

    /// "Label: value", with a colon or similar sign; optional for a date of birth.
    init?(_ part: String) {
        if let colon = part.unicodeScalars.firstIndex(where: { [":", "：", "="].contains($0) }) {
            let after = part[part.index(after: colon)...]
            if !after.hasPrefix("//"), let label = Self.label(of: String(part[..<colon])) {
                self.init(
                    label: label, name: String(part[..<colon]).trimmingSpace(),
                    value: after.trimmingSpace())
                return
            }
        }
        let words = part.split(separator: " ")
        for count in stride(from: min(4, words.count - 1), through: 1, by: -1) {
            let front = words[..<count].joined(separator: " ")
            guard let label = Self.label(of: front) else { continue }
            let value = words[count...].drop { $0 == "-" || $0 == "–" }.joined(separator: " ")
            let startsWithDigit = value.first.map { $0.isNumber || $0 == "+" || $0 == "(" } ?? false
            switch label {
            case .birth
            where value.count < 50
                && (value.first?.isNumber == true || PersonFinder.date(in: value) != nil),
                .phone where startsWithDigit,
                .email where value.contains("@"),
                .identifier where startsWithDigit && front.count > 2:
                self.init(label: label, name: front, value: value)
                return
            default: continue
            }
        }
        return nil
    }

    private init(label: ResumeWords.Label, name: String, value: String) {
        self.label = label
        self.name = name
        self.value = value
    }

    static func label(of text: String) -> ResumeWords.Label? {
        guard text.utf8.count <= 60 else { return nil }
        var plain = text
        if plain.last == ")", let open = plain.firstIndex(of: "("), open != plain.startIndex {
            plain = String(plain[..<open])
        }
        let key = ResumeWords.key(plain)
        return key.isEmpty ? nil : ResumeWords.shared.labels[key]
    }

    /// Whether the label may also describe where a job was or the name of a project: in a
    /// section about work, it counts only next to personal details.
    var isWeak: Bool {
        var name = name
        if name.last == ")", let open = name.firstIndex(of: "(") { name = String(name[..<open]) }
        switch label {
        case .name, .given, .family, .address, .url: return true
        case .personal:
            return [
                "place", "date", "category", "situation", "ort", "lieu", "lugar", "luogo", "plaats",
                "miejscowosc", "health", "height", "weight", "children", "sex", "signature",
                "race", "disability", "status", "stav", "situation", "photo", "domicile", "perhe",
            ].contains(ResumeWords.key(name))
        case .phone:
            return name.count <= 1
                || [
                    "signal", "home", "fax", "skype", "telegram", "mobile", "portable", "cell",
                    "mobil", "fixe", "whatsapp",
                ].contains(name.lowercased())
        case .relative:
            return !name.contains("'") && !name.contains("’") && !name.contains(" ")
        case .birth:
            return ["age", "alter", "kor", "born", "geboren", "fodt", "fodd", "wiek", "vek", "yas"]
                .contains(ResumeWords.key(name))
        case .identifier: return name.count <= 3
        case .email, .referee: return false
        }
    }
}
