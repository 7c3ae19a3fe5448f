/// Scans the parts of links and link definitions: labels, destinations, titles (CommonMark 4.7 and
/// 6.3). Each scan returns the end of the part, or that it is missing, or that the text ends within
/// it.
enum LinkSyntax {
    enum Scan {
        case found(Range<Int>, end: Int)
        case none
        case unfinished
    }

    static func skipSpace(_ bytes: [UInt8], _ start: Int) -> Int {
        var at = start
        while at < bytes.count, ByteClass.isSpace(bytes[at]) { at += 1 }
        return at
    }

    /// `[label]`: at most 999 characters, no bracket inside.
    static func label(_ bytes: [UInt8], at start: Int) -> Scan {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "[") else { return .none }
        var at = start + 1
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "]"): return .found((start + 1)..<at, end: at + 1)
            case UInt8(ascii: "["): return .none
            case UInt8(ascii: "\\")
            where at + 1 < bytes.count && ByteClass.isPunctuation(bytes[at + 1]):
                at += 2
            default: at += 1
            }
            if at - start > 1000 { return .none }
        }
        return .unfinished
    }

    static func destination(_ bytes: [UInt8], at start: Int) -> Scan {
        guard start < bytes.count else { return .unfinished }
        var at = start
        if bytes[at] == UInt8(ascii: "<") {
            at += 1
            while at < bytes.count {
                switch bytes[at] {
                case UInt8(ascii: ">"): return .found((start + 1)..<at, end: at + 1)
                case UInt8(ascii: "<"), 0x0A: return .none
                case UInt8(ascii: "\\"): at += 2
                default: at += 1
                }
            }
            return .unfinished
        }
        var depth = 0
        scan: while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\\")
            where at + 1 < bytes.count && ByteClass.isPunctuation(bytes[at + 1]):
                at += 1
            case UInt8(ascii: "("):
                depth += 1
                if depth > 32 { return .none }
            case UInt8(ascii: ")"):
                if depth == 0 { break scan }
                depth -= 1
            case 0...0x20, 0x7F: break scan
            default: break
            }
            at += 1
        }
        if at >= bytes.count {
            return depth == 0 ? .found(start..<bytes.count, end: bytes.count) : .unfinished
        }
        return depth == 0 ? .found(start..<at, end: at) : .none
    }

    static func title(_ bytes: [UInt8], at start: Int) -> Scan {
        guard start < bytes.count else { return .unfinished }
        let close: UInt8
        switch bytes[start] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): close = bytes[start]
        case UInt8(ascii: "("): close = UInt8(ascii: ")")
        default: return .none
        }
        var at = start + 1
        while at < bytes.count {
            if bytes[at] == close { return .found((start + 1)..<at, end: at + 1) }
            if close == UInt8(ascii: ")"), bytes[at] == UInt8(ascii: "(") { return .none }
            at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        return .unfinished
    }

    /// Resolves backslashes and entities, as in addresses and titles.
    static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        var out: [UInt8] = []
        let all = Array(bytes)
        var at = 0
        while at < all.count {
            if all[at] == UInt8(ascii: "\\"), at + 1 < all.count,
                ByteClass.isPunctuation(all[at + 1])
            {
                out.append(all[at + 1])
                at += 2
            } else if all[at] == UInt8(ascii: "&"), let entity = Entity.decode(all, at: at) {
                out += Array(entity.text.utf8)
                at = entity.end
            } else {
                out.append(all[at])
                at += 1
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
