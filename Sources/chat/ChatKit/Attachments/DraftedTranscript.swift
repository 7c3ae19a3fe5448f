import Base
import TerminalKit
import Transcription

/// A transcript on its way into the input line: made fit for it, and found
/// again in what is sent. Pure.
package enum DraftedTranscript {
    /// Without what would act: control characters, and a beginning that makes
    /// a command or a path of words that were only said.
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

    /// A screenful is read over at a glance; more hides the talk above it.
    private static let foldAbove = 800

    package static func part(_ text: String, of name: String) -> LineDraft.Part {
        LineDraft.Part(
            text: text,
            label: "transcript of \(DisplayWidth.cut(HostileText.line(name), to: 40)), "
                + Quantities.count(TranscriptText.wordCount(text), "word"),
            foldAbove: foldAbove)
    }

    /// What was just said is to be read over: only what fills the screen is
    /// folded.
    package static func dictated(_ text: String) -> LineDraft.Part {
        LineDraft.Part(
            text: text,
            label: "dictated, \(Quantities.count(TranscriptText.wordCount(text), "word"))",
            foldAbove: LineUnits.knownCharacters)
    }

    /// Whether a message still has nearly all the words of a transcript, so
    /// that sending both would say everything twice. Words that were mended or
    /// left out are few then; an answer or a question has hardly any of them.
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

    /// Letters and digits between everything else. Scripts that put no space
    /// between words are taken by the character.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        func end() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        for character in text.lowercased() {
            guard character.isLetter || character.isNumber else {
                // An apostrophe is part of a word, and comes in two shapes.
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
