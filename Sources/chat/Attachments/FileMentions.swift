/// The files a message names: words that begin with `@` and are the path of a
/// file that is there. Everything else with an `@` is text. Pure but for the
/// question whether there is such a file.
///
///     look at @notes.md, please      notes.md (the comma is not its)
///     @"my notes.md" and @my\ b.md   spaces, by quotes or backslash
///     @~/plan.md                     the home folder
///     write to eve@example.org       an address: no word begins with @
struct FileMentions {
    var home: String?
    /// Whether there is something to attach under that path.
    var isFile: (String) -> Bool

    struct Mention: Equatable {
        /// As it was written, without the `@`.
        var shown: String
        var path: String
    }

    /// In the order of the text, each file once.
    func find(in text: String) -> [Mention] {
        var found: [Mention] = []
        var position = text.startIndex
        var isStart = true
        while position < text.endIndex {
            let character = text[position]
            let next = text.index(after: position)
            if character == "@", isStart, let (mention, end) = mention(text[next...]) {
                if !found.contains(where: { $0.path == mention.path }) { found.append(mention) }
                position = end
                isStart = false
                continue
            }
            isStart = character.isWhitespace || "([{\"'<".contains(character)
            position = next
        }
        return found
    }

    /// A line that is nothing but the path of a file, as a terminal writes it
    /// when one is dropped on it: quoted, with backslashes, or as a `file:` URL.
    func onlyPath(_ line: String) -> Mention? {
        let line = line.trimmingSpace()
        guard line.first.map({ "/~'\"f".contains($0) }) ?? false,
            // Broken quotes make no path.
            let words = try? ShellWords.split(line), words.count == 1, let word = words.first
        else { return nil }
        var shown = word
        if word.hasPrefix("file://") {
            guard let decoded = Self.percentDecoded(String(word.dropFirst(7))) else { return nil }
            shown = decoded
        }
        guard shown.hasPrefix("/") || shown.hasPrefix("~/") else { return nil }
        let path = expanded(shown)
        return isFile(path) ? Mention(shown: shown, path: path) : nil
    }

    /// `~/` is the home folder.
    func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home else { return path }
        return home + path.dropFirst()
    }

    private func mention(_ rest: Substring) -> (Mention, String.Index)? {
        guard let first = rest.first else { return nil }
        if first == "\"" || first == "'" {
            let inner = rest.dropFirst()
            guard let close = inner.firstIndex(of: first) else { return nil }
            let word = String(inner[..<close])
            return resolved(word).map { ($0, inner.index(after: close)) }
        }
        var word = ""
        /// Where each shorter reading of the word would end.
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
        // The whole word first; then without the punctuation of the sentence.
        while let (word, end) = ends.popLast() {
            if let mention = resolved(word) { return (mention, end) }
            guard let last = word.last, ".,;:!?)]}>\"'…".contains(last) else { return nil }
        }
        return nil
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
