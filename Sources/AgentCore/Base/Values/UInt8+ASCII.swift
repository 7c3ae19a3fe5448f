/// The class of a byte as an ASCII character, for names and identifiers that allow no others.
extension UInt8 {
    package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
    package var isASCIILetterOrDigit: Bool { isASCIILetter || self &- 0x30 < 10 }
}
