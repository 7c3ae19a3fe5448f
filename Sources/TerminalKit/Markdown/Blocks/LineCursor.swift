/// A position in one line, in bytes and in columns, where a tab extends to the next
/// multiple of four and may be consumed in parts (CommonMark 2.2).
struct LineCursor {
    let bytes: [UInt8]
    private(set) var offset = 0
    private(set) var column = 0
    private var isInsideTab = false

    /// Offset of the first byte that is neither space nor tab.
    private(set) var textOffset = 0
    /// Columns of white space before it.
    private(set) var indent = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        measure()
    }

    var isBlank: Bool { textOffset == bytes.count }
    var isIndented: Bool { indent >= 4 }

    /// The first byte of the text; 0 at the end.
    var first: UInt8 { textOffset < bytes.count ? bytes[textOffset] : 0 }

    /// The text from the first byte other than white space.
    var text: ArraySlice<UInt8> { bytes[textOffset...] }

    var isAtSpace: Bool {
        offset < bytes.count && (bytes[offset] == 0x20 || bytes[offset] == 0x09)
    }

    /// The remaining bytes, with the rest of a tab as spaces.
    var rest: [UInt8] {
        guard isInsideTab else { return Array(bytes[offset...]) }
        return Array(repeating: 0x20, count: 4 - column % 4) + bytes[(offset + 1)...]
    }

    mutating func skipColumns(_ count: Int) {
        var left = count
        while left > 0, offset < bytes.count {
            if bytes[offset] == 0x09 {
                let width = 4 - column % 4
                isInsideTab = width > left
                let step = min(width, left)
                column += step
                left -= step
                if !isInsideTab { offset += 1 }
            } else {
                isInsideTab = false
                offset += 1
                column += 1
                left -= 1
            }
        }
        measure()
    }

    /// Skips bytes, which must not be tabs.
    mutating func skipBytes(_ count: Int) {
        isInsideTab = false
        offset += count
        column += count
        measure()
    }

    private mutating func measure() {
        var at = offset
        var width = column
        while at < bytes.count {
            if bytes[at] == 0x20 {
                width += 1
            } else if bytes[at] == 0x09 {
                width += 4 - width % 4
            } else {
                break
            }
            at += 1
        }
        textOffset = at
        indent = width - column
    }
}
