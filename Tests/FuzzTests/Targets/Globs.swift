@testable import Outside

extension FuzzTarget {
    /// The first line is a path, the rest a `.gitignore`: a pattern that says the path letter by
    /// letter matches it, and the last rule decides.
    static let globs = FuzzTarget("globs") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let path = String(text.prefix { !$0.isNewline })
        let names = path.split(separator: "/")
        var rules = IgnoreRules()
        rules.add(String(text.dropFirst(path.count)), in: "")
        _ = (rules.leavesOut(path, isFolder: false), rules.leavesOut(path, isFolder: true))
        for ignoresCase in [false, true] {
            guard let pattern = GlobPattern(text, ignoresCase: ignoresCase) else { continue }
            _ = pattern.matches(path)
            try demand(pattern.base.count < text.split(separator: "/").count, "a base of all names")
        }
        guard !names.isEmpty, !names.contains("**"), path.utf8.count <= 200 else { return }
        let literal = path.reduce(into: "") { said, character in
            if "*?[\\".contains(character) { said.append("\\") }
            said.append(character)
        }
        try demand(GlobPattern(literal)?.matches(path) == true, "not what it says: \(literal)")
        rules.add("/\(literal)\n", in: "")
        guard !" #!".contains(literal.first ?? "#"), literal.last != " " else { return }
        try demand(rules.leavesOut(path, isFolder: true), "the last rule is not followed")
        rules.add("!/\(literal)\n", in: "")
        try demand(!rules.leavesOut(path, isFolder: true), "the last rule is not followed")
    }
}
