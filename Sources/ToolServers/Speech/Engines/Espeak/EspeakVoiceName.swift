/// The name of an espeak-ng voice: a language, and perhaps a variant of the
/// speaker: `en-gb+f3`. What is no such name never becomes an argument. Pure.
package struct EspeakVoiceName: Sendable, Hashable {
    package let base: String
    package let variant: String?

    package init?(_ text: String) {
        let parts = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = parts.first, Self.isWord(base), parts.dropFirst().allSatisfy(Self.isWord)
        else { return nil }
        self.base = String(base).lowercased()
        variant = parts.dropFirst().first.map(String.init)
    }

    package init?(base: String, variant: String) {
        self.init("\(base)+\(variant)")
    }

    package var text: String { variant.map { "\(base)+\($0)" } ?? base }

    /// No slash and no dot, for espeak-ng also takes the path of a voice file.
    private static func isWord(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: "-"), text.utf8.count <= 40 else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    /// What fits the language that the variables ask for.
    package static func standard(in variables: [String: String]) -> EspeakVoiceName {
        let american = EspeakVoiceName(known: "en-us")
        let locale =
            ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
            .compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
        let parts = locale.lowercased().prefix { $0 != "." && $0 != "@" }.split(separator: "_")
        guard let language = parts.first, (2...3).contains(language.utf8.count),
            language.utf8.allSatisfy({ (0x61...0x7A).contains($0) })
        else { return american }
        switch (language, parts.dropFirst().first) {
        case ("en", "gb"), ("en", "ie"), ("en", "au"), ("en", "nz"), ("en", "za"), ("en", "in"):
            return EspeakVoiceName(known: "en-gb")
        case ("en", _): return american
        case ("pt", "br"): return EspeakVoiceName(known: "pt-br")
        case ("es", "mx"), ("es", "ar"), ("es", "co"), ("es", "us"):
            return EspeakVoiceName(known: "es-419")
        case ("fr", _): return EspeakVoiceName(known: "fr-fr")
        case ("zh", _): return EspeakVoiceName(known: "cmn")
        default: return EspeakVoiceName(known: String(language))
        }
    }

    private init(known base: String) {
        self.base = base
        variant = nil
    }
}
