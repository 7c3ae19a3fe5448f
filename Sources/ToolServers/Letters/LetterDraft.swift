import AgentCore
import Persistence

/// A finished letter with everything that is kept about its making: what
/// `LetterBook` saves as an item of kind `letter`. A value.
///
/// The body names the sender and stays on this machine; `requests` and `answer`
/// hold placeholders alone.
package struct LetterDraft: Sendable, Equatable {
    /// A revision of an item that a letter was made from.
    package struct Source: Sendable, Equatable {
        package var item: ItemID
        package var revision: Int
    }

    /// Why a letter is less than what was asked for; kept with it.
    package enum Fault: String, Sendable, CaseIterable {
        /// The answer broke off: at a limit, with the connection or by the user.
        case cut
        /// Twice not of the length that was asked for.
        case length
        /// Placeholders are in it that stand for nothing.
        case placeholders
        /// `--strict` refused it, for what the résumé does not say.
        case refused
    }

    /// "Senior engineer · Acme".
    package var title: String
    /// As it is sent to the employer, without hard wraps: one line for each
    /// paragraph.
    package var body: String
    package var resume: Source
    package var job: Source
    package var settings: LetterSettings
    /// The one it is written in: `en-GB`.
    package var language: String
    /// Nil for a letter by the template.
    package var model: ModelOrigin?
    /// Where the requests went: `api.openai.com`; nil where none did.
    package var host: String?
    /// The bodies that left this machine, each exactly.
    package var requests: [String] = []
    /// What the model wrote, with placeholders, as it wrote it.
    package var answer = ""
    package var usage = Usage()
    /// "$0.004"; nil where it is not known.
    package var cost: String?
    /// Sentences of the letter that neither the résumé nor the advert backs.
    package var flagged: [String] = []
    package var faults: [Fault] = []
}
