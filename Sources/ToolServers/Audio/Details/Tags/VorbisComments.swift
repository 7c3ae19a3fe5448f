/// The comments of FLAC, Vorbis, Opus and Speex: "TITLE=…" in UTF-8. Pure.
struct VorbisComments {
    static func tags(_ bytes: AudioBytes, at start: Int) -> [AudioTag] {
        var details = AudioDetails()
        var at = start
        func text() -> String? {
            guard let size = bytes.little(at, 4), size <= bytes.count - at - 4 else { return nil }
            // Enough for every name and value that is kept.
            let text = String(decoding: bytes.part(at + 4, min(size, 2_048)).bytes, as: UTF8.self)
            at += 4 + size
            return text
        }
        guard let encoder = text(), let count = bytes.little(at, 4) else { return [] }
        at += 4
        for _ in 0..<min(count, 1_024) {
            let before = at
            guard let comment = text() else { break }
            guard let sign = comment.firstIndex(of: "=") else { continue }
            let name = comment[..<sign].lowercased()
            if name == "metadata_block_picture" || name == "coverart" {
                details.add("picture", AudioDetails.size("picture", (at - before) * 3 / 4))
            } else {
                details.add(names[name] ?? name, String(comment[comment.index(after: sign)...]))
            }
        }
        details.add("encoder", encoder)
        return details.tags
    }

    private static let names = ["description": "comment"]
}
