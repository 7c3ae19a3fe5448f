/// A prompt as libedit wants it: colours between two markers, so that they take
/// no columns. libedit draws such a run together with the character after it,
/// so runs are joined and one never stands last.
struct PromptText: Equatable {
    static let marker: UInt32 = 0x01

    private(set) var marked: [UInt32] = []
    /// What takes columns.
    private(set) var visible: [UInt32] = []

    init(_ text: String) {
        var escape: [UInt32] = []
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            if scalar == "\u{1B}" {
                escape.append(scalar.value)
                while let next = scalars.next() {
                    escape.append(next.value)
                    // The final byte of ECMA-48; "[" opens the sequence.
                    if next != "[", (0x40...0x7E).contains(next.value) { break }
                }
                continue
            }
            add(escape, before: scalar.value)
            escape = []
        }
        if !escape.isEmpty, let last = visible.popLast() {
            marked.removeLast()
            add(escape, before: last)
        }
    }

    private mutating func add(_ escape: [UInt32], before scalar: UInt32) {
        if !escape.isEmpty { marked += [Self.marker] + escape + [Self.marker] }
        marked.append(scalar)
        visible.append(scalar)
    }

    /// Without colours, for a terminal that has none.
    var plain: String {
        String(String.UnicodeScalarView(visible.compactMap(Unicode.Scalar.init)))
    }
}
