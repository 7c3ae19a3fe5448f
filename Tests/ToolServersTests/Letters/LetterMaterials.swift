import AgentCore
import Privacy

@testable import Documents
@testable import Letters

/// What a letter asks a model, made of texts without a program around it.
enum LetterMaterials {
    /// - Parameter format: `txt`, `md` or `json`; nil to go by the text.
    static func request(
        resume text: String, job: String, format: String? = nil,
        profile: PersonalData = PersonalData(), settings: LetterSettings = LetterSettings()
    ) throws -> String {
        let formats: [String: Resume.Format] = ["txt": .text, "md": .markdown, "json": .json]
        let resume = try Resume.read(text, format: format.flatMap { formats[$0] })
        let advert = try JobAdvert.read(job)
        let recipe = LetterRequest(
            LetterRequest.Material(
                resume: resume.body, job: advert.text,
                person: profile.merging(resume.person).merging(advert.person)),
            settings, language: nil
        ).recipe
        return recipe.system + "\n" + recipe.input
    }
}
