import Base

/// How letters of application look in one country: which part follows which, how
/// a date is written, what comes before and after the letter. A value, and all
/// of what the program knows of it is the table in `LetterForm+Table`.
package struct LetterForm: Sendable, Equatable {
    package enum Part: Sendable { case sender, recipient, date, subject, salutation }

    /// `en-GB`.
    package var tag: String
    /// In English, as the model gets it: "British English".
    package var language: String
    var order: [Part]
    /// As they stand in a date.
    var months: [String]
    /// With `{d}`, `{month}`, `{y}`.
    var date: String
    /// The first of a month, where it has a word of its own.
    var first = "1"
    /// The date after the sender's town: "{place}, {date}"; nil for the date
    /// alone.
    var dateline: String?
    /// With `{role}`.
    var subject: String
    /// Where the advert names no role.
    var subjectAlone: String
    /// With `{title}` and `{surname}`.
    var toHer: String
    var toHim: String
    /// With `{name}`: it is not known how to address them.
    var toName: String
    var toNobody: String
    /// With `{address}`, for what stood in the salutation.
    var closing: String
    var closingToNobody: String?
    /// In place of both where the letter is friendly or warm.
    var friendlyClosing: String
    /// "Ms.", "Frau": in front of the name where the recipient stands.
    var her: String
    var him: String
    /// "Dr." in front of a surname; nil where a salutation leaves it out.
    var doctor: String?
    /// A title stands in place of "Ms".
    var titleStandsAlone = false
    /// A surname of two words: "García López".
    var hasTwoSurnames = false
    /// The sentence after the salutation goes on in lower case.
    var goesOnInLowerCase = false

    /// `23 novembre 2026`.
    package func written(_ date: CivilDate) -> String {
        // `month` is 1…12, and each table has twelve.
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
    /// The form for a language that the user named (`de`, `en-GB`, `German`), in
    /// the country of the sender where the language alone leaves it open.
    ///
    /// - Parameter country: two letters; nil where it is not known.
    /// - Returns: nil for a language without a form here.
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
            // Where English is a foreign language, letters are on A4 and dates begin
            // with the day.
            ?? candidates.first { $0.tag == british.tag } ?? candidates.first
    }

    /// The tags that there are, for completion: `en-US`, `en-GB`, `de` …
    package static var tags: [String] { all.map(\.tag) }

    /// The name that the model gets for any language, also one without a form.
    package static func languageName(_ language: String) -> String {
        let wanted = SearchText.folded(language)
        // The country is the user's own, which the model does not get.
        if wanted == "en" { return "English" }
        if let form = all.first(where: { $0.tag.lowercased() == wanted }) { return form.language }
        if let form = all.first(where: { names[$0.tag]?.contains(wanted) == true }) {
            return form.language
        }
        return language
    }
}
