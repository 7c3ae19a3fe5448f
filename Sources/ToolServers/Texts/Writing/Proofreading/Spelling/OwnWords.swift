import Base

/// The words that the user accepts as correct: one per line in the file `words` of the
/// configuration folder, with comments after `#`. The file is only read here.
package struct OwnWords: Sendable, Equatable {
    private let words: Set<String>

    /// A longer file is not a hand-written list of words.
    static let limit = 1 << 20

    package init(_ words: [String] = []) {
        self.words = Set(words.map(Self.folded))
    }

    init(text: String) {
        self.init(
            text.split(whereSeparator: \.isNewline).map {
                String($0.prefix { $0 != "#" }.trimming { $0.isWhitespace })
            }.filter { !$0.isEmpty })
    }

    /// A missing or unreadable file contains no words: the text is proofread
    /// without them.
    package static func read(_ path: String) -> OwnWords {
        // No file is the common case; a damaged one must not prevent proofreading.
        guard let bytes = try? WholeFile.read(path, limit: limit) else { return OwnWords() }
        return OwnWords(text: String(decoding: bytes, as: UTF8.self))
    }

    /// Ignores case and the kind of apostrophe.
    func contains(_ word: String) -> Bool { !words.isEmpty && words.contains(Self.folded(word)) }

    private static func folded(_ word: String) -> String {
        String(
            String.UnicodeScalarView(word.lowercased().unicodeScalars.map { $0 == "’" ? "'" : $0 }))
    }
}
