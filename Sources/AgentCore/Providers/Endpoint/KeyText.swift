import Base

/// An API key as pasted by a user: cleaned, and checked for characters that must never reach a
/// header. No key is refused for its form, which vendors change.
package enum KeyText {
    package enum Problem: Error, Sendable, Equatable {
        case empty
        /// A control character or white space inside: it could end a header.
        case controlCharacter
        case notASCII
        case tooLong
    }

    /// Limit in bytes. The vendors' keys have up to about 170; gateways may use longer tokens.
    package static let limit = 4096

    /// A key that is safe in a header: it cannot end the header.
    package static func usable(_ text: String?) throws(Problem) -> String? {
        guard let text, !text.isEmpty else { return nil }
        do {
            return try clean(text)
        } catch .empty {
            return nil
        }
    }

    /// The text without surrounding white space, quotes and `Bearer `.
    package static func clean(_ text: String) throws(Problem) -> String {
        let isOuter: (Character) -> Bool = { character in
            character.isWhitespace || "\u{FEFF}\"'`“”‘’".contains(character)
        }
        var key = Substring(text).trimming(while: isOuter)
        if key.lowercased() == "bearer" {
            key = ""
        } else if key.prefix(7).lowercased() == "bearer " {
            key = key.dropFirst(7).trimming(while: isOuter)
        }
        if key.isEmpty { throw .empty }
        if key.utf8.count > limit { throw .tooLong }
        for scalar in key.unicodeScalars {
            if scalar.value <= 0x20 || scalar.value == 0x7F { throw .controlCharacter }
            if !scalar.isASCII { throw .notASCII }
        }
        return String(key)
    }
}
