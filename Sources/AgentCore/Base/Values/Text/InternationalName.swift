/// The form of a host name that is looked up: each label that is not ASCII as Punycode (RFC 3492)
/// after `xn--` (RFC 5890). Pure.
///
/// Capitals become lower case; no other character is mapped. A name in look-alike digits or dots
/// therefore cannot exist, and is never taken for an address.
package enum InternationalName {
    /// The name in ASCII, with its port if there is one; nil if a label is too long.
    package static func ascii(_ name: String) -> String? {
        var labels: [String] = []
        for label in name.lowercased().split(separator: ".", omittingEmptySubsequences: false) {
            if label.utf8.allSatisfy({ $0 < 0x80 }) {
                labels.append(String(label))
                continue
            }
            let word = label.prefix { $0 != ":" }
            guard let code = punycode(Array(word.unicodeScalars.map(\.value))),
                code.utf8.count <= 59
            else { return nil }
            labels.append("xn--" + code + label.dropFirst(word.count))
        }
        return labels.joined(separator: ".")
    }

    /// RFC 3492 §6.3, with the parameters of §5.
    private static func punycode(_ input: [UInt32]) -> String? {
        // A label of a name has at most 63 letters, so no sum below overflows.
        guard input.count <= 63 else { return nil }
        let input = input.map(Int.init)
        var output = String(String.UnicodeScalarView(input.filter { $0 < 0x80 }.map(scalar)))
        let basic = output.utf8.count
        if basic > 0 { output += "-" }
        var (next, delta, bias, handled) = (0x80, 0, 72, basic)
        while handled < input.count {
            guard let smallest = input.filter({ $0 >= next }).min() else { return nil }
            delta += (smallest - next) * (handled + 1)
            next = smallest
            for value in input {
                if value < next { delta += 1 }
                guard value == next else { continue }
                var rest = delta
                var base = 36
                while true {
                    let threshold = min(max(base - bias, 1), 26)
                    if rest < threshold { break }
                    let digit = threshold + (rest - threshold) % (36 - threshold)
                    output.unicodeScalars.append(letter(digit))
                    rest = (rest - threshold) / (36 - threshold)
                    base += 36
                }
                output.unicodeScalars.append(letter(rest))
                bias = adapted(delta, points: handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return output
    }

    private static func adapted(_ delta: Int, points: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / points
        var steps = 0
        while delta > 455 {
            delta /= 35
            steps += 36
        }
        return steps + 36 * delta / (delta + 38)
    }

    /// a to z, 0 to 9.
    private static func letter(_ digit: Int) -> Unicode.Scalar {
        scalar(digit < 26 ? 0x61 + digit : 0x30 + digit - 26)
    }

    /// - Parameter value: an ASCII code.
    private static func scalar(_ value: Int) -> Unicode.Scalar {
        Unicode.Scalar(UInt8(truncatingIfNeeded: value))
    }
}
