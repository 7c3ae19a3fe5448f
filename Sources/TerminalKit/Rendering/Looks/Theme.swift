/// Colours by meaning: for each colour of a `RichLine` the parameters of an SGR sequence. Uses the
/// sixteen colours of the user's palette, chosen for a light or a dark background, or for both if
/// it is unknown. Pure.
///
/// The background is taken from the configuration or from COLORFGBG. The terminal itself is not
/// queried (OSC 11): a late answer would look like typing.
package struct Theme: Sendable, Equatable {
    enum Background: Sendable, Equatable { case unknown, light, dark }

    /// The user's choice of the background.
    package enum Choice: String, Sendable, CaseIterable { case auto, light, dark }

    let codes: [RichLine.Color: String]

    init(background: Background = .unknown) {
        codes =
            switch background {
            case .unknown: Self.neutral
            case .light: Self.neutral.merging(Self.light) { $1 }
            case .dark: Self.neutral.merging(Self.dark) { $1 }
            }
    }

    package init(_ choice: Choice, variables: [String: String]) {
        let background: Background =
            switch choice {
            case .light: .light
            case .dark: .dark
            case .auto: Self.background(variables["COLORFGBG"] ?? "")
            }
        self.init(background: background)
    }

    /// Parses `15;0` or `0;default;15`: the last number is the background, one of the 16
    /// colours.
    static func background(_ text: String) -> Background {
        guard let last = text.split(separator: ";").last, let color = Int(last) else {
            return .unknown
        }
        switch color {
        case 0...6, 8: return .dark
        case 7, 9...15: return .light
        default: return .unknown
        }
    }

    /// The SGR parameters for a look; empty for the terminal's default.
    func codes(_ look: RichLine.Look) -> String {
        var parts: [String] = []
        if look.traits.contains(.bold) { parts.append("1") }
        if look.traits.contains(.dim) { parts.append("2") }
        if look.traits.contains(.italic) { parts.append("3") }
        if look.traits.contains(.underline) { parts.append("4") }
        if look.traits.contains(.strike) { parts.append("9") }
        if let color = codes[look.color], !color.isEmpty { parts.append(color) }
        return parts.joined(separator: ";")
    }

    /// Readable on white and on black: no blue, no bright black, and yellow
    /// only where it means something.
    private static let neutral: [RichLine.Color: String] = [
        .text: "", .accent: "36", .heading: "35", .link: "36", .code: "32",
        .keyword: "35", .string: "32", .number: "31",
        .comment: "2", .inserted: "32", .deleted: "31",
        .success: "32", .warning: "33", .failure: "31",
    ]

    /// Colours for the speakers of a conversation: those of the 256 with medium lightness, a
    /// contrast of at least 3.7 to 1 on white and on black, and very different hues.
    static let parties = [
        "38;5;67", "38;5;131", "38;5;65", "38;5;97", "38;5;101", "38;5;66", "38;5;132", "38;5;95",
    ]

    private static let light: [RichLine.Color: String] = [
        .heading: "34", .link: "34", .code: "31", .number: "31",
    ]

    private static let dark: [RichLine.Color: String] = [
        .heading: "96", .link: "94", .code: "93", .number: "93", .string: "92", .keyword: "95",
    ]
}
