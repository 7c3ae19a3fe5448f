/// A look as written in the configuration: `"bold blue"`, `"#ff8800"`, `"244"`, `"bright
/// red underline"`, `"plain"`. Pure.
package struct LookWords: Sendable, Equatable {
    enum Color: Sendable, Equatable {
        /// 0 to 15, from the user's palette.
        case palette(Int)
        case indexed(Int)
        case rgb(Int, Int, Int)
    }

    private(set) var color: Color?
    /// SGR parameters of bold, dim and so on, in order.
    private(set) var traits: [Int] = []

    package static let accepted =
        "words such as \"bold blue\", \"bright red underline\", \"#ff8800\", \"244\" or \"plain\""

    /// Nil if the text names no look.
    package init?(_ text: String) {
        var isBright = false
        var isPlain = false
        var count = 0
        for word in text.lowercased().split(whereSeparator: { $0 == " " || $0 == "\t" }) {
            count += 1
            let word = String(word)
            if word == "plain" {
                isPlain = true
            } else if let trait = Self.traits[word] {
                if traits.contains(trait) { return nil }
                traits.append(trait)
            } else if word == "bright", !isBright {
                isBright = true
            } else if color == nil, let found = Self.color(word) {
                color = found
            } else {
                return nil
            }
        }
        if isBright {
            guard case .palette(let index) = color, index < 8 else { return nil }
            color = .palette(index + 8)
        }
        guard count > 0, !isPlain || count == 1 else { return nil }
        traits.sort()
    }

    /// The parameters of an SGR sequence; a 24-bit colour becomes the nearest of 256 if the
    /// terminal has no more.
    func codes(hasTrueColor: Bool) -> String {
        var parts = traits.map(String.init)
        switch color {
        case nil: break
        case .palette(let index): parts.append("\(index < 8 ? 30 + index : 82 + index)")
        case .indexed(let index): parts.append("38;5;\(index)")
        case .rgb(let red, let green, let blue) where hasTrueColor:
            parts.append("38;2;\(red);\(green);\(blue)")
        case .rgb(let red, let green, let blue):
            parts.append("38;5;\(Self.nearest(red, green, blue))")
        }
        return parts.joined(separator: ";")
    }

    private static let traits = [
        "bold": 1, "dim": 2, "italic": 3, "underline": 4, "strike": 9,
    ]

    private static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    ]

    private static func color(_ word: String) -> Color? {
        if let index = names.firstIndex(of: word) { return .palette(index) }
        if word == "gray" || word == "grey" { return .palette(8) }
        if word.hasPrefix("#") {
            let digits = word.dropFirst()
            guard digits.count == 6, digits.allSatisfy(\.isHexDigit),
                let value = Int(digits, radix: 16)
            else { return nil }
            return .rgb(value >> 16, value >> 8 & 255, value & 255)
        }
        guard word.allSatisfy({ ("0"..."9").contains($0) }), let index = Int(word), index < 256
        else { return nil }
        return index < 16 ? .palette(index) : .indexed(index)
    }

    /// The nearest colour of xterm's colour cube (16 to 231) and greys (232 to 255).
    private static func nearest(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        let steps = [0, 95, 135, 175, 215, 255]
        func step(_ value: Int) -> Int {
            // `steps` is not empty.
            steps.indices.min { abs(steps[$0] - value) < abs(steps[$1] - value) } ?? 0
        }
        func distance(_ other: (Int, Int, Int)) -> Int {
            let (r, g, b) = (other.0 - red, other.1 - green, other.2 - blue)
            return r * r + g * g + b * b
        }
        let (r, g, b) = (step(red), step(green), step(blue))
        let grey = max(0, min(23, ((red + green + blue) / 3 - 8 + 5) / 10))
        let level = 8 + grey * 10
        return distance((steps[r], steps[g], steps[b])) <= distance((level, level, level))
            ? 16 + 36 * r + 6 * g + b : 232 + grey
    }
}
