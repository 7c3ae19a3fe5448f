import Base
import Privacy

/// A parsed résumé: what may be sent after redaction, and what never leaves.
/// Pure.
///
/// No layout is assumed, and what is under no known heading is part of `body`: only
/// what tells who the applicant is goes, with the references. What the lines that go
/// say of the applicant is in `person`, so that it is found where it stands elsewhere.
package struct Resume: Sendable, Equatable {
    package enum Format: String, Sendable, CaseIterable {
        case text, markdown
        /// JSON Resume 1.0 and what came before it.
        case json
        /// The text of one, as `PDFText` reads it.
        case pdf
    }

    /// What may be sent, in its order, once it has passed the redactor.
    package var sections: [ResumeSection]
    /// What identifies the applicant; of references only what is said elsewhere too.
    package var person: PersonalData
    package var contact: ResumeContact
    /// The applicant's employers and schools: hidden on request.
    package var employers: [String] = []
    /// Lines of it that are not in `sections`, for the user's eyes.
    package var leftOut: [String] = []
    /// "de"; nil where nothing says it.
    package var language: String?
    /// "DE"; where the applicant lives.
    package var country: String?

    /// The sections under their headings.
    package var body: String {
        sections.map { section in
            section.heading.isEmpty ? section.text : "\(section.heading)\n\(section.text)"
        }.joined(separator: "\n\n")
    }

    /// Characters below which no letter is made of a résumé: what is not there would
    /// be invented.
    package static let shortest = 200
    /// Of what may be sent.
    private static let shortestBody = 80

    /// - Parameter format: nil to go by the text.
    /// - Throws: `tooShort`, `noBody`; `json` with line and column.
    package static func read(
        _ text: String, format: Format? = nil
    ) throws(ResumeError) -> Resume {
        let format = format ?? Self.format(of: text)
        // White space of any length counts as one.
        let count = text.split(whereSeparator: \.isWhitespace).reduce(-1) { $0 + $1.count + 1 }
        if count < shortest { throw ResumeError(.tooShort) }
        let resume =
            format == .json ? try JSONResume.read(text) : ResumeReader.read(text)
        if resume.body.count(where: { !$0.isWhitespace }) < shortestBody {
            throw ResumeError(.noBody)
        }
        return resume
    }

    /// By what it begins with.
    package static func format(of text: String) -> Format {
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if start.first == "{" { return .json }
        if start.first == "[",
            start.dropFirst().drop(while: \.isWhitespace).first.map({ "{[]".contains($0) }) == true
        {
            return .json
        }
        if start.hasPrefix("//") || start.hasPrefix("/*") {
            if start.contains("\"basics\"") { return .json }
        }
        return start.hasPrefix("#") || start.contains("\n#") || start.contains("**")
            ? .markdown : .text
    }
}
