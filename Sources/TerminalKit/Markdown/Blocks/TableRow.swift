/// Parses the rows of GitHub's tables.
package enum TableRow {
    /// Maximum number of columns, because each short row is padded to all columns.
    static let columnLimit = 100

    package enum Alignment: Equatable, Sendable { case none, left, center, right }

    /// The cells of a row, without pipes and surrounding space.
    package static func cells(_ line: [UInt8]) -> [[UInt8]] {
        var cells: [[UInt8]] = []
        var cell: [UInt8] = []
        var isEscaped = false
        var text = trimmed(line[...])
        if text.first == UInt8(ascii: "|") { text = text.dropFirst() }
        var endsWithPipe = false
        for byte in text {
            endsWithPipe = false
            if byte == UInt8(ascii: "|") {
                if isEscaped {
                    cell[cell.count - 1] = byte
                } else {
                    cells.append(Array(trimmed(cell[...])))
                    cell.removeAll(keepingCapacity: true)
                    endsWithPipe = true
                }
                isEscaped = false
                continue
            }
            cell.append(byte)
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        if !endsWithPipe { cells.append(Array(trimmed(cell[...]))) }
        return cells
    }

    /// The alignment of each column from the line below the head; nil if it is not such a line.
    static func alignments(_ line: ArraySlice<UInt8>) -> [Alignment]? {
        guard let first = line.first, "|:-".utf8.contains(first) else { return nil }
        for byte in line where !"|:- \t".utf8.contains(byte) { return nil }
        var alignments: [Alignment] = []
        for cell in cells(Array(line)) {
            let isLeft = cell.first == UInt8(ascii: ":")
            let dashes = cell.drop { $0 == UInt8(ascii: ":") }.prefix { $0 == UInt8(ascii: "-") }
            let isRight = cell.count > 1 && cell.last == UInt8(ascii: ":")
            guard !dashes.isEmpty,
                dashes.count + (isLeft ? 1 : 0) + (isRight ? 1 : 0) == cell.count
            else { return nil }
            alignments.append(isLeft ? isRight ? .center : .left : isRight ? .right : .none)
        }
        return (1...columnLimit).contains(alignments.count) ? alignments : nil
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text.drop { $0 == 0x20 || $0 == 0x09 }
        while text.last == 0x20 || text.last == 0x09 { text.removeLast() }
        return text
    }
}
