/// One operation on a text: proofreading, a tone, or a prompt of the user's
/// that is marked as a writing tool.
package struct WritingTool: Sendable, Equatable {
    /// One word, as it is typed: `proofread`.
    package var name: String
    /// "Proofread".
    package var title: String
    /// The key in a menu, `p`. Nil if no letter is left for it.
    package var key: Character?
    /// The instructions for the model; those shared by all tools are in
    /// `WritingRecipe`.
    package var instructions: String
    package var isBuiltIn = false
    /// Nil uses the recipe's own.
    package var temperature: Double?
    /// Whether the instructions may be untrusted, and with them the result.
    package var hasUntrustedText = false

    package init(
        name: String, title: String, key: Character? = nil, instructions: String,
        isBuiltIn: Bool = false, temperature: Double? = nil, hasUntrustedText: Bool = false
    ) {
        self.name = name
        self.title = title
        self.key = key
        self.instructions = instructions
        self.isBuiltIn = isBuiltIn
        self.temperature = temperature
        self.hasUntrustedText = hasUntrustedText
    }

    /// Whether it corrects and keeps the words; without a model the built-in
    /// rules are used.
    package var isProofreading: Bool { name == Self.proofread.name }

    /// Label while it works: "Proofreading".
    var activity: String {
        switch name {
        case Self.proofread.name: "Proofreading"
        case Self.concise.name: "Shortening"
        default: "Rewriting"
        }
    }

    /// Verb in lists of undo steps: "proofread i12".
    var past: String {
        switch name {
        case Self.proofread.name: "proofread"
        case Self.concise.name: "shortened"
        default: "rewrote"
        }
    }

    package static let builtIn = [proofread, rewrite, friendly, professional, concise]

    package static let proofread = WritingTool(
        name: "proofread", title: "Proofread", key: "p",
        instructions: """
            Correct spelling, grammar, punctuation and capitals. Change nothing else: keep the \
            words, the tone, the order of the sentences and the dialect of English or the other \
            language it is written in. Leave what is correct exactly as it is.
            """,
        isBuiltIn: true)

    package static let rewrite = WritingTool(
        name: "rewrite", title: "Rewrite", key: "r",
        instructions: """
            Rewrite the text so that it reads clearly and well. Keep what it says, its tone, its \
            point of view, and about its length.
            """,
        isBuiltIn: true)

    package static let friendly = WritingTool(
        name: "friendly", title: "Friendly", key: "f",
        instructions: """
            Rewrite the text in a warm and friendly tone. Keep what it says and about its length; \
            add no facts, no promises and no emoji.
            """,
        isBuiltIn: true)

    package static let professional = WritingTool(
        name: "professional", title: "Professional", key: "o",
        instructions: """
            Rewrite the text in a professional tone: polite, precise, without slang. Keep what it \
            says and about its length; add no facts, no greeting and no signature.
            """,
        isBuiltIn: true)

    package static let concise = WritingTool(
        name: "concise", title: "Concise", key: "c",
        instructions: """
            Make the text shorter: cut repetition, filler and detours. Keep every fact, name, \
            number and condition, and its tone.
            """,
        isBuiltIn: true)
}
