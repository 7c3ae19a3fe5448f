/// What a language looks like, as far as colours need it: a row of the table
/// that one lexer (`CodeColors`) reads. Pure.
struct CodeLanguage: Sendable {
    struct StringForm: Sendable {
        var open: [UInt8]
        var close: [UInt8]
        /// The byte that takes the meaning of the next one; nil in raw strings.
        var escape: UInt8?
        /// Goes on after the end of the line.
        var isMultiline: Bool
        /// One character between quotes, or else the quote means something
        /// else: a lifetime, a label, a prime.
        var isCharacter = false
    }

    struct BlockComment: Sendable {
        var open: [UInt8]
        var close: [UInt8]
        var nests: Bool
    }

    /// What stands before `:` or `=` at the start of a line is a key.
    enum Keys: Sendable { case none, colon, equals, both, quoted }
    /// Markup has its words only in tags; a console only after a prompt.
    enum Layout: Sendable { case tokens, markup, console }

    var keywords: Set<String>
    var types: Set<String>
    var constants: Set<String>
    var lineComments: [[UInt8]] = []
    /// `#` begins a comment only at the start of a word.
    var commentNeedsSpace = false
    var blockComments: [BlockComment] = []
    var strings: [StringForm] = []
    /// A word with this sign before it is one, such as `@main` or `$HOME`.
    var sigils: [UInt8: RichLine.Color] = [:]
    /// Words that begin with a capital are types.
    var hasCapitalTypes = false
    /// A word before `(` is called.
    var hasCalls = true
    var hasNumbers = true
    var ignoresCase = false
    /// Letters of a word beyond the usual.
    var wordBytes: Set<UInt8> = []
    var keys = Keys.none
    var layout = Layout.tokens
    /// Lines that are of one colour by how they begin; the first that fits.
    var linePrefixes: [(prefix: [UInt8], look: RichLine.Look)] = []

    init(keywords: String = "", types: String = "", constants: String = "") {
        self.keywords = Self.words(keywords)
        self.types = Self.words(types)
        self.constants = Self.words(constants)
    }

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(separator: " ").map(String.init))
    }

    // MARK: - For writing rows

    func comments(_ line: String..., block: (String, String)? = nil, nests: Bool = false) -> Self {
        var language = self
        language.lineComments = line.map { Array($0.utf8) }
        if let block {
            language.blockComments = [
                BlockComment(open: Array(block.0.utf8), close: Array(block.1.utf8), nests: nests)
            ]
        }
        return language
    }

    /// Strings that end with what they began with, and know the backslash.
    func strings(_ marks: String..., multiline: [String] = []) -> Self {
        var language = self
        // The longer marks first, for `"""` begins with `"`.
        for mark in multiline { language = language.string(mark, mark, multiline: true) }
        for mark in marks { language = language.string(mark, mark) }
        return language
    }

    func string(
        _ open: String, _ close: String, multiline: Bool = false, raw: Bool = false,
        character: Bool = false
    ) -> Self {
        var language = self
        language.strings.append(
            StringForm(
                open: Array(open.utf8), close: Array(close.utf8),
                escape: raw ? nil : UInt8(ascii: "\\"), isMultiline: multiline,
                isCharacter: character))
        return language
    }

    func with(_ change: (inout Self) -> Void) -> Self {
        var language = self
        change(&language)
        return language
    }
}
