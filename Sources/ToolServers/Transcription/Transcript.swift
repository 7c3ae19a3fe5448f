/// What was said in a recording. Times are seconds from its beginning.
package struct Transcript: Sendable, Equatable {
    package struct Segment: Sendable, Equatable {
        package var start: Double
        package var end: Double
        package var text: String
        /// "A", or a name, where the model tells speakers apart.
        package var speaker: String?
        /// The server gave it no time, or left it out of its list.
        package var isEstimated = false
    }

    package struct Word: Sendable, Equatable {
        package var start: Double
        package var end: Double
        package var text: String
    }

    package var text: String
    /// As the server says it: a code or an English name.
    package var language: String?
    /// Seconds of sound, where the server says so.
    package var duration: Double?
    /// Empty where the model gives no times.
    package var segments: [Segment] = []
    package var words: [Word] = []
}
