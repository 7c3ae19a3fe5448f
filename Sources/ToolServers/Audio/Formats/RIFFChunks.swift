import AgentCore

/// The chunks of a RIFF file one after the other, by their headers only.
///
/// Bounded: a file of nothing but tiny chunks is left after some thousands.
struct RIFFChunks {
    struct Chunk: Equatable {
        var id: String
        var content: Int
        var size: Int
    }

    private let source: AudioSource
    private var at = 12
    private var left = 4_096

    init(_ source: AudioSource) {
        self.source = source
    }

    mutating func next() throws(OpenFile.Failure) -> Chunk? {
        guard left > 0 else { return nil }
        left -= 1
        let header = try source.part(at, 8)
        guard header.count == 8, let size = header.little(4, 4) else { return nil }
        let chunk = Chunk(
            id: String(decoding: header.bytes.prefix(4), as: UTF8.self), content: at + 8, size: size
        )
        // Chunks begin at even places.
        at += 8 + size + size % 2
        return chunk
    }
}
