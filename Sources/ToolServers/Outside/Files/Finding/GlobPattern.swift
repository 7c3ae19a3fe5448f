/// A path pattern as in shells and `.gitignore`. Pure; it looks only at the text of a path, by code
/// points: a name may begin with a combining mark, and a slash before it stays one.
///
///     *.swift            any file that ends so; `*` and `?` never match a `/`
///     src/**/*.md        at any depth below src
///     photo[0-9a-f].png  one of these characters; [!…] none of these
///     \*                 the character itself
package struct GlobPattern: Sendable, Equatable {
    private enum Piece: Sendable, Equatable {
        case character(Unicode.Scalar)
        case any
        case run
        case oneOf([ClosedRange<Unicode.Scalar>], isNegated: Bool)
    }
    private enum Part: Sendable, Equatable {
        /// `**`
        case folders
        case name([Piece])
    }

    private let parts: [Part]
    private let ignoresCase: Bool
    /// The components before the first pattern, where the search can begin.
    package let base: [String]
    /// Levels of folders below the base that can contain a match; nil for any number.
    package let levels: Int?

    /// Maximum bytes: matching time grows with the square.
    private static let limitInBytes = 1_024

    /// Nil if the text is too long, or names nothing.
    package init?(_ text: String, ignoresCase: Bool = false) {
        guard text.utf8.count <= Self.limitInBytes else { return nil }
        let names = Self.names(text)
        guard !names.isEmpty else { return nil }
        self.ignoresCase = ignoresCase
        var parts: [Part] = []
        for name in names {
            // Two in a row mean the same as one.
            if name == "**" {
                if parts.last != .folders { parts.append(.folders) }
            } else {
                parts.append(.name(Self.pieces(ignoresCase ? name.lowercased() : String(name))))
            }
        }
        self.parts = parts
        var base: [String] = []
        for name in names.dropLast() {
            guard !Self.isPattern(String(name)) else { break }
            base.append(String(name))
        }
        self.base = base
        levels = parts.contains(.folders) ? nil : names.count - base.count - 1
    }

    /// Whether a word has any of the characters that make a pattern.
    package static func isPattern(_ word: String) -> Bool {
        word.unicodeScalars.contains { $0 == "*" || $0 == "?" || $0 == "[" }
    }

    package func matches(_ path: String) -> Bool {
        let path = ignoresCase ? path.lowercased() : path
        return Self.matches(parts[...], Self.names(path)[...], isRun: { $0 == .folders }) {
            part, name in
            guard case .name(let pieces) = part else { return false }
            return Self.matches(
                pieces[...], name.unicodeScalars[...], isRun: { $0 == .run }, fits: Self.fits)
        }
    }

    /// The components of a path.
    package static func names(_ path: String) -> [Substring] {
        path.unicodeScalars.split(separator: "/").map(Substring.init)
    }

    // MARK: - Matching

    /// Whether the items fit the parts one by one; a run fits any number of items.
    private static func matches<Part, Items: BidirectionalCollection>(
        _ parts: ArraySlice<Part>, _ items: Items, isRun: (Part) -> Bool,
        fits: (Part, Items.Element) -> Bool
    ) -> Bool where Items.SubSequence == Items {
        var (parts, items) = (parts, items)
        // The position for a retry when the rest after the last run does not match: an earlier one
        // need not be tried again.
        var retry: (parts: ArraySlice<Part>, items: Items)?
        while true {
            if let part = parts.first, isRun(part) {
                parts = parts.dropFirst()
                retry = (parts, items)
            } else if let part = parts.first, let item = items.first, fits(part, item) {
                (parts, items) = (parts.dropFirst(), items.dropFirst())
            } else if parts.isEmpty, items.isEmpty {
                return true
            } else {
                guard let last = retry, !last.items.isEmpty else { return false }
                (parts, items) = (last.parts, last.items.dropFirst())
                retry = (parts, items)
            }
        }
    }

    private static func fits(_ piece: Piece, _ character: Unicode.Scalar) -> Bool {
        switch piece {
        case .character(let wanted): wanted == character
        case .any: true
        case .run: false
        case .oneOf(let ranges, let isNegated):
            ranges.contains { $0.contains(character) } != isNegated
        }
    }

    // MARK: - Reading

    private static func pieces(_ name: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = Array(name.unicodeScalars)[...]
        while let character = rest.popFirst() {
            switch character {
            case "*": if pieces.last != .run { pieces.append(.run) }
            case "?": pieces.append(.any)
            case "\\": pieces.append(.character(rest.popFirst() ?? "\\"))
            case "[":
                if let (set, after) = set(rest) {
                    pieces.append(set)
                    rest = after
                } else {
                    pieces.append(.character("["))
                }
            default: pieces.append(.character(character))
            }
        }
        return pieces
    }

    /// The set after a `[`; nil if it is never closed.
    private static func set(
        _ text: ArraySlice<Unicode.Scalar>
    ) -> (piece: Piece, rest: ArraySlice<Unicode.Scalar>)? {
        var rest = text
        let isNegated = rest.first == "!" || rest.first == "^"
        if isNegated { rest = rest.dropFirst() }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        var isFirst = true
        while let character = rest.popFirst() {
            // A first `]` is literal (glob(7)).
            if character == "]", !isFirst { return (.oneOf(ranges, isNegated: isNegated), rest) }
            isFirst = false
            if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
                rest = rest.dropFirst(2)
                if character <= end { ranges.append(character...end) }
            } else {
                ranges.append(character...character)
            }
        }
        return nil
    }
}
