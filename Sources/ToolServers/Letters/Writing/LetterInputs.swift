import Base
import Documents
import Persistence
import Privacy

/// The unredacted inputs of a letter: a revision of a résumé and one of an advert. A value.
package struct LetterInputs: Sendable, Equatable {
    package struct Resume: Sendable, Equatable {
        package var source: LetterDraft.Source
        /// The text that may be sent once redacted: without header and references.
        package var body: String
        /// The people that it names.
        package var person: PersonalData
        package var sender: LetterLayout.Sender
        /// The country in two letters; nil if unknown.
        package var country: String?
        package var language: String?
        /// Lines that are not sent.
        package var leftOut: [String] = []

        /// "Not sent: 3 lines: …", for the user; nil if everything is sent.
        package var notSent: String? {
            leftOut.isEmpty
                ? nil
                : "Not sent: \(Quantities.count(leftOut.count, "line")): "
                    + leftOut.map(\.oneLine).joined(separator: " / ")
        }
    }

    package struct Job: Sendable, Equatable {
        package var source: LetterDraft.Source
        package var advert: JobAdvert
    }

    package var resume: Resume
    package var job: Job

    /// "Senior engineer · Acme".
    package var title: String {
        let known = [job.advert.role, job.advert.company].compactMap(\.self)
        return known.isEmpty ? "Letter of application" : known.joined(separator: " · ")
    }
}

extension LetterInputs.Resume {
    /// - Throws: `ResumeError`.
    init(_ item: LibraryItem) throws(ResumeError) {
        let resume = try ResumeBook.resume(item)
        let contact = resume.contact
        self.init(
            source: LetterDraft.Source(item: item.id, revision: item.revision), body: resume.body,
            person: resume.person,
            sender: LetterLayout.Sender(
                name: contact.name,
                address: contact.address.isEmpty
                    ? nil : contact.address.joined(separator: "\n"),
                phone: contact.phone, email: contact.email),
            country: resume.country, language: resume.language, leftOut: resume.leftOut)
        // The redactor hides employers only if the user asks for it.
        for employer in resume.employers { person.add(.employer, employer) }
    }
}

extension LetterInputs.Job {
    /// - Throws: `ResumeError`.
    init(_ item: LibraryItem) throws(ResumeError) {
        self.init(
            source: LetterDraft.Source(item: item.id, revision: item.revision),
            advert: try JobAdvert.read(item.body))
    }
}

/// The parts of the user's profile that letters need.
package struct LetterProfile: Sendable, Equatable {
    package var person: PersonalData
    package var sender: LetterLayout.Sender

    package init(
        person: PersonalData = PersonalData(),
        sender: LetterLayout.Sender = LetterLayout.Sender()
    ) {
        self.person = person
        self.sender = sender
    }
}
