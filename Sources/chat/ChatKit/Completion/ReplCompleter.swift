import AgentCore
import Base
import Synchronization
import TerminalKit

/// Tab completion at the prompt: slash commands, their verbs, options and arguments;
/// `@path` in a message. Runs on the terminal's thread, so slow data is loaded while a
/// prompt opens. The list that opens while the user types is in `ReplCompleter+List`.
package final class ReplCompleter: Sendable {
    private struct State {
        var completer = CommandCompleter(commands: [])
        var facts = CompletionFacts()
    }

    private let files: FileNames
    /// Folders read for the list, without waiting.
    package let folders: FolderNames
    private let style: Style
    private let state = Mutex(State())

    package init(home: String = "/", style: Style = Style(usesColor: false, usesUnicode: true)) {
        files = FileNames(home: home)
        folders = FolderNames(files: files)
        self.style = style
    }

    var known: (completer: CommandCompleter, facts: CompletionFacts) {
        state.withLock { ($0.completer, $0.facts) }
    }

    package func set(_ commands: [Command]) {
        state.withLock { $0.completer = CommandCompleter(commands: commands) }
    }

    package func set(_ facts: CompletionFacts) { state.withLock { $0.facts = facts } }

    package func complete(_ before: String) -> TabCompletion {
        var completion = found(before)
        completion.style = style
        return completion
    }

    private func found(_ before: String) -> TabCompletion {
        let (completer, facts) = known
        let line = ShellTokenizer(before, isTyped: true)
        guard before.hasPrefix("/"), !before.hasPrefix("//") else {
            guard line.raw.hasPrefix("@") else { return .none }
            let typed = String(line.current.dropFirst())
            var completion = paths(typed, after: "@", raw: line.raw)
            completion.candidates += items(typed, facts)
            return completion
        }
        guard let first = line.words.first else {
            return plain(
                completer.slashNames.map { CompletionWord("/" + $0.text, $0.detail) }, line.raw)
        }
        let name = String(first.dropFirst())
        let atValue = line.atValue
        let offer = completer.chat(name, Array(atValue.words.dropFirst()), current: atValue.current)
        var completion = plain(
            offer.words + offer.kinds.flatMap { facts.words[$0] ?? [] }, atValue.raw)
        if offer.kinds.contains(.file) {
            completion.candidates += paths(atValue.current, after: "", raw: atValue.raw).candidates
        }
        for kind in [Verb.Kind.item, .story] where offer.kinds.contains(kind) {
            completion.candidates += titled(atValue.current, facts.words[kind] ?? [])
        }
        let titles = titles(
            of: name, in: atValue, before: before, offer: offer, facts: facts)
        return titles.candidates.isEmpty ? completion : titles
    }

    /// Candidates that begin with the typed text; case is ignored if none matches exactly.
    private func plain(_ words: [CompletionWord], _ raw: String) -> TabCompletion {
        let typed = ShellTokenizer(raw, isTyped: true).current
        var fitting = words.filter { $0.text.hasPrefix(typed) }
        if fitting.isEmpty {
            let lower = typed.lowercased()
            fitting = words.filter { $0.text.lowercased().hasPrefix(lower) }
        }
        return TabCompletion(
            replacing: raw,
            candidates: fitting.map {
                TabCompletion.Candidate(
                    ShellTokenizer.escaped($0.text), label: $0.text, detail: $0.detail)
            })
    }

    private func paths(_ typed: String, after mark: String, raw: String) -> TabCompletion {
        TabCompletion(
            replacing: raw,
            candidates: files.names(beginning: typed).map { name in
                let last = name.path.split(separator: "/").last.map(String.init) ?? name.path
                return TabCompletion.Candidate(
                    mark + ShellTokenizer.escaped(name.path),
                    label: name.isFolder ? last + "/" : last, isComplete: !name.isFolder)
            })
    }

    /// Items after an `@`, by their number or the beginning of their title.
    private func items(_ typed: String, _ facts: CompletionFacts) -> [TabCompletion.Candidate] {
        if typed.isEmpty { return [] }
        let folded = SearchText.folded(typed)
        let stories = (facts.words[.story] ?? []).filter { $0.text.hasPrefix(typed) }
        return
            ((facts.words[.item] ?? []).filter {
                $0.text.hasPrefix(typed) || SearchText.folded($0.detail).hasPrefix(folded)
            } + stories).map {
                TabCompletion.Candidate("@" + $0.text, label: $0.text, detail: $0.detail)
            }
    }

    /// The numbers of items whose titles begin with the typed text.
    private func titled(
        _ typed: String, _ items: [CompletionWord]
    ) -> [TabCompletion.Candidate] {
        let folded = SearchText.folded(typed)
        if folded.isEmpty { return [] }
        return items.filter {
            !$0.text.hasPrefix(typed) && SearchText.folded($0.detail).hasPrefix(folded)
        }.map { TabCompletion.Candidate($0.text, label: $0.text, detail: $0.detail) }
    }

    /// Completes a conversation by its title. If it is the only argument, the title is
    /// inserted unquoted, with its spaces.
    private func titles(
        of name: String, in line: ShellTokenizer, before: String, offer: CommandCompleter.Offer,
        facts: CompletionFacts
    ) -> TabCompletion {
        let isWhole = [.resume, .delete].contains(SlashCommand(rawValue: name))
        guard isWhole || offer.kinds.contains(.conversation) else { return .none }
        let rest = before.drop { $0 != " " }.drop { $0 == " " }
        let raw = isWhole ? String(rest) : line.raw
        let typed = SearchText.folded(isWhole ? raw : line.current)
        var candidates: [TabCompletion.Candidate] = []
        var seen: Set<String> = []
        for (id, title, detail) in facts.conversations {
            let isNamed = SearchText.folded(title).hasPrefix(typed)
            guard isNamed || (!typed.isEmpty && id.hasPrefix(typed)) else { continue }
            // Two conversations with the same title differ by their ids.
            let isTwice = !seen.insert(title).inserted
            let word = isNamed && !isTwice ? title : String(id.prefix(8))
            candidates.append(
                TabCompletion.Candidate(
                    isWhole && !word.contains("\\") && !word.contains("\"") && !word.contains("'")
                        ? word : ShellTokenizer.escaped(word),
                    label: word, detail: word == title ? detail : "\(title) · \(detail)"))
        }
        return TabCompletion(replacing: raw, candidates: candidates)
    }
}
