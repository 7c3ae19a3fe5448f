/// Tokenizes HTML, XHTML and XML piece by piece, as tolerantly as browsers: nothing is an
/// error, and no text is lost that a reader would have seen.
///
///     text         up to the next tag; its references are not decoded yet
///     <name …>     opens, or is empty: `<br/>`
///     </name>      closes
///     <!-- -->     comments and instructions are left out
///     <![CDATA[    is text, unchanged
///     <script>     and `<style>` are left out with their contents
///
/// It does not know the elements, nor how they nest; that is the caller's business. A copy
/// of it continues from the same position.
package struct HTMLTokenizer: Sendable {
    package enum Token: Sendable, Equatable {
        case text(ArraySlice<UInt8>)
        /// Text in which `&` stands for itself, as in CDATA.
        case verbatim(ArraySlice<UInt8>)
        case open(Tag)
        /// The end of the element of that name, in lower case.
        case close(String)
        /// `<!DOCTYPE html>`: "doctype".
        case declaration(String)
    }

    package struct Tag: Sendable, Equatable {
        /// The name in lower case, with its prefix: "dc:title".
        package var name: String
        /// The attributes: names in lower case, values decoded; the value is empty if there is
        /// none.
        package var attributes: [(name: String, value: String)]
        /// `<br/>`.
        package var isEmpty: Bool
        /// The tag as written in the text, with its brackets.
        package var source: ArraySlice<UInt8>

        package subscript(name: String) -> String? {
            attributes.first { $0.name == name }?.value
        }

        /// The words of a list attribute such as `class`.
        package func words(_ name: String) -> [Substring] {
            self[name]?.split(whereSeparator: \.isWhitespace) ?? []
        }

        package static func == (one: Tag, other: Tag) -> Bool { one.source == other.source }
    }

    private let bytes: [UInt8]
    private var at = 0
    /// The raw element being read, such as `<script>`: up to its end there is no markup.
    private var rawName: String?
    /// Index of the last `>`: nothing ends after it, which saves repeated searches.
    private let lastGreater: Int
    private var hasDocumentType = false

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        lastGreater = bytes.lastIndex(of: Self.greater) ?? -1
    }

    package init(_ text: String) { self.init(Array(text.utf8)) }

    /// The next token; nil at the end.
    package mutating func next() -> Token? {
        if let name = rawName {
            rawName = nil
            skip(to: name)
        }
        while at < bytes.count {
            let start = at
            while at < bytes.count, bytes[at] != Self.less || !startsMarkup(at) { at += 1 }
            if at > start { return .text(bytes[start..<at]) }
            if let token = markup() { return token }
            // A comment, or a bracket that is text after all.
            if at == start {
                at += 1
                while at < bytes.count, bytes[at] != Self.less { at += 1 }
                return .text(bytes[start..<at])
            }
        }
        return nil
    }

    // MARK: - Markup

    private static let less = UInt8(ascii: "<")
    private static let greater = UInt8(ascii: ">")

    private func startsMarkup(_ place: Int) -> Bool {
        guard place + 1 < bytes.count else { return false }
        let next = bytes[place + 1]
        return Self.isLetter(next) || next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
            || next == UInt8(ascii: "/")
    }

    /// Advances past markup at this position, if there is any.
    /// - Returns: nil for ignored markup, and for text.
    private mutating func markup() -> Token? {
        switch bytes[at + 1] {
        case UInt8(ascii: "!"): return declaration()
        case UInt8(ascii: "?"):
            at = nextGreater(at).map { $0 + 1 } ?? bytes.count
            return nil
        case UInt8(ascii: "/"):
            guard at + 2 < bytes.count, Self.isLetter(bytes[at + 2]) else { return nil }
            guard let end = nextGreater(at) else { return nil }
            let name = self.name(from: at + 2).text
            at = end + 1
            return .close(name)
        default: return tag()
        }
    }

    private mutating func declaration() -> Token? {
        let rest = bytes[at...]
        if rest.starts(with: "<!--".utf8) {
            let end = rest.dropFirst(2).firstRange(of: Array("-->".utf8))
            at = end?.upperBound ?? bytes.count
            return nil
        }
        let opening = Array("<![CDATA[".utf8)
        if rest.starts(with: opening) {
            let inner = rest.dropFirst(opening.count)
            let end = inner.firstRange(of: Array("]]>".utf8))
            at = end?.upperBound ?? bytes.count
            return .verbatim(inner[..<(end?.lowerBound ?? inner.endIndex)])
        }
        guard var end = nextGreater(at) else { return nil }
        let name = self.name(from: at + 2).text
        // The only document type may declare entities in brackets.
        if name == "doctype", !hasDocumentType, bytes[at..<end].contains(UInt8(ascii: "[")) {
            hasDocumentType = true
            if let bracket = bytes[at...].firstIndex(of: UInt8(ascii: "]")),
                let closing = nextGreater(bracket)
            {
                end = closing
            }
        }
        at = end + 1
        return .declaration(name)
    }

    private func nextGreater(_ place: Int) -> Int? {
        place <= lastGreater ? bytes[place...].firstIndex(of: Self.greater) : nil
    }

    private func name(from start: Int) -> (text: String, end: Int) {
        var end = start
        while end < bytes.count, !Self.isSpace(bytes[end]), bytes[end] != Self.greater,
            bytes[end] != UInt8(ascii: "/"), bytes[end] != Self.less
        { end += 1 }
        return (String(decoding: bytes[start..<end], as: UTF8.self).lowercased(), end)
    }

    private mutating func tag() -> Token? {
        let start = at
        let (name, nameEnd) = name(from: start + 1)
        var tag = Tag(name: name, attributes: [], isEmpty: false, source: bytes[start..<start])
        var place = nameEnd
        while true {
            while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
            guard place < bytes.count else { return nil }
            switch bytes[place] {
            case Self.greater:
                place += 1
                return finish(&tag, place)
            case UInt8(ascii: "/"):
                place += 1
                tag.isEmpty = place < bytes.count && bytes[place] == Self.greater
            case Self.less:
                // `<p class="x" <em>`: the bracket was forgotten. `a <b and <c` is text.
                guard tag.attributes.allSatisfy({ !$0.value.isEmpty }) else { return nil }
                return finish(&tag, place)
            default:
                guard let end = attribute(&tag, from: place) else { return nil }
                if end < 0 {
                    place = -end
                    return finish(&tag, place)
                }
                place = end
            }
        }
    }

    private mutating func finish(_ tag: inout Tag, _ end: Int) -> Token {
        tag.source = bytes[at..<end]
        at = end
        if !tag.isEmpty, tag.name == "script" || tag.name == "style" { rawName = tag.name }
        return .open(tag)
    }

    /// - Returns: the index after the attribute; negative if the closing quotation mark is missing
    ///   and the tag ends there; nil if the text ends within it.
    private func attribute(_ tag: inout Tag, from start: Int) -> Int? {
        var place = start
        while place < bytes.count, !Self.isSpace(bytes[place]), bytes[place] != Self.greater,
            bytes[place] != UInt8(ascii: "="), bytes[place] != UInt8(ascii: "/"),
            bytes[place] != Self.less
        { place += 1 }
        // A stray "=" is part of a name, so that every iteration advances.
        if place == start { place += 1 }
        let name = String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
        var value = place
        while value < bytes.count, Self.isSpace(bytes[value]) { value += 1 }
        guard value < bytes.count else { return nil }
        guard bytes[value] == UInt8(ascii: "=") else {
            tag.attributes.append((name, ""))
            return place
        }
        value += 1
        while value < bytes.count, Self.isSpace(bytes[value]) { value += 1 }
        guard value < bytes.count else { return nil }
        let quote = bytes[value]
        var end = value
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            value += 1
            end = value
            var bracket: Int?
            while end < bytes.count, bytes[end] != quote {
                if bytes[end] == Self.greater { bracket = bracket ?? end }
                // A value contains no `<`: its closing quotation mark is missing.
                if bytes[end] == Self.less, bracket != nil { break }
                end += 1
            }
            if end == bytes.count || bytes[end] != quote {
                guard let bracket else { return nil }
                tag.attributes.append((name, CharacterReference.text(bytes[value..<bracket])))
                return -(bracket + 1)
            }
            tag.attributes.append((name, CharacterReference.text(bytes[value..<end])))
            return end + 1
        }
        while end < bytes.count, !Self.isSpace(bytes[end]), bytes[end] != Self.greater,
            bytes[end] != Self.less
        { end += 1 }
        tag.attributes.append((name, CharacterReference.text(bytes[value..<end])))
        return end
    }

    /// Advances to after `</name>`, ignoring everything before it.
    private mutating func skip(to name: String) {
        let ending = Array("</\(name)".utf8)
        while at < bytes.count {
            if bytes[at] == Self.less, at + ending.count <= bytes.count,
                zip(bytes[at...], ending).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
            {
                at = nextGreater(at).map { $0 + 1 } ?? bytes.count
                return
            }
            at += 1
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
