import AgentCore

/// The words after a verb, options apart. `--` ends the options. Pure.
struct OptionWords: Sendable, Equatable {
    var plain: [String] = []
    var options: [String: [String]] = [:]
    var flags: Set<String> = []

    /// `lists` are those of the options that may be given several times.
    init(
        _ arguments: [String], verb: String, options names: Set<String> = [],
        lists: Set<String> = [], flags flagNames: Set<String> = []
    ) throws(UsageError) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                plain += rest
                return
            }
            guard word.hasPrefix("--") else {
                plain.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // `split` gives one part at least.
            let name = String(parts[0])
            if flagNames.contains(name), parts.count == 1 {
                flags.insert(name)
            } else if names.contains(name) || lists.contains(name) {
                guard options[name] == nil || lists.contains(name) else {
                    throw UsageError("\(name) is given twice")
                }
                if parts.count == 2 {
                    options[name, default: []].append(String(parts[1]))
                } else if let value = rest.popFirst() {
                    options[name, default: []].append(value)
                } else {
                    throw UsageError("\(name) needs a value")
                }
            } else {
                let known = names.union(lists).union(flagNames).sorted().joined(separator: ", ")
                throw UsageError(
                    "\(verb) has no option \(name)",
                    hint: known.isEmpty ? nil : "options: \(known)")
            }
        }
    }

    /// The value of an option that is given once.
    subscript(_ name: String) -> String? { options[name]?.first }

    var text: String { plain.joined(separator: " ") }
    var isBlank: Bool { plain.allSatisfy { $0.allSatisfy(\.isWhitespace) } }
}
