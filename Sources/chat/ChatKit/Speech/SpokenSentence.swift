import Sound

/// A sentence to be read aloud, and the silence after it.
package struct SpokenSentence: Sendable, Equatable {
    var text: String
    /// Seconds.
    var pause: Double

    /// Seconds of silence, by the kind of end.
    enum Pause {
        static let cut = 0.05
        static let sentence = 0.3
        static let item = 0.4
        static let paragraph = 0.6
        static let heading = 0.7
    }

    init(_ text: String, pause: Double = Pause.sentence) {
        self.text = text
        self.pause = pause
    }

    init(_ sentence: SentenceSplitter.Sentence, endOfParagraph: Double = Pause.paragraph) {
        text = sentence.text
        pause =
            switch sentence.end {
            case .cut: Pause.cut
            case .sentence: Pause.sentence
            case .paragraph: endOfParagraph
            }
    }

    package func utterance(_ voice: VoiceChoice) -> Utterance {
        Utterance(text: text, voice: voice, pause: pause)
    }

    /// The sentences of a plain text.
    package static func sentences(ofText text: String) -> [SpokenSentence] {
        SentenceSplitter.sentences(of: text).map { SpokenSentence($0) }
    }
}
