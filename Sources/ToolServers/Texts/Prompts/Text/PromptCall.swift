import AgentCore
import Base

/// A call of a prompt: `/prompt use NAME [text] [name=value…]` at the prompt, or the same
/// as shell arguments. Pure.
///
/// Values precede or follow the text and have a name that the prompt defines;
/// everything between them is the text, as typed: `a=b` is text if the prompt
/// has no `a`.
package struct PromptCall: Sendable, Equatable {
    package var values: [String: String] = [:]
    package var text = ""

    /// The name and the rest of a line `/prompt use NAME …`, in short `/p`; nil if it is
    /// another command, or has no name.
    package static func parts(ofLine line: String) -> (name: String, rest: String)? {
        let line = line.trimmingSpace()
        let rest = ["/p", "/prompt use"].lazy.filter(line.hasPrefix).map {
            line.dropFirst($0.count)
        }
        guard let words = rest.first(where: { $0.first?.isWhitespace == true })?.trimmingSpace()
        else { return nil }
        let name = words.prefix { !$0.isWhitespace }
        return (String(name), words[name.endIndex...].trimmingSpace())
    }

    /// - Parameter line: the text typed after the name.
    /// - Throws: `UsageError` for a value given twice, and for a misspelt name
    ///   of one of the prompt's arguments.
    package init(typed line: String, for prompt: Prompt) throws(UsageError) {
        let words = Self.words(of: line)
        let (values, text) = try Self.split(words.map(\.text), for: prompt)
        self.values = values
        guard !text.isEmpty else { return }
        let between = line[
            words[text.lowerBound].range.lowerBound..<words[text.upperBound - 1].range.upperBound]
        self.text = Self.withoutQuotes(between)
    }

    /// - Parameter arguments: of the shell: "lang=Old English" is one.
    /// - Throws: as `init(typed:for:)`.
    package init(arguments: [String], for prompt: Prompt) throws(UsageError) {
        let (values, text) = try Self.split(arguments, for: prompt)
        self.values = values
        self.text = arguments[text].joined(separator: " ").trimmingSpace()
    }

    /// The message to send for this call.
    ///
    /// - Parameter input: the text to use if none was typed.
    /// - Throws: `UsageError` naming what is missing.
    package func message(of prompt: Prompt, input: String? = nil) throws(UsageError) -> String {
        let template = prompt.template
        do throws(PromptTemplate.Missing) {
            return try template.filled(input: text.isEmpty ? input ?? "" : text, values: values)
        } catch {
            let isInput = error.name == PromptTemplate.input
            throw UsageError(
                "\(prompt.name) needs \(isInput ? "a text" : "a value for \(error.name)").",
                hint: "/p \(prompt.name) \(Self.usage(of: template))")
        }
    }

    /// `lang=… [tone=…] TEXT`
    package static func usage(of template: PromptTemplate) -> String {
        let arguments = template.arguments.map { argument in
            argument.fallback == nil ? "\(argument.name)=…" : "[\(argument.name)=…]"
        }
        return (arguments + [template.needsInput ? "TEXT" : "[TEXT]"]).joined(separator: " ")
    }

    // MARK: - Words

    private struct Word {
        var text: String
        var range: Range<String.Index>
    }

    /// Splits at white space; a quoted value continues to the closing quote.
    private static func words(of line: String) -> [Word] {
        var words: [Word] = []
        var position = line.startIndex
        while position < line.endIndex {
            if line[position].isWhitespace {
                position = line.index(after: position)
                continue
            }
            let start = position
            let rest = line[start...]
            if let (text, end) = quotedValue(rest) {
                words.append(Word(text: text, range: start..<end))
                position = end
                continue
            }
            position = rest.firstIndex(where: \.isWhitespace) ?? line.endIndex
            words.append(Word(text: String(line[start..<position]), range: start..<position))
        }
        return words
    }

    /// `name="a b"` at the beginning of a word, up to white space or the end.
    private static func quotedValue(_ text: Substring) -> (String, String.Index)? {
        // A name has at most 40 characters; the text may be long.
        guard let equals = text.prefix(48).firstIndex(of: "="),
            PromptTemplate.isName(text[..<equals])
        else { return nil }
        let value = text[text.index(after: equals)...]
        guard let quote = value.first, quote == "\"" || quote == "'",
            let close = value.dropFirst().firstIndex(of: quote)
        else { return nil }
        let end = value.index(after: close)
        guard end == text.endIndex || text[end].isWhitespace else { return nil }
        return (String(text[...equals]) + String(value.dropFirst()[..<close]), end)
    }

    private static func withoutQuotes(_ text: Substring) -> String {
        guard text.count >= 2, let first = text.first, first == "\"" || first == "'",
            text.last == first, !text.dropFirst().dropLast().contains(first)
        else { return String(text) }
        return String(text.dropFirst().dropLast())
    }

    /// The values at both ends, and the words between them.
    private static func split(
        _ words: [String], for prompt: Prompt
    ) throws(UsageError) -> (values: [String: String], text: Range<Int>) {
        let names = prompt.template.arguments.map(\.name)
        var values: [String: String] = [:]
        func take(_ word: String) throws(UsageError) -> Bool {
            guard !names.isEmpty, let equals = word.firstIndex(of: "="),
                PromptTemplate.isName(word[..<equals])
            else { return false }
            let name = String(word[..<equals])
            guard names.contains(name) else {
                if let near = NearestWord.find(name, among: names) {
                    throw UsageError(
                        "\(prompt.name) takes no \(name).", hint: "Did you mean \(near)=…?")
                }
                return false
            }
            guard
                values.updateValue(String(word[word.index(after: equals)...]), forKey: name) == nil
            else { throw UsageError("\(name) is given twice.") }
            return true
        }
        var (start, end) = (words.startIndex, words.endIndex)
        while start < end, try take(words[start]) { start += 1 }
        while end > start, try take(words[end - 1]) { end -= 1 }
        return (values, start..<end)
    }
}
