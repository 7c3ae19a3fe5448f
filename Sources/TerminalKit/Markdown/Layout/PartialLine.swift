/// Decides how much of an incomplete line is held back because the next character
/// determines its meaning.
package enum PartialLine {
    /// Whether the line consists only of marks: a bullet, a heading, a rule, a fence, a number.
    static func isUndecided(_ line: [UInt8], _ leaf: BlockParser.Leaf) -> Bool {
        if case .fenced(let fence) = leaf {
            let rest = line.drop { $0 == 0x20 || $0 == 0x09 }
            return rest.allSatisfy { $0 == fence.mark }
        }
        if case .indented = leaf { return false }
        if case .table = leaf, line.first == UInt8(ascii: "|") {
            return line.allSatisfy { "| \t".utf8.contains($0) }
        }
        guard line.count <= 200 else { return false }
        var digits = 0
        for (index, byte) in line.enumerated() {
            switch byte {
            case 0x20, 0x09: continue
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                if digits > 9 { return false }
            case UInt8(ascii: "x"), UInt8(ascii: "X"):
                guard index > 0, line[index - 1] == UInt8(ascii: "["), index + 3 >= line.count
                else { return false }
            default:
                guard "#-*+_=>`~|:.)[]!<\\&".utf8.contains(byte) else { return false }
            }
        }
        return true
    }

    /// Whether the line is prose whatever follows in it. A letter rules out underlines, rules and
    /// the second line of a table; a tag or a link definition is recognized only at its end.
    package static func isSettled(_ events: [BlockEvent]) -> Bool {
        guard case .paragraphLine(let text)? = events.last, let first = text.first,
            first != UInt8(ascii: "<"), first != UInt8(ascii: "[")
        else { return false }
        return text.contains { $0 >= 0x80 || ByteClass.isLetter($0) }
    }
}
