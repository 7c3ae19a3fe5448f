import Base

/// The contents of the input line as steps of the cursor: one character, however many code
/// points it has, or a folded long paste. The editor's buffer has one number for each, so
/// that every libedit command moves over and deletes whole ones. Pure; draws nothing.
///
/// A lower number is the code point itself. Others represent a text:
///
/// ```
/// 20000 …   letters of several code points (libedit takes them for letters)
/// F0000 …   emoji sequences, folded pastes, whatever else
/// 110000 …  when those are used up
/// ```
///
/// A typed code point in these ranges gets a number in the same way, so that it is never
/// mistaken for another unit.
package struct LineUnits {
    private enum Meaning {
        case cluster(String)
        case fold(text: String, label: String)
    }

    private var meanings: [UInt32: Meaning] = [:]
    private var numbers: [String: UInt32] = [:]
    private var nextLetter: UInt32 = 0x20000
    private var nextOther: UInt32 = 0xF0000
    private var nextFar: UInt32 = 0x110000
    private var drawn: [UInt32: [LineCell]] = [:]

    private static let lastLetter: UInt32 = 0x2A6DF
    private static let lastOther: UInt32 = 0xFFFFD

    static let newline: UInt32 = 0x0A
    static let tab: UInt32 = 0x09
    static let space: UInt32 = 0x20
    static let escape: UInt32 = 0x1B
    static let backslash: UInt32 = 0x5C

    // MARK: Text to units

    mutating func units(_ text: String) -> [UInt32] {
        if text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0 }) { return text.utf8.map(UInt32.init) }
        var units: [UInt32] = []
        for character in text { units.append(unit(character)) }
        return units
    }

    /// The result of a code point typed after `previous`: a longer character in its place,
    /// or a new one.
    mutating func typed(
        _ scalar: Unicode.Scalar, after previous: UInt32?
    ) -> (unit: UInt32, replaces: Bool) {
        if let previous, scalar.value >= 0x300, !isFold(previous), previous != Self.newline {
            let joined = text([previous]) + String(scalar)
            if joined.count == 1, let character = joined.first {
                return (unit(character), true)
            }
        }
        return (unit(Character(scalar)), false)
    }

    private mutating func unit(_ character: Character) -> UInt32 {
        let scalars = character.unicodeScalars
        if scalars.count == 1, let value = scalars.first?.value, !Self.isReserved(value) {
            return value
        }
        let text = String(character)
        if let known = numbers[text] { return known }
        let number: UInt32
        if character.isLetter, nextLetter <= Self.lastLetter {
            number = nextLetter
            nextLetter += 1
        } else {
            number = newNumber()
        }
        meanings[number] = .cluster(text)
        numbers[text] = number
        return number
    }

    private mutating func newNumber() -> UInt32 {
        guard nextOther <= Self.lastOther else {
            nextFar += 1
            return nextFar - 1
        }
        nextOther += 1
        return nextOther - 1
    }

    /// Whether the number is reserved: NUL and C1 have meanings for libedit, the others are
    /// assigned above.
    private static func isReserved(_ value: UInt32) -> Bool {
        value == 0 || (0x80...0x9F).contains(value) || (0x20000...lastLetter).contains(value)
            || (0xF0000...lastOther).contains(value)
    }

    // MARK: Folds

    /// Number of lines or characters above which a paste is folded.
    static let foldLines = 3
    static let foldCharacters = 400
    /// Length above which a known text, from the history or an editor, is folded: it would
    /// fill the screen.
    package static let knownCharacters = 4_000

    static func isLong(_ paste: String) -> Bool {
        var lines = 1
        for byte in paste.utf8 where byte == 0x0A {
            lines += 1
            if lines > foldLines { return true }
        }
        return paste.utf8.count > foldCharacters && paste.count > foldCharacters
    }

    mutating func fold(_ text: String, word: String = "pasted") -> UInt32 {
        var lines = text.utf8.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
        if text.utf8.last == 0x0A { lines -= 1 }
        let characters = text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.count
        let label =
            "\(word) \(Quantities.count(lines, "line")), "
            + Quantities.count(characters, "character")
        return fold(text, label: label)
    }

    /// The units of a draft; its named part and restored text are folded if they are long.
    mutating func units(_ draft: LineDraft) -> [UInt32] {
        let before = known(draft.text, word: "edited")
        let restored =
            Self.isLong(draft.restored)
            ? [fold(draft.restored, word: "restored")] : units(draft.restored)
        let after = restored + units(draft.after)
        guard let part = draft.part else { return before + after }
        let middle =
            part.text.count > part.foldAbove
            ? [fold(part.text, label: part.label)] : units(part.text)
        return before + middle + after
    }

    private mutating func fold(_ text: String, label: String) -> UInt32 {
        let number = newNumber()
        meanings[number] = .fold(text: text, label: label)
        return number
    }

    /// The units of a known text: folded only if it would fill the screen.
    mutating func known(_ text: String, word: String) -> [UInt32] {
        text.utf8.count > Self.knownCharacters && text.count > Self.knownCharacters
            ? [fold(text, word: word)] : units(text)
    }

    func isFold(_ unit: UInt32) -> Bool {
        if case .fold = meanings[unit] { true } else { false }
    }

    /// The text of a fold as units; nil for other units.
    mutating func unfolded(_ unit: UInt32) -> [UInt32]? {
        guard case .fold(let text, _) = meanings[unit] else { return nil }
        return units(text)
    }

    // MARK: Units to text

    /// The text to send, with folds expanded.
    func text(_ units: some Sequence<UInt32>) -> String {
        var text = ""
        for unit in units {
            switch meanings[unit] {
            case .cluster(let cluster): text += cluster
            case .fold(let fold, _): text += fold
            case nil:
                // C1 represents keys here, and has no meaning in a text.
                if !(0x80...0x9F).contains(unit), unit != 0, let scalar = Unicode.Scalar(unit) {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }

    /// Whether the unit is part of a word, for moving and deleting by words.
    func isWord(_ unit: UInt32) -> Bool {
        if isFold(unit) { return false }
        guard let character = text([unit]).first else { return false }
        return character.isLetter || character.isNumber || character == "_"
    }

    // MARK: Units to the screen

    /// The cells of a unit except a line feed or a tab, which depend on the position.
    mutating func cells(_ unit: UInt32) -> [LineCell] {
        if let known = drawn[unit] { return known }
        let cells: [LineCell]
        if case .fold(_, let label) = meanings[unit] {
            cells = label.map { LineCell(String($0), width: 1) }
        } else {
            let text = text([unit])
            let shown = HostileText.line(text)
            // One character stays together; an escaped one may wrap.
            cells = shown.map { LineCell(String($0), width: DisplayWidth.of($0)) }
        }
        drawn[unit] = cells
        return cells
    }
}

/// One cell of the terminal: a character, or a part of an escaped one.
struct LineCell: Equatable, Sendable {
    var text: String
    /// 0, 1 or 2 columns.
    var width: Int
    var look = Look.plain

    enum Look: Equatable, Sendable {
        case plain
        /// The unit is in the region.
        case marked
        /// The unit is in a line that is no longer edited.
        case entered
    }

    /// Whether terminals agree on the width. If the widths of an emoji sequence's parts have
    /// another sum, some terminals use the sequence's width and some that of its parts.
    let isCertain: Bool

    init(_ text: String, width: Int) {
        self.text = text
        self.width = width
        isCertain =
            text.utf8.count < 2
            || text.unicodeScalars.reduce(0) { $0 + DisplayWidth.of($1) } == width
    }
}
