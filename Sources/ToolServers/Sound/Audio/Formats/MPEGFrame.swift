/// The header of one frame of MPEG audio (layers I to III, ISO 11172-3), or of AAC in ADTS
/// (ISO 13818-7), which starts in the same way. Pure.
///
/// Eleven set bits easily occur by chance; only consecutive frames make a stream.
struct MPEGFrame: Sendable, Equatable {
    /// 1 to 3, or 0 for ADTS.
    var layer: Int
    /// The two version bits: 3 is MPEG-1, 2 is MPEG-2, 0 is MPEG-2.5.
    var version: Int
    var rate: Int
    var channels: Int
    /// Bits a second; 0 for ADTS.
    var bitrate: Int
    var byteCount: Int
    var samples: Int

    init?(_ bytes: AudioBytes, at: Int) {
        guard let word = bytes.big(at, 4), word >> 21 == 0x7FF else { return nil }
        version = word >> 19 & 3
        let layerBits = word >> 17 & 3
        if layerBits == 0 {
            guard let header = Self.adts(bytes, at: at, word: word) else { return nil }
            self = header
            return
        }
        layer = 4 - layerBits
        let bitrateIndex = word >> 12 & 15
        let rateIndex = word >> 10 & 3
        guard version != 1, bitrateIndex != 0, bitrateIndex != 15, rateIndex != 3 else {
            return nil
        }
        let isFirst = version == 3
        rate = [44_100, 48_000, 32_000][rateIndex] >> (isFirst ? 0 : version == 2 ? 1 : 2)
        let table = isFirst ? Self.bitrates1[layer - 1] : Self.bitrates2[layer == 1 ? 0 : 1]
        bitrate = table[bitrateIndex - 1] * 1_000
        channels = word >> 6 & 3 == 3 ? 1 : 2
        samples = layer == 1 ? 384 : layer == 2 || isFirst ? 1_152 : 576
        let padding = word >> 9 & 1
        byteCount =
            layer == 1
            ? (12 * bitrate / rate + padding) * 4 : samples / 8 * bitrate / rate + padding
    }

    private init(rate: Int, channels: Int, byteCount: Int, samples: Int, version: Int) {
        layer = 0
        self.version = version
        self.rate = rate
        self.channels = channels
        bitrate = 0
        self.byteCount = byteCount
        self.samples = samples
    }

    private static func adts(_ bytes: AudioBytes, at: Int, word: Int) -> MPEGFrame? {
        // The twelfth bit is part of the sync word here.
        guard word >> 20 == 0xFFF, let length = bytes.big(at + 3, 3), let last = bytes.byte(at + 6)
        else { return nil }
        let rateIndex = word >> 10 & 15
        let byteCount = length >> 5 & 0x1FFF
        guard rateIndex < adtsRates.count, byteCount > 7 else { return nil }
        return MPEGFrame(
            rate: adtsRates[rateIndex], channels: word >> 6 & 7, byteCount: byteCount,
            samples: 1_024 * ((last & 3) + 1), version: word >> 19 & 1)
    }

    /// Start of the first of `frames` consecutive frames, at most `within` bytes on: a cut
    /// stream begins within a frame.
    static func start(
        in bytes: AudioBytes, from: Int, within: Int = 0, frames: Int
    ) -> (at: Int, frame: MPEGFrame)? {
        guard from >= 0, from < bytes.count else { return nil }
        for at in from...min(from + within, bytes.count - 1) where bytes.bytes[at] == 0xFF {
            guard let first = MPEGFrame(bytes, at: at) else { continue }
            var next = at + first.byteCount
            var count = 1
            while count < frames, let frame = MPEGFrame(bytes, at: next), frame.continues(first) {
                next += frame.byteCount
                count += 1
            }
            if count >= frames { return (at, first) }
        }
        return nil
    }

    /// Whether it matches another frame in everything that is constant within a stream.
    func continues(_ other: MPEGFrame) -> Bool {
        layer == other.layer && version == other.version && rate == other.rate
    }

    // Thousands of bits a second by layer, for the indices 1 to 14.
    private static let bitrates1 = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    ]
    private static let bitrates2 = [
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]
    private static let adtsRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025,
        8_000, 7_350,
    ]
}
