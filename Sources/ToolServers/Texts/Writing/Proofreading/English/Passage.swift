import Base

/// One block of a text (a paragraph, a list item, a heading) split into the
/// items that the proofreading rules examine. Pure.
///
///     "Ask teh team, e.g. `x`."  →  word word word mark technical opaque mark
///
/// Only plain words and marks are ever corrected. Items that are `technical` (a
/// file name, an identifier, a version, an option) or `opaque` (a protected span)
/// only serve as context.
struct Passage {
    enum Kind: Sendable { case word, number, technical, mark, opaque }

    /// The white space before an item.
    enum Gap: Sendable {
        case none
        /// One space.
        case space
        /// Several spaces, and nothing else.
        case spaces
        /// One line break, with spaces around it.
        case line
        /// A tab, a space of another kind.
        case other

        /// Whether the words on both sides are neighbours.
        var joins: Bool { self == .space || self == .line }
    }

    /// Whether a sentence begins with an item.
    enum Start: Sendable {
        case no
        /// A place after a mark that may end a sentence, before a lower-case letter.
        case likely
        case sure
    }

    struct Item: Sendable {
        var kind: Kind
        /// Bytes of the passage.
        var range: Range<Int>
        /// A word in lower case with straight apostrophes; anything else unchanged.
        var text: String
        var gap: Gap
        var isCapitalised = false
        var isAllCapitals = false
        var start = Start.no
    }

    let bytes: [UInt8]
    private(set) var items: [Item] = []
    /// Whether it is a list item or a heading, which may begin and end freely.
    let isFragment: Bool

    /// - Parameter isProtected: one value per byte; empty if nothing is protected.
    init(_ bytes: [UInt8], isProtected: [Bool] = [], isFragment: Bool = false) {
        self.bytes = bytes
        self.isFragment = isFragment
        var cutter = PassageCutter(bytes, isProtected)
        items = cutter.items()
        findSentences()
    }

    // MARK: - Neighbours

    /// The word before, with one space or line break between.
    func wordBefore(_ index: Int) -> Item? {
        guard index > 0, items[index].gap.joins, items[index - 1].kind == .word else { return nil }
        return items[index - 1]
    }

    /// The word after, with one space or line break between.
    func wordAfter(_ index: Int) -> Item? {
        guard index + 1 < items.count, items[index + 1].gap.joins,
            items[index + 1].kind == .word
        else { return nil }
        return items[index + 1]
    }

    /// Whether only a mark or the end follows.
    func endsClause(_ index: Int) -> Bool {
        guard index + 1 < items.count else { return true }
        let next = items[index + 1]
        return next.kind == .mark && next.gap == .none && Self.clauseMarks.contains(next.text)
    }

    private static let clauseMarks: Set<String> = [
        ".", ",", "!", "?", ";", ":", ")", "\"", "”", "…", "—",
    ]

    /// The items of the sentence before this one.
    func sentenceBefore(_ index: Int) -> ArraySlice<Item> {
        var first = index
        while first > 0, items[first].start != .sure { first -= 1 }
        return items[first..<index]
    }

    /// The whole sentence around an item.
    func sentence(around index: Int) -> ArraySlice<Item> {
        var last = index + 1
        while last < items.count, items[last].start != .sure { last += 1 }
        let before = sentenceBefore(index)
        return items[before.startIndex..<last]
    }

    func isTechnical(around index: Int) -> Bool {
        sentence(around: index).contains { $0.kind == .technical || $0.kind == .opaque }
    }

    // MARK: - Sentences

    private mutating func findSentences() {
        guard let first = items.firstIndex(where: { $0.kind != .mark }) else { return }
        let isNumbered = isFragment && items[first].kind == .number
        if !isNumbered {
            items[first].start = items[first].isCapitalised || isFragment ? .sure : .likely
        }
        var sentence = first
        for index in items.indices.dropFirst(first + 1) where items[index].kind != .mark {
            items[index].start = start(of: index, sentence: sentence)
            if items[index].start == .sure { sentence = index }
        }
    }

    private static let subjects: Set<String> = [
        "i", "you", "he", "she", "it", "we", "they", "there", "this",
    ]
    private static let terminators: Set<String> = [".", "!", "?"]
    private static let openers: Set<String> = ["\"", "'", "(", "[", "“", "‘", "„", "«", "*", "**"]

    private func start(of index: Int, sentence: Int) -> Start {
        // Back over opening marks to the gap, then over the marks that close
        // before it.
        var place = index
        while place > 0, items[place].gap == .none, items[place - 1].kind == .mark,
            Self.openers.contains(items[place - 1].text)
        {
            place -= 1
        }
        let hasOpener = place != index
        guard place > 0, items[place].gap != .none else { return .no }
        var end = place - 1
        var hasCloser = false
        while end > 0, items[end].kind == .mark, items[end].gap == .none,
            !Self.terminators.contains(items[end].text)
        {
            hasCloser = true
            end -= 1
        }
        let mark = items[end]
        guard mark.kind == .mark, end > 0, mark.gap == .none || mark.gap == .space else {
            return .no
        }
        let item = items[index]
        if mark.text == "!" || mark.text == "?" {
            if item.isCapitalised || item.kind != .word { return .sure }
            // "Oh! how", "Yahoo! is", "“Stop!” he said"
            let isPlain = !items[end - 1].isCapitalised && items[end - 1].kind == .word
            let words = items[sentence..<end].count { $0.kind == .word }
            let isClause = words >= 3 || words == 2 && Self.subjects.contains(item.text)
            return isPlain && isClause && !hasCloser && !hasOpener ? .likely : .no
        }
        if mark.text.allSatisfy({ $0 == "." || $0 == "…" }), mark.text != "." {
            return item.isCapitalised ? .sure : .no
        }
        guard mark.text == "." else { return .no }
        if hasCloser { return item.isCapitalised ? .sure : .no }
        let word = items[end - 1]
        let previous = end >= 2 ? items[end - 2].text.lowercased() : ""
        let isFirst = end - 1 == sentence
        if Abbreviation.continues(
            word.text.lowercased(), previous: previous, following: item.text.lowercased(),
            digitFollows: item.kind == .number, isFirst: isFirst)
        {
            return .no
        }
        if item.isCapitalised || item.kind != .word { return .sure }
        // "build . and": the current folder.
        guard !hasOpener, mark.gap == .none, end - 1 > sentence else { return .no }
        switch word.kind {
        case .word:
            return word.text.utf8.count >= 2 && !Abbreviation.mayContinue(word.text)
                && !EnglishWords.shared.isAbbreviation(word.text) ? .likely : .no
        case .number: return word.text.utf8.count >= 2 ? .likely : .no
        case .technical: return Abbreviation.isDotted(word.text) ? .no : .likely
        case .opaque: return .likely
        case .mark: return .no
        }
    }
}
