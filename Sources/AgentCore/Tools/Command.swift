/// A capability as the person calls it: `chat NOUN VERB …` in the shell and
/// `/NOUN VERB …` in the REPL are the same function.
package struct Command: Sendable {
    package struct Verb: Sendable {
        package var name: String
        /// The arguments as help shows them: `TITLE [--due ISO]`.
        package var usage: String
        package var summary: String
        /// Options that `usage` leaves out ("…"), each as help would show it:
        /// `--notes TEXT`. For completion and the manual page.
        package var flags: [String]

        package init(
            _ name: String, usage: String = "", summary: String, flags: [String] = []
        ) {
            self.name = name
            self.usage = usage
            self.summary = summary
            self.flags = flags
        }
    }

    /// The noun: "reminders".
    package var name: String
    package var summary: String
    /// The first is run when none is given.
    package var verbs: [Verb]
    /// Words that are no verb belong to the first one: `chat undo buy milk`.
    package var takesWordsWithoutVerb = false
    /// `arguments` are the words after the verb, options included.
    package var run: @Sendable (CommandInvocation) async throws -> CommandOutput

    package init(
        name: String, summary: String, verbs: [Verb],
        run: @escaping @Sendable (CommandInvocation) async throws -> CommandOutput
    ) {
        self.name = name
        self.summary = summary
        self.verbs = verbs
        self.run = run
    }
}

package struct CommandInvocation: Sendable, Equatable {
    package var verb: String
    package var arguments: [String]
    /// `--json` was given (already removed from `arguments`).
    package var wantsJSON: Bool
    /// `--yes` was given (already removed).
    package var isConfirmed: Bool
    /// What shows how far it is, and asks.
    package var interaction = Interaction()

    package init(
        verb: String, arguments: [String], wantsJSON: Bool = false, isConfirmed: Bool = false
    ) {
        self.verb = verb
        self.arguments = arguments
        self.wantsJSON = wantsJSON
        self.isConfirmed = isConfirmed
    }
}

/// What a command shows. Nothing here has passed the allow-list: the one
/// writer of the terminal does that.
package struct CommandOutput: Sendable, Equatable {
    /// For stdout.
    package var lines: [StyledLine]
    /// What `--json` prints instead of `lines`.
    package var json: JSONValue?
    /// For stderr: what went well, in few words.
    package var remarks: [StyledLine] = []
    /// For stderr: what is to be noticed.
    package var notices: [String]
    package var outcome: Outcome
    /// Nothing was done, since the words can be read in several ways: `lines`
    /// asks, and each of these would do one of them. Empty otherwise.
    package var choices: [Choice] = []
    /// A file for stdout, written there as it is where that is no terminal;
    /// the terminal gets it through the allow-list.
    package var document: [UInt8]?

    /// What others wrote or said of what is shown, kept with the message in the
    /// conversation and not sent. It makes the turn one with foreign text.
    package var kept: [Attachment] = []

    /// The calendar files whose words it shows, where `json` does not name all
    /// of them; see `quotedFiles`.
    package var sources: [String]?

    /// The files (absolute paths) whose words are shown: nil where that is not
    /// known, which has to be taken for words of others.
    package var quotedFiles: [String]? {
        if !choices.isEmpty || !kept.isEmpty { return nil }
        return sources ?? json.map(Self.paths)
    }

    /// The `path` members, as the listings have them.
    private static func paths(in value: JSONValue) -> [String] {
        (value["path"]?.stringValue).map { [$0] } ?? (value.arrayValue ?? []).flatMap(paths)
    }

    /// One way to read what was said, as the command that does it.
    package struct Choice: Sendable, Equatable {
        /// `call mom · Fri 13 Mar`.
        package var label: String
        /// Noun, verb, arguments: `["reminders", "add", "--due", …]`.
        package var command: [String]

        package init(_ label: String, command: [String]) {
            self.label = label
            self.command = command
        }
    }

    /// How it went, in the terms of the exit code table.
    package enum Outcome: Sendable, Equatable {
        case done, failed, usage, refused, needsKeyOrNetwork, missingProgram, degraded
        /// Stopped, and what there was by then is shown.
        case interrupted
    }

    package init(
        lines: [StyledLine] = [], json: JSONValue? = nil, notices: [String] = [],
        outcome: Outcome = .done, sources: [String]? = nil
    ) {
        self.sources = sources
        self.lines = lines
        self.json = json
        self.notices = notices
        self.outcome = outcome
    }
}

/// Words after a command that it cannot use: the message says which and what
/// would do.
package struct UsageError: Error, Sendable, Equatable {
    package var problem: String
    /// The line that would have worked, or the nearest word.
    package var hint: String?

    package init(_ problem: String, hint: String? = nil) {
        self.problem = problem
        self.hint = hint
    }
}

extension UsageError: DescribedError {
    package var diagnostic: Diagnostic {
        Diagnostic(problem, todo: hint, exit: .usage, namesCommands: true)
    }
}
