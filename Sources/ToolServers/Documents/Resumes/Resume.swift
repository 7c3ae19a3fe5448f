import Base
import Privacy

/// A parsed résumé, divided into text that may be sent after redaction, and text that is
/// never sent. Pure.
///
/// No layout is assumed, and text without a known heading is part of `body`: only personal
/// details and the references are removed. Details of the applicant from the removed lines
/// are in `person`, so that they are also found elsewhere.
package struct Resume: Sendable, Equatable {
    package enum Format: String, Sendable, CaseIterable {
        case text, markdown
        /// JSON Resume 1.0 and its predecessors.
        case json
        /// The text of a PDF as extracted by `PDFText`.
        case pdf
    }

    /// The sections that may be sent once they have passed the redactor, in order.
    package var sections: [ResumeSection]
    /// The applicant's identifying details. Details of the people in references are included only
    /// if they occur elsewhere, too.
    package var person: PersonalData
    package var contact: ResumeContact
    /// The applicant's employers and schools, hidden on request.
    package var employers: [String] = []
    /// Lines that are not in `sections`, to show to the user.
    package var leftOut: [String] = []
    /// The language, "de"; nil if unknown.
    package var language: String?
    /// "DE", the country where the applicant lives; nil if unknown.
    package var country: String?

    /// The sections under their headings.
    package var body: String {
        sections.map { section in
            section.heading.isEmpty ? section.text : "\(section.heading)\n\(section.text)"
        }.joined(separator: "\n\n")
    }

    /// Minimum length of a résumé in characters. From a shorter one, a letter would be invented.
    package static let shortest = 200
    /// Minimum length of the text that may be sent.
    private static let shortestBody = 80

    /// - Parameter format: nil to detect it from the text.
    /// - Throws: `tooShort`, `noBody`, `latex`; `json` with line and column.
    package static func read(
        _ text: String, format: Format? = nil
    ) throws(ResumeError) -> Resume {
        let format = format ?? Self.format(of: text)
        // Any run of white space counts as one character.
        let count = text.split(whereSeparator: \.isWhitespace).reduce(-1) { $0 + $1.count + 1 }
        if count < shortest { throw ResumeError(.tooShort) }
        // Its commands hide which words are the name.
        if text.contains("\\documentclass") || text.contains("\\begin{document}") {
            throw ResumeError(.latex)
        }
        let resume =
            format == .json ? try JSONResume.read(text) : ResumeReader.read(text)
        if resume.body.count(where: { !$0.isWhitespace }) < shortestBody {
            throw ResumeError(.noBody)
        }
        return resume
    }

    /// The format according to the beginning of the text.
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
