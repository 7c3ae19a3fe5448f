import Base
import Privacy

/// Generates text with a model for a purpose of the program: a title, a summary, a rewritten
/// paragraph. It reads, shows and changes no conversation.
///
/// The generator's owner decides which provider and model answer, how much they may cost and where
/// their tokens are counted, so that a tool server, which gets a generator at init, need not know
/// it.
package protocol TextGenerator: Sendable {
    /// - Parameter emit: gets the text as it arrives, in order; the next piece is read when it has
    ///   returned. If nil, no text is shown, so that an interrupted stream is requested again. JSON
    ///   is not emitted: half of it is useless.
    /// - Throws: `GenerationError`; `CancellationError` at once when the task is cancelled.
    func generate(
        _ recipe: TextRecipe, emit: (@Sendable (String) async -> Void)?
    ) async throws -> GeneratedText

    /// The first bytes that `generate` would send, for review before anything is sent. Nothing is
    /// sent or counted.
    /// - Throws: `GenerationError`, also if `generate` would refuse to send them.
    func requestBody(of recipe: TextRecipe) async throws -> [UInt8]

    /// The destination of a request made now; nil if unknown.
    /// - Throws: `GenerationError` if no model is available.
    func destination() async throws -> TextDestination?

    /// A generator for several calls: they all go to the model that would be asked now, even if the
    /// user changes it meanwhile.
    /// - Throws: `GenerationError` if no model is available.
    func pinned() async throws -> any TextGenerator
}

extension TextGenerator {
    package func pinned() async throws -> any TextGenerator { self }
    package func destination() async throws -> TextDestination? { nil }
}

/// The destination of a request.
package struct TextDestination: Sendable, Equatable {
    package var provider: ProviderName
    /// `api.openai.com`.
    package var host: String
    package var model: String
}

/// The requested text, and its limits.
package struct TextRecipe: Sendable, Equatable {
    package enum Shape: Sendable, Equatable {
        case text
        /// One JSON value that is valid by the schema.
        case json(JSONSchema)
    }

    /// One word, stored beside the tokens it used: `title`, `summary`.
    package var purpose: String
    /// The instructions.
    package var system: String
    /// The data that the instructions are about.
    package var input: String
    /// Reasoning counts as output with most models.
    package var maxOutputTokens: Int
    /// Nil means the session's own.
    package var temperature: Double?
    /// Nil means the session's own. Not sent to local servers.
    package var effort: Effort?
    /// Number of times that a failed request is sent again.
    package var retries: Int
    package var shape: Shape
    package var privacy: PrivacyClass
    /// Data that must not be sent with class `redact`, in addition to the user's profile.
    package var withheld: PersonalData
    /// The kinds of content in the input, for the ledger: see `SentContent`.
    package var content: [String]

    package init(
        purpose: String, system: String, input: String, maxOutputTokens: Int,
        temperature: Double? = nil, effort: Effort? = nil, retries: Int = 2,
        shape: Shape = .text, privacy: PrivacyClass, withheld: PersonalData = PersonalData(),
        content: [String] = [SentContent.text]
    ) {
        self.purpose = purpose
        self.system = system
        self.input = input
        self.maxOutputTokens = maxOutputTokens
        self.temperature = temperature
        self.effort = effort
        self.retries = retries
        self.shape = shape
        self.privacy = privacy
        self.withheld = withheld
        self.content = content
    }
}

extension TextRecipe {
    /// Data for the input between two tags; it cannot contain the closing tag.
    package static func tagged(_ text: String, _ tag: String) -> String {
        let end = text.hasSuffix("\n") ? "" : "\n"
        return "<\(tag)>\n\(unmarked(text, tag))\(end)</\(tag)>\n"
    }

    /// Breaks up closing tags inside the text, so that they have no effect.
    package static func unmarked(_ text: String, _ tag: String) -> String {
        text.replacing("</\(tag)", with: "<\\/\(tag)")
    }
}

package struct GeneratedText: Sendable, Equatable {
    /// The text without white space around it; never empty.
    package var text: String
    /// The parsed text with `Shape.json`.
    package var json: JSONValue?
    /// Usage of all its requests.
    package var usage: Usage
    /// Number of requests, including those that failed and were sent again.
    package var requests = 1
    package var model: ModelOrigin
    /// Each body that was sent with class `redact`, in order, byte for byte; also those that were
    /// refused or not answered.
    package var sent: [String] = []
}

/// The reason why there is no complete text.
package struct GenerationError: Error, Sendable {
    package enum Reason: Sendable, Equatable {
        /// `cause` says what is missing.
        case noModel
        /// `cause` names the limit of the budget.
        case overBudget
        case provider(ProviderError)
        /// The model declined.
        case refused
        /// The text was cut by the output limit.
        case truncated
        /// The answer was empty.
        case empty
        /// Twice not the requested JSON: the first fault of the second answer.
        case wrongShape(JSONSchema.Violation)
    }

    package var reason: Reason
    /// The partial text sent by the model.
    package var text: String
    /// Usage of the answered requests.
    package var usage: Usage
    /// Number of requests sent, answered or not.
    package var requests = 0
    package var cause: (any Error)?
    /// The bodies that were sent, as in `GeneratedText`.
    package var sent: [String] = []

    package init(
        _ reason: Reason, text: String = "", usage: Usage = Usage(), cause: (any Error)? = nil
    ) {
        self.reason = reason
        self.text = text
        self.usage = usage
        self.cause = cause
    }
}
