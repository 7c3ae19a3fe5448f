import Base
import Privacy

/// The check of a letter's own words against what it was made from: its résumé, its
/// advert and the profile. Pure.
struct LetterClaims: Sendable {
    let inputs: LetterInputs
    let profile: LetterProfile
    let settings: LetterSettings
    let today: CivilDate

    /// - Parameter body: from the first sentence to the last, without head and signature.
    func findings(in body: String) -> [ClaimCheck.Finding] {
        let known = [inputs.job.company, inputs.job.role, inputs.job.recipient?.name]
            .compactMap(\.self)
        return ClaimCheck(
            resume: inputs.resume.body,
            job: ([inputs.job.text] + settings.answers(to: inputs.job.text))
                .joined(separator: "\n"),
            also: known + profile.person.entries.map(\.value)
                + inputs.resume.person.entries.map(\.value),
            year: today.year, month: today.month
        ).findings(in: body).compactMap(withoutContact)
    }

    /// The user's own telephone number and address, which were put in here, are no
    /// claims.
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
