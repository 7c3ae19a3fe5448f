import Base

/// The rules of the `.gitignore` files in a folder (gitignore(5)). Pure: the walker reads
/// the files.
///
/// They can only leave files out of a search or an attached folder, which is reported; they
/// never add any.
package struct IgnoreRules: Sendable {
    private struct Rule: Sendable {
        var pattern: GlobPattern
        /// The file's folder, relative to the walk; empty at its top.
        var place: String
        var isNegated: Bool
        var isForFolders: Bool
    }

    private var rules: [Rule] = []

    /// Rules of all files of a walk, each of which is matched with each path; and bytes of one.
    private static let (ruleLimit, lineLimit) = (2_000, 512)
    /// Maximum bytes of a file, above the size of any that is written by hand: the largest that GitHub
    /// proposes has 8 KB. A larger one is not read, so that its files are searched, which is named.
    package static let limitInBytes = 64 << 10

    package init() {}

    /// - Parameter place: the file's folder, relative to the folder of the walk.
    package mutating func add(_ text: String, in place: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            guard rules.count < Self.ruleLimit else { return }
            guard line.utf8.count <= Self.lineLimit, let rule = Self.rule(line, place) else {
                continue
            }
            rules.append(rule)
        }
    }

    /// The last matching rule decides.
    package func leavesOut(_ path: String, isFolder: Bool) -> Bool {
        let rule = rules.last { rule in
            if rule.isForFolders, !isFolder { return false }
            if rule.place.isEmpty { return rule.pattern.matches(path) }
            let place = (rule.place + "/").utf8
            guard path.utf8.starts(with: place) else { return false }
            return rule.pattern.matches(
                String(decoding: path.utf8.dropFirst(place.count), as: UTF8.self))
        }
        return rule.map { !$0.isNegated } ?? false
    }

    private static func rule(_ line: Substring, _ place: String) -> Rule? {
        var line = line.unicodeScalars
        while line.last == " ", line.dropLast().last != "\\" { line = line.dropLast() }
        if line.isEmpty || line.first == "#" { return nil }
        let isNegated = line.first == "!"
        if isNegated { line = line.dropFirst() }
        let isForFolders = line.last == "/"
        if isForFolders { line = line.dropLast() }
        // Without a slash in it, it matches at any depth.
        let isAnchored = line.contains("/")
        let text = isAnchored ? String(line) : "**/" + String(line)
        guard let pattern = GlobPattern(text) else { return nil }
        return Rule(
            pattern: pattern, place: place, isNegated: isNegated, isForFolders: isForFolders)
    }
}
