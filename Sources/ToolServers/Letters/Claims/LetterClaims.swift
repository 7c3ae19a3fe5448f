import Base
import Documents
import Privacy

/// Checks a letter's text against its sources: résumé, advert and profile. Pure.
struct LetterClaims: Sendable {
    let inputs: LetterInputs
    let profile: LetterProfile
    let settings: LetterSettings
    let today: CivilDate

    /// - Parameter body: the text from the first sentence to the last, without header and
    ///   signature.
    func findings(in body: String) -> [ClaimCheck.Finding] {
        let advert = inputs.job.advert
        let known = [advert.company, advert.role, advert.recipient?.name].compactMap(\.self)
        return ClaimCheck(
            resume: inputs.resume.body,
            job: ([advert.text] + settings.answers(to: advert.text))
                .joined(separator: "\n"),
            also: known + profile.person.entries.map(\.value)
                + inputs.resume.person.entries.map(\.value),
            year: today.year, month: today.month
        ).findings(in: body).compactMap(withoutContact)
    }

    /// The finding without the user's own phone number and address, which were inserted
    /// locally; nil if nothing else is left.
    private func withoutContact(_ finding: ClaimCheck.Finding) -> ClaimCheck.Finding? {
        let own = profile.person.merging(inputs.resume.person).entries.filter {
            $0.kind != .employer
        }.map { ClaimCheck.oneLine($0.value) }
        let rest = own.reduce(finding.sentence) { $0.replacing($1, with: " ") }
        if rest == finding.sentence { return finding }
        var finding = finding
        finding.claims.removeAll { !rest.contains($0) }
        return finding.claims.isEmpty ? nil : finding
    }
}
