import AgentCore
import Base
import TerminalKit

/// `chat __complete WORDS…`: called by the shells' completion scripts. Prints one word per
/// line, with a tab and its description; a last line `:files` if a file name is possible.
/// Contacts no server, needs no key, and prints no errors.
package struct CompleteRequest {
    /// The command's name, which is not in the command table, so that help does not list it.
    package static let name = "__complete"

    package let services: Services
    package let commands: [Command]

    package init(services: Services, commands: [Command]) {
        self.services = services
        self.commands = commands
    }

    /// - Parameter words: the words after `chat`; the last is the one being typed.
    package func answer(_ arguments: [String]) async -> ExitCode {
        let current = arguments.last ?? ""
        var before = Array(arguments.dropLast())
        var typed = current
        if let (name, value) = ShellTokenizer.option(current), let value {
            before.append(name)
            typed = value
        }
        let offer = CommandCompleter(commands: commands).shell(before, current: typed)
        let facts = await CompletionFacts.load(offer.kinds, services)
        let lines = Self.lines(offer, facts, current: current)
        await services.output.write(Array(lines.joined().utf8))
        return .ok
    }

    static func lines(
        _ offer: CommandCompleter.Offer, _ facts: CompletionFacts, current: String
    ) -> [String] {
        var words = offer.words + offer.kinds.flatMap { facts.words[$0] ?? [] }
        if offer.kinds.contains(.conversation) {
            words += facts.conversations.map {
                CompletionWord(String($0.id.prefix(8)), "\($0.title) · \($0.detail)")
            }
            if !current.isEmpty {
                words += facts.conversations.map { CompletionWord($0.title, $0.detail) }
            }
        }
        // In `--allow one,two` the last one is being typed, in `--list=work` the value.
        var lead = ""
        if offer.kinds == [.tool], let comma = current.lastIndex(of: ",") {
            lead = String(current[...comma])
        } else if let (name, value) = ShellTokenizer.option(current), value != nil {
            lead = name + "="
        }
        var lines: [String] = []
        var seen: Set<String> = []
        for word in words {
            let text = lead + HostileText.line(word.text)
            guard text.hasPrefix(current), seen.insert(text).inserted else { continue }
            let detail = DisplayWidth.cut(HostileText.line(word.detail), to: 60)
            lines.append(detail.isEmpty ? "\(text)\n" : "\(text)\t\(detail)\n")
        }
        if offer.kinds.contains(.file) { lines.append(":files\n") }
        return lines
    }
}
