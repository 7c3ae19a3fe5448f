/// Makes a key out of what a person pasted, or says why it is none.
///
/// Shape is never a reason to refuse: vendors change it.
enum KeyText {
    enum Problem: Error, Sendable, Equatable {
        case empty
        /// A control character or a space inside: it would end the header.
        case controlCharacter
        case notASCII
        case tooLong

        var sentence: String {
            switch self {
            case .empty: "No key was given."
            case .controlCharacter:
                "The key holds a space, a line break or a control character. Copy it again."
            case .notASCII: "The key holds a character that no key has. Copy it again."
            case .tooLong: "That is too long for a key."
            }
        }
    }

    /// Keys of the vendors have up to about 170 characters; tokens of gateways
    /// may be longer.
    static let limit = 4096

    /// Takes away what comes along with a paste: white space and quotes around
    /// the key and a leading `Bearer `.
    static func clean(_ text: String) throws(Problem) -> Secret {
        var rest = Substring(text)
        trim(&rest)
        if rest.prefix(7).lowercased() == "bearer " {
            rest = rest.dropFirst(7)
            trim(&rest)
        } else if rest.lowercased() == "bearer" {
            rest = ""
        }
        if rest.isEmpty { throw .empty }
        if rest.utf8.count > limit { throw .tooLong }
        for scalar in rest.unicodeScalars {
            if scalar.value <= 0x20 || scalar.value == 0x7F { throw .controlCharacter }
            if scalar.value > 0x7F { throw .notASCII }
        }
        return Secret(String(rest))
    }

    private static func trim(_ text: inout Substring) {
        var before = -1
        while before != text.utf8.count {
            before = text.utf8.count
            while let first = text.first, first.isWhitespace || first == "\u{FEFF}" {
                text = text.dropFirst()
            }
            while let last = text.last, last.isWhitespace { text = text.dropLast() }
            if let first = text.first, "\"'`".contains(first), text.count > 1, text.last == first {
                text = text.dropFirst().dropLast()
            }
        }
    }
}
