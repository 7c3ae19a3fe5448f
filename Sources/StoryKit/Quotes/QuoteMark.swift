/// A character that may open or close a quotation, with its neighbours.
///
/// Italics in plain text (`_word_`) do not count as neighbours.
struct QuoteMark {
    enum Shape {
        case leftDouble, rightDouble, straightDouble
        case leftSingle, rightSingle, straightSingle
        case leftGuillemet, rightGuillemet
        case lowDouble, dash
    }
    enum Side { case space, letter, stop, other }

    var shape: Shape
    var range: Range<Int>
    var before: Side
    var after: Side

    /// Whether it is in the position of an opening mark, not of a closing one.
    var looksOpening: Bool { before != .letter && before != .stop && after != .space }
    /// Whether it is in the position of a closing mark, not of an opening one.
    var looksClosing: Bool { before != .space && (after == .space || after == .stop) }
    /// Whether it follows the end of a clause: the position of a closing mark, not of an
    /// apostrophe.
    var followsStop: Bool { before == .stop && after != .letter }

    /// The marks of a text in order.
    static func all(in bytes: [UInt8]) -> [QuoteMark] {
        var marks: [QuoteMark] = []
        var index = 0
        let count = bytes.count
        while index < count {
            var length = 1
            var shape: Shape?
            switch bytes[index] {
            case UInt8(ascii: "\""): shape = .straightDouble
            case UInt8(ascii: "'"): shape = .straightSingle
            case UInt8(ascii: "`"): shape = .leftSingle
            case UInt8(ascii: "-"):
                // "--", the typewriter's dash.
                if index + 1 < count, bytes[index + 1] == UInt8(ascii: "-") {
                    shape = .dash
                    length = 2
                    while index + length < count, bytes[index + length] == UInt8(ascii: "-") {
                        length += 1
                    }
                }
            case 0xC2 where index + 1 < count:
                length = 2
                if bytes[index + 1] == 0xAB { shape = .leftGuillemet }
                if bytes[index + 1] == 0xBB { shape = .rightGuillemet }
            case 0xE2 where index + 2 < count && bytes[index + 1] == 0x80:
                length = 3
                switch bytes[index + 2] {
                case 0x93, 0x94, 0x95: shape = .dash
                case 0x98: shape = .leftSingle
                case 0x99: shape = .rightSingle
                case 0x9C: shape = .leftDouble
                case 0x9D: shape = .rightDouble
                case 0x9E: shape = .lowDouble
                default: break
                }
            default: break
            }
            if let shape {
                let range = index..<(index + length)
                marks.append(
                    QuoteMark(
                        shape: shape, range: range, before: side(before: index, in: bytes),
                        after: side(after: range.upperBound, in: bytes)))
            }
            index += length
        }
        return marks
    }

    private static func side(before index: Int, in bytes: [UInt8]) -> Side {
        var index = index - 1
        while index >= 0, bytes[index] == UInt8(ascii: "_") { index -= 1 }
        while index > 0, bytes[index] & 0xC0 == 0x80 { index -= 1 }
        return index < 0 ? .space : side(at: index, in: bytes, dash: .stop)
    }

    private static func side(after index: Int, in bytes: [UInt8]) -> Side {
        var index = index
        while index < bytes.count, bytes[index] == UInt8(ascii: "_") { index += 1 }
        return index < bytes.count ? side(at: index, in: bytes, dash: .other) : .space
    }

    private static func side(at index: Int, in bytes: [UInt8], dash: Side) -> Side {
        guard bytes[index] >= 0x80 else { return side(bytes[index]) }
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0
        if bytes[index] == 0xC2 { return next == 0xA0 ? .space : .other }
        guard bytes[index] == 0xE2, next == 0x80, index + 2 < bytes.count else { return .letter }
        return switch bytes[index + 2] {
        case 0xA6: .stop
        case 0x93...0x95: dash
        case 0x80...0x8F, 0xAF: .space
        default: .other
        }
    }

    private static func side(_ byte: UInt8) -> Side {
        switch byte {
        case UInt8(ascii: " "), 0x09...0x0D: .space
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            .letter
        case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "!"), UInt8(ascii: "?"),
            UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "-"):
            .stop
        default: .other
        }
    }
}
