import TerminalKit

/// Splits a streaming answer into sentences to be read aloud, each as soon as it is
/// certain. Pure; the sentences do not depend on how the text was cut.
///
/// It does not wait for the end of a line of prose: its sentences go to the block parser
/// one by one, as the beginning of a line and its continuations.
package struct SpokenAnswer: Sendable {
    private var blocks = BlockParser()
    private var markdown: SpokenMarkdown
    /// The part of the current line that the parser does not have yet.
    private var pending: [UInt8] = []
    /// Index before which no sentence ends.
    private var searched = 0
    private var isContinuation = false

    init(_ phrases: SpokenPhrases = SpokenPhrases()) { markdown = SpokenMarkdown(phrases) }

    /// The sentences of a complete text.
    package static func sentences(
        of markdown: String, _ phrases: SpokenPhrases = SpokenPhrases()
    ) -> [SpokenSentence] {
        var answer = SpokenAnswer(phrases)
        return answer.feed(markdown) + answer.finish()
    }

    mutating func feed(_ text: String) -> [SpokenSentence] {
        var sentences: [SpokenSentence] = []
        for byte in text.utf8 {
            guard byte == 0x0A else {
                // After a pause, the space between two sentences may still arrive.
                if byte == 0x20, isContinuation, pending.isEmpty { continue }
                pending.append(byte)
                sentences += endSentence()
                if pending.count > MarkdownStream.lineLimit { sentences += breakLine() }
                continue
            }
            if pending.last == 0x0D { pending.removeLast() }
            sentences += endLine()
        }
        return sentences
    }

    /// Ends the answer; another one may follow.
    mutating func finish() -> [SpokenSentence] {
        var sentences: [SpokenSentence] = []
        if !pending.isEmpty { sentences += endLine() }
        sentences += markdown.take(blocks.finish(), blocks.references)
        self = SpokenAnswer(markdown.phrases)
        return sentences
    }

    /// Returns the complete sentences when the text has paused, although later text may show that
    /// they were not complete.
    mutating func pause() -> [SpokenSentence] {
        var end = pending.count
        while end > 0, pending[end - 1] == 0x20 { end -= 1 }
        var sentences: [SpokenSentence] = []
        if end >= 2, end > searched, isTerminator(before: end), !ByteClass.isDigit(pending[end - 2])
        {
            sentences = takeBeginning(of: end, rest: pending.count)
        }
        return sentences + markdown.pause()
    }

    // MARK: - Lines

    private mutating func endLine() -> [SpokenSentence] {
        // The rest of a line whose beginning was read may be empty.
        let isEmptyRest = isContinuation && pending.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        let sentences = isEmptyRest ? [] : take(pending)
        pending.removeAll(keepingCapacity: true)
        searched = 0
        isContinuation = false
        return sentences
    }

    private mutating func take(_ line: [UInt8]) -> [SpokenSentence] {
        let events = blocks.line(line, isContinuation: isContinuation)
        return markdown.take(events, blocks.references)
    }

    /// Called when the last byte shows that a sentence of prose has ended before it.
    private mutating func endSentence() -> [SpokenSentence] {
        let end = pending.count - 1
        guard end >= searched + 2, pending[end - 1] == 0x20, pending[end] != 0x20,
            isTerminator(before: end - 1)
        else { return [] }
        searched = end
        return takeBeginning(of: end - 1, rest: end)
    }

    /// Reads the line up to `end` if later text cannot change its meaning; continues at `rest`.
    private mutating func takeBeginning(of end: Int, rest: Int) -> [SpokenSentence] {
        let line = Array(pending[..<end])
        // This may be the head of a table, which has to stay one line.
        if line.contains(UInt8(ascii: "|")) { return [] }
        var trial = blocks
        guard PartialLine.isSettled(trial.line(line, isContinuation: isContinuation)) else {
            return []
        }
        let sentences = take(line)
        pending.removeFirst(rest)
        searched = 0
        isContinuation = true
        return sentences
    }

    private func isTerminator(before end: Int) -> Bool {
        switch pending[end - 1] {
        case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"): true
        // A quote, a bracket, or the end of emphasis after it.
        case UInt8(ascii: "\""), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "_"):
            end > 1 && ".!?".utf8.contains(pending[end - 2])
        default: false
        }
    }

    /// Bounds the memory for an endless line.
    private mutating func breakLine() -> [SpokenSentence] {
        let (end, next) = MarkdownStream.breakPoint(of: pending)
        let sentences = take(Array(pending[..<end]))
        pending.removeFirst(next)
        searched = 0
        isContinuation = true
        return sentences
    }
}
