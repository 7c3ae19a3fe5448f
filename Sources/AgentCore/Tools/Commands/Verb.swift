import Base

/// One action of a command: its arguments, as a table, and the function it runs.
///
/// Parsing, usage errors, help, completion and the manual page come from the
/// table; options are listed nowhere else.
package struct Verb: Sendable {
    package typealias Run = @Sendable (CommandArguments) async throws -> CommandOutput

    package var name: String
    package var summary: String
    package var arguments: [Argument]
    package var options: [Option]
    /// The shape of the `--json` output, for the help: "id title updated …". Nil if it
    /// prints nothing.
    package var json: String?
    /// Arguments that would work, for the hint of a usage error: `call mom at 5pm`.
    package var example: String?
    package var run: Run

    package init(
        _ name: String, _ summary: String, _ arguments: [Argument] = [], options: [Option] = [],
        json: String? = nil, example: String? = nil,
        run: @escaping Run = { _ in CommandOutput() }
    ) {
        self.name = name
        self.summary = summary
        self.arguments = arguments
        self.options = options
        self.json = json
        self.example = example
        self.run = run
    }

    /// The type of an argument, for checking and completing it.
    package enum Kind: Sendable, Hashable {
        /// Any text, with no completion.
        case text
        case routine
        case file, model, conversation, role, list, calendar, tool, setting, voice, item, tag
        /// A value of the setting that is named before it.
        case settingValue
        /// A note about the user.
        case note
        case story
        case prompt
        /// An external tool server.
        case server
        /// A provider that can be asked: built in or configured.
        case provider
        /// Exactly one of these.
        case oneOf([String])
        /// Suggestions; other values are allowed.
        case examples([String])

        package var words: [String] {
            switch self {
            case .oneOf(let words), .examples(let words): words
            default: []
            }
        }
    }

    /// A placeholder; in help `FILE…`, `[TITLE|ID]`.
    package struct Argument: Sendable {
        /// `TITLE|ID`; with dots inside if only that word may be repeated: `FILE…|clear`.
        package var name: String
        /// The missing item, for errors: "a title or an id".
        package var meaning: String
        package var kinds: [Kind]
        /// Whether several words are one value, such as a title.
        package var isPhrase: Bool
        package var isOptional: Bool
        package var repeats: Bool

        package init(
            _ name: String, _ meaning: String = "", _ kinds: Kind..., isPhrase: Bool = false,
            isOptional: Bool = false, repeats: Bool = false
        ) {
            (self.name, self.meaning, self.kinds) = (name, meaning, kinds)
            (self.isPhrase, self.isOptional, self.repeats) = (isPhrase, isOptional, repeats)
        }

        package static func phrase(
            _ name: String, _ meaning: String = "", _ kinds: Kind..., isOptional: Bool = false,
            repeats: Bool = false
        ) -> Argument {
            var argument = Argument(
                name, meaning, isPhrase: true, isOptional: isOptional, repeats: repeats)
            argument.kinds = kinds
            return argument
        }

        /// One of a few words: `openai|claude|local`.
        package static func oneOf(
            _ arguments: [String], _ meaning: String = "", isOptional: Bool = false
        ) -> Argument {
            Argument(
                arguments.joined(separator: "|"), meaning, .oneOf(arguments),
                isOptional: isOptional)
        }

        /// The argument in help.
        package var head: String {
            let shown = name + (repeats && !name.contains("…") ? "…" : "")
            return isOptional ? "[\(shown)]" : shown
        }
    }

    package struct Option: Sendable {
        /// The option in help: `-o, --output FILE`, `--all`, `--resume [ID]`, `--tag TAG…`.
        package let head: String
        package var summary: String
        package var kind: Kind
        /// Whether it may be given several times.
        package var repeats: Bool
        /// `-o` and `--output`; errors and `run` use the last.
        package let names: [String]
        /// `FILE`; nil if it takes no value.
        package let value: String?
        package let mayLackValue: Bool
        /// Whether all arguments up to the next option are values.
        package let takesSeveral: Bool

        /// - Parameter head: its names and its value: `-o, --output FILE`.
        package init(
            _ head: String, _ summary: String, _ kind: Kind = .text, repeats: Bool = false,
            mayLackValue: Bool = false, takesSeveral: Bool = false
        ) {
            (self.summary, self.kind, self.repeats) = (summary, kind, repeats)
            (self.mayLackValue, self.takesSeveral) = (mayLackValue, takesSeveral)
            let words = head.split(separator: " ")
            names = words.filter { $0.hasPrefix("-") }.map {
                String($0.hasSuffix(",") ? $0.dropLast() : $0)
            }
            let value = words.last.flatMap { $0.hasPrefix("-") ? nil : String($0) }
            self.value = value
            let before = head.dropLast(value?.count ?? 0)
            self.head =
                mayLackValue ? "\(before)[\(value ?? "")]" : head + (takesSeveral ? "…" : "")
        }

        /// `--format md|json|html`.
        package init(_ name: String, oneOf words: [String], _ summary: String) {
            self.init(
                "\(name) \(words.joined(separator: "|"))", summary, .oneOf(words))
        }
    }

    /// The options of the command and of every verb.
    package var allOptions: [Option] {
        options + (json.map { [Option("--json", "print as JSON: \($0)")] } ?? [])
    }

    package func option(_ name: String) -> Option? {
        allOptions.first { $0.names.contains(name) }
    }

    /// `WORDS… [--due WHEN] [--list L]`: as much as fits, then dots.
    ///
    /// - Parameter columns: the maximum width of the result.
    package func usage(columns: Int = .max) -> String {
        var usage = arguments.map(\.head).joined(separator: " ")
        for option in options {
            let more = (usage.isEmpty ? "" : " ") + "[\(option.head)]"
            let isLast = option.head == options.last?.head
            if usage.count + more.count + (isLast ? 0 : 2) > columns {
                if usage.isEmpty { return "…" }
                return usage.count + 2 > columns ? usage : usage + " …"
            }
            usage += more
        }
        return usage
    }
}
