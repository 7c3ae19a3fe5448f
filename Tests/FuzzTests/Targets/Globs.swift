@testable import Outside

extension FuzzTarget {
    /// The first line is a path, the rest a `.gitignore`: a pattern that says the path letter by
    /// letter matches it, and the last rule decides.
    static let globs = FuzzTarget("globs") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let path = String(text.prefix { !$0.isNewline })
        let names = GlobPattern.names(path)
        var rules = IgnoreRules()
        rules.add(String(text.dropFirst(path.count)), in: "")
        _ = (rules.leavesOut(path, isFolder: false), rules.leavesOut(path, isFolder: true))
        for ignoresCase in [false, true] {
            guard let pattern = GlobPattern(text, ignoresCase: ignoresCase) else { continue }
            _ = pattern.matches(path)
            try demand(pattern.base.count < GlobPattern.names(text).count, "a base of all names")
        }
        guard !names.isEmpty, !names.contains("**"), path.utf8.count <= 200 else { return }
        var escaped = String.UnicodeScalarView()
        for scalar in path.unicodeScalars {
            if GlobPattern.isPattern(String(scalar)) || scalar == "\\" { escaped.append("\\") }
            escaped.append(scalar)
        }
        let literal = String(escaped)
        try demand(GlobPattern(literal)?.matches(path) == true, "not what it says: \(literal)")
        rules.add("/\(literal)\n", in: "")
        guard let first = escaped.first, ![" ", "#", "!"].contains(first), escaped.last != " "
        else {
            return
        }
        try demand(rules.leavesOut(path, isFolder: true), "the last rule is not followed")
        rules.add("!/\(literal)\n", in: "")
        try demand(!rules.leavesOut(path, isFolder: true), "the last rule is not followed")
    }
}
