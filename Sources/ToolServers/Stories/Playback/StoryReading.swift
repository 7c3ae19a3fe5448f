import Base
import Persistence
import Sound
import StoryKit

/// A story prepared for playback: its sentences with their speakers, voices and positions.
/// Pure.
package struct StoryReading: Sendable {
    package let item: LibraryItem
    package let story: Story
    let segments: StorySegments
    let voices: StoryVoices
    let script: StoryScript
    /// Expected seconds of speech before each line, at the voices' own rates; the last is
    /// the total.
    private let speech: [Double]
    /// Seconds of silence before each line; the last is the total.
    private let silence: [Double]

    init(_ item: LibraryItem, _ segments: StorySegments, _ voices: StoryVoices) {
        self.item = item
        story = Story(item)
        self.segments = segments
        self.voices = voices
        script = StoryScript(
            segments.text, speakers: segments.attributions.compactMapValues(\.speaker),
            narrated: segments.narrated, chapters: story.chapters.map(\.start),
            pauses: voices.pauses)
        var (spoken, silent) = ([0.0], [0.0])
        for line in script.lines {
            spoken.append((spoken.last ?? 0) + StoryScript.likelySeconds(line, voices))
            silent.append((silent.last ?? 0) + line.pause)
        }
        (speech, silence) = (spoken, silent)
    }

    // MARK: - For a screen

    package var text: StoryText { segments.text }
    package var cast: Cast { segments.cast }
    /// The attributions by span index; only quotations have one.
    package var attributions: [Int: Attribution] { segments.attributions }
    /// The sentences in order.
    package var lines: [StoryScript.Line] { script.lines }
    package func speaker(_ span: Int) -> String? { segments.speaker(span) }

    // MARK: - Places

    /// The line to start at.
    /// - Parameter kept: the byte offset last listened to.
    /// - Throws: `StoryPlayError`.
    func line(of start: StoryPlayer.Start, kept: Int?) throws(StoryPlayError) -> Int {
        switch start {
        case .kept:
            // A story that was played to its end starts over.
            return kept.flatMap(line(at:)) ?? 0
        case .segment(let number):
            let spans = text.spans
            guard spans.indices.contains(number - 1) else {
                throw StoryPlayError(.noSuchSegment(number, count: spans.count), item.id)
            }
            return line(at: spans[number - 1].range.lowerBound) ?? script.lines.count - 1
        case .chapter(let number):
            guard story.chapters.indices.contains(number - 1) else {
                throw StoryPlayError(
                    .noSuchChapter(number, count: story.chapters.count), item.id)
            }
            return line(at: story.chapters[number - 1].start) ?? script.lines.count - 1
        case .offset(let byte):
            guard (0...text.bytes.count).contains(byte) else {
                throw StoryPlayError(.noSuchPlace(byte, bytes: text.bytes.count), item.id)
            }
            return line(at: byte) ?? script.lines.count - 1
        }
    }

    /// The sentence at that byte, or the next one; nil after the last.
    package func line(at byte: Int) -> Int? {
        let lines = script.lines
        let first = lines.partitioningIndex { $0.sentence.upperBound > byte }
        return first < lines.count ? first : nil
    }

    /// The line after the last one of a chapter; chapters count from 0 here.
    func end(ofChapter chapter: Int) -> Int {
        let chapters = story.chapters
        guard chapters.indices.contains(chapter + 1) else { return script.lines.count }
        return line(at: chapters[chapter + 1].start) ?? script.lines.count
    }

    /// The byte offset at a fraction of the total time.
    package func offset(atFraction fraction: Double) -> Int {
        let lines = Array(script.lines.indices)
        let line = lines.partitioningIndex { self.fraction(at: $0 + 1, part: 0) > fraction }
        return script.lines.indices.contains(line)
            ? script.lines[line].sentence.lowerBound : text.bytes.count
    }

    /// The first line of the segment `count` after this line's, or before it, not counting
    /// segments without words. Going back goes first to the start of this segment.
    /// - Parameter isBegun: whether this line is well under way.
    func line(_ line: Int, segments count: Int, isBegun: Bool) -> Int {
        self.line(line, count, isBegun: isBegun) { $0.span }
    }

    func line(_ line: Int, chapters count: Int, isBegun: Bool) -> Int {
        self.line(line, count, isBegun: isBegun) { $0.chapter ?? -1 }
    }

    private func line(
        _ line: Int, _ count: Int, isBegun: Bool, _ part: (StoryScript.Line) -> Int
    ) -> Int {
        let lines = script.lines
        guard lines.indices.contains(line) else { return max(0, lines.count - 1) }
        func start(_ line: Int) -> Int {
            var line = line
            while line > 0, part(lines[line - 1]) == part(lines[line]) { line -= 1 }
            return line
        }
        var place = line
        if count < 0 {
            place = start(line)
            let isInside = place != line || isBegun
            for _ in 0..<(-count - (isInside ? 1 : 0)) where place > 0 { place = start(place - 1) }
            return place
        }
        for _ in 0..<count {
            guard
                let next = lines[place...].firstIndex(where: { part($0) != part(lines[place]) })
            else { return place == line ? lines.count : place }
            place = next
        }
        return place
    }

    // MARK: - Sound

    func voice(of line: Int, rate: Double) -> VoiceChoice {
        guard script.lines.indices.contains(line) else { return VoiceChoice() }
        var choice = VoiceChoice(voices.config(of: script.lines[line].speaker))
        if rate != 1 {
            // Scale the words per minute.
            let wanted = ((80 + choice.rate * 290) * rate - 80) / 290
            choice.rate = min(1, max(0, (wanted * 100).rounded() / 100))
        }
        return choice
    }

    /// Expected seconds of speech of one line, at its voice's own rate.
    func likelySpeech(of line: Int) -> Double {
        speech.indices.contains(line + 1) ? speech[line + 1] - speech[line] : 0
    }

    /// Fraction of the total time before a place, from 0 to 1.
    func fraction(at line: Int, part: Double) -> Double {
        let all = (speech.last ?? 0) + (silence.last ?? 0)
        guard all > 0, speech.indices.contains(line) else { return line == 0 ? 0 : 1 }
        return min(1, (speech[line] + silence[line] + part * likelySpeech(of: line)) / all)
    }

    /// Seconds from a place in a line to the start of another.
    /// - Parameter pace: actual seconds for each expected second of speech.
    func secondsLeft(at line: Int, part: Double, pace: Double, to end: Int) -> Double {
        guard line <= end, speech.indices.contains(line), speech.indices.contains(end) else {
            return 0
        }
        return max(0, speech[end] - speech[line] - part * likelySpeech(of: line)) * pace
            + silence[end] - silence[line]
    }
}

/// The reason why playback cannot start at a place.
struct StoryPlayError: Error, Sendable, Equatable, DescribedError {
    enum Reason: Sendable, Equatable {
        case noSuchSegment(Int, count: Int)
        case noSuchChapter(Int, count: Int)
        case noSuchPlace(Int, bytes: Int)
        /// The story has no words.
        case nothingToRead
    }

    var reason: Reason
    var item: ItemID

    init(_ reason: Reason, _ item: ItemID) {
        self.reason = reason
        self.item = item
    }

    var diagnostic: Diagnostic { sentence.namingCommands }

    private var sentence: Diagnostic {
        let id = ItemKind.story.id(item)
        return switch reason {
        case .noSuchSegment(let number, let count):
            Diagnostic(
                "There is no segment \(Quantities.grouped(number)): \(id) has \(Quantities.grouped(count)).",
                todo: "chat story segments \(id) shows them.", exit: .usage)
        case .noSuchChapter(let number, let count):
            Diagnostic(
                "There is no chapter \(number): \(id) has \(StoryCommand.chapters(count)).",
                todo: "chat story show \(id) lists them.", exit: .usage)
        case .noSuchPlace(let byte, let bytes):
            Diagnostic(
                "There is no byte \(Quantities.grouped(byte)): \(id) has \(Quantities.grouped(bytes)).",
                todo: "chat story segments \(id) --json lists the offsets.", exit: .usage)
        case .nothingToRead:
            Diagnostic(
                "There is nothing to read in \(id).",
                todo: "chat story show \(id) --text shows its text.")
        }
    }
}
