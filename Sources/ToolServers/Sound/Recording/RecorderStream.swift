/// Converts a recorder's output to samples: removes a WAV or AU header, and swaps
/// big-endian samples.
///
/// Most recorders write no header; pw-record since 1.4 starts with an AU header, and a
/// user's own command may well write a WAV file. It never holds back a whole frame.
struct RecorderStream {
    /// A header that is truncated or declares something other than 16-bit samples.
    struct Unreadable: Error, Equatable {}

    /// Format of the samples; from the header, once that has been read.
    private(set) var format: PCMFormat
    private var isInSamples = false
    private var isBigEndian = false
    /// Bytes that may still be a header, or the start of a frame.
    private var held: [UInt8] = []

    /// Maximum bytes of a header (a WAV file may have long tags).
    private static let longestHeader = 64 << 10

    /// - Parameter format: the requested format.
    init(_ format: PCMFormat) {
        self.format = format
    }

    /// The complete frames among the bytes, little-endian; an incomplete one waits for the
    /// rest. Empty while the bytes may still be a header.
    mutating func samples(in bytes: [UInt8]) throws(Unreadable) -> [UInt8] {
        // The usual case copies nothing.
        if isInSamples, held.isEmpty, !isBigEndian, bytes.count % format.bytesPerFrame == 0 {
            return bytes
        }
        held += bytes
        if !isInSamples {
            guard let length = try headerLength() else { return [] }
            isInSamples = true
            held.removeFirst(length)
        }
        let count = held.count / format.bytesPerFrame * format.bytesPerFrame
        var frames = Array(held.prefix(count))
        held.removeFirst(count)
        if isBigEndian {
            for index in stride(from: 0, to: count, by: 2) { frames.swapAt(index, index + 1) }
        }
        return frames
    }

    /// The number of bytes before the samples, 0 without a header; nil while more bytes
    /// are needed.
    private mutating func headerLength() throws(Unreadable) -> Int? {
        if Self.mayBecome(held, ".snd") || Self.mayBecome(held, "dns.") { return try readAU() }
        if Self.mayBecome(held, "RIFF") { return try readWAV() }
        return 0
    }

    /// Magic, offset of the samples, their size, encoding (3 is 16-bit linear), rate,
    /// channels; little-endian if the magic is (libsndfile).
    private mutating func readAU() throws(Unreadable) -> Int? {
        guard held.count >= 24 else { return nil }
        let isBig = held.starts(with: ".snd".utf8)
        let offset = number(at: 4, isBig: isBig)
        guard offset >= 24, offset <= Self.longestHeader, number(at: 12, isBig: isBig) == 3 else {
            throw Unreadable()
        }
        guard held.count >= offset else { return nil }
        try accept(rate: number(at: 16, isBig: isBig), channels: number(at: 20, isBig: isBig))
        isBigEndian = isBig
        return offset
    }

    /// Reads chunks up to the one with the samples. Its size is ignored, because a program
    /// that writes to a pipe cannot know it.
    private mutating func readWAV() throws(Unreadable) -> Int? {
        guard held.count >= 12 else { return nil }
        // Samples that happen to look like a header.
        guard held[8..<12].elementsEqual("WAVE".utf8) else { return 0 }
        var position = 12
        var hasFormat = false
        while position <= Self.longestHeader {
            guard held.count >= position + 8 else { return nil }
            let name = held[position..<position + 4]
            let size = number(at: position + 4, isBig: false)
            if name.elementsEqual("data".utf8) {
                guard hasFormat else { throw Unreadable() }
                return position + 8
            }
            if name.elementsEqual("fmt ".utf8) {
                guard size >= 16 else { throw Unreadable() }
                guard held.count >= position + 8 + 16 else { return nil }
                // 1 is PCM; 0xFFFE gives the encoding further down (also PCM, or the bits
                // would not be 16).
                let encoding = number(at: position + 8, isBig: false) & 0xFFFF
                let bits = number(at: position + 20, isBig: false) >> 16
                guard encoding == 1 || encoding == 0xFFFE, bits == 16 else { throw Unreadable() }
                try accept(
                    rate: number(at: position + 12, isBig: false),
                    channels: number(at: position + 8, isBig: false) >> 16)
                hasFormat = true
            }
            position += 8 + size + size & 1
        }
        throw Unreadable()
    }

    private mutating func accept(rate: Int, channels: Int) throws(Unreadable) {
        guard (4_000...384_000).contains(rate), (1...8).contains(channels) else {
            throw Unreadable()
        }
        format = PCMFormat(rate: rate, channels: channels)
    }

    /// The four bytes at an offset; callers check that they are held.
    private func number(at offset: Int, isBig: Bool) -> Int {
        let bytes = held[offset..<offset + 4]
        return (isBig ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether the bytes begin with the word, or are its beginning.
    private static func mayBecome(_ bytes: [UInt8], _ word: String) -> Bool {
        bytes.isEmpty || zip(bytes, word.utf8).allSatisfy { $0 == $1 }
    }
}
