import AgentCore
import Base
import Library
import Persistence
import Sound
import StoryKit

/// Has a model choose among the available voices for a cast. Unknown and repeated choices
/// are left to the rules.
struct StoryVoiceModel: Sendable {
    let voiceBook: StoryVoiceBook
    let model: StoryModel

    /// Adds the model's choices to the user's.
    /// - Returns: a description of what was left to the rules.
    /// - Throws: `GenerationError` without a model, `StoryIndexProblem` if it does not
    ///   answer, `SpeechError`, `CancellationError`.
    func choose(
        _ item: LibraryItem, _ cast: StoryCast, _ kept: inout KeptVoices,
        with interaction: Interaction, isAgain: Bool
    ) async throws -> [String] {
        let pool = try await voiceBook.pool(language: StoryVoiceBook.language(item))
        let question = StoryModel.question(
            VoiceRecipe.recipe(
                cast, pool.profiles, system: await model.instructions(.voices),
                privacy: item.kind.privacy), about: item, model: try await model.name(), [])
        let answer = try await answer(to: question, item, interaction, isAgain: isAgain)
        let narrator = kept.narrator?.config.voiceIdentifier ?? pool.narrator.identifier
        let fixed = kept.parts(of: cast)
        let taken = Set(fixed.values.compactMap(\.config.voiceIdentifier) + [narrator])
        let choices = VoiceRecipe.choices(answer, of: cast, pool.profiles, taken: taken)
        // Rate and volume come from the rules.
        let rules = try await voiceBook.voices(of: item, cast, kept)
        for (index, voice) in choices.voices where fixed[index] == nil {
            let part = rules.characters[index]
            var config = part.config
            config.voiceIdentifier = voice
            config.pitchMultiplier = voiceBook.dependencies.standard.pitch
            kept.set(
                cast.members[index].character.name,
                StoryVoices.Part(config, by: .model, traits: part.traits))
        }
        return [
            notice(choices.unknown, "a voice that is not there"),
            notice(choices.taken, "a voice that is taken"),
        ].compactMap(\.self)
    }

    private func notice(_ names: [String], _ what: String) -> String? {
        guard !names.isEmpty else { return nil }
        let shown = names.prefix(4).map { $0.oneLine }.joined(separator: ", ")
        return "The model named \(what) for \(shown)\(names.count > 4 ? ", …" : ""): "
            + "chosen by rule."
    }

    private func answer(
        to question: StoryModel.Question, _ item: LibraryItem, _ interaction: Interaction,
        isAgain: Bool
    ) async throws -> JSONValue {
        if !isAgain, let known = await model.known(question) { return known }
        await interaction.show([
            try await model.line(for: [question], bytes: question.recipe.input.utf8.count)
        ])
        while true {
            do {
                return try await model.ask(question).json ?? .null
            } catch let error as GenerationError {
                let problem = StoryIndexProblem(
                    .failed(error), .voices, voiceBook.book.lookup.name(item))
                guard await interaction.confirm(problem.diagnostic.what, "Try again?") else {
                    throw problem
                }
            }
        }
    }
}
