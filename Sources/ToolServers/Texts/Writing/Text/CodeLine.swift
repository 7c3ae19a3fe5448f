import Base

/// Recognises lines of code and SQL in a text without a fence: an assignment of a value, a
/// call, a declaration, a statement. Doubtful lines are prose. Pure.
enum CodeLine {
    static func isCode(_ line: ArraySlice<UInt8>) -> Bool {
        let bytes = line.trimming { $0 <= 0x20 }
        guard bytes.count > 3, let first = bytes.first, let last = bytes.last else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        let words = text.split(separator: " ", maxSplits: 4).map(String.init)
        if isSQL(text, words) { return true }
        let isEnded = ".!?".utf8.contains(last)
        // Statements and blocks end like this.
        if "{;".utf8.contains(last) || text.hasSuffix("};") || text.hasSuffix("})") {
            if hasCall(bytes) || text.contains("=") || words[0] == "return" || last == 0x7B {
                return true
            }
        }
        // "key": value
        if "\"'".utf8.contains(first), text.contains("\": ") || text.contains("': ") {
            return ",\"'}]{[".utf8.contains(last) || bytes.last.map { $0 &- 0x30 < 10 } == true
        }
        if let word = words.first, Self.declarations.contains(word), words.count > 1,
            ":{(=;".utf8.contains(last) || hasCall(bytes)
        {
            return true
        }
        if !isEnded, isAssignment(bytes) { return true }
        return last == 0x29 && startsWithCall(bytes)
    }

    private static let declarations: Set<String> = [
        "def", "func", "function", "class", "struct", "enum", "let", "var", "const", "import",
        "from", "public", "private", "static", "final", "async", "export", "elif", "if", "for",
        "while", "switch", "try", "except", "catch", "fn", "#include", "#define", "package",
    ]

    /// `name = "value"`: few words before it, a literal after it.
    private static func isAssignment(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let sign = bytes.firstIndex(of: 0x3D) else { return false }
        let behind = bytes[(sign + 1)...].drop { $0 == 0x20 || $0 == 0x3D || $0 == 0x3E }
        let front = bytes[..<sign].split(separator: 0x20)
        guard let next = behind.first, (1...4).contains(front.count),
            front.allSatisfy({ $0.allSatisfy { isName($0) || ":+-*/[]&.".utf8.contains($0) } })
        else { return false }
        return "\"'[{(`".utf8.contains(next) || next &- 0x30 < 10 || hasCall(behind)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x5F
    }

    private static func startsWithCall(_ bytes: ArraySlice<UInt8>) -> Bool {
        let name = bytes.prefix { isName($0) || $0 == 0x2E }
        return !name.isEmpty && bytes.dropFirst(name.count).first == 0x28
    }

    /// `name(` followed by a literal, another name or nothing.
    private static func hasCall(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.indices.dropFirst().contains { bytes[$0] == 0x28 && isName(bytes[$0 - 1]) }
    }

    // MARK: - SQL

    private static let pairs: [String: Set<String>] = [
        "INSERT": ["INTO", "OR"], "DELETE": ["FROM"], "ALTER": ["TABLE"], "ORDER": ["BY"],
        "CREATE": ["TABLE", "INDEX", "VIEW", "UNIQUE", "OR", "TEMPORARY"],
        "DROP": ["TABLE", "INDEX", "VIEW"], "GROUP": ["BY"], "LEFT": ["JOIN", "OUTER"],
        "INNER": ["JOIN"], "RIGHT": ["JOIN", "OUTER"],
    ]
    private static let clauses: Set<String> = [
        "WHERE", "VALUES", "AND", "OR", "SET", "FROM", "HAVING", "LIMIT", "JOIN", "ON",
    ]

    private static func isSQL(_ text: String, _ words: [String]) -> Bool {
        guard let first = words.first else { return false }
        let verb = first.uppercased()
        let isShouted = verb == first
        // "select the best, and delete from the list" is prose.
        let isSigned =
            text.hasSuffix(";")
            || text.contains { "='*".contains($0) } && !text.hasSuffix(".")
        guard isShouted || isSigned else { return false }
        let second = words.dropFirst().first?.uppercased() ?? ""
        if pairs[verb]?.contains(second) == true { return true }
        switch verb {
        case "SELECT":
            return text.uppercased().contains(" FROM ") || isShouted && isSigned
                || isShouted && text.hasSuffix(",")
        case "UPDATE": return text.uppercased().contains(" SET ")
        default: return isShouted && clauses.contains(verb) && (isSigned || text.contains("("))
        }
    }
}
