import Base
import TerminalKit
import Transcription

/// Prepares a transcript for the input line, and detects it in the sent message. Pure.
package enum DraftedTranscript {
    /// The text without control characters, and without a beginning that would turn it into a
    /// command or a path.
    package static func fit(_ text: String) -> String {
        var fit = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A, 0x20..<0x7F, 0xA0...: fit.unicodeScalars.append(scalar)
            case 0x09: fit.append(" ")
            default: break
            }
        }
        var rest = fit[...]
        while let first = rest.first, first.isWhitespace || first == "/" || first == "~" {
            rest.removeFirst()
        }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    /// A screenful can be reviewed at a glance; a longer text hides the conversation above it.
    private static let foldAbove = 800

    package static func part(_ text: String, of name: String) -> LineDraft.Part {
        LineDraft.Part(
            text: text,
            label: "transcript of \(DisplayWidth.cut(HostileText.line(name), to: 40)), "
                + Quantities.count(TranscriptText.wordCount(text), "word"),
            foldAbove: foldAbove)
    }

    /// Dictated text has to be reviewed: it is folded only if it fills the screen.
    package static func dictated(_ text: String) -> LineDraft.Part {
        LineDraft.Part(
            text: text,
            label: "dictated, \(Quantities.count(TranscriptText.wordCount(text), "word"))",
            foldAbove: LineUnits.knownCharacters)
    }

    /// Whether a message still contains nearly all words of a transcript, so that sending
    /// both would repeat everything. A few words may have been corrected or left out; an
    /// answer or a question shares hardly any.
    package static func holds(_ message: String, _ transcript: String) -> Bool {
        var left: [String: Int] = [:]
        for word in words(message) { left[word, default: 0] += 1 }
        let said = words(transcript)
        guard !said.isEmpty else { return true }
        var found = 0
        for word in said {
            guard let count = left[word], count > 0 else { continue }
            left[word] = count - 1
            found += 1
        }
        return found * 10 >= said.count * 9
    }

    /// Words of letters and digits. In scripts without spaces between words, each character
    /// counts.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        func end() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        for character in text.lowercased() {
            guard character.isLetter || character.isNumber else {
                // An apostrophe is part of a word, and has two forms.
                if character != "'", character != "’" { end() }
                continue
            }
            let value = character.unicodeScalars.first?.value ?? 0
            if (0x0E00...0x0EFF).contains(value) || (0x3040...0x9FFF).contains(value) {
                end()
                words.append(String(character))
            } else {
                word.append(character)
            }
        }
        end()
        return words
    }
}
