import AgentCore
import Base
import Glibc

/// Asks `hunspell`, if it is installed, which words of a text are misspelled
/// and what they may mean. It uses the user's personal dictionary of hunspell.
///
/// It receives the words one per line and never sees the text; its time and
/// output are limited like those of every program that we run.
package struct Speller: Sendable {
    static let name = "hunspell"

    /// Time after which it hangs. It takes half a second for the dictionary, then about 10,000
    /// unknown words per second.
    private static let patience = Duration.seconds(60)
    /// Maximum per run: a suggestion costs a fraction of a millisecond.
    static let wordsAtOnce = 5_000

    private let variables: [String: String]

    /// - Parameter variables: all of the program's; `PATH` and `DICPATH` are used,
    ///   and hunspell gets those allowed for every program we run.
    package init(variables: [String: String]) {
        self.variables = variables
    }

    /// The reason why spelling cannot be checked.
    package enum Missing: Sendable, Equatable {
        case program
        /// hunspell has no dictionary of this language.
        case dictionary(String)
    }

    /// The reason why a language cannot be checked; nil if it can.
    package func missing(for language: String) -> Missing? {
        guard path != nil else { return .program }
        return dictionaries(language).isEmpty ? .dictionary(language) : nil
    }

    private var path: String? {
        // Only its absence matters, not the reason.
        try? Subprocess.find(Self.name, in: variables)
    }

    /// The answer for each word. Empty if hunspell or its dictionary is
    /// missing, fails or hangs: the text is then proofread without it.
    ///
    /// - Parameter words: without white space.
    /// - Throws: `CancellationError`.
    func answers(
        for words: [String], language: LanguageGuess.Language
    ) async throws -> [String: SpellingAnswer] {
        guard !words.isEmpty, let path else { return [:] }
        let dictionaries = dictionaries(language.rawValue)
        guard !dictionaries.isEmpty else { return [:] }
        var found: [String: SpellingAnswer] = [:]
        var rest = words[...]
        while !rest.isEmpty {
            let some = rest.prefix(Self.wordsAtOnce)
            rest = rest.dropFirst(some.count)
            guard let answers = try await run(path, dictionaries, Array(some)) else { return found }
            for (word, answer) in zip(some, answers) { found[word] = answer }
        }
        return found
    }

    private func run(
        _ path: String, _ dictionaries: [String], _ words: [String]
    ) async throws -> [SpellingAnswer]? {
        // `^`: prevents hunspell from reading a line as a command (hunspell(1)).
        let input = words.map { "^\($0)\n" }.joined()
        let process = Subprocess(
            program: path,
            arguments: ["-a", "-i", "UTF-8", "-d", dictionaries.joined(separator: ",")],
            environment: Subprocess.baseEnvironment(
                from: variables, adding: ["DICPATH", "WORDLIST"]),
            input: .bytes(Array(input.utf8)),
            limits: .init(time: Self.patience, outputBytes: 16 << 20, errorBytes: 4 << 10))
        do {
            let result = try await process.run()
            guard result.isSuccess, !result.outputWasCut else { return nil }
            return SpellingAnswer.answers(in: result.output, count: words.count)
        } catch is SubprocessError {
            return nil
        }
    }

    // MARK: - Dictionaries

    /// The installed dictionaries of a language, the best first: for English an
    /// American and a British one together, so that neither spelling is wrong.
    func dictionaries(_ language: String) -> [String] {
        let wanted =
            switch language.prefix(2) {
            case "en": ["en_US", "en_GB"]
            case "de": ["de_DE"]
            default: [String]()
            }
        let others =
            switch language.prefix(2) {
            case "en": ["en_CA", "en_AU"]
            case "de": ["de_AT", "de_CH"]
            default: [String]()
            }
        let installed = wanted.filter(isInstalled)
        return installed.isEmpty ? Array(others.filter(isInstalled).prefix(1)) : installed
    }

    private func isInstalled(_ dictionary: String) -> Bool {
        folders.contains { access("\($0)/\(dictionary).dic", R_OK) == 0 }
    }

    /// The folders that hunspell searches (`hunspell -D`), without the working
    /// directory.
    private var folders: [String] {
        let own = (variables["DICPATH"] ?? "").split(separator: ":").map(String.init)
        return own.filter { $0.hasPrefix("/") } + [
            "/usr/share/hunspell", "/usr/share/myspell", "/usr/share/myspell/dicts",
            "/usr/local/share/hunspell",
        ]
    }
}

extension Speller {
    /// The packages that provide the missing program or dictionary.
    package static func packages(for missing: Missing) -> [String] {
        switch missing {
        case .program: ["hunspell", "hunspell-en-us"]
        case .dictionary(let language):
            [language.hasPrefix("de") ? "hunspell-de-de" : "hunspell-en-us"]
        }
    }

    /// The finding for `doctor`: whether spelling can be checked, and in which languages.
    package func finding(_ packages: PackageManager = .here) -> Finding {
        let use = "spelling, when a text is proofread without a model"
        let english = missing(for: "en")
        if english == .program {
            return Finding(
                .helpers, .absent, "no \(Self.name): \(use)",
                remedy: packages.line(forOneOf: [Self.name]))
        }
        let found = dictionaries("en") + dictionaries("de")
        guard english == nil else {
            return Finding(
                .helpers, .warning,
                "\(Self.name) has no English dictionary"
                    + (found.isEmpty ? "" : ", only \(found[0])"),
                remedy: packages.line(forOneOf: [Self.name]))
        }
        return Finding(
            .helpers, .good, "\(Self.name) (\(found.joined(separator: ", "))): \(use)")
    }
}
