import Base
import Privacy

/// The unredacted inputs of a letter: a revision of a résumé and one of an advert. A value.
package struct LetterInputs: Sendable, Equatable {
    package struct Resume: Sendable, Equatable {
        package var source: LetterDraft.Source
        /// Display name of the item.
        package var title: String
        /// The text that may be sent once redacted: without header and references.
        package var body: String
        /// The whole text, for checking a letter's claims.
        package var whole: String
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
        package var title: String
        package var text: String
        /// The people that it names: recruiters, with their addresses and numbers.
        package var person = PersonalData()
        package var role: String?
        package var company: String?
        /// The employer's address, in lines as printed in a letter.
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
