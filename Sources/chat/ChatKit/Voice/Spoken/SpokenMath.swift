import TerminalKit

/// Takes mathematics out of Markdown before it is read: `$$…$$`, `\[…\]`,
/// `\(…\)`, and `$…$` where it cannot be money. Pure.
///
/// What stays of a formula is a name or a number alone: `$x$` is read "x".
/// Others are named: "a formula".
enum SpokenMath {
    struct Plain: Equatable {
        var bytes: [UInt8]
        /// A formula has begun and not ended: what follows may be part of it.
        var isOpen = false
    }

    /// Anything longer is not a formula: a lone sign stood there.
    private static let limit = 2_000

    static func strip(_ raw: [UInt8], _ phrases: SpokenPhrases = SpokenPhrases()) -> Plain {
        guard raw.contains(where: { $0 == 0x24 || $0 == 0x5C }) else { return Plain(bytes: raw) }
        var plain = Plain(bytes: [])
        var at = 0
        var isCode = false
        while at < raw.count {
            let byte = raw[at]
            if byte == UInt8(ascii: "`") { isCode.toggle() }
            guard !isCode, let (open, close) = marks(raw, at) else {
                // An escape keeps its meaning.
                if byte == 0x5C, at + 1 < raw.count, !isCode {
                    plain.bytes.append(byte)
                    at += 1
                }
                plain.bytes.append(raw[at])
                at += 1
                continue
            }
            let start = at + open.count
            guard let end = find(close, in: raw, from: start, isMoney: open == [0x24]) else {
                // Still to come, or no formula at all.
                if raw.count - start < limit, open != [0x24] { plain.isOpen = true }
                plain.bytes += open
                at = start
                continue
            }
            let formula = raw[start..<end]
            if formula.count <= 12, formula.allSatisfy(ByteClass.isWord) {
                plain.bytes += formula
            } else {
                // One that stands for itself is a sentence.
                let after = end + close.count
                let isDisplayed = open.count == 2 && open[1] != UInt8(ascii: "(")
                let isSentence = isDisplayed && (after == raw.count || raw[after] == 0x0A)
                let words = phrases.formula
                plain.bytes += Array(
                    (isSentence ? words.prefix(1).uppercased() + words.dropFirst() + "." : words)
                        .utf8)
            }
            at = end + close.count
        }
        return plain
    }

    private static func marks(_ raw: [UInt8], _ at: Int) -> ([UInt8], [UInt8])? {
        let next = at + 1 < raw.count ? raw[at + 1] : 0
        switch (raw[at], next) {
        case (0x24, 0x24): return ([0x24, 0x24], [0x24, 0x24])
        case (0x5C, UInt8(ascii: "(")): return ([0x5C, next], [0x5C, UInt8(ascii: ")")])
        case (0x5C, UInt8(ascii: "[")): return ([0x5C, next], [0x5C, UInt8(ascii: "]")])
        // As pandoc has it: no space inside of the sign.
        case (0x24, _) where next != 0 && !ByteClass.isSpace(next): return ([0x24], [0x24])
        default: return nil
        }
    }

    private static func find(
        _ close: [UInt8], in raw: [UInt8], from start: Int, isMoney: Bool
    ) -> Int? {
        var at = start
        let end = min(raw.count - close.count, start + limit)
        while at <= end {
            if raw[at..<(at + close.count)].elementsEqual(close) {
                guard isMoney else { return at }
                // "$5 and $6": a space before the second, or a digit after it.
                let after = at + 1 < raw.count ? raw[at + 1] : 0
                return at > start && !ByteClass.isSpace(raw[at - 1]) && !ByteClass.isDigit(after)
                    ? at : nil
            }
            if raw[at] == 0x0A, isMoney { return nil }
            at += 1
        }
        return nil
    }
}
