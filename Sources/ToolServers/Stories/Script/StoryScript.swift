import Sound
import StoryKit

/// The script of a story, sentence by sentence, with the speaker and the silence after
/// each. Pure: voices are assigned later, and sound is made elsewhere.
package struct StoryScript: Sendable, Equatable {
    package enum Speaker: Sendable, Equatable {
        case narrator
        /// An index into the cast; nil if the speaker is unknown.
        case character(Int?)
    }

    package struct Line: Sendable, Equatable {
        /// The text as spoken, on one line.
        package var text: String
        package var speaker: Speaker
        /// The narration or quotation that contains it: its index, and its bytes of the
        /// source.
        package var span: Int
        package var range: Range<Int>
        /// The byte range of the sentence.
        package var sentence: Range<Int>
        /// Index into the story's chapters; nil before the first.
        package var chapter: Int?
        /// Silence after it, in seconds.
        package var pause = 0.0
    }

    /// Seconds of silence within a sentence that is too long for one breath.
    static let cutPause = 0.05

    package private(set) var lines: [Line] = []

    /// - Parameters:
    ///   - speakers: indexes into the cast, by the index of a quotation among the spans.
    ///   - narrated: quotations that the user assigned to no one, by the same index.
    ///   - chapters: where they start, in order.
    ///   - part: the bytes to read; all of them for nil.
    init(
        _ text: StoryText, speakers: [Int: Int], narrated: Set<Int> = [], chapters: [Int],
        part: Range<Int>? = nil,
        pauses: VoicePauses = VoicePauses()
    ) {
        let part = part ?? 0..<text.bytes.count
        var cuts: [Bool] = []
        var chapter: Int?
        for (index, span) in text.spans.enumerated() where span.range.overlaps(part) {
            let speaker: Speaker =
                span.kind == .narration || narrated.contains(index)
                ? .narrator : .character(speakers[index])
            var start = max(span.range.lowerBound, part.lowerBound)
            let end = min(span.range.upperBound, part.upperBound)
            while start < end {
                while let next = Self.next(chapter, of: chapters), next.start <= start {
                    chapter = next.index
                }
                // A chapter may begin in the middle of the narration.
                let stop = min(end, Self.next(chapter, of: chapters)?.start ?? end)
                let source = text.text(of: start..<stop)
                var places = SentencePlaces(of: source, at: start)
                for sentence in SentenceSplitter.sentences(of: Self.spoken(source)) {
                    // Of `„Ja“, sagte er.` the comma ends what was said.
                    let text = sentence.text.drop { $0 == "," || $0 == ";" || $0 == " " }
                    lines.append(
                        Line(
                            text: String(text), speaker: speaker, span: index,
                            range: span.range, sentence: places.next(sentence.text),
                            chapter: chapter))
                    cuts.append(sentence.end == .cut)
                }
                start = stop
            }
        }
        for index in lines.indices.dropLast() {
            let (line, next) = (lines[index], lines[index + 1])
            if line.chapter != next.chapter {
                lines[index].pause = pauses.chapter
            } else if line.speaker != next.speaker {
                lines[index].pause = pauses.change
            } else {
                lines[index].pause = cuts[index] ? Self.cutPause : pauses.sameSpeaker
            }
        }
    }

    private static func next(
        _ chapter: Int?, of chapters: [Int]
    ) -> (index: Int, start: Int)? {
        let index = chapter.map { $0 + 1 } ?? 0
        return chapters.indices.contains(index) ? (index, chapters[index]) : nil
    }

    /// The text without the signs for stress and headings in plain text and Markdown, which
    /// would be read out by name.
    private static func spoken(_ source: String) -> String {
        guard source.utf8.contains(where: { $0 == 0x5F || $0 == 0x2A || $0 == 0x23 }) else {
            return source
        }
        var beginsLine = true
        return String(
            source.filter { character in
                if character == "_" || character == "*" { return false }
                if character == "#", beginsLine { return false }
                beginsLine = character.isNewline
                return true
            })
    }

    // MARK: - Expected length

    /// Expected seconds of sound for English; measured with espeak-ng over a novel.
    func likelySeconds(_ voices: StoryVoices) -> Double {
        lines.reduce(0) { $0 + Self.likelySeconds($1, voices) + $1.pause }
    }

    /// Expected seconds of one line, without the silence after it.
    static func likelySeconds(_ line: Line, _ voices: StoryVoices) -> Double {
        // Characters a second, in proportion to words a minute.
        let characters = 0.1 * (80 + voices.config(of: line.speaker).rate * 290)
        return Double(line.text.unicodeScalars.count) / characters
    }

    /// Joins scripts without changes.
    init(joining scripts: [StoryScript]) { lines = scripts.flatMap(\.lines) }

    func only(_ indices: [Int]) -> StoryScript {
        var script = self
        script.lines = indices.map { lines[$0] }
        return script
    }
}

extension StoryScript.Line {
    func utterance(_ voices: StoryVoices) -> Utterance {
        Utterance(text: text, voice: VoiceChoice(voices.config(of: speaker)), pause: pause)
    }
}

extension StoryVoices {
    func config(of speaker: StoryScript.Speaker) -> VoiceConfig {
        switch speaker {
        case .narrator: narrator.config
        case .character(let index): config(of: index)
        }
    }
}

extension VoiceChoice {
    package init(_ config: VoiceConfig) {
        self.init(
            identifier: config.voiceIdentifier, rate: config.rate, pitch: config.pitchMultiplier,
            volume: config.volume)
    }
}

/// Finds the byte ranges of sentences that `SentenceSplitter` made of a text. The splitter
/// drops signs and spaces but no letter and no digit, so those are counted. Pure.
struct SentencePlaces {
    private let scalars: [Unicode.Scalar]
    /// The byte offset of each scalar, and of the end.
    private let bytes: [Int]
    private var next = 0

    /// - Parameter start: the byte offset of the text itself.
    init(of text: String, at start: Int) {
        scalars = Array(text.unicodeScalars)
        var byte = start
        bytes =
            [start]
            + scalars.map { scalar in
                byte += UTF8.width(scalar)
                return byte
            }
    }

    /// The byte range of the next sentence, including the signs around its words.
    mutating func next(_ sentence: String) -> Range<Int> {
        let floor = next
        var start: Int?
        for _ in sentence.unicodeScalars.filter(SpokenCharacters.isSpoken) {
            while next < scalars.count, !SpokenCharacters.isSpoken(scalars[next]) { next += 1 }
            start = start ?? next
            next = min(next + 1, scalars.count)
        }
        var lower = min(start ?? next, scalars.count)
        // The marks before its first word and after its last one.
        while lower > floor, isMark(lower - 1) { lower -= 1 }
        while next < scalars.count, isMark(next) { next += 1 }
        return bytes[lower]..<bytes[next]
    }

    private func isMark(_ index: Int) -> Bool {
        !scalars[index].properties.isWhitespace && !SpokenCharacters.isSpoken(scalars[index])
    }
}
