/// An API key as people paste it: cleaned, checked for what must never reach
/// a header, and looked at for the usual mistakes. Shapes change without
/// notice, so they only ever give a warning.
package enum KeyText {
    package enum Problem: Error, Sendable, Equatable {
        case empty
        /// A control character or white space inside: it could end a header.
        case controlCharacter
        case notASCII
    }

    package enum Warning: Sendable, Equatable {
        /// It begins like a key of another provider.
        case looksLike(ProviderName)
        /// Keys of this kind manage an organisation and call no model.
        case adminKey
        case unusualShape
    }

    /// A key as it may go into a header: nothing in it can end the header. Nil
    /// where there is none.
    package static func usable(_ text: String?) throws(Problem) -> String? {
        guard let text, !text.isEmpty else { return nil }
        do {
            return try clean(text)
        } catch .empty {
            return nil
        }
    }

    /// Without white space, quotes and a `Bearer ` around it.
    package static func clean(_ text: String) throws(Problem) -> String {
        var key = trimmed(Substring(text))
        if key.utf8.count > 7, key.prefix(7).lowercased() == "bearer " {
            key = trimmed(key.dropFirst(7))
        }
        if key.isEmpty { throw .empty }
        for scalar in key.unicodeScalars {
            if scalar.value <= 0x20 || scalar.value == 0x7F { throw .controlCharacter }
            if !scalar.isASCII { throw .notASCII }
        }
        return String(key)
    }

    package static func warning(_ key: String, for provider: ProviderName) -> Warning? {
        if key.hasPrefix("sk-admin-") || key.hasPrefix("sk-ant-admin") { return .adminKey }
        switch provider {
        case .claude:
            if key.hasPrefix("sk-ant-") { return nil }
            return key.hasPrefix("sk-") ? .looksLike(.openai) : .unusualShape
        case .openai:
            if key.hasPrefix("sk-ant-") { return .looksLike(.claude) }
            return key.hasPrefix("sk-") ? nil : .unusualShape
        case .local, .offline: return nil
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isOuter: (Character) -> Bool = { character in
            character.isWhitespace || "\"'`“”‘’".contains(character)
        }
        var part = text
        while let first = part.first, isOuter(first) { part.removeFirst() }
        while let last = part.last, isOuter(last) { part.removeLast() }
        return part
    }
}
