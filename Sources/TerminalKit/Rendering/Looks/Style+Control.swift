import Base

/// Control sequences around text that arrives in pieces, before a whole `StyledLine`
/// exists.
extension Style {
    /// Starts dimmed text.
    package var dimming: [UInt8] { usesColor ? Array("\u{1B}[2m".utf8) : [] }

    /// Resets all looks.
    package var plain: [UInt8] { usesColor ? Array("\u{1B}[0m".utf8) : [] }
}

extension Style {
    /// The line without colours, for an answer on stdout.
    package func plainBytes(_ line: StyledLine, isForPipe: Bool) -> [UInt8] {
        var plain = Style(usesColor: false, usesUnicode: usesUnicode)
        plain.isForPipe = isForPipe
        return plain.bytes(line)
    }
}
