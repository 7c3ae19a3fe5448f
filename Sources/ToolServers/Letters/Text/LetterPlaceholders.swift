import Base
import Privacy

/// Replaces the placeholders of a letter with their values, including those that a model
/// wrote in its own way: `[Name]`, `{{NAME}}`, `[Your Name]`, `[Company]`. Pure.
package struct LetterPlaceholders: Sendable {
    /// Known values besides the map.
    package struct Facts: Sendable, Equatable {
        var sender = LetterLayout.Sender()
        var company: String?
        var role: String?
        var recipient: String?
        /// The letter's date, as written in it.
        var date: String?
    }

    let map: RedactionMap
    let facts: Facts

    /// Mark before a bracket without a value.
    static let mark = "⚠ "
    /// Maximum number of characters between two brackets.
    private static let longest = 60

    /// - Returns: the text, with a mark before each bracket without a value, and those
    ///   brackets, each once.
    package func restored(_ text: String) -> (text: String, leftOver: [String]) {
        let known = replacing(in: text) { inside in
            Self.names[Self.folded(inside)].flatMap { fact($0) }
        }
        let tolerant = map.restoreTolerantly(known)
        var leftOver: [String] = []
        func note(_ bracket: String) {
            if !leftOver.contains(bracket) { leftOver.append(bracket) }
        }
        let originals = map.entries.map(\.original)
        let marked = brackets(tolerant.text) { bracket, inside in
            let isOwn = originals.contains { $0.contains(bracket) }
            guard inside.contains(where: \.isLetter), !isOwn else { return bracket }
            note(bracket)
            return Self.mark + bracket
        }
        for word in tolerant.unknown where !leftOver.contains(where: { $0.contains(word) }) {
            note(word)
        }
        return (marked, leftOver)
    }

    // MARK: - A model's own names

    private enum Fact: String {
        case name, email, phone, address, company, role, recipient, date
    }

    private func fact(_ fact: Fact) -> String? {
        switch fact {
        case .name: facts.sender.name
        case .email: facts.sender.email
        case .phone: facts.sender.phone
        case .address: facts.sender.address
        case .company: facts.company
        case .role: facts.role
        case .recipient: facts.recipient
        case .date: facts.date
        }
    }

    /// The facts by the names that models give them.
    private static let names: [String: Fact] = {
        var names: [String: Fact] = [:]
        for (fact, list) in LetterTexts.named("brackets") {
            for name in list.split(separator: ",") { names[String(name)] = Fact(rawValue: fact) }
        }
        return names
    }()

    private static func folded(_ name: String) -> String {
        SearchText.folded(name).filter { $0.isLetter || $0 == " " }.trimmingSpace()
    }

    private func replacing(in text: String, _ value: (String) -> String?) -> String {
        brackets(text) { bracket, inside in
            // A placeholder of the map is exact, whatever the text in it.
            if map.entries.contains(where: { $0.placeholder == bracket }) { return bracket }
            return value(inside) ?? bracket
        }
    }

    /// Replaces each `[…]`, `{{…}}` and `{…}`.
    private func brackets(
        _ text: String, _ replacement: (_ bracket: String, _ inside: String) -> String
    ) -> String {
        var output = ""
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "[" || $0 == "{" }) {
            output += rest[..<open]
            let mark: Character = rest[open] == "[" ? "[" : "{"
            let end: Character = mark == "[" ? "]" : "}"
            let opening = rest[open...].prefix { $0 == mark }
            let inside = rest[opening.endIndex...].prefix(Self.longest).prefix { $0 != end }
            let closing = rest[inside.endIndex...].prefix(opening.count).prefix { $0 == end }
            guard closing.count == opening.count, !inside.isEmpty, !inside.contains("\n") else {
                output += opening
                rest = rest[opening.endIndex...]
                continue
            }
            let bracket = rest[open..<closing.endIndex]
            output += replacement(String(bracket), String(inside))
            rest = rest[closing.endIndex...]
        }
        return output + rest
    }
}
