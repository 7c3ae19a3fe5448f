import Base

@testable import ChatKit

extension FuzzTarget {
    /// The words of a command line: quoted they are read back, escaped too, and any words are an
    /// invocation or an error of usage.
    static let words = FuzzTarget("words") { bytes in
        let line = String(decoding: bytes, as: UTF8.self)
        for isTyped in [false, true] {
            let split = ShellTokenizer(line, isTyped: isTyped)
            try demand(
                split.words.reduce(split.current.utf8.count) { $0 + $1.utf8.count }
                    <= line.utf8.count + split.words.count, "more than the line has")
            _ = split.atValue
        }
        guard let words = ShellTokenizer.words(of: line) ?? (try? ShellTokenizer.words(typed: line))
        else { return }
        let quoted = words.map(ShellTokenizer.quoted).joined(separator: " ")
        try demand(ShellTokenizer.words(of: quoted) == words, "another line: \(quoted)")
        let escaped = words.filter { !$0.isEmpty }
        try demand(
            ShellTokenizer.words(of: escaped.map(ShellTokenizer.escaped).joined(separator: " "))
                == escaped, "another line when escaped")
        for stdinIsTerminal in [false, true] {
            let parser = OptionParser(
                commands: ["reminders", "config"], stdinIsTerminal: stdinIsTerminal)
            _ = try? parser.parse(words)
        }
    }
}
