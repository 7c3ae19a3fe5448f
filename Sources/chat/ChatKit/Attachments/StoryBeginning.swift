import AgentCore
import Base

/// As much of a story as goes along with a message: all of it, or its beginning and a
/// line that says so. Pure.
enum StoryBeginning {
    /// Tokens of a model that does not say how much it reads.
    private static let usualContext = 32_000

    /// Half of what the model reads, with some three bytes a token.
    static func bytes(_ text: [UInt8], for model: String) -> [UInt8] {
        let context = ModelCatalog.info(model)?.maxInput ?? usualContext
        return bytes(text, limit: min(context, 4_000_000) / 2 * 3)
    }

    static func bytes(_ text: [UInt8], limit: Int) -> [UInt8] {
        guard text.count > limit else { return text }
        let note =
            "\n\n[The beginning, of \(Quantities.bytes(text.count)); story_segments has the rest.]\n"
        var end = max(0, limit - note.utf8.count)
        // Behind a paragraph where one ends near, else not in the middle of a character.
        let near = text[..<end].suffix(4_000)
        if let line = near.lastIndex(of: 0x0A) {
            end = line
        } else {
            while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        }
        return Array(text[..<end]) + Array(note.utf8)
    }
}
