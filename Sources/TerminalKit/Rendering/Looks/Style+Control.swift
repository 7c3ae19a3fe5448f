import Base

/// Sequences around text that arrives in pieces, where a whole `StyledLine`
/// is not there yet.
extension Style {
    /// Begins dimmed text.
    package var dimming: [UInt8] { usesColor ? Array("\u{1B}[2m".utf8) : [] }

    /// Ends whatever was begun.
    package var plain: [UInt8] { usesColor ? Array("\u{1B}[0m".utf8) : [] }
}

extension Style {
    /// Without colours, for an answer on stdout.
    package func plainBytes(_ line: StyledLine, isForPipe: Bool) -> [UInt8] {
        var plain = Style(usesColor: false, usesUnicode: usesUnicode)
        plain.isForPipe = isForPipe
        return plain.bytes(line)
    }
}
