import Base

/// What the `.gitignore` files of a folder leave out (gitignore(5)). Pure: the files
/// are read by the walker.
///
/// They only ever leave something out of a search or an attached folder, which is
/// said; they never bring anything in.
package struct IgnoreRules: Sendable {
    private struct Rule: Sendable {
        var pattern: GlobPattern
        /// Where the file is, from the folder of the walk; empty at its top.
        var place: String
        var isNegated: Bool
        var isForFolders: Bool
    }

    private var rules: [Rule] = []

    /// More would be no rules that a person wrote.
    private static let (ruleLimit, lineLimit) = (2_000, 512)
    /// A longer file is not read.
    package static let limitInBytes = 64 << 10

    package init() {}

    /// - Parameter place: of the folder with the file, from the folder of the walk.
    package mutating func add(_ text: String, in place: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            guard rules.count < Self.ruleLimit else { return }
            guard line.utf8.count <= Self.lineLimit, let rule = Self.rule(line, place) else {
                continue
            }
            rules.append(rule)
        }
    }

    /// The last rule that fits decides.
    package func leavesOut(_ path: String, isFolder: Bool) -> Bool {
        let rule = rules.last { rule in
            if rule.isForFolders, !isFolder { return false }
            if rule.place.isEmpty { return rule.pattern.matches(path) }
            guard path.hasPrefix(rule.place + "/") else { return false }
            return rule.pattern.matches(String(path.dropFirst(rule.place.count + 1)))
        }
        return rule.map { !$0.isNegated } ?? false
    }

    private static func rule(_ line: Substring, _ place: String) -> Rule? {
        var line = line
        while line.last == " ", line.dropLast().last != "\\" { line = line.dropLast() }
        if line.isEmpty || line.first == "#" { return nil }
        let isNegated = line.first == "!"
        if isNegated { line = line.dropFirst() }
        let isForFolders = line.last == "/"
        if isForFolders { line = line.dropLast() }
        // Without a slash in it, it holds at any depth.
        let isAnchored = line.contains("/")
        let text = isAnchored ? String(line) : "**/" + line
        guard let pattern = GlobPattern(text) else { return nil }
        return Rule(
            pattern: pattern, place: place, isNegated: isNegated, isForFolders: isForFolders)
    }
}
