import Base

/// The header of a WAV file: the format of its samples and their position.
///
/// It reads RIFF, RF64 and BW64, and samples of any encoding; only integers and floats can
/// be divided (`isCuttable`).
package struct WaveHeader: Sendable, Equatable {
    package enum Encoding: Sendable, Equatable {
        case integer, float
        /// The format tag of µ-law, ADPCM …
        case other(Int)
    }

    package var encoding: Encoding
    /// Bits of one sample in the file.
    package var bits: Int
    package var format: PCMFormat
    package var dataOffset: Int
    /// Bytes of samples actually in the file, whatever the header says.
    package var dataBytes: Int
    /// Size of one frame, with all channels; 1 for `other`.
    package var bytesPerFrame: Int
    /// Byte rate of the samples, for encodings that we do not decode.
    private var bytesPerSecond: Int

    package var frames: Int { dataBytes / bytesPerFrame }

    package var duration: Double {
        isCuttable
            ? Double(frames) / Double(format.rate) : Double(dataBytes) / Double(bytesPerSecond)
    }

    /// Whether we can decode its samples well enough to find silence.
    package var isCuttable: Bool {
        switch encoding {
        case .integer: [8, 16, 24, 32].contains(bits)
        case .float: [32, 64].contains(bits)
        case .other: false
        }
    }

    /// - Throws: `damaged` if the header is truncated or inconsistent, with an empty path.
    package static func read(_ head: [UInt8], fileBytes: Int) throws(AudioError) -> WaveHeader {
        let source = AudioSource(head)
        do {
            if let header = try read(source, fileBytes: fileBytes) { return header }
        } catch {
            throw AudioError(reason: .file(error.reason), path: "")
        }
        throw AudioError(reason: .damaged(.wav), path: "")
    }

    /// Nil if the header is truncated or inconsistent.
    static func read(_ source: AudioSource, fileBytes: Int) throws(OpenFile.Failure) -> WaveHeader?
    {
        var header: WaveHeader?
        var longDataSize: Int?
        var chunks = RIFFChunks(source)
        while let chunk = try chunks.next() {
            switch chunk.id {
            case "ds64": longDataSize = try source.part(chunk.content + 8, 8).little(0, 8)
            case "fmt ": header = format(try source.part(chunk.content, min(chunk.size, 64)))
            case "data":
                // Samples without a format cannot be interpreted.
                guard var header else { return nil }
                let room = max(0, fileBytes - chunk.content)
                var size = chunk.size
                if size == 0xFFFF_FFFF, let longDataSize { size = longDataSize }
                // A killed recorder, or one that wrote to a pipe, leaves no size.
                if size == 0 || size == 0xFFFF_FFFF { size = room }
                header.dataOffset = chunk.content
                header.dataBytes = min(size, room)
                return header
            default: continue
            }
        }
        return nil
    }

    private static func format(_ bytes: AudioBytes) -> WaveHeader? {
        guard var tag = bytes.little(0, 2), let channels = bytes.little(2, 2),
            let rate = bytes.little(4, 4), let bytesPerSecond = bytes.little(8, 4),
            let bytesPerFrame = bytes.little(12, 2), let bits = bytes.little(14, 2)
        else { return nil }
        // WAVE_FORMAT_EXTENSIBLE: the tag is the start of a GUID.
        if tag == 0xFFFE, let inner = bytes.little(24, 2) { tag = inner }
        guard (1...256).contains(channels), (1...1_000_000).contains(rate) else { return nil }
        let format = PCMFormat(rate: rate, channels: channels)
        guard tag == 1 || tag == 3 else {
            guard bytesPerSecond > 0 else { return nil }
            return WaveHeader(
                encoding: .other(tag), bits: bits, format: format, dataOffset: 0, dataBytes: 0,
                bytesPerFrame: 1, bytesPerSecond: bytesPerSecond)
        }
        // 12 or 20 bits are stored in 16 or 24; the frame size shows it.
        let container = (bits + 7) / 8
        guard (1...8).contains(container), bytesPerFrame == container * channels else { return nil }
        return WaveHeader(
            encoding: tag == 1 ? .integer : .float, bits: container * 8, format: format,
            dataOffset: 0, dataBytes: 0, bytesPerFrame: bytesPerFrame,
            bytesPerSecond: rate * bytesPerFrame)
    }

    // MARK: Writing

    /// A header of 44 bytes for 16-bit samples.
    package static func bytes(_ format: PCMFormat, dataBytes: Int) -> [UInt8] {
        header(tag: 1, bits: 16, format, bytesPerFrame: format.bytesPerFrame, dataBytes: dataBytes)
    }

    /// A header of 44 bytes for this many bytes of this file's own samples.
    package func bytes(dataBytes: Int) -> [UInt8] {
        Self.header(
            tag: encoding == .float ? 3 : 1, bits: bits, format, bytesPerFrame: bytesPerFrame,
            dataBytes: dataBytes)
    }

    package static let writtenBytes = 44

    /// A header of 80 bytes for 16-bit samples, with room for the sizes of RF64 (EBU Tech
    /// 3306), which it becomes if they do not fit into 32 bits.
    package static func longBytes(_ format: PCMFormat, dataBytes: Int) -> [UInt8] {
        let plain = bytes(format, dataBytes: dataBytes)
        let size = dataBytes + 72
        var extra = [UInt8](repeating: 0, count: 28)
        var names = ("RIFF", "JUNK", size)
        if size > 0xFFFF_FFFF {
            names = ("RF64", "ds64", 0xFFFF_FFFF)
            extra = little(size, 8) + little(dataBytes, 8)
            extra += little(dataBytes / format.bytesPerFrame, 8) + little(0, 4)
        }
        var bytes = Array(names.0.utf8) + little(names.2, 4) + Array("WAVE".utf8)
        bytes += Array(names.1.utf8) + little(28, 4) + extra
        // The usual "fmt " and "data".
        return bytes + plain[12..<40] + little(min(names.2, dataBytes), 4)
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func header(
        tag: Int, bits: Int, _ format: PCMFormat, bytesPerFrame: Int, dataBytes: Int
    ) -> [UInt8] {
        // A 32-bit size; readers interpret all ones as "to the end".
        let size = min(max(0, dataBytes), 0xFFFF_FFFF)
        var bytes = Array("RIFF".utf8) + little(min(size + 36, 0xFFFF_FFFF), 4)
        bytes += Array("WAVEfmt ".utf8) + little(16, 4) + little(tag, 2)
        bytes += little(format.channels, 2) + little(format.rate, 4)
        bytes += little(format.rate * bytesPerFrame, 4) + little(bytesPerFrame, 2) + little(bits, 2)
        return bytes + Array("data".utf8) + little(size, 4)
    }
}

/// Iterates over the chunks of a RIFF file, reading only their headers.
///
/// Bounded: it stops after some thousands of chunks.
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
        guard let size = header.little(4, 4) else { return nil }
        let chunk = Chunk(
            id: String(decoding: header.bytes.prefix(4), as: UTF8.self), content: at + 8, size: size
        )
        // Chunks begin at even offsets.
        at += 8 + size + size % 2
        return chunk
    }
}
