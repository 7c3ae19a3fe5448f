/// Finds base64 within a text, in either alphabet (RFC 4648 §4, §5), and decodes it.
extension HiddenText {
    /// - Parameter isWhole: whether the whole run decodes to this text. If not, the text is a
    ///   readable stretch in bytes that may be anything.
    static func base64(in text: [UInt8], _ found: (_ text: [UInt8], _ isWhole: Bool) -> Void) {
        var place = 0
        while place < text.count {
            guard digits[Int(text[place])] < 64 else {
                place += 1
                continue
            }
            let run = run(in: text, at: place)
            place = run.end
            if run.looksEncoded { search(run.digits, found) }
        }
    }

    /// The value of each character; 64 for invalid bytes.
    private static let digits: [UInt8] = {
        var table = [UInt8](repeating: 64, count: 256)
        for (value, letter)
            in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            .utf8.enumerated()
        {
            table[Int(letter)] = UInt8(value)
        }
        table[Int(UInt8(ascii: "-"))] = 62
        table[Int(UInt8(ascii: "_"))] = 63
        return table
    }()

    /// Minimum length of a line of encoded text (RFC 2045 §6.8 has 76).
    private static let line = 60

    private struct Run {
        var digits: [UInt8] = []
        var end = 0
        /// Whether it looks encoded: words of prose are of one case, except for their first
        /// letter.
        var looksEncoded = false
    }

    private static func run(in text: [UInt8], at start: Int) -> Run {
        var run = Run()
        var place = start
        var sinceLine = 0
        var (lower, upperInside, other) = (false, false, false)
        while place < text.count {
            let byte = text[place]
            let digit = digits[Int(byte)]
            if digit == 64 {
                // The next line of the same text.
                var next = place
                if text[next] == 0x0D, next + 1 < text.count { next += 1 }
                if text[next] == 0x0A, sinceLine >= line, next + 1 < text.count,
                    digits[Int(text[next + 1])] < 64
                {
                    place = next + 1
                    sinceLine = 0
                    continue
                }
                break
            }
            if digit >= 26, digit < 52 {
                lower = true
            } else if digit < 26 {
                upperInside = upperInside || !run.digits.isEmpty
            } else if digit < 62 {
                other = true
            }
            run.digits.append(digit)
            sinceLine += 1
            place += 1
        }
        run.end = place
        let isPadded = place < text.count && text[place] == UInt8(ascii: "=")
        run.looksEncoded = run.digits.count >= 6 && (isPadded || other || lower && upperInside)
        return run
    }

    /// Decodes the readable stretches, at whatever offset the encoding begins.
    private static func search(
        _ digits: [UInt8], _ found: (_ text: [UInt8], _ isWhole: Bool) -> Void
    ) {
        for start in 0..<4 where digits.count - start >= 6 {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(digits.count / 4 * 3 + 3)
            var group: UInt32 = 0
            var count = 0
            for digit in digits[start...] {
                group = group << 6 | UInt32(digit)
                count += 1
                if count.isMultiple(of: 4) {
                    bytes.append(UInt8(truncatingIfNeeded: group >> 16))
                    bytes.append(UInt8(truncatingIfNeeded: group >> 8))
                    bytes.append(UInt8(truncatingIfNeeded: group))
                }
            }
            switch count % 4 {
            case 2: bytes.append(UInt8(truncatingIfNeeded: group >> 4))
            case 3:
                bytes.append(UInt8(truncatingIfNeeded: group >> 10))
                bytes.append(UInt8(truncatingIfNeeded: group >> 2))
            default: break
            }
            stretches(of: bytes, isFirst: start == 0, found)
        }
    }

    private static func stretches(
        of bytes: [UInt8], isFirst: Bool, _ found: (_ text: [UInt8], _ isWhole: Bool) -> Void
    ) {
        var start = 0
        var place = 0
        func end() {
            if place - start >= 4 {
                let isWhole = isFirst && start == 0 && place == bytes.count
                if isWhole || place - start >= 6 { found(Array(bytes[start..<place]), isWhole) }
            }
        }
        while place < bytes.count {
            let width = readable(bytes, place)
            if width > 0 {
                place += width
            } else {
                end()
                place += 1
                start = place
            }
        }
        end()
    }

    /// The number of bytes of the printable character that begins here; 0 for none.
    private static func readable(_ bytes: [UInt8], _ place: Int) -> Int {
        let byte = bytes[place]
        switch byte {
        case 0x20..<0x7F, 0x09, 0x0A, 0x0D: return 1
        case 0xC2...0xF4:
            let width = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
            guard place + width <= bytes.count else { return 0 }
            return bytes[(place + 1)..<(place + width)].allSatisfy { $0 & 0xC0 == 0x80 } ? width : 0
        default: return 0
        }
    }
}
