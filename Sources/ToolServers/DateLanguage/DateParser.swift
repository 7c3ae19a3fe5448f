import AgentCore

/// Reads a phrase in the language of dates; see `Reading`.
package struct DateParser: Sendable {
    /// Readings of that confidence are acted on without a question.
    package static let certain = 0.8
    /// Longer phrases are read up to here, in UTF-8 bytes.
    package static let lengthLimit = 4096

    package let context: DateContext

    package init(_ context: DateContext) { self.context = context }

    /// Always gives a reading; without a date in it, the phrase is the title.
    package func parse(_ phrase: String) -> Reading {
        Reading(title: phrase)
    }
}
