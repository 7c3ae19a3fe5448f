import Base

/// The duration and tags of MP4, M4A and QuickTime files. Boxes are skipped by their
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
    private var keys: [String] = []

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
            type: AudioText.guess(header.part(4, 4).bytes), content: at + headerBytes,
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
            case "moov", "trak", "mdia", "udta", "mvex":
                if box.type == "moov" { hasMovie = true }
                try walk(box.content, box.end, within: box.type, depth: depth + 1)
            case "meta":
                // QuickTime's has no version before its boxes.
                let isPlain = try source.part(box.content, 8).has("hdlr", at: 4)
                try walk(
                    box.content + (isPlain ? 0 : 4), box.end, within: "meta", depth: depth + 1)
            case "mvhd", "mehd": try readDuration(box)
            case "hdlr" where within == "mdia":
                handlers.append(AudioText.guess(try source.part(box.content + 8, 4).bytes))
            case "keys" where within == "meta": try readKeys(box)
            case "ilst": try readItems(box)
            case _ where within == "udta" && box.type.hasPrefix("©"):
                // QuickTime: size and language before the text.
                let bytes = try source.part(box.content, min(box.end - box.content, 1_024))
                let size = bytes.big(0, 2) ?? 0
                add(box.type, AudioText.guess(bytes.part(4, size).bytes))
            case "loci" where within == "udta": try readLocation(box)
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

    // MARK: Tags

    /// 3GPP's location (TS 26.244, 8.10): a name, then longitude and latitude as 16.16
    /// fixed-point numbers.
    private mutating func readLocation(_ box: Box) throws(OpenFile.Failure) {
        let bytes = try source.part(box.content, min(box.end - box.content, 512))
        let name = bytes.part(6, bytes.count).bytes.prefix { $0 != 0 }.count
        guard let east = bytes.big(8 + name, 4), let north = bytes.big(12 + name, 4) else { return }
        func degrees(_ value: Int) -> String {
            let hundredths = Int(Int32(truncatingIfNeeded: value)) * 100 / 65_536
            let size = abs(hundredths)
            let rest = size % 100 < 10 ? "0\(size % 100)" : "\(size % 100)"
            return "\(hundredths < 0 ? "-" : "")\(size / 100).\(rest)"
        }
        details.add("location", "\(degrees(north)), \(degrees(east))")
    }

    private mutating func readKeys(_ box: Box) throws(OpenFile.Failure) {
        let bytes = try source.part(box.content, min(box.end - box.content, AudioKind.headBytes))
        var at = 8
        while keys.count < 256, let size = bytes.big(at, 4), size >= 8, at + 8 < bytes.count {
            keys.append(AudioText.guess(bytes.part(at + 8, size - 8).bytes))
            at += size
        }
    }

    private mutating func readItems(_ list: Box) throws(OpenFile.Failure) {
        var at = list.content
        while let item = try box(at: at, end: list.end) {
            at = item.end
            var name = item.type
            let header = try source.part(item.content - 4, 4)
            if let index = header.big(0, 4), index > 0, index <= keys.count {
                name = keys[index - 1]
            }
            var inner = item.content
            while let part = try box(at: inner, end: item.end) {
                inner = part.end
                let bytes = try source.part(part.content, min(part.end - part.content, 1_024))
                if part.type == "name" { name = AudioText.guess(bytes.part(4, 200).bytes) }
                guard part.type == "data", let type = bytes.big(0, 4) else { continue }
                if type == 1 {
                    add(name, AudioText.guess(bytes.part(8, bytes.count).bytes))
                } else if name == "covr" {
                    details.add("picture", AudioDetails.size("picture", part.end - part.content))
                }
            }
        }
    }

    private mutating func add(_ name: String, _ value: String) {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        let known = Self.names[name] ?? (last == "ISO6709" ? "location" : last)
        details.add(known, value)
    }

    private static let names = [
        "©nam": "title", "©ART": "artist", "©alb": "album", "©day": "date", "©cmt": "comment",
        "©too": "encoder", "©gen": "genre", "©xyz": "location", "©swr": "encoder", "©mak": "make",
        "©mod": "model", "©wrt": "composer", "desc": "description", "cprt": "copyright",
    ]
}
