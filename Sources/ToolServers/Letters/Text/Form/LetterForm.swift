import Base

/// The form of application letters in one country: the order of the parts, the date format,
/// and the text before and after the letter. A value; all forms are in the table in
/// `LetterForm+Table`.
package struct LetterForm: Sendable, Equatable {
    package enum Part: Sendable { case sender, recipient, date, subject, salutation }

    /// The language tag, `en-GB`.
    package var tag: String
    /// English name for the model: "British English".
    package var language: String
    var order: [Part]
    /// Month names as used in a date.
    var months: [String]
    /// Date format with `{d}`, `{month}`, `{y}`.
    var date: String
    /// The first of a month, if it has a special form.
    var first = "1"
    /// The date after the sender's town: "{place}, {date}"; nil for the date alone.
    var dateline: String?
    /// Subject line with `{role}`.
    var subject: String
    /// Subject line if the advert names no role.
    var subjectAlone: String
    /// The word before the number of the advert.
    var reference = "Ref."
    /// Salutation with `{title}` and `{surname}`.
    var toHer: String
    var toHim: String
    /// Salutation with `{name}`, if the form of address is unknown.
    var toName: String
    var toNobody: String
    /// Closing phrase with `{address}`, the address used in the salutation.
    var closing: String
    var closingToNobody: String?
    /// The closing of a friendly or warm letter, instead of the two above.
    var friendlyClosing: String
    /// The form of address before the recipient's name: "Ms.", "Frau".
    var her: String
    var him: String
    /// "Dr." before a surname; nil if salutations omit it.
    var doctor: String?
    /// Whether a title replaces "Ms".
    var titleStandsAlone = false
    /// Whether surnames have two words: "García López".
    var hasTwoSurnames = false
    /// Whether the sentence after the salutation continues in lower case.
    var goesOnInLowerCase = false

    /// The date as text: `23 novembre 2026`.
    package func written(_ date: CivilDate) -> String {
        // `month` is 1…12, and each table has twelve entries.
        self.date.replacing("{d}", with: date.day == 1 ? first : "\(date.day)")
            .replacing("{month}", with: months[date.month - 1])
            .replacing("{y}", with: "\(date.year)")
    }

    func dateline(_ date: CivilDate, from place: String?) -> String {
        guard let dateline, let place else { return written(date) }
        return dateline.replacing("{place}", with: place)
            .replacing("{date}", with: written(date))
    }

    func subject(_ role: String?) -> String {
        role.map { subject.replacing("{role}", with: $0) } ?? subjectAlone
    }
}

extension LetterForm {
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
        let named = all.first { names[$0.tag]?.contains(wanted) == true }
        let root = named?.tag ?? wanted
        if let named, root.contains("-"), wanted != "english" { return named }
        let code = String(root.prefix { $0 != "-" })
        let candidates = all.filter { $0.tag.prefix { $0 != "-" } == code }
        guard let region = country?.uppercased() else { return candidates.first }
        return candidates.first { $0.tag.hasSuffix("-\(region)") }
            ?? candidates.first { regions[$0.tag]?.contains(region) == true }
            // Where English is not the first language, letters use A4 and dates begin with the
            // day.
            ?? candidates.first { $0.tag == british.tag } ?? candidates.first
    }

    /// All tags, for completion: `en-US`, `en-GB`, `de` …
    package static var tags: [String] { all.map(\.tag) }

    /// The name of any language for the model, even of one without a form.
    package static func languageName(_ language: String) -> String {
        let wanted = SearchText.folded(language)
        // The country is personal data, which the model does not get.
        if wanted == "en" { return "English" }
        if let form = all.first(where: { $0.tag.lowercased() == wanted }) { return form.language }
        if let form = all.first(where: { names[$0.tag]?.contains(wanted) == true }) {
            return form.language
        }
        return language
    }
}
