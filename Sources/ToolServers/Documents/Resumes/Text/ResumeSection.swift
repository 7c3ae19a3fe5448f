/// A part of a résumé under one heading.
package struct ResumeSection: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case summary, experience, education, skills, languages, projects, certificates
        case publications, awards, interests, volunteering, other
        // Never sent:
        case personal, contact, references, declaration, photo

        /// Whether it is about the applicant's work rather than their identity.
        package var isSendable: Bool {
            switch self {
            case .personal, .contact, .references, .declaration, .photo: false
            default: true
            }
        }
    }

    package var kind: Kind
    /// The heading as the applicant wrote it, without marks; empty for text without a heading.
    package var heading: String
    /// Lines that may be passed to the redactor.
    package var text: String
}
