import Base

/// A screen as a value: its display, and the effects of keys. `PanelRunner` shows it, reads
/// the keys and has its effects performed. Pure; no clock, no terminal, no store.
package protocol PanelScreen: Sendable {
    /// An action that the value cannot perform by itself.
    associatedtype Effect: Sendable

    /// Nil if there is no effect; the screen is drawn again in any case.
    mutating func take(_ key: PanelKey, on size: ScreenSize) -> Effect?

    /// Draws the screen. Every line must fit the width, and all of them the window.
    func lines(on size: ScreenSize) -> [StyledLine]

    /// Position of the cursor among the lines.
    func cursor(on size: ScreenSize) -> (row: Int, column: Int)

    // MARK: Without a cursor (`TERM=dumb`, screen readers, pipes)

    /// The lines not printed yet that the next answer needs.
    mutating func listing(width: Int) -> [StyledLine]

    /// The prompt for the answer.
    var question: String { get }

    /// Handles a line with an answer.
    mutating func take(line: String) -> Effect?
}

/// Defaults for a screen that is only shown in panels, and types nowhere.
extension PanelScreen {
    package func cursor(on size: ScreenSize) -> (row: Int, column: Int) { (0, 0) }
    package func listing(width: Int) -> [StyledLine] { [] }
    package var question: String { "" }
    package func take(line: String) -> Effect? { nil }
}
