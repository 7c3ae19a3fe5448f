import Library
import Privacy

/// Detects prompt lines that identify the user and so are stored in no history and no
/// draft: values for the profile, and texts to be redacted. Pure.
package enum PrivateInput {
    /// Whether it is such a command, even with a misspelt verb.
    static func isCommand(_ line: String) -> Bool {
        let words = line.split(maxSplits: 5, whereSeparator: \.isWhitespace)
        guard let noun = words.first else { return false }
        switch noun.lowercased() {
        case "/" + ProfileServer.noun:
            guard words.count > 3 else { return false }
            return !["show", "import"].contains(words[1].lowercased())
        case "/" + RedactCommand.noun:
            let plain = words.dropFirst().filter { !$0.hasPrefix("--") }
            guard let word = plain.first, words.count == 2 else { return !plain.isEmpty }
            let isFile = !word.contains("@") && word.contains { $0 == "/" || $0 == "." }
            return !isFile && !["on", "off", "status"].contains(word.lowercased())
        default: return false
        }
    }

    /// Whether the text contains a value of the profile.
    package static func holdsValue(_ text: String, ofProfile path: String) -> Bool {
        // With an unreadable profile, any text may.
        guard let person = try? ProfileFile.read(path).person else { return true }
        if person.isEmpty { return false }
        return Redactor(person, hidesEmployers: false).findings(in: text)
            .contains { $0.by == .person }
    }
}
