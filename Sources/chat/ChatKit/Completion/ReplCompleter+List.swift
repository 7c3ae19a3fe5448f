import AgentCore
import Base
import TerminalKit

/// The list that opens while the user types a command or an `@`, from the tables that Tab
/// uses. Tab matches the beginning of a word; here any of its letters match.
extension ReplCompleter {
    /// Maximum number of candidates: a user would not read a longer list.
    private static let listLimit = 200
    /// A longer text is not a command; its words are completed by Tab.
    private static let textLimit = 20_000
    /// Minimum number of letters for searching descriptions.
    private static let leastForDetail = 3

    /// Nil unless the cursor is at the end of a word that can have a list.
    package func list(_ before: String, _ after: String) -> CompletionOffer? {
        guard after.first.map(\.isWhitespace) ?? true, before.utf8.count <= Self.textLimit,
            before.hasPrefix("/") || before.utf8.contains(UInt8(ascii: "@"))
        else { return nil }
        let line = ShellTokenizer(before, isTyped: true)
        if before.hasPrefix("/"), line.words.isEmpty {
            // A path has a second slash.
            let name = before.dropFirst()
            guard line.raw == before, !name.contains("/") else { return nil }
            return commands(String(name))
        }
        return line.raw.hasPrefix("@") ? mentions(line) : nil
    }

    // MARK: - Commands

    private func commands(_ typed: String) -> CompletionOffer {
        let completer = known.completer
        let names = completer.slashNames
        let query = FuzzyName.query(typed)
        let named = names.ranked(by: query) { FuzzyName($0.text) }.map(\.element)
        // Matches in descriptions, after matches in names.
        let folded = SearchText.folded(typed)
        let others =
            folded.count < Self.leastForDetail
            ? []
            : names.filter { word in
                !named.contains { $0.text == word.text }
                    && SearchText.folded(word.detail).split(separator: " ")
                        .contains { $0.hasPrefix(folded) }
            }
        let verbs = folded.count < Self.leastForDetail ? [] : completer.verbs(beginning: folded)
        // Any other word is entered unchanged, and answered with a suggestion.
        let isBeginning = FuzzyName(named.first?.text ?? "").begins(with: query)
        let isWhole = completer.isCommand(typed) && named.first?.text != typed
        return CompletionOffer(
            replacing: "/" + typed,
            candidates: candidates(named) { ShellTokenizer.escaped($0) } + candidates(verbs) { $0 }
                + candidates(others) { ShellTokenizer.escaped($0) },
            suggestsFirst: !named.isEmpty && isBeginning && !isWhole)
    }

    private func candidates(
        _ words: [CompletionWord], _ typed: (String) -> String
    ) -> [TabCompletion.Candidate] {
        words.map {
            TabCompletion.Candidate(
                "/" + typed($0.text), label: "/" + $0.text, usage: $0.usage, detail: $0.detail)
        }
    }

    // MARK: - Files and items

    /// Candidates after an `@`: the contents of the folder typed so far, and items,
    /// whose names begin with no folder.
    private func mentions(_ line: ShellTokenizer) -> CompletionOffer {
        let typed = String(line.current.dropFirst())
        let (folder, start) = FileNames.parts(of: typed)
        let query = FuzzyName.query(start)
        var found = files(in: folder, start, query)
        found += folder.isEmpty ? kept(start, query) : []
        // Equal scores keep their order: files before items.
        found =
            found.enumerated().sorted {
                ($0.element.score, $1.offset) > ($1.element.score, $0.offset)
            }.map(\.element)
        return CompletionOffer(
            replacing: line.raw, candidates: found.prefix(Self.listLimit).map(\.candidate),
            suggestsFirst: !start.isEmpty && found.first?.isLikely == true)
    }

    private struct Mention {
        var candidate: TabCompletion.Candidate
        var score: Int
        /// Whether it begins with the typed text, and so is the likely choice.
        var isLikely: Bool
    }

    private func files(
        in folder: String, _ start: String, _ query: [Unicode.Scalar]
    ) -> [Mention] {
        let entries = folders.entries(in: folder, isFirst: start.isEmpty) ?? []
        let seen = entries.filter { $0.isHidden == start.hasPrefix(".") }
        return seen.ranked(by: query, \.match).prefix(Self.listLimit).map { entry, score in
            Mention(
                candidate: TabCompletion.Candidate(
                    "@" + ShellTokenizer.escaped(entry.name.path), label: entry.label,
                    isComplete: !entry.name.isFolder),
                score: score, isLikely: entry.match.begins(with: query))
        }
    }

    /// Library items and stories, by their number or their title.
    private func kept(_ start: String, _ query: [Unicode.Scalar]) -> [Mention] {
        let facts = known.facts
        let words = (facts.words[.item] ?? []) + (facts.words[.story] ?? [])
        return words.compactMap { word in
            let isNumber = word.text.hasPrefix(start)
            let title = FuzzyName(word.detail)
            // `i1` clearly means an item; `i` alone does not.
            let isMeant = isNumber && start.contains(where: \.isNumber)
            guard let score = isMeant ? .max : isNumber ? 0 : title.score(query) else {
                return nil
            }
            return Mention(
                candidate: TabCompletion.Candidate(
                    "@" + word.text, label: word.text, detail: word.detail),
                score: score, isLikely: isNumber || title.begins(with: query))
        }
    }
}
