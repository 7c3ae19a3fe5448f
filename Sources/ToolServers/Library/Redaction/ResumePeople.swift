import Documents
import Privacy

/// The people a text identifies because it is a résumé: their name stands at its head,
/// also where no profile knows it. Pure.
package enum ResumePeople {
    /// Headings of a résumé that a text must have to be one: "Skills" alone stands in
    /// many texts.
    private static let leastSections = 2

    /// Empty for every other text.
    package static func found(in text: String) -> PersonalData {
        // What cannot be read as a résumé is not one.
        guard let resume = try? Resume.read(text) else { return PersonalData() }
        let known = Set(resume.sections.filter { !$0.heading.isEmpty }.map(\.kind))
        return known.subtracting([.other]).count >= leastSections
            ? resume.person : PersonalData()
    }
}
