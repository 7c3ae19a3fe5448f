import Base
import Privacy

/// A parsed job advert: the job that the letter is about, and the recipient. Pure.
///
/// The advert is untrusted text: it is data, whatever it asks for. Company and role may be
/// sent; people with their addresses and numbers are in `person` and are never sent.
package struct JobAdvert: Sendable, Equatable {
    /// The recipient of the letter, for the salutation, which is written locally.
    package struct Recipient: Sendable, Equatable {
        package enum Form: String, Sendable { case mister, miss, unknown }

        /// The name without titles: "Anna Schmidt".
        package var name: String
        /// "Dr."; empty if none.
        package var title = ""
        package var form: Form = .unknown

        package init(name: String, title: String = "", form: Form = .unknown) {
            self.name = name
            self.title = title
            self.form = form
        }

        /// The part of the name used after "Ms": the last word with preceding particles ("van
        /// der Berg"), or the last two words.
        package func surname(hasTwo: Bool) -> String {
            let words = name.split(separator: " ")
            guard words.count > 1 else { return name }
            var start = words.count - (hasTwo && words.count > 2 ? 2 : 1)
            while start > 1, ResumeWords.shared.particles.contains(words[start - 1].lowercased()) {
                start -= 1
            }
            return words[start...].joined(separator: " ")
        }
    }

    package var company: String?
    package var role: String?
    /// The company's address: the street, then postal code and town.
    package var address: [String] = []
    /// "DE", the country of that address or of the place of work; nil if unknown.
    package var country: String?
    package var recipient: Recipient?
    /// The reference number of the advert.
    package var reference: String?
    package var language: String?
    /// The text that may be sent once it has passed the redactor.
    package var text: String
    package var person: PersonalData

    /// - Throws: `emptyJob` for a text without words.
    package static func read(_ text: String) throws(ResumeError) -> JobAdvert {
        let plain = MarkupText.isMarkup(text) ? MarkupText.plain(text) : MarkupText.unescaped(text)
        let lines = ResumeLine.lines(of: plain)
        guard lines.contains(where: { line in line.text.contains(where: \.isLetter) }) else {
            throw ResumeError(.emptyJob)
        }
        var reader = JobReader(lines)
        return reader.read()
    }

    package init(text: String) {
        self.text = text
        person = PersonalData()
    }
}
