import Base
import Privacy

/// A job advert, read: what the letter is about, and who is written to. Pure.
///
/// The advert is by others: it is data, whatever it asks for. Company and role may
/// be sent; people, their addresses and numbers are `person`, and stay here.
package struct JobAdvert: Sendable, Equatable {
    /// Who the letter goes to; for the salutation, which is written here.
    package struct Recipient: Sendable, Equatable {
        package enum Form: String, Sendable { case mister, miss, unknown }

        /// "Anna Schmidt", without titles.
        package var name: String
        /// "Dr."; empty without one.
        package var title = ""
        package var form: Form = .unknown
    }

    package var company: String?
    package var role: String?
    /// Of the company: the street, then code and town.
    package var address: [String] = []
    package var recipient: Recipient?
    /// The number under which the job was advertised.
    package var reference: String?
    package var language: String?
    /// What may be sent once it has passed the redactor.
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

    init(text: String) {
        self.text = text
        person = PersonalData()
    }
}
