import Base
import Documents
import Persistence
import Privacy

/// Connects letters to the résumé book, which reads and saves their sources.
extension LetterSources {
    package init(_ book: ResumeBook, library: LibraryStore) {
        self.init(
            resume: { try Self.resume(try await book.keep($0, as: .resume).item) },
            job: { try Self.job(try await book.keep($0, as: .job).item) },
            resumeText: { try Self.resume(try await book.keep($0, format: nil, as: .resume).item) },
            jobText: { try Self.job(try await book.keep($0, format: nil, as: .job).item) },
            kept: { resume, job in
                LetterInputs(
                    resume: try Self.resume(try await Self.item(resume, in: library)),
                    job: try Self.job(try await Self.item(job, in: library)))
            })
    }

    /// The item with the text of that revision.
    private static func item(
        _ source: LetterDraft.Source, in library: LibraryStore
    ) async throws -> LibraryItem {
        var item = try await library.liveItem(source.item)
        guard let revision = try await library.revision(source.revision, of: source.item) else {
            throw LibraryError(.noRevision(source.item, source.revision))
        }
        (item.body, item.metadata) = (revision.body, revision.metadata)
        item.revision = source.revision
        return item
    }

    private static func resume(_ item: LibraryItem) throws -> LetterInputs.Resume {
        let resume = try ResumeBook.resume(item)
        var person = resume.person
        // The redactor hides employers only if the user asks for it.
        for employer in resume.employers { person.add(.employer, employer) }
        let contact = resume.contact
        return LetterInputs.Resume(
            source: LetterDraft.Source(item: item.id, revision: item.revision),
            title: item.title, body: resume.body, whole: item.body, person: person,
            sender: LetterLayout.Sender(
                name: contact.name,
                address: contact.address.isEmpty
                    ? nil : contact.address.joined(separator: "\n"),
                phone: contact.phone, email: contact.email),
            country: resume.country, language: resume.language, leftOut: resume.leftOut)
    }

    private static func job(_ item: LibraryItem) throws -> LetterInputs.Job {
        let job = try ResumeBook.job(item)
        return LetterInputs.Job(
            source: LetterDraft.Source(item: item.id, revision: item.revision),
            title: item.title, text: job.text, person: job.person, role: job.role,
            company: job.company, address: job.address, reference: job.reference,
            recipient: job.recipient.map(LetterRecipient.init),
            language: job.language)
    }
}

extension LetterRecipient {
    fileprivate init(_ recipient: JobAdvert.Recipient) {
        let address: Address? =
            switch recipient.form {
            case .mister: .him
            case .miss: .her
            case .unknown: nil
            }
        self.init(
            name: recipient.name, address: address,
            title: recipient.title)
    }
}
