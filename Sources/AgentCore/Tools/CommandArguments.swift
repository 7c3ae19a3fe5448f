/// The words after a verb, options apart. `--` ends the options. Pure.
package struct CommandArguments: Sendable, Equatable {
    package var plain: [String] = []
    package var options: [String: String] = [:]
    package var flags: Set<String> = []

    /// `maybe` names options whose value may be left out: then they count as
    /// flags.
    package init(
        _ arguments: [String], verb: String, options names: Set<String> = [],
        flags flagNames: Set<String> = [], maybe: Set<String> = []
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
            } else if names.contains(name) || maybe.contains(name) {
                guard options[name] == nil else { throw UsageError("\(name) is given twice") }
                if parts.count == 2 {
                    options[name] = String(parts[1])
                } else if let value = rest.first, !(maybe.contains(name) && value.hasPrefix("--")) {
                    rest.removeFirst()
                    options[name] = value
                } else if maybe.contains(name) {
                    flags.insert(name)
                } else {
                    throw UsageError("\(name) needs a value")
                }
            } else {
                let known = names.union(flagNames).union(maybe).sorted().joined(separator: ", ")
                throw UsageError(
                    "\(verb) has no option \(name)",
                    hint: known.isEmpty ? nil : "options: \(known)")
            }
        }
    }

    package var text: String { plain.joined(separator: " ") }
}
