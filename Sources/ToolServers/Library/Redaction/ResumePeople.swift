import Base
import Documents
import Privacy

/// Finds the people a text identifies because it is a résumé: their name is at its head,
/// even if no profile contains it. Pure.
package enum ResumePeople {
    /// Number of résumé headings that a text must have: "Skills" alone occurs in many
    /// texts.
    private static let leastSections = 2

    /// Maximum length in bytes: a longer text is a book, not a résumé, and reading it would take
    /// seconds.
    private static let longest = 100_000
    /// Maximum bytes without a blank, except in JSON, which may contain a picture.
    private static let longestWord = 1_000

    /// The personal data of a text that is a résumé; empty for every other text.
    package static func found(in text: String) -> PersonalData {
        if text.utf8.count > longest { return PersonalData() }
        if Resume.format(of: text) != .json,
            text.utf8.split(whereSeparator: { $0 <= 0x20 })
                .contains(where: { $0.count > longestWord })
        {
            return PersonalData()
        }
        // A text that cannot be read as a résumé is not one.
        guard let resume = try? Resume.read(text) else { return PersonalData() }
        let known = Set(resume.sections.filter { !$0.heading.isEmpty }.map(\.kind))
        guard known.subtracting([.other]).count >= leastSections else { return PersonalData() }
        // Behind a label it may be a person: "References: Ida Berg".
        let employers = resume.employers.filter { !text.contains(": \($0)") }
        return resume.person.merging(PersonalData(employers.map { .init(.employer, $0) }))
    }
}
