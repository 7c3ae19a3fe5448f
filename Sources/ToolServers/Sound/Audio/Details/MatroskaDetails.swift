import Base

/// The duration and tags of WebM and Matroska files. Clusters of sound are
/// passed by their sizes; one of unknown size ends the walk.
struct MatroskaDetails {
    private static let segment = 0x1853_8067
    private static let info = 0x1549_A966
    private static let tracks = 0x1654_AE6B
    private static let tagList = 0x1254_C367
    private static let attachments = 0x1941_A469

    static func read(_ source: AudioSource) throws(OpenFile.Failure) -> AudioDetails {
        var details = AudioDetails()
        var at = 0
        for _ in 0..<4_096 {
            let header = try source.part(at, 12)
            guard let element = EBMLElements.element(header, at: 0) else { break }
            let content = at + element.content
            if element.id == segment {
                at = content
                continue
            }
            guard let size = element.size else { break }
            let wanted = min(size, AudioKind.headBytes)
            switch element.id {
            case info: readInfo(try source.part(content, wanted), &details)
            case tracks: readTracks(try source.part(content, wanted), &details)
            case tagList: readTags(try source.part(content, wanted), depth: 0, &details)
            case attachments:
                details.add("attachment", AudioDetails.size("", size))
            default: break
            }
            // A size of 56 bits and a place within the file: no overflow.
            at = content + size
        }
        return details
    }

    private static func readInfo(_ bytes: AudioBytes, _ details: inout AudioDetails) {
        var scale = 1_000_000
        var ticks: Double?
        var fields = EBMLElements(bytes, from: 0)
        while let field = fields.next(), let size = field.size {
            switch field.id {
            case 0x2AD7B1: scale = bytes.big(field.content, size) ?? scale
            case 0x4489: ticks = float(bytes, field.content, size)
            case 0x7BA9: details.add("title", text(bytes, field.content, size))
            case 0x5741: details.add("encoder", text(bytes, field.content, size))
            default: continue
            }
        }
        if let ticks, ticks > 0 { details.duration = ticks * Double(scale) / 1e9 }
    }

    /// Type 2 is sound, 1 is video.
    private static func readTracks(_ bytes: AudioBytes, _ details: inout AudioDetails) {
        var types: [Int] = []
        var entries = EBMLElements(bytes, from: 0)
        while let entry = entries.next(), let size = entry.size {
            guard entry.id == 0xAE else { continue }
            let content = bytes.part(entry.content, size)
            var fields = EBMLElements(content, from: 0)
            while let field = fields.next(), field.size != nil {
                if field.id == 0x83 { types.append(content.byte(field.content) ?? 0) }
            }
        }
        if !types.isEmpty, !types.contains(2) { details.content = .noSound }
    }

    /// Tags hold simple tags, and those a name and a text.
    private static func readTags(
        _ bytes: AudioBytes, depth: Int, _ details: inout AudioDetails
    ) {
        var name: String?
        var elements = EBMLElements(bytes, from: 0)
        while depth < 4, let element = elements.next(), let size = element.size {
            switch element.id {
            case 0x7373, 0x67C8:
                readTags(bytes.part(element.content, size), depth: depth + 1, &details)
            case 0x45A3: name = text(bytes, element.content, size).lowercased()
            case 0x4487: details.add(name ?? "tag", text(bytes, element.content, size))
            default: continue
            }
        }
    }

    private static func text(_ bytes: AudioBytes, _ at: Int, _ size: Int) -> String {
        AudioText.guess(bytes.part(at, min(size, 1_024)).bytes)
    }

    private static func float(_ bytes: AudioBytes, _ at: Int, _ size: Int) -> Double? {
        switch size {
        case 4: bytes.big(at, 4).map { Double(Float(bitPattern: UInt32($0))) }
        case 8:
            bytes.big(at, 4).flatMap { high in
                bytes.big(at + 4, 4).map { Double(bitPattern: UInt64(high) << 32 | UInt64($0)) }
            }
        default: nil
        }
    }
}

/// Walks the elements of a Matroska or WebM file (RFC 8794) within bytes that
/// are in memory: id, size and place, one after the other. Pure.
struct EBMLElements {
    struct Element: Equatable {
        var id: Int
        var content: Int
        /// Nil where the writer did not know it (a live stream).
        var size: Int?
    }

    private let bytes: AudioBytes
    private(set) var at: Int

    init(_ bytes: AudioBytes, from: Int) {
        self.bytes = bytes
        at = from
    }

    /// The next element, and past it; nil at the end and at what is not an element.
    mutating func next() -> Element? {
        guard let element = Self.element(bytes, at: at) else { return nil }
        // An element of unknown size is entered, not skipped.
        let (end, overflow) = element.content.addingReportingOverflow(element.size ?? 0)
        if overflow { return nil }
        at = end
        return element
    }

    static func element(_ bytes: AudioBytes, at: Int) -> Element? {
        guard let first = bytes.byte(at), first >= 0x10 else { return nil }
        let idLength = UInt8(first).leadingZeroBitCount + 1
        guard let id = bytes.big(at, idLength), let mark = bytes.byte(at + idLength), mark > 0
        else {
            return nil
        }
        let sizeLength = UInt8(mark).leadingZeroBitCount + 1
        guard let written = bytes.big(at + idLength, sizeLength) else { return nil }
        let mask = 1 << (7 * sizeLength) - 1
        let size = written & mask
        return Element(
            id: id, content: at + idLength + sizeLength, size: size == mask ? nil : size)
    }
}
