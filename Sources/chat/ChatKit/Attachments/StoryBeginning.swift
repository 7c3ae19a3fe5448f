import AgentCore
import Base

/// The part of a story sent with a message: all of it, or its beginning with a line that says so.
/// Pure.
enum StoryBeginning {
    /// Number of tokens assumed for a model of unknown context size.
    private static let usualContext = 32_000

    /// Fits the text into half of the model's context, at about three bytes per token.
    static func bytes(_ text: [UInt8], for model: String) -> [UInt8] {
        let context = ModelCatalog.info(model)?.maxInput ?? usualContext
        return bytes(text, limit: min(context, 4_000_000) / 2 * 3)
    }

    static func bytes(_ text: [UInt8], limit: Int) -> [UInt8] {
        guard text.count > limit else { return text }
        let note =
            "\n\n[The beginning, of \(Quantities.bytes(text.count)); story_segments has the rest.]\n"
        var end = max(0, limit - note.utf8.count)
        // Cut after a paragraph if one ends nearby, else not inside a character.
        let near = text[..<end].suffix(4_000)
        if let line = near.lastIndex(of: 0x0A) {
            end = line
        } else {
            while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        }
        return Array(text[..<end]) + Array(note.utf8)
    }
}
