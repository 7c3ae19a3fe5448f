/// Finds addresses in angle brackets (CommonMark 6.5), and bare ones as GitHub links them.
enum Autolink {
    /// The offset after `<…>` if it contains an address.
    static func end(_ bytes: [UInt8], at start: Int) -> Int? {
        var at = start + 1
        guard at < bytes.count, ByteClass.isWord(bytes[at]) || isMailMark(bytes[at]) else {
            return nil
        }
        if hasScheme(bytes[at...]) {
            while at < bytes.count, bytes[at] > 0x20, bytes[at] != 0x3C, bytes[at] != 0x3E {
                at += 1
            }
            return at < bytes.count && bytes[at] == UInt8(ascii: ">") ? at + 1 : nil
        }
        while at < bytes.count, ByteClass.isWord(bytes[at]) || isMailMark(bytes[at]) { at += 1 }
        guard at > start + 1, at < bytes.count, bytes[at] == UInt8(ascii: "@") else { return nil }
        while true {
            at += 1
            let label = at
            while at < bytes.count, ByteClass.isWord(bytes[at]) || bytes[at] == 0x2D { at += 1 }
            guard at > label, at - label <= 63, bytes[label] != 0x2D, bytes[at - 1] != 0x2D,
                at < bytes.count
            else { return nil }
            if bytes[at] == UInt8(ascii: ">") { return at + 1 }
            guard bytes[at] == UInt8(ascii: ".") else { return nil }
        }
    }

    /// Whether the text starts with a scheme: two to 32 characters and a colon.
    static func hasScheme(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, ByteClass.isLetter(first) else { return false }
        let scheme = text.prefix(33).prefix { ByteClass.isWord($0) || "+.-".utf8.contains($0) }
        guard (2...32).contains(scheme.count), scheme.endIndex < text.endIndex else { return false }
        return text[scheme.endIndex] == UInt8(ascii: ":")
    }

    private static func isMailMark(_ byte: UInt8) -> Bool {
        ".!#$%&'*+/=?^_`{|}~-".utf8.contains(byte)
    }

    /// A bare address whose `:` or first `.` is at `mark`.
    static func bare(
        _ bytes: [UInt8], at mark: Int
    ) -> (start: Int, end: Int, prefix: String)? {
        let start: Int
        let domain: Int
        let isWeb = bytes[mark] == UInt8(ascii: ".")
        if isWeb {
            guard mark >= 3, bytes[(mark - 3)..<mark].allSatisfy({ $0 == UInt8(ascii: "w") }) else {
                return nil
            }
            start = mark - 3
            domain = start
            if start > 0, !ByteClass.isSpace(bytes[start - 1]),
                !"*_~(".utf8.contains(bytes[start - 1])
            {
                return nil
            }
        } else {
            guard mark + 3 < bytes.count, bytes[mark + 1] == 0x2F, bytes[mark + 2] == 0x2F else {
                return nil
            }
            var from = mark
            while from > 0, mark - from < 6, ByteClass.isLetter(bytes[from - 1]) { from -= 1 }
            let scheme = String(decoding: bytes[from..<mark], as: UTF8.self).lowercased()
            guard ["http", "https", "ftp"].contains(scheme) else { return nil }
            start = from
            domain = mark + 3
        }
        guard isDomain(bytes, at: domain, needsDot: isWeb) else { return nil }
        var end = domain
        while end < bytes.count, !ByteClass.isSpace(bytes[end]), bytes[end] != 0x3C { end += 1 }
        end = trimmed(bytes, start, end)
        return end > domain ? (start, end, isWeb ? "http://" : "") : nil
    }

    private static func isDomain(_ bytes: [UInt8], at start: Int, needsDot: Bool) -> Bool {
        guard start < bytes.count, ByteClass.isWord(bytes[start]) || bytes[start] >= 0x80 else {
            return false
        }
        var dots = 0
        var underscores = (before: 0, last: 0)
        for byte in bytes[start...] {
            if byte == UInt8(ascii: ".") {
                dots += 1
                underscores = (underscores.last, 0)
            } else if byte == UInt8(ascii: "_") {
                underscores.last += 1
            } else if !ByteClass.isWord(byte), byte != 0x2D, byte < 0x80 {
                break
            }
        }
        return underscores == (0, 0) && (dots > 0 || !needsDot)
    }

    /// Removes punctuation at the end, which belongs to the sentence, and a closing parenthesis
    /// that was not opened within the address.
    private static func trimmed(_ bytes: [UInt8], _ start: Int, _ stop: Int) -> Int {
        var end = stop
        var unopened = 0
        for byte in bytes[start..<end] {
            if byte == 0x29 { unopened += 1 } else if byte == 0x28 { unopened -= 1 }
        }
        while end > start {
            let byte = bytes[end - 1]
            if byte == UInt8(ascii: ")") {
                guard unopened > 0 else { return end }
                unopened -= 1
            } else if byte == UInt8(ascii: ";") {
                var name = end - 1
                while name > start, ByteClass.isLetter(bytes[name - 1]) { name -= 1 }
                guard name > start, name < end - 1, bytes[name - 1] == UInt8(ascii: "&") else {
                    end -= 1
                    continue
                }
                end = name - 1
                continue
            } else if !"?!.,:*_~'\"".utf8.contains(byte) {
                return end
            }
            end -= 1
        }
        return end
    }
}
