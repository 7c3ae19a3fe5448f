/// The words spoken in a recording. Times are seconds from its beginning.
package struct Transcript: Sendable, Equatable {
    package struct Segment: Sendable, Equatable {
        package var start: Double
        package var end: Double
        package var text: String
        /// "A", or a name, if the model distinguishes speakers.
        package var speaker: String?
        /// Whether the server gave it no time, or left it out of its list.
        package var isEstimated = false
    }

    package struct Word: Sendable, Equatable {
        package var start: Double
        package var end: Double
        package var text: String
    }

    package var text: String
    /// The language as given by the server: a code or an English name.
    package var language: String?
    /// Seconds of sound, if the server says so.
    package var duration: Double?
    /// Empty if the model provides no times.
    package var segments: [Segment] = []
    package var words: [Word] = []
}
