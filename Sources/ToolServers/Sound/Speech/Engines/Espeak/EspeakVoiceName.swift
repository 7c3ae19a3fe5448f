import Base

/// The name of an espeak-ng voice: a language, optionally with a variant: `en-gb+f3`. Text
/// that is not such a name never becomes an argument. Pure.
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

    private init(known base: String) {
        self.base = base
        variant = nil
    }

    package var text: String { variant.map { "\(base)+\($0)" } ?? base }

    /// The name for `espeak-ng -v`. Version 1.51 ignores a variant if the language is not
    /// named like its file, which is so for only these two.
    var argument: String {
        guard let variant else { return base }
        let files = ["en-gb": "en", "fr-fr": "fr"]
        return "\(files[base] ?? base)+\(variant)"
    }

    /// Whether the text has no slash and no dot, because espeak-ng also accepts the path of
    /// a voice file.
    private static func isWord(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: "-"), text.utf8.count <= 40 else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            byte.isASCIILetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }

    // MARK: - Languages

    /// espeak-ng's names of languages and regions that differ from BCP 47 or also stand for
    /// another region.
    private static let names: [Substring: String] = {
        var names: [Substring: String] = [
            "en": "en-us", "fr": "fr-fr", "zh": "cmn", "zh-hk": "yue", "zh-mo": "yue",
            "no": "nb", "nn": "nb", "iw": "he", "in": "id", "mo": "ro", "sh": "hr", "jp": "ja",
            "pt-br": "pt-br", "fr-be": "fr-be", "fr-ch": "fr-ch",
            // ISO 639-2, used by some books.
            "eng": "en-us", "deu": "de", "ger": "de", "fra": "fr-fr", "fre": "fr-fr", "spa": "es",
            "ita": "it", "por": "pt", "nld": "nl", "dut": "nl", "rus": "ru", "jpn": "ja",
            "zho": "cmn", "chi": "cmn", "nor": "nb", "swe": "sv", "dan": "da", "fin": "fi",
            "pol": "pl", "ces": "cs", "cze": "cs", "ell": "el", "gre": "el", "hun": "hu",
            "tur": "tr", "ukr": "uk", "kor": "ko",
        ]
        for region in ["gb", "uk", "ie", "au", "nz", "za", "in"] { names["en-\(region)"] = "en-gb" }
        for region in [
            "ar", "bo", "cl", "co", "cr", "cu", "do", "ec", "gt", "hn", "mx", "ni", "pa", "pe",
            "pr",
            "py", "sv", "us", "uy", "ve",
        ] { names["es-\(region)"] = "es-419" }
        return names
    }()

    /// "de_AT.UTF-8" as "de-at", "de".
    private static func tags(_ text: String) -> [Substring] {
        let tag = text.lowercased().prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
        let ends = tag.indices.filter { tag[$0] == "-" }.reversed()
        return [Substring(tag)] + ends.map { tag[..<$0] }
    }

    /// The program's language for a text in this language: that of its region, otherwise
    /// any of its language.
    /// - Parameter tag: a BCP 47 tag or a locale: "de-AT", "pt_BR.UTF-8".
    package static func base(for tag: String, among bases: [String]) -> String? {
        let tags = tags(tag)
        for tag in tags {
            let found = [names[tag], String(tag)].compactMap(\.self).first(where: bases.contains)
            if let found { return found }
        }
        return tags.last.flatMap { primary in bases.first { $0.hasPrefix(primary + "-") } }
    }

    /// Whether two of the program's languages differ only in their region.
    package static func areOneLanguage(_ one: String, _ other: String) -> Bool {
        one.prefix { $0 != "-" } == other.prefix { $0 != "-" }
    }

    /// The language set by the variables; American English without one.
    package static func standard(in variables: [String: String]) -> EspeakVoiceName {
        let locale =
            ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
            .compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
        let tags = tags(locale)
        guard let language = tags.last, (2...3).contains(language.utf8.count),
            language.utf8.allSatisfy({ (0x61...0x7A).contains($0) })
        else { return EspeakVoiceName(known: "en-us") }
        let known = tags.lazy.compactMap { names[$0] }.first
        return EspeakVoiceName(known: known ?? String(language))
    }
}
