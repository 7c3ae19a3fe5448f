import Base

/// A screen as a value: how it looks, and what a key does to it. `PanelRunner` shows it,
/// reads the keys and has done what they ask for. Pure; no clock, no terminal, no store.
package protocol PanelScreen: Sendable {
    /// What is to be done that the value cannot do by itself.
    associatedtype Effect: Sendable

    /// Nil when nothing is left to do; the screen is drawn again in any case.
    mutating func take(_ key: PanelKey, on size: ScreenSize) -> Effect?

    /// Every line fits the width, and all of them the window.
    func lines(on size: ScreenSize) -> [StyledLine]

    // MARK: Without a cursor (`TERM=dumb`, screen readers, pipes)

    /// What has not been printed yet and is to be known before the next answer.
    mutating func listing(width: Int) -> [StyledLine]

    /// Stands before the answer.
    var question: String { get }

    /// The same for a line with an answer.
    mutating func take(line: String) -> Effect?
}

/// For a screen that is shown in panels only.
extension PanelScreen {
    package func listing(width: Int) -> [StyledLine] { [] }
    package var question: String { "" }
    package func take(line: String) -> Effect? { nil }
}
