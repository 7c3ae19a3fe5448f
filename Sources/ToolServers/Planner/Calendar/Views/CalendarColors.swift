import Base
import CalendarFiles

/// Assigns the terminal's few colours to calendars: the one nearest to the colour of its
/// folder, otherwise one after another. Pure.
package struct CalendarColors: Sendable {
    private var styles: [String: StyledLine.Style] = [:]
    private static let turn: [StyledLine.Style] = [.accent, .success, .warning, .bold]

    package init(_ collections: [CalendarStore.Collection] = []) {
        for (index, collection) in collections.enumerated() {
            styles[collection.name] =
                collection.color.flatMap(Self.style) ?? Self.turn[index % Self.turn.count]
        }
    }

    func style(of calendar: String) -> StyledLine.Style { styles[calendar] ?? .accent }

    /// The style nearest to a colour by its hue: red, yellow, green, and the accent for blue
    /// and its like. Nil if it is not a colour.
    static func style(_ color: String) -> StyledLine.Style? {
        let digits = color.drop { $0 == "#" }.prefix(6)
        guard digits.count == 6, let value = Int(digits, radix: 16) else { return nil }
        let (red, green, blue) = (value >> 16 & 255, value >> 8 & 255, value & 255)
        let (low, high) = (min(red, green, blue), max(red, green, blue))
        if high - low < 32 { return .bold }
        if blue == high { return .accent }
        if green == high { return red * 4 > high * 3 ? .warning : .success }
        return green * 2 > high ? .warning : .failure
    }
}
