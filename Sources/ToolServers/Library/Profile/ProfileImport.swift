import Base
import Documents
import Privacy

/// Imports personal details from a résumé: the `basics` of a JSON Resume, or the head of a
/// text or a PDF. Label, picture and summary describe the applicant's work and are not
/// imported.
package enum ProfileImport {
    /// The entries in the order in which letters print them; values are as written in the file.
    ///
    /// - Parameters:
    ///   - path: absolute; `shown` is its name in errors.
    ///   - variables: environment variables, for `pdftotext`.
    /// - Throws: `ResumeFileError`, `PDFTextError`; `ResumeError` with the place of invalid
    ///   JSON.
    package static func entries(
        inFile path: String, shown: String, variables: [String: String]
    ) async throws -> [PersonalData.Entry] {
        let bytes = try await QueueExecutor.run("chat.profile-import") {
            try ResumeFile.bytes(path, shown: shown)
        }
        let ending = FilePath.name(path).split(separator: ".").last?.lowercased() ?? ""
        let content = try await ResumeFile.content(
            bytes, shown: shown, extension: ending, pdf: PDFText(variables: variables))
        return entries(try contact(in: content))
    }

    private static func contact(
        in content: ResumeFile.Content
    ) throws(ResumeError) -> ResumeContact {
        let format = content.format ?? Resume.format(of: content.text)
        // The basics alone suffice here, although they are too little for a letter.
        return format == .json
            ? try JSONResume.read(content.text).contact
            : try Resume.read(content.text, format: format).contact
    }

    private static func entries(_ contact: ResumeContact) -> [PersonalData.Entry] {
        var entries: [PersonalData.Entry] = []
        func add(_ field: Profile.Field, _ value: String?) {
            if let value, !value.isEmpty { entries.append(PersonalData.Entry(field, value)) }
        }
        add(.name, contact.name)
        add(.email, contact.email)
        add(.phone, contact.phone)
        add(.address, contact.address.joined(separator: "\n"))
        for url in contact.urls { add(.url, url) }
        return entries
    }
}
