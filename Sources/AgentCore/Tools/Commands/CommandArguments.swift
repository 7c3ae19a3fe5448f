import Base

/// The arguments after a verb, parsed by its table. Pure.
///
/// `--opt value` and `--opt=value` are the same, `--` ends the options, and `--yes` is
/// accepted by every verb of a command of both places.
package struct CommandArguments: Sendable {
    /// The name in errors: "reminders add".
    package let name: String
    /// All arguments as given, for repeating the call.
    package let typed: [String]
    package private(set) var plain: [String] = []
    /// Values by the last name of the option; empty for an option without a value.
    private var given: [String: [String]] = [:]
    /// The names of the options in order.
    package private(set) var order: [String] = []
    /// Arguments that were not read; see `init`.
    package private(set) var rest: [String] = []
    package private(set) var wantsJSON = false
    package private(set) var isConfirmed = false
    /// Shows progress and asks questions.
    package var interaction = Interaction()

    private static let yes = Verb.Option("--yes", "")

    /// - Parameters:
    ///   - name: "reminders add"; "/export" for a command of the prompt, which accepts only the
    ///     options of its table; empty for the program itself, where the last of two equal options
    ///     counts.
    ///   - stop: whether parsing ends before the first plain argument; it and everything after it
    ///     are the `rest`.
    package init(
        _ typed: [String], of verb: Verb, name: String,
        stop: (String, CommandArguments) -> Bool = { _, _ in false }
    ) throws(UsageError) {
        self.name = name
        self.typed = typed
        let isOnlyAtPrompt = name.hasPrefix("/")
        let options = verb.allOptions + (name.isEmpty || isOnlyAtPrompt ? [] : [Self.yes])
        func option(_ name: String) -> Verb.Option? {
            options.first { $0.names.contains(name) }
        }
        // A text such as "-5 + 3?" or "--x is what?" is not an option.
        func isOption(_ word: String, _ mark: String = "--") -> Bool {
            option(word) != nil
                || word.hasPrefix(mark) && word != "-" && !word.contains(where: \.isWhitespace)
        }
        var rest = typed[...]
        while let word = rest.popFirst() {
            if word == "--" {
                plain += rest
                order.append(word)
                break
            }
            guard isOption(word, name.isEmpty ? "-" : "--") else {
                if plain.isEmpty, stop(word, self) {
                    self.rest = [word] + rest
                    return
                }
                plain.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // `split` returns at least one part.
            let typed = String(parts[0])
            guard let found = option(typed), let key = found.names.last else {
                throw Self.unknown(typed, of: name, among: verb.allOptions.flatMap(\.names))
            }
            if given[key] != nil, found.value != nil, !found.repeats, !found.takesSeveral,
                !name.isEmpty
            {
                throw UsageError("\(typed) is given twice.")
            }
            order.append(key)
            given[key, default: []] += []
            if parts.count == 2 {
                guard found.value != nil else { throw UsageError("\(typed) takes no value.") }
                given[key, default: []].append(String(parts[1]))
            } else if found.value != nil {
                // A required value may look like an option.
                if let next = rest.first, !found.mayLackValue || !isOption(next) {
                    rest.removeFirst()
                    given[key, default: []].append(next)
                } else if !found.mayLackValue {
                    throw UsageError("\(typed) needs a value.")
                }
                while found.takesSeveral, let next = rest.first, !isOption(next) {
                    rest.removeFirst()
                    given[key, default: []].append(next)
                }
            }
            if case .oneOf(let words) = found.kind,
                let wrong = given[key]?.first(where: { !words.contains($0) })
            {
                throw Self.unfit(typed, wrong, words)
            }
        }
        wantsJSON = has("--json")
        isConfirmed = has("--yes")
        try checkPlain(verb)
    }

    // MARK: - What was given

    /// The value of an option that can be given once.
    package subscript(_ option: String) -> String? { given[option]?.last }

    package func values(_ option: String) -> [String] { given[option] ?? [] }

    /// Whether the option was given, with or without a value.
    package func has(_ option: String) -> Bool { given[option] != nil }

    package var text: String { plain.joined(separator: " ") }
    package var isBlank: Bool { plain.allSatisfy { $0.allSatisfy(\.isWhitespace) } }

    /// A number of at least 1.
    package func number(
        _ option: String, upTo limit: Int = .max
    ) throws(UsageError) -> Int? {
        guard let text = self[option] else { return nil }
        guard let number = Int(text), (1...limit).contains(number) else {
            throw UsageError(
                "\(option) needs a number "
                    + (limit == .max ? "above 0." : "from 1 to \(limit)."))
        }
        return number
    }

    /// The value of an option that accepts a few words; nil without the option.
    package func choice<Word: RawRepresentable<String> & CaseIterable>(
        _ option: String, _ type: Word.Type = Word.self
    ) throws(UsageError) -> Word? {
        guard let text = self[option] else { return nil }
        if let word = Word(rawValue: text) { return word }
        throw Self.unfit(option, text, Word.allCases.map(\.rawValue))
    }

    // MARK: - What is wrong

    private func checkPlain(_ verb: Verb) throws(UsageError) {
        let program = name.hasPrefix("/") ? "" : "chat"
        let line = [program, name, verb.example ?? verb.usage(columns: 60)]
            .filter { !$0.isEmpty }.joined(separator: " ")
        for (index, argument) in verb.arguments.enumerated() {
            let words = plain.dropFirst(index)
            if !argument.isOptional, words.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) {
                throw UsageError("\(name) needs \(argument.meaning).", hint: line)
            }
            if let word = words.first, argument.kinds.count == 1,
                case .oneOf(let known) = argument.kinds[0], !known.contains(word)
            {
                throw UsageError(
                    "\(name) does not know \"\(KeyShape.shown(word))\".",
                    hint: Self.hint(word, among: known))
            }
        }
        if plain.count > verb.arguments.count,
            verb.arguments.last.map({ $0.isPhrase || $0.repeats }) != true
        {
            let word = KeyShape.shown(plain[verb.arguments.count])
            throw UsageError("\(name) does not take \"\(word)\".", hint: line)
        }
    }

    private static func unknown(
        _ option: String, of name: String, among options: [String]
    ) -> UsageError {
        UsageError(
            name.isEmpty
                ? "There is no option \"\(KeyShape.shown(option))\"."
                : "\(name) has no option \(KeyShape.shown(option)).",
            hint: name.isEmpty || !options.isEmpty
                ? NearestWord.find(option, among: options).map { "Did you mean \($0)?" }
                    ?? (name.isEmpty
                        ? "chat --help lists them."
                        : "Its options: \(options.joined(separator: ", "))")
                : nil)
    }

    private static func unfit(
        _ option: String, _ value: String, _ arguments: [String]
    ) -> UsageError {
        UsageError(
            "\(option) cannot be \"\(KeyShape.shown(value))\".", hint: hint(value, among: arguments)
        )
    }

    private static func hint(_ word: String, among words: [String]) -> String {
        let meant = NearestWord.find(word, among: words).map { "Did you mean \($0)? " } ?? ""
        return meant + "Use \(alternatives(words))."
    }

    /// `text, json or stream-json`.
    package static func alternatives(_ arguments: [String]) -> String {
        let list = arguments.dropLast().joined(separator: ", ")
        return list.isEmpty ? arguments.joined() : "\(list) or \(arguments.last ?? "")"
    }
}
