import Base

/// Hunspell's answer for one word, parsed from the lines of `hunspell -a`
/// (hunspell(1), "pipe interface"). Pure.
enum SpellingAnswer: Sendable, Equatable {
    case known
    /// The word is unknown; its suggestions, best first.
    case unknown([String])

    /// The answer for each requested word, in order. hunspell answers each line of
    /// input with lines and an empty one; its first line is a greeting.
    ///
    /// - Returns: nil if the number of answers differs from that of the words.
    static func answers(in output: [UInt8], count: Int) -> [SpellingAnswer]? {
        var answers: [SpellingAnswer] = []
        var current: SpellingAnswer = .known
        var isFirst = true
        for line in String(decoding: output, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if isFirst {
                guard line.hasPrefix("@(#)") else { return nil }
                isFirst = false
            } else if line.isEmpty {
                answers.append(current)
                current = .known
                if answers.count == count { return answers }
            } else if let answer = answer(line) {
                current = answer
            }
        }
        return answers.count == count ? answers : nil
    }

    /// The answer in a line of output; nil for one that reports a correct word.
    private static func answer(_ line: Substring) -> SpellingAnswer? {
        switch line.first {
        case "#": return .unknown([])
        case "&", "?":
            guard let colon = line.firstIndex(of: ":") else { return .unknown([]) }
            return .unknown(
                line[line.index(after: colon)...].split(separator: ",").map {
                    String($0.trimming { $0 == " " })
                })
        default: return nil
        }
    }
}
