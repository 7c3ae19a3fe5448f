import Documents
import Privacy

/// The people a text identifies because it is a résumé: their name stands at its head,
/// also where no profile knows it. Pure.
package enum ResumePeople {
    /// Headings of a résumé that a text must have to be one: "Skills" alone stands in
    /// many texts.
    private static let leastSections = 2

    /// Bytes: more is a book, not a résumé, and reading it would take seconds.
    private static let longest = 100_000
    /// Bytes without a blank, except in JSON, which may have a picture in it.
    private static let longestWord = 1_000

    /// Empty for every other text.
    package static func found(in text: String) -> PersonalData {
        if text.utf8.count > longest { return PersonalData() }
        if Resume.format(of: text) != .json,
            text.utf8.split(whereSeparator: { $0 <= 0x20 })
                .contains(where: { $0.count > longestWord })
        {
            return PersonalData()
        }
        // What cannot be read as a résumé is not one.
        guard let resume = try? Resume.read(text) else { return PersonalData() }
        let known = Set(resume.sections.filter { !$0.heading.isEmpty }.map(\.kind))
        return known.subtracting([.other]).count >= leastSections
            ? resume.person : PersonalData()
    }
}
