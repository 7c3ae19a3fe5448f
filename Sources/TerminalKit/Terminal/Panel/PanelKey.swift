/// A key for the owner of a panel.
package enum PanelKey: Equatable, Sendable {
    case enter, escape, left, right, up, down, home, end, pageUp, pageDown
    /// Backspace, and Ctrl-U for all of it, during text input.
    case backspace, clear
    /// Ctrl-C.
    case interrupt
    /// A single typed character: never a paste, never with Alt or Ctrl.
    case character(Character)
    /// Any other character with Ctrl.
    case control(Unicode.Scalar)
    /// Text to search for; it is never taken as an answer.
    case paste(String)

    /// The key for an editor.
    var key: Key? {
        switch self {
        case .enter: .character("\n")
        case .escape: .escape
        case .interrupt: nil
        case .character(let character): character.unicodeScalars.first.map(Key.character)
        case .control(let scalar): .character(scalar)
        case .paste(let text): .paste(text)
        case .backspace: .character("\u{7F}")
        case .clear: .character("\u{15}")
        case .left: .left
        case .right: .right
        case .up: .up
        case .down: .down
        case .home: .home
        case .end: .end
        case .pageUp: .pageUp
        case .pageDown: .pageDown
        }
    }

    /// Nil for a key no panel uses.
    init?(_ key: Key) {
        switch key {
        case .character("\n"), .lineBreak: self = .enter
        case .escape: self = .escape
        case .character("\u{03}"): self = .interrupt
        case .character(let scalar) where scalar.value >= 0x20 && scalar.value != 0x7F:
            self = .character(Character(scalar))
        case .character("\u{08}"), .character("\u{7F}"): self = .backspace
        case .character("\u{15}"): self = .clear
        case .character("\u{10}"): self = .up
        case .character("\u{0E}"): self = .down
        case .home: self = .home
        case .end: self = .end
        case .pageUp: self = .pageUp
        case .pageDown: self = .pageDown
        case .left: self = .left
        case .right: self = .right
        case .up: self = .up
        case .down: self = .down
        case .character(let scalar) where scalar.value < 0x20: self = .control(scalar)
        case .paste(let text): self = .paste(text)
        default: return nil
        }
    }
}
