import Letters
import Stories
import Texts

/// Converts the program's recipes to prompts, which the user may edit, and the user's
/// prompts to recipes.
extension Prompt {
    /// The prompts in every book: the writing tools, the recipes of ideas, letters and
    /// stories, and examples of roles.
    package static let builtIn: [Prompt] =
        WritingTool.builtIn.map(Prompt.init)
        + [
            Prompt(
                name: ideaName, text: IdeaRecipe.instructions,
                summary: "instructions for an idea"),
            Prompt(
                name: letterName, text: LetterRequest.instructions,
                summary: "instructions for a letter of application"),
        ]
        + StoryModel.Topic.allCases.map {
            Prompt(name: $0.rawValue, text: $0.builtIn, summary: $0.summary)
        }
        + examples

    /// Name of the recipe for ideas.
    package static let ideaName = "idea"
    /// Name of the recipe for letters.
    package static let letterName = "letter"

    init(_ tool: WritingTool) {
        self.init(
            name: tool.name, text: tool.instructions, summary: Self.summaries[tool.name],
            temperature: tool.temperature, isWritingTool: true)
    }

    private static let summaries = [
        "proofread": "spelling, grammar, punctuation", "rewrite": "clearer, saying the same",
        "friendly": "in a warmer tone", "professional": "polite and precise",
        "concise": "shorter, with every fact",
    ]
}

extension PromptBook {
    /// The tools offered where text is written: the built-in ones, edited or not, then the
    /// user's own. Never fails; see `recipe`.
    package func writingTools() async -> [WritingTool] {
        var tools: [WritingTool] = []
        for prompt in await writingPrompts() {
            let known = WritingTool.builtIn.first { $0.name == prompt.name }
            let instructions = prompt.instructions ?? known?.instructions
            guard let instructions else { continue }
            var tool = WritingTool(
                name: prompt.name, title: known?.title ?? Self.title(prompt.name),
                key: known?.key ?? Self.key(prompt.name, besides: tools.compactMap(\.key)),
                instructions: instructions, isBuiltIn: prompt.source == .builtIn)
            tool.temperature = prompt.temperature
            tool.hasUntrustedText = prompt.hasUntrustedText
            tools.append(tool)
        }
        return tools
    }

    /// The current instructions for ideas.
    package func ideaInstructions() async -> IdeaBook.Instructions {
        guard let prompt = await recipe(Prompt.ideaName), let text = prompt.instructions else {
            return IdeaBook.Instructions()
        }
        return IdeaBook.Instructions(text: text, hasUntrustedText: prompt.hasUntrustedText)
    }

    /// The current instructions for letters.
    package func letterInstructions() async -> String {
        await recipe(Prompt.letterName)?.instructions ?? LetterRequest.instructions
    }

    /// The current instructions for a story.
    package func storyInstructions(_ topic: StoryModel.Topic) async -> String {
        await recipe(topic.rawValue)?.instructions ?? topic.builtIn
    }

    /// `make-it-short` is "Make it short".
    private static func title(_ name: String) -> String {
        let words = name.split { "-_.".contains($0) }.joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The first unused letter of the name; q quits a menu.
    private static func key(_ name: String, besides taken: [Character]) -> Character? {
        name.lowercased().first { letter in
            letter.isASCII && letter.isLetter && letter != "q" && !taken.contains(letter)
        }
    }
}
