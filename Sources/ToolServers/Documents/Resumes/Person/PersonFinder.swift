import Base
import Privacy

/// Collects the applicant's identifying details from lines that are not sent, and finds the
/// name. Pure.
///
/// A name becomes a literal that is replaced everywhere and blocks a request, so it needs
/// evidence: a label, the title of the résumé, an e-mail address formed from it, or its
/// place at the top with nothing against it.
struct PersonFinder {
    private(set) var person = PersonalData()
    private(set) var contact = ResumeContact()
    private(set) var names: [NameShape] = []
    private var given: String?
    private var family: String?

    /// Parts of addresses that are formed from a name: "max.muster", "max-muster-1a2b".
    private(set) var handles: [String] = []

    // MARK: - Details

    /// Takes the details in a line of the header, of personal details or of contact
    /// details.
    mutating func take(_ line: ResumeLine) {
        for matched in ContactScanner.matches(in: line.text, isHead: true) { take(matched) }
        for labelled in LabelledValue.all(in: line) { take(labelled) }
    }

    mutating func take(_ match: ContactScanner.Match) {
        switch match.kind {
        case .email:
            let email = String(match.value.filter { $0 != " " })
            person.add(.email, match.value)
            if contact.email == nil { contact.email = email }
            if let at = email.firstIndex(where: { $0 == "@" || $0 == "(" || $0 == "[" }) {
                note(handle: String(email[..<at]))
            }
        case .phone: addPhone(match.value)
        case .url:
            person.add(.url, match.value)
            if !contact.urls.contains(match.value) { contact.urls.append(match.value) }
            note(handle: Self.handle(of: match.value))
        default: break
        }
    }

    private mutating func addPhone(_ number: String) {
        person.add(.phone, number)
        if contact.phone == nil { contact.phone = number.trimmingSpace() }
    }

    private mutating func note(handle: String) {
        if handle.count >= 3, !handles.contains(handle) { handles.append(handle) }
    }

    /// The part of an address that may be formed from a name: its last path component, or
    /// the host without one.
    private static func handle(of url: String) -> String {
        let plain = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let parts = plain.split { "/?#".contains($0) }
        if parts.count > 1 {
            return String(parts[1...].last { $0 != "in" && $0.count >= 3 } ?? parts[1])
        }
        let labels = (parts.first ?? "").split(separator: ".").filter { $0 != "www" }
        return String(labels.dropLast().last ?? "")
    }

    mutating func take(_ labelled: LabelledValue) {
        let value = labelled.value.trimming { " ,;|".contains($0) }
        guard !value.isEmpty else { return }
        switch labelled.label {
        case .name:
            let (plain, asides) = NameFinder.withoutAsides(String(value))
            if let name = NameShape(plain, allowsLowercase: true) {
                add(name, isSure: true)
                // The name in another script, or a former name.
                for aside in asides.compactMap({ NameShape($0) }) { add(aside) }
            } else if NameShape(String(value), allowsOne: true, allowsLowercase: true) != nil {
                // "Nom : LEFÈVRE", above "Prénom : Aurélie".
                family = family ?? String(value)
            }
        case .given: given = given ?? String(value)
        case .family:
            family = family ?? String(value)
        case .relative:
            if let name = NameShape(String(value)) { person.add(.name, name.text) }
        case .birth:
            if let date = Self.date(in: String(value)) { person.add(.birthDate, date) }
        case .identifier:
            if value.count(where: \.isNumber) >= 4 { person.add(.identifier, String(value)) }
        case .address:
            addAddress(String(value))
        case .phone:
            // "Tel.: 12 345 678" would be an amount without its label.
            let digits = value.count(where: \.isNumber)
            let isNumber = value.allSatisfy { $0.isNumber || "+()-./ –‑".contains($0) }
            if isNumber, (7...15).contains(digits) { addPhone(String(value)) }
        case .email, .url, .personal, .referee: break
        }
        takeWholeName()
    }

    /// Joins first name and surname if they were given separately.
    private mutating func takeWholeName() {
        guard let given, let family,
            let name = NameShape("\(given) \(family)", allowsLowercase: true)
        else { return }
        add(name, isSure: true)
    }

    /// Accepts a single word labelled as the name if no first name followed.
    mutating func settleNames() {
        if names.isEmpty, let family,
            let name = NameShape(family, allowsOne: true, allowsLowercase: true)
        {
            add(name, isSure: true)
        }
    }

    /// The part from the first digit or month name to the year: "12 May 1990".
    static func date(in value: String) -> String? {
        guard value.contains(where: \.isNumber) else { return nil }
        let words = value.split(separator: " ").map(String.init)
        var end = words.count
        for (index, word) in words.enumerated() {
            let digits = word.filter(\.isNumber)
            let isYear = digits.count == 4 && (digits.hasPrefix("19") || digits.hasPrefix("20"))
            let isWhole = digits.count >= 6
            if isYear || isWhole {
                // "1990. május 12."
                let rest = words.dropFirst(index + 1).prefix(2)
                let isFirst = index == 0 && rest.count == 2 && rest.last?.first?.isNumber == true
                end = isFirst ? index + 3 : index + 1
                break
            }
        }
        let start =
            words.firstIndex { word in
                word.contains(where: \.isNumber)
                    || word.count >= 3 && word.first?.isUppercase == true
            } ?? 0
        guard start < end else { return nil }
        let date = words[start..<end].joined(separator: " ").trimming { " ,.;()".contains($0) }
        return date.count(where: \.isNumber) >= 4 ? String(date) : nil
    }

    mutating func addAddress(_ text: String) {
        let line = String(text.trimming { " ,;|".contains($0) })
        guard !line.isEmpty, line.count <= 120 else { return }
        if contact.address.contains(where: { $0.hasPrefix(line) }) { return }
        if AddressShape.isAddress(line) { person.add(.address, line) }
        if AddressShape.isAddress(line) || AddressShape.isPlace(line) || contact.address.isEmpty {
            if !contact.address.contains(line) { contact.address.append(line) }
        }
    }

    /// Adds a line that is declared as a street, such as that of a JSON record.
    mutating func addStreet(_ line: String) {
        person.add(.address, line)
        if !line.isEmpty, !contact.address.contains(line) { contact.address.append(line) }
    }

    /// - Parameter hasCode: whether it includes the postal code, so that it identifies the
    ///   applicant's home; a town alone also occurs elsewhere.
    mutating func addTown(_ line: String, hasCode: Bool) {
        if hasCode { person.add(.address, line) }
        if !contact.address.contains(line) { contact.address.append(line) }
    }

    /// Takes the name of an account: "maxmuster".
    mutating func takeHandle(_ handle: String) {
        person.add(.url, handle)
        note(handle: handle)
    }

    // MARK: - Name

    /// Takes a text that a record declares as the name, whatever it looks like.
    mutating func takeAsName(_ text: String) {
        person.add(.name, text)
        if contact.name == nil { contact.name = text }
    }

    /// Sets the name as the applicant writes it, with titles: "Dr. Eva Van der Berg".
    mutating func sign(as name: String) { contact.name = name }

    mutating func add(_ name: NameShape, isSure: Bool = false) {
        guard !names.contains(where: { Set($0.keys) == Set(name.keys) }) else { return }
        names.append(name)
        person.add(.name, name.text)
        if contact.name == nil { contact.name = name.text }
    }

    /// Whether a line contains the name and otherwise only text typical of page headers and
    /// footers.
    func isNameLine(_ line: ResumeLine) -> Bool {
        guard line.words.count <= 14 else { return false }
        if isOwnAddress(line) { return true }
        var rest =
            line.style == .spaced
            ? HeadingMatch.plain(line.text, .spaced).split(separator: " ").map(String.init)
            : line.words.map(String.init)
        guard
            let name = names.first(where: { name in
                let keys = rest.map { ResumeWords.key($0) }
                let found = name.keys.count { key in
                    // "O. Muster" in a page header.
                    keys.contains(key) || rest.contains { Self.isInitial($0, of: key) }
                        || line.style == .spaced && keys.contains { $0.contains(key) }
                }
                // A signature may be shorter than the name.
                return found == name.keys.count || found >= 2
            })
        else { return false }
        let own = Set(
            name.text.split(separator: " ").map {
                ResumeWords.key($0)
            })
        rest = rest.filter { word in
            let key = ResumeWords.key(word)
            return !own.contains(key) && !key.isEmpty
                && !own.contains { Self.isInitial(word, of: $0) }
                && !(line.style == .spaced && own.contains { key.contains($0) })
        }
        return rest.allSatisfy(Self.isOfPageHead)
    }

    /// Whether a header line contains only words of a name, such as the surname below the
    /// first name, or a full name with titles and no job next to it.
    func names(_ line: ResumeLine) -> Bool {
        let words = Set(line.words.map { ResumeWords.key($0) })
            .subtracting([""])
        guard !words.isEmpty, line.words.count <= 12 else { return false }
        return names.contains { name in
            words.isSubset(of: name.keys)
                || words.isSuperset(of: name.keys) && !JobReader.isRole(line.text)
        }
    }

    private static func isInitial(_ word: String, of key: String) -> Bool {
        guard word.last == ".", word.first?.isUppercase == true else { return false }
        let initial = ResumeWords.key(word)
        return initial.count == 1 && key.hasPrefix(initial)
    }

    /// "muster.de | Page 2"
    private func isOwnAddress(_ line: ResumeLine) -> Bool {
        let own = person.entries.filter { $0.kind == .url || $0.kind == .email }.map(\.value)
        let words = line.words.map { String($0.trimming { ",;|•·()<>".contains($0) }) }
        guard words.contains(where: own.contains) else { return false }
        return words.allSatisfy { own.contains($0) || Self.isOfPageHead($0) }
    }

    private static let pageWords: Set<String> = [
        "page", "seite", "pagina", "strona", "side", "sida", "sivu", "sayfa", "strana", "oldal",
        "of", "von", "de", "di", "z", "av", "van", "continued", "cont", "σελιδα", "страница", "sur",
        "stranica", "р", "name", "unterschrift", "signature", "signed", "gez", "sgd", "fdo",
        "firmato", "ondertekend", "sign", "date", "datum", "place",
    ]

    private static func isOfPageHead(_ word: String) -> Bool {
        let key = ResumeWords.key(word)
        if key.isEmpty || key.allSatisfy(\.isNumber) { return true }
        return pageWords.contains(key) || ResumeWords.shared.titles.contains(key)
            || ResumeWords.shared.honorifics.contains(key)
            || ResumeWords.shared.postnominals.contains(key)
            || ContactScanner.isURL(word, true) || word.contains("@")
    }
}

/// The applicant's details for the header of a letter.
package struct ResumeContact: Sendable, Equatable {
    package var name: String?
    package var email: String?
    package var phone: String?
    /// Lines of the postal address.
    package var address: [String] = []
    package var urls: [String] = []
}
