import AgentCore
import Persistence

/// A finished letter with everything recorded about how it was written; `LetterBook` saves
/// it as an item of kind `letter`. A value.
///
/// The body names the sender and stays on this machine; `requests` and `answer` contain
/// only placeholders.
package struct LetterDraft: Sendable, Equatable {
    /// A revision of an item that a letter was written from.
    package struct Source: Sendable, Equatable {
        package var item: ItemID
        package var revision: Int
    }

    /// A shortcoming of the letter compared with the request; saved with it.
    package enum Fault: String, Sendable, CaseIterable {
        /// The answer broke off: at a limit, through a lost connection or by the user.
        case cut
        /// The length was wrong twice.
        case length
        /// The letter contains placeholders without a value.
        case placeholders
        /// `--strict` refused the letter because of claims that the résumé does not support.
        case refused
    }

    /// "Senior engineer · Acme".
    package var title: String
    /// The letter as sent to the employer, without hard wraps: one line per paragraph.
    package var body: String
    package var resume: Source
    package var job: Source
    package var settings: LetterSettings
    /// Language of the letter: `en-GB`.
    package var language: String
    /// The model that wrote it; nil for a letter from the template.
    package var model: ModelOrigin?
    /// Host of the requests (`api.openai.com`); nil if none were sent.
    package var host: String?
    /// The exact bodies that were sent.
    package var requests: [String] = []
    /// The model's answer, unchanged and with placeholders.
    package var answer = ""
    package var usage = Usage()
    /// The price, "$0.004"; nil if unknown.
    package var cost: String?
    /// Sentences of the letter that neither the résumé nor the advert supports.
    package var flagged: [String] = []
    package var faults: [Fault] = []
}
