import Base
import Privacy

/// Generates text with a model for a purpose of the program's own: a title, a summary, a
/// rewritten paragraph. No conversation is read, shown or changed by it.
///
/// The maker of the generator decides which provider and model answer, what they may cost
/// and where their tokens are counted: a tool server gets one at init and needs to know
/// none of it.
package protocol TextGenerator: Sendable {
    /// - Parameter emit: gets the text as it arrives, in order; the next piece is read when
    ///   it has returned. With nil nothing of the answer is shown, so that a stream that
    ///   breaks off is requested again. JSON is not emitted: half of it is of no use.
    /// - Throws: `GenerationError`; `CancellationError` at once when the task is cancelled.
    func generate(
        _ recipe: TextRecipe, emit: (@Sendable (String) async -> Void)?
    ) async throws -> GeneratedText

    /// The bytes that `generate` would send first, for review before anything leaves.
    /// Nothing is sent or counted.
    /// - Throws: `GenerationError`, also if `generate` would refuse to send them.
    func requestBody(of recipe: TextRecipe) async throws -> [UInt8]

    /// The destination of a request made now; nil if unknown.
    /// - Throws: `GenerationError` if there is no model.
    func destination() async throws -> TextDestination?

    /// A generator for several calls: whatever the user changes meanwhile, they all go to
    /// the model that would be asked now.
    /// - Throws: `GenerationError` if there is no model.
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
        /// One JSON value that the schema accepts.
        case json(JSONSchema)
    }

    /// One word, stored beside the tokens it used: `title`, `summary`.
    package var purpose: String
    /// The instructions.
    package var system: String
    /// The data they are about.
    package var input: String
    /// Thinking counts as output with most models.
    package var maxOutputTokens: Int
    /// Nil means the session's own.
    package var temperature: Double?
    /// Nil means the session's own. Not sent to local servers.
    package var effort: Effort?
    /// How often a failed request is sent again.
    package var retries: Int
    package var shape: Shape
    package var privacy: PrivacyClass
    /// With class `redact`: data that must not leave, besides the user's profile.
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

    /// Breaks closing tags inside the text, so that they end nothing.
    package static func unmarked(_ text: String, _ tag: String) -> String {
        text.replacing("</\(tag)", with: "<\\/\(tag)")
    }
}

package struct GeneratedText: Sendable, Equatable {
    /// Without white space around it; never empty.
    package var text: String
    /// With `Shape.json`: the parsed text.
    package var json: JSONValue?
    /// Usage of all its requests.
    package var usage: Usage
    /// Number of requests, including those that failed and were sent again.
    package var requests = 1
    package var model: ModelOrigin
    /// With class `redact`: each body that left for it, in order, byte for byte;
    /// also those that were refused or not answered.
    package var sent: [String] = []
}

/// Why there is no complete text.
package struct GenerationError: Error, Sendable {
    package enum Reason: Sendable, Equatable {
        /// `cause` names what is missing.
        case noModel
        /// `cause` names the limit of the budget.
        case overBudget
        case provider(ProviderError)
        /// The model declined.
        case refused
        /// The output limit cut it.
        case truncated
        /// The answer was empty.
        case empty
        /// Twice not the requested JSON: the first fault of the second answer.
        case wrongShape(JSONSchema.Violation)
    }

    package var reason: Reason
    /// The text that the model did send.
    package var text: String
    /// Usage of the answered requests.
    package var usage: Usage
    /// Number of requests sent, answered or not.
    package var requests = 0
    package var cause: (any Error)?
    /// As in `GeneratedText`.
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
