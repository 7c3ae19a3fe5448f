import Base

/// Iterates over the elements of a Matroska or WebM file (RFC 8794) within bytes in memory:
/// ID, size and offset. Pure.
struct EBMLElements {
    struct Element: Equatable {
        var id: Int
        var content: Int
        /// Nil if the writer did not know it (a live stream).
        var size: Int?
    }

    private let bytes: AudioBytes
    private(set) var at: Int

    init(_ bytes: AudioBytes, from: Int) {
        self.bytes = bytes
        at = from
    }

    /// Returns the next element and moves past it; nil at the end and for invalid bytes.
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
