import Base
import Privacy

/// Recognises lines within a résumé that contain only personal details: contact details at
/// the top of each page, a date of birth, a signature. Pure.
enum PrivateLine {
    /// Whether the line can be left out without losing content.
    static func isPrivate(_ line: ResumeLine) -> Bool {
        guard line.words.count <= 40 else { return false }
        let labelled = LabelledValue.all(in: line)
        // "Date of birth checks for 2.1 million accounts" is work.
        if labelled.contains(where: {
            isPrivate($0) && !(line.isBullet && !line.text.contains(":"))
        }) {
            // "Born in Rome, she leads …" is a sentence.
            return line.words.count <= 24
        }
        // "References: Dr. Weber, …" on one line.
        if let match = HeadingMatch(line), match.form != .alone,
            match.kind == .references || match.kind == .declaration
        {
            return true
        }
        let found = ContactScanner.matches(in: line.text, isHead: false)
        guard !found.isEmpty else { return false }
        let others = LabelledValue.parts(line.text).flatMap { part -> [Substring] in
            let rest = withoutContact(part)
            if isAddress(rest) || AddressShape.isPlace(rest) { return [] }
            return rest.split { " ,;|•·/()<>-–:".contains($0) }.filter { word in
                LabelledValue.label(of: String(word)) == nil
            }
        }
        if others.isEmpty { return found.contains { $0.kind != .url || isOwn($0) } }
        // "Slides and code: https://…" and "Questions to max@muster.de" have content.
        guard found.contains(where: { $0.kind != .url && isOwn($0) }),
            others.allSatisfy({ $0.first?.isLowercase != true })
        else { return false }
        // Other numbers look like telephone numbers: in a list item, one counts only with a
        // label.
        if line.isBullet, !found.contains(where: { $0.kind == .email }),
            !labelled.contains(where: { $0.label == .phone })
        {
            return false
        }
        return others.count <= (found.count > 1 ? 6 : 2)
    }

    /// Whether the text is an address; not "Ran the workshop at 12 Mill Lane".
    private static func isAddress(_ text: String) -> Bool {
        AddressShape.isAddress(text)
            && text.split(separator: " ").count { word in
                let folded = ResumeWords.folded(word)
                return word.first?.isLowercase == true
                    && !ResumeWords.shared.particles.contains(folded)
                    && !ResumeWords.shared.streets.contains(folded)
            } <= 1
    }

    private static func isOwn(_ match: ContactScanner.Match) -> Bool {
        switch match.kind {
        case .email: true
        // "+49 …", "030 …", "(212) 555-0147", "212.555.0147"; not "978-3-16-148410-0".
        case .phone:
            match.value.first.map { "+0(".contains($0) } == true
                || match.value.split { !$0.isNumber }.map(\.count).prefix(3) == [3, 3, 4]
        case .url:
            // A repository has a path of two parts, a profile of one.
            ContactScanner.profileHosts.contains { match.value.lowercased().contains($0) }
                && match.value.split(separator: "/").filter { !$0.contains(":") && $0 != "in" }
                    .count <= 2
        default: false
        }
    }

    private static func isPrivate(_ labelled: LabelledValue) -> Bool {
        if labelled.label == .birth, let date = PersonFinder.date(in: labelled.value) {
            return date.count(where: \.isNumber) >= 5 && labelled.value.count < 60
        }
        if labelled.isWeak || labelled.value.isEmpty { return false }
        switch labelled.label {
        case .birth:
            return labelled.value.contains(where: \.isNumber) || labelled.value.count < 40
        case .identifier: return labelled.value.contains(where: \.isNumber)
        case .phone: return labelled.value.count(where: \.isNumber) >= 6
        case .email: return labelled.value.contains("@") || labelled.value.contains("at")
        case .personal: return labelled.value.split(separator: " ").count <= 6
        case .relative: return true
        case .referee:
            // "Reports to: CTO" names no person.
            let front = labelled.value.split(separator: ",").first.map(String.init) ?? ""
            let isPerson =
                front.contains(" ") && NameShape(front, allowsOne: true) != nil
                || !ContactScanner.matches(in: labelled.value).isEmpty
            return isPerson && labelled.value.split { " ,".contains($0) }.count <= 12
        case .name, .given, .family, .address, .url: return false
        }
    }

    /// The line without e-mail, telephone and web addresses.
    static func withoutContact(_ text: String) -> String {
        var characters = Array(text)
        for match in ContactScanner.matches(in: text, isHead: true).reversed() {
            characters.removeSubrange(match.range)
        }
        var rest = String(String(characters).trimming { " ,;|•·-–:/<>".contains($0) })
        if rest.hasSuffix("("), !rest.contains(")") { rest.removeLast() }
        if rest.hasPrefix(")") { rest.removeFirst() }
        return rest.trimmingSpace()
    }

    /// "Berlin, 3.4.2024", "Place: Chennai", "Date: 1 May 2024", "_______".
    static func isSignature(_ line: ResumeLine, _ names: [NameShape]) -> Bool {
        guard line.words.count <= 10 else { return false }
        let text = line.text
        if text.allSatisfy({ "_.… -".contains($0) }) { return true }
        let labels = LabelledValue.all(in: line)
        if !labels.isEmpty,
            labels.allSatisfy({
                $0.label == .personal || $0.label == .birth || $0.label == .name
                    || $0.label == .address
            })
        {
            return true
        }
        // A place, a full date, and at most a name.
        guard let date = PersonFinder.date(in: text), date.count(where: \.isNumber) >= 5 else {
            return false
        }
        let digits = text.split { !$0.isNumber }
        guard isOfDate(line.words) else { return false }
        let isDate = digits.count == 3 || digits.count == 2 && digits.contains { $0.count == 4 }
        let isSpan = digits.count { $0.count == 4 } >= 2
        let words = text.split { " ,.".contains($0) }.count
        return isDate && !isSpan && words <= 8 && !text.contains("|")
            && (text.contains(",") || text.contains("  ") || digits.count == 3)
    }

    /// Whether the numbers form a date, which are adjacent and purely numeric; not "Excel
    /// 2019, SPSS 27" and "SAP S/4HANA 2021".
    private static func isOfDate(_ words: [Substring]) -> Bool {
        let places = words.indices.filter { words[$0].contains(where: \.isNumber) }
        guard let first = places.first, let last = places.last else { return false }
        let isNumeric = places.allSatisfy { place in
            words[place].allSatisfy { !$0.isLetter } || words[place].count <= 4
        }
        return isNumeric && last - first <= 4
            && (last - first <= 1 || !words[first..<last].contains { $0.last == "," })
    }
}
