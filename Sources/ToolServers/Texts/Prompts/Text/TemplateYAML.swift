import Base

/// A template of `llm` (its documentation, "Templates"), read as a prompt: the
/// part of YAML that such files are written in. Pure.
///
///     system: You translate.
///     prompt: |
///       Into $lang: $input
///     defaults:
///       lang: English
///
/// `$name` and `${name}` become places, `$$` a dollar sign. What has no
/// counterpart here (schemas, fragments, tools) is named in `problems`.
struct TemplateYAML {
    private(set) var prompt: Prompt?
    private var values: [String: String] = [:]
    /// Of `defaults` and `options`.
    private var nested: [String: [String: String]] = [:]
    private var problems: [String] = []

    init(name: String, _ text: String) {
        var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)[
            ...]
        while let line = lines.popFirst() {
            guard let (key, rest) = Self.entry(line), Self.indent(line) == 0 else {
                let isEmpty = Self.isEmpty(line) || line.hasPrefix("---")
                if !isEmpty { problems.append(line.trimmingSpace()) }
                continue
            }
            if rest.isEmpty,
                lines.first.map({ Self.indent($0) > 0 && Self.entry($0) != nil }) == true
            {
                nested[key] = Self.mapping(&lines)
            } else {
                values[key] = Self.scalar(rest, &lines, below: 0)
            }
        }
        prompt = made(name)
    }

    // MARK: - The prompt

    private func made(_ name: String) -> Prompt? {
        let texts = ["system", "prompt"].compactMap { values[$0] }.map {
            placed($0).trimmingSpace()
        }
        let text = texts.filter { !$0.isEmpty }.joined(separator: "\n\n")
        if text.isEmpty { return nil }
        var prompt = Prompt(name: name, text: text, model: values["model"])
        let options = nested["options"] ?? [:]
        prompt.temperature = options["temperature"].flatMap(Double.init)
            .flatMap { (0...2).contains($0) ? $0 : nil }
        prompt.maxOutputTokens = options["max_tokens"].flatMap { Int($0) }
            .flatMap { (1...1_000_000).contains($0) ? $0 : nil }
        let known: Set = ["system", "prompt", "model", "name", "options", "defaults"]
        let others = Set(values.keys).union(nested.keys).subtracting(known).sorted()
        prompt.problems = problems + others
        return prompt
    }

    /// With places for what Python's `string.Template` puts in.
    private func placed(_ text: String) -> String {
        var result = ""
        // What looks like a place of ours is text there.
        var rest = PromptTemplate(text).hidden[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            if rest.first == "$" {
                result += "$"
                rest = rest.dropFirst()
                continue
            }
            let isBraced = rest.first == "{"
            let name = (isBraced ? rest.dropFirst() : rest)
                .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            let after = rest[name.endIndex...]
            guard PromptTemplate.isName(name), !isBraced || after.first == "}" else {
                result += "$"
                continue
            }
            // One that would end the place is left to be given.
            let fallback = (nested["defaults"] ?? [:])[String(name)].flatMap { value in
                value.contains { $0.isNewline || "{}".contains($0) } ? nil : value
            }
            result += "{{\(name)\(fallback.map { "|\($0)" } ?? "")}}"
            rest = isBraced ? after.dropFirst() : after
        }
        return result + rest
    }

    // MARK: - YAML

    private static func indent(_ line: some StringProtocol) -> Int {
        line.prefix { $0 == " " }.count
    }

    private static func isEmpty(_ line: some StringProtocol) -> Bool {
        let text = line.trimmingSpace()
        return text.isEmpty || text.hasPrefix("#")
    }

    /// `key: rest`; nil for another line.
    private static func entry(_ line: String) -> (key: String, rest: String)? {
        guard !isEmpty(line), let colon = line.firstIndex(of: ":") else { return nil }
        let rest = line[line.index(after: colon)...]
        let key = line[..<colon].trimmingSpace()
        guard rest.isEmpty || rest.first == " ",
            key.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }), !key.isEmpty
        else { return nil }
        return (key, rest.trimmingSpace())
    }

    /// The indented entries that follow.
    private static func mapping(_ lines: inout ArraySlice<String>) -> [String: String] {
        var values: [String: String] = [:]
        while let line = lines.first, isEmpty(line) || indent(line) > 0 {
            lines.removeFirst()
            if let (key, rest) = entry(line) {
                values[key] = scalar(rest, &lines, below: indent(line))
            }
        }
        return values
    }

    /// A value that begins after the colon and may go on in indented lines:
    /// `|` keeps their ends, `>` and plain or quoted words join them.
    private static func scalar(
        _ first: String, _ lines: inout ArraySlice<String>, below margin: Int
    ) -> String {
        if first.hasPrefix("|") || first.hasPrefix(">") {
            let block = indented(&lines, below: margin)
            return first.hasPrefix("|") ? block.joined(separator: "\n") : folded(block)
        }
        var text = first
        let quote = first.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
        if quote == nil || !isClosed(first) {
            text = folded([first] + indented(&lines, below: margin))
        }
        switch quote {
        case "\"": return unescaped(text.dropFirst())
        case "'":
            return String(text.dropFirst().dropLast(text.hasSuffix("'") ? 1 : 0))
                .replacing("''", with: "'")
        default:
            // A comment stands after a space.
            let end = text.indices.first { text[$0...].hasPrefix(" #") }
            return end.map { text[..<$0].trimmingSpace() } ?? text
        }
    }

    private static func isClosed(_ text: String) -> Bool {
        guard let quote = text.first, text.count > 1 else { return false }
        var rest = text.dropFirst()
        while let character = rest.popFirst() {
            if character == "\\", quote == "\"" { rest = rest.dropFirst() }
            if character != quote { continue }
            if quote == "'", rest.first == "'" { rest = rest.dropFirst() } else { return true }
        }
        return false
    }

    /// The lines that are indented by more, and the empty ones between them,
    /// without the margin of the first.
    private static func indented(
        _ lines: inout ArraySlice<String>, below outer: Int
    ) -> [String] {
        var block: [String] = []
        while let line = lines.first, line.trimmingSpace().isEmpty || indent(line) > outer {
            block.append(lines.removeFirst())
        }
        while block.last?.trimmingSpace().isEmpty == true { block.removeLast() }
        let margin = block.first { !$0.trimmingSpace().isEmpty }.map { indent($0) } ?? 0
        return block.map { String($0.dropFirst(min(margin, indent($0)))) }
    }

    /// Lines are words of one; an empty line is a break.
    private static func folded(_ lines: [String]) -> String {
        var text = ""
        var breaks = 0
        for line in lines.map({ $0.trimmingSpace() }) {
            if line.isEmpty {
                breaks += 1
                continue
            }
            if !text.isEmpty {
                text += breaks > 0 ? String(repeating: "\n", count: breaks) : " "
            }
            text += line
            breaks = 0
        }
        return text
    }

    /// Up to the closing quote (YAML 1.2.2, 5.7: the escapes that are used).
    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\", let escaped = rest.popFirst() else {
                result.append(character)
                continue
            }
            switch escaped {
            case "n": result += "\n"
            case "t": result += "\t"
            default: result.append(escaped)
            }
        }
        return result
    }
}

extension PromptTemplate {
    /// A text that is filled as the same words, with every place hidden.
    var hidden: String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .place(let argument):
                "\\{{\(argument.name)\(argument.fallback.map { "|\($0)" } ?? "")}}"
            }
        }.joined()
    }
}
