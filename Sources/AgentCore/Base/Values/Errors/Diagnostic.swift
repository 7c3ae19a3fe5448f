import Glibc

/// The text for an error: the problem, and the advice. At most three lines; untrusted text
/// in it passes the allow-list when it is shown.
package struct Diagnostic: Sendable, Equatable {
    package var what: String
    package var todo: String?
    package var exit: ExitCode
    /// Programs any one of which would help. The command that installs one is added to `todo`,
    /// which then names the alternative.
    package var programs: [String]
    /// Whether `what` is our own text, so that commands in it are rendered; untrusted text is left
    /// alone.
    package var namesCommands: Bool

    package init(
        _ what: String, todo: String? = nil, exit: ExitCode = .failure, programs: [String] = [],
        namesCommands: Bool = false
    ) {
        self.what = what
        self.todo = todo
        self.exit = exit
        self.programs = programs
        self.namesCommands = namesCommands
    }

    /// A copy whose problem text contains our own commands.
    package var namingCommands: Diagnostic {
        var naming = self
        naming.namesCommands = true
        return naming
    }

    /// The diagnostic of any error: one that does not describe itself shows its bare facts.
    package init(of error: any Error) {
        if let described = error as? any DescribedError {
            self = described.diagnostic
        } else if error is CancellationError {
            self.init("Stopped.", exit: .interrupted)
        } else {
            self.init("It failed: \(error).")
        }
    }

    // MARK: - Text for sentences

    /// The name of a case as words: `unexpectedByte` is "unexpected byte", `plainHTTP`
    /// "plain HTTP".
    package static func words(_ name: String) -> String {
        let letters = Array(name)
        var words = ""
        for (index, letter) in letters.enumerated() {
            let begins = letter.isUppercase && index > 0 && letters[index - 1].isLowercase
            let isWord = index + 1 < letters.count && letters[index + 1].isLowercase
            if begins { words += " " }
            words += letter.isUppercase && isWord ? letter.lowercased() : String(letter)
        }
        return words
    }

    /// A server's message, to follow our text.
    package static func said(_ message: String?) -> String {
        guard let message, !message.isEmpty else { return "" }
        // One line. A server's sentence often ends with its own full stop, and ours would follow it
        // after a space.
        var line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        while let last = line.last, last.isWhitespace || last == "." { line.removeLast() }
        if line.isEmpty { return "" }
        return ": \(line.prefix(200))" + (line.count > 200 ? "…" : "")
    }

    package static func wait(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e6 else { return "a very long time" }
        let whole = Int(seconds.rounded(.up))
        return whole < 120 ? "\(whole) s" : "\(whole / 60) min"
    }
}

/// An error that describes the problem and the advice itself. Every error shown to the user
/// is one: its sentence and exit code are beside its type, or in `chat` if they depend on
/// the program.
package protocol DescribedError: Error {
    var diagnostic: Diagnostic { get }
}

extension Diagnostic {
    /// The system's text for an `errno`.
    package static func system(_ code: Int32) -> String { String(cString: strerror(code)) }
}
