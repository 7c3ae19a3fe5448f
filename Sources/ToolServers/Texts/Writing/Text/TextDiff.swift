import Base

/// The differences between two versions of a text, word by word: equal parts,
/// and changes that can be accepted or rejected one at a time. Pure.
///
/// Paragraphs are compared in pairs if both versions have equally many, which
/// the writing tools ensure, so that long texts take little time.
package struct TextDiff: Sendable, Equatable {
    package struct Change: Sendable, Equatable {
        /// Empty for an insertion; `new` for a deletion.
        package var old: String
        package var new: String
    }

    package enum Piece: Sendable, Equatable {
        case same(String)
        /// The index in `changes`.
        case change(Int)
    }

    package private(set) var pieces: [Piece] = []
    package private(set) var changes: [Change] = []
    package let old: String
    package let new: String
    /// Number of words of the old version that are missing in the new one, or of additional words
    /// if there are more of those.
    private var changedWords = 0
    private var words = 0

    package init(_ old: String, _ new: String) {
        self.old = old
        self.new = new
        var (one, two) = (Self.paragraphs(old), Self.paragraphs(new))
        if one.count != two.count { (one, two) = ([old[...]], [new[...]]) }
        for (before, after) in zip(one, two) {
            if before.utf8.elementsEqual(after.utf8) {
                append(same: String(before))
                words += Self.tokens(before).count(where: Self.isWord)
            } else {
                compare(Self.tokens(before), Self.tokens(after))
            }
        }
    }

    package var isEmpty: Bool { changes.isEmpty }

    /// 0…1: the share of words that differ. Case and punctuation do not count: a
    /// newly capitalised sentence is not a different one.
    package var changedShare: Double {
        words == 0 ? (changedWords == 0 ? 0 : 1) : min(1, Double(changedWords) / Double(words))
    }

    package var changedWordCount: Int { changedWords }

    // MARK: - Comparing

    private mutating func append(same text: String) {
        if text.isEmpty { return }
        if case .same(let before) = pieces.last {
            pieces[pieces.count - 1] = .same(before + text)
        } else {
            pieces.append(.same(text))
        }
    }

    private mutating func compare(_ old: [Substring], _ new: [Substring]) {
        words += old.count(where: Self.isWord)
        var merged: [SequenceDiff.Change] = []
        // Compared by bytes: strings are also equal if only their encoding differs.
        let (one, two) = (old.map { Array($0.utf8) }, new.map { Array($0.utf8) })
        for change in SequenceDiff.changes(from: one, to: two) {
            // Neighbouring words that both changed form one change.
            if let last = merged.last,
                old[last.old.upperBound..<change.old.lowerBound].allSatisfy({
                    $0.allSatisfy { $0 == " " }
                })
            {
                merged[merged.count - 1] = SequenceDiff.Change(
                    old: last.old.lowerBound..<change.old.upperBound,
                    new: last.new.lowerBound..<change.new.upperBound)
            } else {
                merged.append(change)
            }
        }
        var place = 0
        for change in merged {
            append(same: old[place..<change.old.lowerBound].joined())
            place = change.old.upperBound
            pieces.append(.change(changes.count))
            changes.append(
                Change(old: old[change.old].joined(), new: new[change.new].joined()))
            changedWords += Self.changedWords(old[change.old], new[change.new])
        }
        append(same: old[place...].joined())
    }

    private static func changedWords(
        _ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>
    ) -> Int {
        func words(_ tokens: ArraySlice<Substring>) -> [String] {
            tokens.filter(isWord).map {
                SearchText.folded($0.filter { $0.isLetter || $0.isNumber })
            }
        }
        let (before, after) = (words(old), words(new))
        return SequenceDiff.changes(from: before, to: after).reduce(0) {
            $0 + max($1.old.count, $1.new.count)
        }
    }

    // MARK: - Cutting

    /// The text split after each run of blank lines; joined, the parts are the text.
    static func paragraphs(_ text: String) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var place = text.startIndex
        var isBlankLine = false
        var hasText = false
        while place < text.endIndex {
            let character = text[place]
            let next = text.index(after: place)
            if character.isNewline {
                if isBlankLine, hasText {
                    // The blank lines that follow belong to it.
                    var end = next
                    var line = next
                    while line < text.endIndex, text[line].isWhitespace {
                        let isEnd = text[line].isNewline
                        line = text.index(after: line)
                        if isEnd { end = line }
                    }
                    parts.append(text[start..<end])
                    (start, place, isBlankLine, hasText) = (end, end, true, false)
                    continue
                }
                isBlankLine = true
            } else if !character.isWhitespace {
                isBlankLine = false
                hasText = true
            }
            place = next
        }
        if start < text.endIndex { parts.append(text[start...]) }
        return parts
    }

    /// Words, runs of spaces, and every other character separately.
    static func tokens(_ text: Substring) -> [Substring] {
        var tokens: [Substring] = []
        var place = text.startIndex
        while place < text.endIndex {
            let first = text[place]
            var end = text.index(after: place)
            if isLetter(first) {
                while end < text.endIndex {
                    let next = text.index(after: end)
                    let isInside =
                        "'’-".contains(text[end]) && next < text.endIndex && isLetter(text[next])
                    guard isLetter(text[end]) || isInside else { break }
                    end = next
                }
            } else if first == " " || first == "\t" {
                while end < text.endIndex, text[end] == first { end = text.index(after: end) }
            }
            tokens.append(text[place..<end])
            place = end
        }
        return tokens
    }

    private static func isLetter(_ character: Character) -> Bool {
        character.isLetter || character.isNumber
    }

    private static func isWord(_ token: Substring) -> Bool { token.first.map(isLetter) ?? false }
}
