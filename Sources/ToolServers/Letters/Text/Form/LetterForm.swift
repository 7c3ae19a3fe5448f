import Base

/// The form of application letters in one country: the order of the parts, the date format,
/// and the text before and after the letter. A value; all forms are in `letters.txt`.
package struct LetterForm: Sendable, Equatable {
    package enum Part: String, Sendable { case sender, recipient, date, subject, salutation }

    /// A text of a form, by its name in the file; empty if the form has none.
    enum Text: String {
        /// English name for the model: "British English".
        case language
        /// Date format with `{d}`, `{month}`, `{y}`.
        case date
        /// The first of a month, if it has a special form.
        case first
        /// The date after the sender's town: "{place}, {date}"; empty for the date alone.
        case dateline
        /// Subject line with `{role}`, and that of an advert that names no role.
        case subject
        case subjectAlone = "subject alone"
        /// The word before the number of the advert.
        case reference
        /// Salutation with `{title}` and `{surname}`.
        case toHer = "to her"
        case toHim = "to him"
        /// Salutation with `{name}`, if the form of address is unknown.
        case toName = "to name"
        /// Salutation where the recipient is not known.
        case withoutName = "without a name"
        /// Closing phrase with `{address}`, the address used in the salutation.
        case closing
        case closingWithoutName = "closing without a name"
        /// The closing of a friendly or warm letter, instead of the two above.
        case friendlyClosing = "friendly closing"
        /// The form of address before the recipient's name: "Ms.", "Frau".
        case her, him
        /// "Dr." before a surname; empty if salutations omit it.
        case doctor
        /// Whether a title replaces "Ms".
        case titleStandsAlone = "title stands alone"
        /// Whether surnames have two words: "García López".
        case hasTwoSurnames = "two surnames"
        /// Whether the sentence after the salutation continues in lower case.
        case goesOnInLowerCase = "goes on in lower case"
    }

    /// The language tag, `en-GB`.
    package let tag: String
    let order: [Part]
    /// Month names as used in a date.
    let months: [String]
    /// Common names of the language, folded as in `SearchText`.
    private let names: [Substring]
    /// Countries that use this form beside their own.
    private let regions: [Substring]
    private let texts: [String: String]

    /// - Parameter tag: one of the file's.
    init(tag: String) {
        let own = LetterTexts.named("form \(tag)")
        var texts = own
        var like = own["like"]
        while let base = like.map({ LetterTexts.named("form \($0)") }) {
            texts.merge(base) { known, _ in known }
            like = base["like"]
        }
        self.tag = tag
        self.texts = texts
        order = texts["order", default: ""].split(separator: " ")
            .compactMap { Part(rawValue: String($0)) }
        months = texts["months", default: ""].split(separator: " ").map(String.init)
        names = own["names", default: ""].split(separator: ",")
        regions = own["regions", default: ""].split(separator: " ")
    }

    subscript(_ text: Text) -> String { texts[text.rawValue, default: ""] }

    func has(_ text: Text) -> Bool { !self[text].isEmpty }

    /// The date as text: `23 novembre 2026`.
    package func written(_ date: CivilDate) -> String {
        let day = date.day == 1 && has(.first) ? self[.first] : "\(date.day)"
        // `month` is 1…12, and each form has twelve names.
        return self[.date].replacing("{d}", with: day)
            .replacing("{month}", with: months[date.month - 1])
            .replacing("{y}", with: "\(date.year)")
    }

    func dateline(_ date: CivilDate, from place: String?) -> String {
        guard has(.dateline), let place else { return written(date) }
        return self[.dateline].replacing("{place}", with: place)
            .replacing("{date}", with: written(date))
    }

    func subject(_ role: String?) -> String {
        role.map { self[.subject].replacing("{role}", with: $0) } ?? self[.subjectAlone]
    }
}

extension LetterForm {
    /// The first form of a language is used if the country is unknown.
    static let all = LetterTexts.words("forms").map(LetterForm.init)

    /// The form for a language named by the user (`de`, `en-GB`, `German`); if the language
    /// is used in several countries, the sender's decides.
    ///
    /// - Parameter country: two letters; nil if unknown.
    /// - Returns: nil for a language without a form.
    package static func of(_ language: String, country: String? = nil) -> LetterForm? {
        let wanted = SearchText.folded(language).replacing("_", with: "-")
        if let exact = all.first(where: { $0.tag.lowercased() == wanted }),
            wanted.contains("-") || country == nil
        {
            return exact
        }
        let named = all.first { $0.names.contains(wanted[...]) }
        let root = named?.tag ?? wanted
        if let named, root.contains("-"), wanted != "english" { return named }
        let code = String(root.prefix { $0 != "-" })
        let candidates = all.filter { $0.tag.prefix { $0 != "-" } == code }
        guard let region = country?.uppercased() else { return candidates.first }
        return candidates.first { $0.tag.hasSuffix("-\(region)") }
            ?? candidates.first { $0.regions.contains(region[...]) }
            // Where English is not the first language, letters use A4 and dates begin with the
            // day.
            ?? candidates.first { $0.tag == "en-GB" } ?? candidates.first
    }

    /// All tags, for completion: `en-US`, `en-GB`, `de` …
    package static var tags: [String] { all.map(\.tag) }

    /// The name of any language for the model, even of one without a form.
    package static func languageName(_ language: String) -> String {
        let wanted = SearchText.folded(language)
        // The country is personal data, which the model does not get.
        if wanted == "en" { return "English" }
        return all.first { $0.tag.lowercased() == wanted || $0.names.contains(wanted[...]) }?[
            .language]
            ?? language
    }
}
