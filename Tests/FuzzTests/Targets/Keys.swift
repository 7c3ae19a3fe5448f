@testable import TerminalKit

extension FuzzTarget {
    /// Keys do not depend on where the bytes were cut, and a paste has no control character.
    static let keys = FuzzTarget("keys") { bytes in
        func keys(_ pieces: [ArraySlice<UInt8>]) -> [Key] {
            var (decoder, keys) = (KeyDecoder(), [Key]())
            for piece in pieces {
                decoder.feed(piece)
                while let key = decoder.next() { keys.append(key) }
            }
            return keys
        }
        let whole = keys([bytes[...]])
        try demand(keys(bytes.indices.map { bytes[$0...$0] }) == whole, "depends on the cut")
        var decoder = KeyDecoder()
        for byte in bytes {
            decoder.feed([byte])
            decoder.elapse(1)
            while decoder.next() != nil {}
            _ = decoder.takeInterrupts()
        }
        _ = (decoder.takeRest(), KeyDecoder.cleanPaste(bytes[...]))
    }
}
