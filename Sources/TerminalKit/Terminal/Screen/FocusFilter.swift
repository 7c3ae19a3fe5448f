/// Removes a terminal's focus reports from the input: `ESC [ I` when the window gets the focus,
/// `ESC [ O` when it loses it (xterm, mode 1004). Pure; works on pieces as they are read.
///
/// Only `ESC [` at the end of a piece is held back until the next one: a lone ESC is a key and is
/// never delayed.
struct FocusFilter {
    static let on = Array("\u{1B}[?1004h".utf8)
    static let off = Array("\u{1B}[?1004l".utf8)

    /// Nil until the terminal has sent a report; many never do.
    private(set) var isFocused: Bool?
    private var held: [UInt8] = []

    /// The input in a piece, without reports.
    mutating func pass(_ piece: [UInt8]) -> [UInt8] {
        if held.isEmpty, !piece.contains(0x1B) { return piece }
        let bytes = held + piece
        held = []
        var typed: [UInt8] = []
        typed.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            guard bytes[at] == 0x1B, at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "[") else {
                typed.append(bytes[at])
                at += 1
                continue
            }
            guard at + 2 < bytes.count else {
                held = Array(bytes[at...])
                break
            }
            switch bytes[at + 2] {
            case UInt8(ascii: "I"): isFocused = true
            case UInt8(ascii: "O"): isFocused = false
            default: typed += bytes[at..<(at + 3)]
            }
            at += 3
        }
        return typed
    }
}
