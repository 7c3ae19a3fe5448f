import Base

/// The duration of MP4, M4A and QuickTime files. Boxes are skipped by their
/// headers wherever `moov` is, and only small ones are read.
struct MP4Details {
    private struct Box {
        var type: String
        var content: Int
        var end: Int
    }

    private let source: AudioSource
    private var details = AudioDetails()
    /// Number of boxes that may still be read: a file may contain millions.
    private var left = 4_096
    private var hasMovie = false
    private var handlers: [String] = []

    static func read(_ source: AudioSource) throws(OpenFile.Failure) -> AudioDetails {
        var reader = MP4Details(source)
        try reader.walk(0, source.count, within: "", depth: 0)
        if !reader.hasMovie {
            // A killed recorder has not written it.
            reader.details.content = .damaged
        } else if !reader.handlers.isEmpty, !reader.handlers.contains("soun") {
            reader.details.content = .noSound
        }
        return reader.details
    }

    private init(_ source: AudioSource) {
        self.source = source
    }

    private mutating func box(at: Int, end: Int) throws(OpenFile.Failure) -> Box? {
        guard left > 0, at >= 0, at < end else { return nil }
        left -= 1
        let header = try source.part(at, 16)
        guard var size = header.big(0, 4), header.count >= 8 else { return nil }
        var headerBytes = 8
        if size == 1 {
            guard let long = header.big(8, 8) else { return nil }
            (size, headerBytes) = (long, 16)
        } else if size == 0 {
            size = end - at
        }
        guard size >= headerBytes else { return nil }
        return Box(
            type: Self.name(header.part(4, 4)), content: at + headerBytes,
            end: size > end - at ? end : at + size)
    }

    private mutating func walk(
        _ from: Int, _ end: Int, within: String, depth: Int
    ) throws(OpenFile.Failure) {
        guard depth < 6 else { return }
        var at = from
        while let box = try box(at: at, end: end) {
            at = box.end
            switch box.type {
            case "moov", "trak", "mdia", "mvex":
                if box.type == "moov" { hasMovie = true }
                try walk(box.content, box.end, within: box.type, depth: depth + 1)
            case "mvhd", "mehd": try readDuration(box)
            case "hdlr" where within == "mdia":
                handlers.append(Self.name(try source.part(box.content + 8, 4)))
            default: continue
            }
        }
    }

    /// The duration is in `mvhd`, with its own time scale; fragmented files have it in
    /// `mehd`.
    private mutating func readDuration(_ box: Box) throws(OpenFile.Failure) {
        let bytes = try source.part(box.content, 40)
        guard let version = bytes.byte(0) else { return }
        if box.type == "mehd" {
            let ticks = bytes.big(4, version == 1 ? 8 : 4) ?? 0
            if details.duration == nil, ticks > 0, timescale > 0 {
                details.duration = Double(ticks) / Double(timescale)
            }
            return
        }
        let at = version == 1 ? 20 : 12
        timescale = bytes.big(at, 4) ?? 0
        let ticks = bytes.big(at + 4, version == 1 ? 8 : 4) ?? 0
        let unknown = version == 1 ? Int.max : 0xFFFF_FFFF
        if timescale > 0, ticks > 0, ticks != unknown {
            details.duration = Double(ticks) / Double(timescale)
        }
    }

    private var timescale = 0

    private static func name(_ bytes: AudioBytes) -> String {
        String(decoding: bytes.bytes, as: UTF8.self)
    }
}
