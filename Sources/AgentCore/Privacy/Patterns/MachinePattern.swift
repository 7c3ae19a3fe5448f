/// Finds addresses of machines: public IPv4 and IPv6 addresses, and MAC addresses. Pure.
///
/// Addresses in a private network identify no one (RFC 1918, RFC 4291).
struct MachinePattern {
    let text: ScannedText

    func ranges() -> [Range<Int>] {
        var found = text.words.indices.compactMap(hexadecimal)
        for chain in DigitChain.chains(in: text) where chain.groups.count == 4 {
            let values = chain.groups.map { group in
                group.units.prefix(4).reduce(0) { $0 * 10 + Int(text.ascii($1)) - 0x30 }
            }
            let isDotted = (0..<3).allSatisfy {
                chain.gap($0).count == 1 && text.ascii(chain.gap($0).lowerBound) == 0x2E
            }
            guard isDotted, values.allSatisfy({ $0 < 256 }), isPublic(values),
                chain.groups.allSatisfy({ $0.count == 1 || text.ascii($0.units.lowerBound) != 0x30 }
                ),
                !text.isWord(chain.units.lowerBound - 1), !text.isWord(chain.units.upperBound),
                values.count(where: { $0 >= 20 }) >= 2
                    || isNamed(
                        chain.units.lowerBound,
                        ["ip", "ipv4", "address", "host", "server", "adresse"])
            else { continue }
            if isNamed(chain.units.lowerBound, ["version", "v", "release", "build", "ver"]) {
                continue
            }
            found.append(chain.units)
        }
        return found
    }

    /// 00:1B:44:11:3A:B7 and 2001:db8::8a2e:370:7334, from their first group.
    private func hexadecimal(_ index: Int) -> Range<Int>? {
        let first = text.words[index]
        let sign = text.ascii(first.end)
        guard first.count <= 4, sign == 0x3A || sign == 0x2D, isHexadecimal(first),
            text.ascii(first.start - 1) != sign
        else { return nil }
        var last = index
        var doubles = 0
        while last + 1 < text.words.count, last - index < 8 {
            let (word, next) = (text.words[last], text.words[last + 1])
            let gap = Range.span(word.end, next.start)
            guard (1...2).contains(gap.count), gap.allSatisfy({ text.ascii($0) == sign }),
                isHexadecimal(next)
            else { break }
            doubles += gap.count - 1
            last += 1
        }
        let groups = text.words[index...last]
        let isMAC = doubles == 0 && groups.count == 6 && groups.allSatisfy { $0.count == 2 }
        let isGlobal =
            sign == 0x3A && first.count == 4 && [0x32, 0x33].contains(text.ascii(first.start))
        let isWhole = groups.count == 8 && doubles == 0 || groups.count > 2 && doubles == 1
        guard isMAC || isGlobal && isWhole, text.ascii(text.words[last].end) != sign else {
            return nil
        }
        return first.start..<text.words[last].end
    }

    private func isHexadecimal(_ word: ScannedText.Word) -> Bool {
        word.count <= 4
            && (word.start..<word.end).allSatisfy {
                text.isDigit($0) || (0x61...0x66).contains(text.ascii($0))
            }
    }

    private func isPublic(_ values: [Int]) -> Bool {
        switch (values[0], values[1]) {
        case (0, _), (10, _), (127, _), (255, _), (192, 168), (169, 254), (224..., _): false
        case (172, 16...31): false
        default: values != [1, 1, 1, 1] && values != [8, 8, 8, 8]
        }
    }

    private func isNamed(_ start: Int, _ names: Set<String>) -> Bool {
        let index = text.word(from: start) - 1
        guard index >= 0, start - text.words[index].end <= 3 else { return false }
        return names.contains(text.text(text.words[index]))
    }
}
