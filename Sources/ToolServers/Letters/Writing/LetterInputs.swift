import Base
import Privacy

/// What a letter is made from, unredacted: a revision of a
/// résumé and one of an advert. A value.
package struct LetterInputs: Sendable, Equatable {
    package struct Resume: Sendable, Equatable {
        package var source: LetterDraft.Source
        /// For people: the name of the item.
        package var title: String
        /// What may be sent once it has been redacted: without the head and the
        /// references.
        package var body: String
        /// All of it, for looking up what a letter claims.
        package var whole: String
        /// Whom it names.
        package var person: PersonalData
        package var sender: LetterLayout.Sender
        /// Two letters; nil where it does not show.
        package var country: String?
        package var language: String?
        /// Lines of it that are not sent.
        package var leftOut: [String] = []

        /// "Not sent: 3 lines: …", for the user's eyes; nil where all of it is.
        package var notSent: String? {
            leftOut.isEmpty
                ? nil
                : "Not sent: \(Quantities.count(leftOut.count, "line")): "
                    + leftOut.map(\.oneLine).joined(separator: " / ")
        }
    }

    package struct Job: Sendable, Equatable {
        package var source: LetterDraft.Source
        package var title: String
        package var text: String
        /// Whom it names: recruiters, with their addresses and numbers.
        package var person = PersonalData()
        package var role: String?
        package var company: String?
        /// Of the employer: lines as a letter prints them.
        package var address: [String] = []
        package var reference: String?
        package var recipient: LetterRecipient?
        package var language: String?
    }

    package var resume: Resume
    package var job: Job

    /// "Senior engineer · Acme".
    package var title: String {
        let known = [job.role, job.company].compactMap(\.self)
        return known.isEmpty ? "Letter of application" : known.joined(separator: " · ")
    }
}

/// What the profile says of the user, as letters need it.
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
