import Base
import Outside
import Persistence

/// The files a message names: words that begin with `@` and are the path of an existing
/// file. Everything else with an `@` is text; `misses` lists words that were probably meant
/// as a file. Pure except for looking up paths.
///
///     look at @notes.md, please      notes.md (the comma is not its)
///     @"my notes.md" and @my\ b.md   spaces, by quotes or backslash
///     @~/plan.md                     the home folder
///     @src/ and @docs/*.md           the files of a folder, and those that fit
///     @i12                           an item of the library, unless a file has that name
///     write to eve@example.org       an address: no word begins with @
package struct FileMentions {
    package var home: String?
    /// Whether the path can be attached.
    package var isFile: (String) -> Bool
    package var isFolder: (String) -> Bool = { _ in false }

    package init(
        home: String? = nil, isFile: @escaping (String) -> Bool,
        isFolder: @escaping (String) -> Bool = { _ in false }
    ) {
        self.home = home
        self.isFile = isFile
        self.isFolder = isFolder
    }

    package struct Mention: Equatable {
        /// The mention as it was written, without the `@`.
        package var shown: String
        package var path: String
    }

    /// A word with an `@` that names no file.
    package struct Miss: Equatable {
        package enum Kind: Equatable {
            /// Written as a path in a one-line message: it has no other meaning.
            case path
            case folder
            /// No file matches it.
            case pattern
            /// The number of an item.
            case item
            /// Possibly a file, but also a package, an annotation or a string in code.
            case likeness
        }
        package var mention: Mention
        package var kind: Kind

        package init(mention: Mention, kind: Kind) {
            self.mention = mention
            self.kind = kind
        }
    }

    /// The mentions in the order of the text, each file once.
    package func find(in text: String) -> [Mention] { scan(text).found }

    /// The items a message names, `i12`, `l12` or `s12`, each once. The caller checks
    /// whether they exist, and whether `l12` is a letter and `s12` a story.
    package func items(in text: String) -> [String] {
        scan(text).rest.reduce(into: [String]()) { items, rest in
            // Possibly with the punctuation of the sentence.
            guard let name = candidates(rest.text).lazy.map(\.word).first(where: Self.isItem),
                !items.contains(where: { ItemID($0) == ItemID(name) })
            else { return }
            items.append(name)
        }
    }

    /// The folders and patterns a message names, each once. In a text of several lines,
    /// which may have been pasted, a bare name such as `@test` is not a mention, but
    /// `@test/` is. The caller checks whether there are files.
    package func groups(in text: String) -> [Mention] {
        let isOneLine = !text.contains("\n")
        return scan(text).rest.reduce(into: [Mention]()) { groups, rest in
            guard rest.isApart,
                let word = candidates(rest.text).lazy.map(\.word).first(where: {
                    isGroup($0, isOneLine: isOneLine)
                })
            else { return }
            let mention = Mention(shown: word, path: expanded(word))
            if !groups.contains(where: { $0.path == mention.path }) { groups.append(mention) }
        }
    }

    private func isGroup(_ word: String, isOneLine: Bool) -> Bool {
        guard word.utf8.count <= 4_096, word != ".", word != ".." else { return false }
        if isFolder(expanded(word)) { return isOneLine || word.hasSuffix("/") }
        // `@*` and `@[` are code; trailing punctuation is not part of a pattern.
        guard GlobPattern.isPattern(word), word.contains(where: { $0.isLetter || $0.isNumber }),
            word.last.map({ !".,;:!?)}>\"'…".contains($0) }) ?? false
        else { return false }
        return isOneLine ? word.contains { "*/".contains($0) } : word.contains("/")
    }

    package static func isItem(_ word: String) -> Bool {
        ["i", "l", "s"].contains(word.first) && word.count > 1
            && word.dropFirst().allSatisfy(\.isASCII)
            && ItemID(word) != nil
    }

    /// Words that were probably meant as files but are not, each once. An
    /// address is text, and so is a bare name in a text of several lines.
    package func misses(in text: String) -> [Miss] {
        let isOneLine = !text.contains("\n")
        return scan(text).rest.reduce(into: [Miss]()) { misses, rest in
            guard let miss = miss(rest.text, mayBePath: isOneLine && rest.isApart),
                !misses.contains(where: { $0.mention == miss.mention })
            else { return }
            misses.append(miss)
        }
    }

    /// The mentioned files, and the text after every other `@` that begins a word; `isApart` if no
    /// quote or bracket precedes it.
    private func scan(
        _ text: String
    ) -> (found: [Mention], rest: [(text: Substring, isApart: Bool)]) {
        var found: [Mention] = []
        var rest: [(text: Substring, isApart: Bool)] = []
        var position = text.startIndex
        var (isStart, isApart) = (true, true)
        while position < text.endIndex {
            let character = text[position]
            let next = text.index(after: position)
            if character == "@", isStart {
                if let (mention, end) = mention(text[next...]) {
                    if !found.contains(where: { $0.path == mention.path }) { found.append(mention) }
                    position = end
                    isStart = false
                    continue
                }
                rest.append((text[next...], isApart))
            }
            isApart = character.isWhitespace
            isStart = isApart || "([{\"'<".contains(character)
            position = next
        }
        return (found, rest)
    }

    /// The path if the whole line is one, as a terminal writes it when a file is dropped on
    /// it: quoted, with backslashes, or as a `file:` URL.
    func onlyPath(_ line: String) -> Mention? {
        let paths = onlyPaths(line)
        return paths.count == 1 ? paths[0] : nil
    }

    /// The paths of several files dropped together; empty for any other line.
    package func onlyPaths(_ line: String) -> [Mention] {
        let line = line.trimmingSpace()
        guard line.first.map({ "/~'\"f".contains($0) }) ?? false,
            // A line with unbalanced quotes is not a path.
            let words = try? ShellTokenizer.words(typed: line)
        else { return [] }
        let paths = words.compactMap(dropped)
        return paths.count == words.count ? paths : []
    }

    private func dropped(_ word: String) -> Mention? {
        var shown = word
        if word.hasPrefix("file://") {
            // A `file:` URL of this machine has no host, or `localhost` (RFC 8089).
            let rest = word.dropFirst(7)
            let local = rest.hasPrefix("localhost/") ? rest.dropFirst(9) : rest
            guard let decoded = Self.percentDecoded(String(local)) else { return nil }
            shown = decoded
        }
        guard shown.hasPrefix("/") || shown.hasPrefix("~/") else { return nil }
        let path = expanded(shown)
        return isFile(path) ? Mention(shown: shown, path: path) : nil
    }

    /// The path with `~/` expanded to the home folder.
    package func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home else { return path }
        return home + path.dropFirst()
    }

    private func mention(_ rest: Substring) -> (Mention, String.Index)? {
        for (word, end) in candidates(rest) {
            if let mention = resolved(word) { return (mention, end) }
        }
        return nil
    }

    private func miss(_ rest: Substring, mayBePath: Bool) -> Miss? {
        let words = candidates(rest).map(\.word)
        // Names without a match are reported where they are looked up.
        if words.contains(where: { isGroup($0, isOneLine: mayBePath) && GlobPattern.isPattern($0) })
        {
            return nil
        }
        let folder = words.first { $0 != "." && $0 != ".." && isFolder(expanded($0)) }
        // Without the punctuation of the sentence.
        guard let word = folder ?? words.last, word.utf8.count <= 4_096,
            word.contains(where: { $0.isLetter || $0.isNumber })
        else { return nil }
        func miss(_ kind: Miss.Kind) -> Miss {
            Miss(mention: Mention(shown: word, path: expanded(word)), kind: kind)
        }
        if mayBePath, ["/", "./", "../", "~/"].contains(where: word.hasPrefix) {
            return miss(.path)
        }
        if folder != nil { return miss(.folder) }
        if mayBePath, Self.isItem(word) { return miss(.item) }
        let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "._-+~/ ".contains($0) }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        let hasExtension =
            parts.count > 1 && !parts.contains("")
            && parts.last?.contains(where: \.isLetter) == true
        let isBareName = mayBePath && word.first?.isLetter == true
        return isPlain && (isBareName || word.contains("/") || hasExtension)
            ? miss(.likeness) : nil
    }

    /// The possible words with their ends: a quoted text, or else the whole word first,
    /// then without the punctuation of the sentence.
    private func candidates(_ rest: Substring) -> [(word: String, end: String.Index)] {
        guard let first = rest.first else { return [] }
        if first == "\"" || first == "'" {
            let inner = rest.dropFirst()
            guard let close = inner.firstIndex(of: first) else { return [] }
            return [(String(inner[..<close]), inner.index(after: close))]
        }
        var word = ""
        /// The ends of the shorter candidates.
        var ends: [(word: String, end: String.Index)] = []
        var position = rest.startIndex
        while position < rest.endIndex, !rest[position].isWhitespace {
            var character = rest[position]
            if character == "\\" {
                let next = rest.index(after: position)
                guard next < rest.endIndex else { break }
                position = next
                character = rest[position]
            }
            word.append(character)
            position = rest.index(after: position)
            ends.append((word, position))
        }
        var candidates: [(word: String, end: String.Index)] = []
        while let one = ends.popLast() {
            candidates.append(one)
            guard let last = one.word.last, ".,;:!?)]}>\"'…".contains(last) else { break }
        }
        return candidates
    }

    private func resolved(_ word: String) -> Mention? {
        guard !word.isEmpty, word.utf8.count <= 4_096 else { return nil }
        let path = expanded(word)
        return isFile(path) ? Mention(shown: word, path: path) : nil
    }

    private static func percentDecoded(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(),
                let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
