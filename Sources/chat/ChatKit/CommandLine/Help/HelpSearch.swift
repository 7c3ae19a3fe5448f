import AgentCore
import Base
import CWords

/// `/help WORD`: finds commands, options, settings and pages of the manual by a word of
/// their names or descriptions. Pure.
///
/// All words must be found in an entry, each at the beginning of a word, or be a synonym
/// (`CommandGrammar.commands(about:)`). A match in the name counts more than in the
/// summary, and that more than in the details.
package struct HelpSearch {
    struct Entry {
        /// The name as typed: `/reminders add`, `chat --redact`.
        var name: String
        var summary: String
        /// The options and their descriptions.
        var details: String
        /// The command that shows more than the summary.
        var rank: Int
    }

    /// Maximum number of lines of an answer.
    static let limit = 16

    private let entries: [Entry]
    private let grammar: CommandGrammar

    package init(commands: [Command], grammar: CommandGrammar) {
        self.grammar = grammar
        var entries: [Entry] = []
        let prefix = grammar == .prompt ? "/" : "chat "
        if grammar == .prompt {
            entries += SlashCommand.listed.map {
                Entry(
                    name: prefix + $0.rawValue, summary: $0.verb.summary,
                    details: Self.details($0.verb), rank: 0)
            }
        } else {
            entries += OptionParser.table.options.map {
                Entry(name: prefix + $0.head, summary: $0.summary, details: "", rank: 1)
            }
        }
        for command in commands
        where grammar == .shell || !command.isHiddenAtPrompt {
            let isOne = command.verbs.count == 1
            // At the prompt, its own command of that name takes precedence.
            if grammar == .shell || SlashCommand(rawValue: command.name) == nil {
                entries.append(
                    Entry(
                        name: prefix + command.name, summary: command.summary,
                        details: isOne ? Self.details(command.verbs[0]) : "", rank: 0))
            }
            if isOne { continue }
            entries += command.verbs.map {
                Entry(
                    name: "\(prefix)\(command.name) \($0.name)", summary: $0.summary,
                    details: Self.details($0), rank: 1)
            }
        }
        entries += Settings.table.names.map {
            Entry(
                name: $0.text, summary: "setting: \($0.accepted)", details: "config set", rank: 2)
        }
        self.entries = entries + Self.pages
    }

    /// The pages of the manual as its index lists them: `- [Title](page.md): contents`.
    private static let pages: [Entry] = WordFile.manualIndex.text.cut(at: "\n").compactMap { line in
        guard line.hasPrefix("- ["), let middle = line.firstRange(of: "]("),
            let end = line.firstRange(of: "): ")
        else { return nil }
        let title = line[..<middle.lowerBound].dropFirst("- [".count)
        return Entry(
            name: String(line[middle.upperBound..<end.lowerBound]),
            summary: "manual: \(title), \(line[end.upperBound...])", details: "", rank: 3)
    }

    private static func details(_ verb: Verb) -> String {
        (verb.arguments.map(\.head) + verb.allOptions.flatMap { [$0.head, $0.summary] })
            .joined(separator: " ")
    }

    /// The matches, the best first; nil if there are none.
    package func lines(_ arguments: [String], help: HelpText) -> [StyledLine]? {
        let found = find(arguments)
        if found.isEmpty { return nil }
        let rows = found.prefix(Self.limit).map { ($0.name, $0.summary) }
        var lines: [StyledLine] = []
        var shown = 0
        for row in rows {
            let more = help.table([row], width: help.width(rows))
            if lines.count + more.count > Self.limit { break }
            lines += more
            shown += 1
        }
        if found.count > shown {
            lines.append(
                StyledLine("… and \(found.count - shown) more: add a word.", .dim))
        }
        return lines
    }

    /// The entries for the words. A word without a match may be a page's file name, or a former
    /// one: then the words of that name are searched.
    func find(_ arguments: [String]) -> [Entry] {
        let found = entries(with: arguments)
        if !found.isEmpty { return found }
        return entries(
            with: arguments.flatMap {
                ($0.hasSuffix(".md") ? $0.dropLast(3) : $0[...]).split(separator: "-")
                    .map(String.init)
            })
    }

    private func entries(with words: [String]) -> [Entry] {
        let words = words.map { SearchText.folded($0.hasPrefix("/") ? String($0.dropFirst()) : $0) }
            .filter { !$0.isEmpty }
        if words.isEmpty { return [] }
        let meant = words.map { Set(grammar.commands(about: $0)) }
        let scored = entries.enumerated().compactMap { index, entry -> (Int, Int, Entry)? in
            var sum = 0
            for (word, meant) in zip(words, meant) {
                let score = meant.contains(entry.name) ? Self.called : Self.score(word, entry)
                guard let score else { return nil }
                sum += score
            }
            return (sum * 4 - entry.rank, index, entry)
        }
        return scored.sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map(\.2)
    }

    /// Rank of a synonym, just below a name.
    private static let called = 11

    private static func score(_ word: String, _ entry: Entry) -> Int? {
        if let score = score(word, entry.name, whole: 12, start: 8, within: 4) { return score }
        if let score = score(word, entry.summary, whole: 6, start: 4, within: nil) {
            return score
        }
        return score(word, entry.details, whole: 3, start: 2, within: nil)
    }

    private static func score(
        _ word: String, _ text: String, whole: Int, start: Int, within: Int?
    ) -> Int? {
        let folded = SearchText.folded(text)
        let parts = folded.split { !$0.isLetter && !$0.isNumber }
        if parts.contains(where: { $0 == word }) || folded == word { return whole }
        // "reminder" finds "reminders", and the other way round.
        if parts.contains(where: { $0.hasPrefix(word) || $0 + "s" == word }) { return start }
        return within.flatMap { word.count >= 3 && folded.contains(word) ? $0 : nil }
    }
}
