import Base

/// Decodes character references in Markdown (CommonMark 6.2). The result passes the terminal's
/// allow-list, so `&#27;` never becomes an ESC.
enum Entity {
    static func decode(_ bytes: [UInt8], at start: Int) -> (text: String, end: Int)? {
        CharacterReference.decode(bytes[...], at: start, .strict).map {
            (HostileText.text($0.text), $0.end)
        }
    }
}
