import Base

/// The user's own rules for tool calls: `tools` in `config.json`. Pure.
///
/// Deny takes precedence over ask, and ask over allow. `ApprovalPolicy` decides what an allow rule
/// cannot override.
package struct ApprovalRules: Sendable, Equatable {
    package enum Ruling: Sendable, Equatable { case allow, ask, deny }

    package var allow: [ApprovalRule] = []
    package var ask: [ApprovalRule] = []
    package var deny: [ApprovalRule] = []
    /// The tools that a request carries.
    package var offer = Offering.auto

    package enum Offering: Sendable, Equatable {
        /// Offers only the tools that the message and the work in progress need.
        case auto
        case all
        case none
        case only([ApprovalRule])
    }

    package init() {}

    /// Whether a rule forbids every call of the tool, so that it need not be offered.
    package func forbids(_ tool: String) -> Bool {
        deny.contains { $0.isAboutAllCalls && $0.names(tool) }
    }

    /// The ruling on a call; nil if no rule applies to it.
    package func ruling(on tool: String, arguments: JSONObject) -> Ruling? {
        if deny.contains(where: { $0.isAbout(tool, arguments) }) { return .deny }
        if ask.contains(where: { $0.isAbout(tool, arguments) }) { return .ask }
        return allow.contains { $0.covers(tool, arguments) } ? .allow : nil
    }

    /// Rules, as written, that cannot match any tool of these names.
    package func unmatched(among tools: [String]) -> [String] {
        let offered = if case .only(let names) = offer { names } else { [ApprovalRule]() }
        return (deny + ask + allow + offered)
            .filter { rule in !tools.contains(where: rule.names) }.map(\.text)
    }

    package static let settings = SettingTable<ApprovalRules>(
        "an object with the lists allow, ask and deny, and offer",
        [
            .init("allow", \.allow, .rules, .widens(if: { !$0.isEmpty }), isOwn: true),
            .init("ask", \.ask, .rules, .plain, isOwn: true),
            .init("deny", \.deny, .rules, .plain, isOwn: true),
            .init("offer", \.offer, .offering, .plain, isOwn: true),
        ], isStrict: true)
}

/// One rule: `delete_*`, or `fetch_url(url: https://example.org/*)`. `*` matches any characters or
/// none; everything else matches itself.
package struct ApprovalRule: Sendable, Equatable {
    /// The original text of the rule.
    package let text: String
    private let tool: Wildcard
    private let argument: (name: String, value: Wildcard)?

    package static func == (one: ApprovalRule, other: ApprovalRule) -> Bool {
        one.text == other.text
    }

    /// Nil if the text does not have this form.
    package init?(_ text: String) {
        self.text = text
        var name = text[...].trimmingSpace()
        guard let open = name.firstIndex(of: "(") else {
            guard Self.isName(name) else { return nil }
            (tool, argument) = (Wildcard(name), nil)
            return
        }
        guard name.last == ")" else { return nil }
        let inner = name[name.index(after: open)...].dropLast()
        guard let colon = inner.firstIndex(of: ":") else { return nil }
        let argument = inner[..<colon].trimmingSpace()
        let value = inner[inner.index(after: colon)...].trimmingSpace()
        name = String(name[..<open]).trimmingSpace()
        guard Self.isName(name), !argument.isEmpty, !value.isEmpty else { return nil }
        tool = Wildcard(name)
        self.argument = (argument, Wildcard(value))
    }

    /// The characters of tool names, `[a-z0-9_]`, the separators of external servers, and `*`.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte.isASCIILetterOrDigit || "_-.*".utf8.contains(byte)
            }
    }

    var isAboutAllCalls: Bool { argument == nil }

    /// Whether a tool is one of those it names.
    package func names(_ tool: String) -> Bool { self.tool.matches(tool) }

    /// Matches for deny and ask: one matching value is enough, ignoring case; otherwise a call
    /// could evade the rule by a different spelling.
    func isAbout(_ tool: String, _ arguments: JSONObject) -> Bool {
        guard names(tool) else { return false }
        guard let argument else { return true }
        return Self.values(of: argument.name, in: arguments).contains {
            argument.value.matches($0, ignoresCase: true)
        }
    }

    /// Matches for allow: all of the values, exactly.
    func covers(_ tool: String, _ arguments: JSONObject) -> Bool {
        guard names(tool) else { return false }
        guard let argument else { return true }
        let values = Self.values(of: argument.name, in: arguments)
        return !values.isEmpty && values.allSatisfy { argument.value.matches($0) }
    }

    /// The elements of a list; values other than strings as JSON.
    private static func values(of name: String, in arguments: JSONObject) -> [String] {
        guard let value = arguments[name] else { return [] }
        return (value.arrayValue ?? [value]).map { $0.stringValue ?? JSONWriter.string($0) }
    }
}

/// A text with `*` for any characters. Compares code points, so that a look-alike is a different
/// text.
private struct Wildcard: Sendable {
    private let pattern: [Unicode.Scalar]
    private let folded: [Unicode.Scalar]

    init(_ text: String) {
        pattern = Array(text.unicodeScalars)
        folded = Array(text.lowercased().unicodeScalars)
    }

    func matches(_ text: String, ignoresCase: Bool = false) -> Bool {
        let pattern = ignoresCase ? folded : pattern
        let text = Array((ignoresCase ? text.lowercased() : text).unicodeScalars)
        // The position of the last star, and the length of the text it has matched. Backtracking
        // only to the last star takes at most pattern × text steps.
        var star: (pattern: Int, text: Int)?
        var (place, index) = (0, 0)
        while index < text.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (place, index)
                place += 1
            } else if place < pattern.count, pattern[place] == text[index] {
                place += 1
                index += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                (place, index) = (last.pattern + 1, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}

extension SettingKind<ApprovalRules.Offering> {
    fileprivate static var offering: Self {
        let words: [(String, ApprovalRules.Offering)] = [
            ("auto", .auto), ("all", .all), ("none", .none),
        ]
        var kind = Self(
            "\"auto\", \"all\", \"none\", or an array of names such as \"list_*\"",
            text: { offering in
                if case .only(let rules) = offering {
                    return rules.map(\.text).joined(separator: ", ")
                }
                return words.first { $0.1 == offering }?.0 ?? ""
            }
        ) { value in
            if let word = value.stringValue { return words.first { $0.0 == word }?.1 }
            guard let names = value.strings else { return nil }
            let rules = names.compactMap(ApprovalRule.init).filter(\.isAboutAllCalls)
            return rules.count == names.count ? .only(rules) : nil
        }
        kind.words = words.map(\.0)
        return kind
    }
}

extension SettingKind<[ApprovalRule]> {
    fileprivate static var rules: Self {
        Self(
            "an array of rules such as \"delete_*\" or \"fetch_url(url: https://example.org/*)\"",
            text: { $0.isEmpty ? "none" : $0.map(\.text).joined(separator: ", ") }
        ) { value in
            guard let texts = value.strings else { return nil }
            let rules = texts.compactMap(ApprovalRule.init)
            return rules.count == texts.count ? rules : nil
        }
    }
}
