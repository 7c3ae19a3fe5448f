/// The words after a verb, options apart. `--` ends the options. Pure.
package struct CommandArguments: Sendable, Equatable {
    package var plain: [String] = []
    package var options: [String: [String]] = [:]
    package var flags: Set<String> = []

    /// `lists` are options that may be given several times, `maybe` those
    /// whose value may be left out: then they count as flags.
    package init(
        _ arguments: [String], verb: String, options names: Set<String> = [],
        lists: Set<String> = [], flags flagNames: Set<String> = [], maybe: Set<String> = []
    ) throws(UsageError) {
        let valued = names.union(lists).union(maybe)
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
                continue
            }
            guard valued.contains(name) else {
                let known = valued.union(flagNames).sorted().joined(separator: ", ")
                throw UsageError(
                    "\(verb) has no option \(name)",
                    hint: known.isEmpty ? nil : "options: \(known)")
            }
            guard options[name] == nil || lists.contains(name) else {
                throw UsageError("\(name) is given twice")
            }
            if parts.count == 2 {
                options[name, default: []].append(String(parts[1]))
            } else if let value = rest.first, !(maybe.contains(name) && value.hasPrefix("--")) {
                rest.removeFirst()
                options[name, default: []].append(value)
            } else if maybe.contains(name) {
                flags.insert(name)
            } else {
                throw UsageError("\(name) needs a value")
            }
        }
    }

    /// The value of an option that is given once.
    package subscript(_ name: String) -> String? { options[name]?.first }

    package var text: String { plain.joined(separator: " ") }
    package var isBlank: Bool { plain.allSatisfy { $0.allSatisfy(\.isWhitespace) } }
}
