/// Finds text in the form of a secret key. Pure.
///
/// It recognizes the prefixes of the vendors' keys, the frame of a private key in PEM, the form of
/// a signed token, and opaque words after a telling name (`api_key = …`). It guesses, to protect
/// text that must not leave the machine by mistake. Ordinary text must not match: placeholders
/// (`sk-…`, `ghp_xxxxxxxx`), class names, hashes and UUIDs do not.
package enum KeyShape {
    package static func isFound(in text: String) -> Bool { !ranges(in: Array(text.utf8)).isEmpty }

    /// Whether the text is a key and nothing else.
    package static func isAll(of text: String) -> Bool {
        // No key is longer, and a text may have megabytes.
        text.utf8.count <= 64 << 10 && isFound(in: text)
            && redacted(text).allSatisfy { $0.isWhitespace || "\"'`[key]".contains($0) }
    }

    /// The word as shown in a message; dots if it may be a key.
    package static func shown(_ word: String) -> String { isLikely(word) ? "…" : word }

    /// Whether a word is so similar to a key that it must not be shown. A number is not, with or
    /// without a letter before it (`i12`).
    package static func isLikely(_ word: String) -> Bool {
        if word.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }) { return false }
        let lower = word.lowercased()
        return lower.hasPrefix("sk-") || lower.hasPrefix("bearer") || word.utf8.count > 20
    }

    /// The text with each key replaced by `[key]`.
    package static func redacted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let found = ranges(in: bytes)
        return found.isEmpty ? text : redacted(bytes, found)
    }

    /// - Parameter ranges: ascending, not adjacent; they begin and end at ASCII.
    package static func redacted(_ bytes: [UInt8], _ ranges: [Range<Int>]) -> String {
        var kept: [UInt8] = []
        var end = 0
        for range in ranges {
            kept += bytes[end..<range.lowerBound]
            kept += Array("[key]".utf8)
            end = range.upperBound
        }
        return String(decoding: kept + bytes[end...], as: UTF8.self)
    }

    /// The ranges of the keys, ascending and separate.
    package static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            if let end = privateKeyEnd(in: bytes, at: index) {
                found.append(index..<end)
                index = end
            } else if isWordByte(bytes[index]) {
                var end = index
                while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
                var last = end
                // The full stop of a sentence.
                while last > index, bytes[last - 1] == dot { last -= 1 }
                if isKey(bytes[index..<last], in: bytes) {
                    found.append(index..<last)
                } else if let bot = telegramStart(of: bytes[index..<last], in: bytes) {
                    found.append(bot..<last)
                }
                index = end
            } else {
                index += 1
            }
        }
        return found
    }

    // MARK: - Words

    /// Prefixes that only keys have, and the minimum length after them.
    private static let marks: [(prefix: [UInt8], least: Int)] = [
        ("sk-ant-", 12), ("sk-proj-", 16), ("sk-svcacct-", 16), ("sk-admin-", 16),
        ("sk-or-v1-", 16), ("sk_live_", 16), ("sk_test_", 16), ("rk_live_", 16), ("rk_test_", 16),
        ("whsec_", 20), ("ghp_", 16), ("gho_", 16), ("ghu_", 16), ("ghs_", 16), ("ghr_", 16),
        ("github_pat_", 16), ("glpat-", 16), ("glrt-", 16), ("gldt-", 16), ("xoxb-", 12),
        ("xoxp-", 12), ("xoxa-", 12), ("xoxr-", 12), ("xoxs-", 12), ("xoxe-", 12),
        ("xoxe.", 12), ("xapp-", 12), ("AIza", 30), ("ya29.", 20), ("GOCSPX-", 20), ("AQ.", 40),
        ("gsk_", 20), ("hf_", 20), ("xai-", 20), ("pplx-", 20), ("r8_", 20), ("tvly-", 16),
        ("nvapi-", 20), ("npm_", 30), ("pypi-", 40), ("dop_v1_", 40), ("SG.", 40),
        ("secret_", 40), ("ntn_", 40), ("lin_api_", 20), ("shpat_", 20), ("shpss_", 20),
        ("dp.pt.", 20), ("hvs.", 20), ("dapi", 32), ("sbp_", 40), ("figd_", 30), ("csk-", 30),
        ("pcsk_", 30), ("jina_", 30), ("fw_", 20), ("ATATT3", 80), ("PMAK-", 40),
        ("AGE-SECRET-KEY-1", 40),
    ].map { (Array($0.0.utf8), $0.1) }

    private static func isKey(_ word: ArraySlice<UInt8>, in bytes: [UInt8]) -> Bool {
        guard word.count >= 20 else { return false }
        for mark in marks where word.starts(with: mark.prefix) {
            let body = word.dropFirst(mark.prefix.count)
            if body.count >= mark.least, isRandom(body, wordsAllowed: 12) { return true }
        }
        if word.starts(with: "sk-".utf8) || word.starts(with: "sk_".utf8) {
            return isRandom(word.dropFirst(3), wordsAllowed: .max)
        }
        return isAWS(word) || isSigned(word)
            || isOpaque(word) && (isAlone(word, in: bytes) || isNamed(word, in: bytes))
    }

    /// - Parameter wordsAllowed: maximum length of a run of letters that may be a word; with a
    ///   digit among ten letters and digits in a row it is not one.
    private static func isRandom(_ body: ArraySlice<UInt8>, wordsAllowed: Int) -> Bool {
        guard Set(body).count >= 8 else { return false }
        return body.split { !$0.isASCIILetterOrDigit }.contains { run in
            run.count >= 10 && run.contains(where: isDigit) || run.count >= wordsAllowed
        }
    }

    /// Amazon's access key ids: a prefix and 16 characters of base 32.
    private static func isAWS(_ word: ArraySlice<UInt8>) -> Bool {
        word.count == 20 && ["AKIA", "ASIA"].contains { word.starts(with: $0.utf8) }
            && word.allSatisfy { isDigit($0) || $0 &- UInt8(ascii: "A") < 26 }
            && Set(word).count >= 8
    }

    /// RFC 7519: header and claims are JSON objects in base 64.
    private static func isSigned(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count >= 60, word.starts(with: "eyJ".utf8) else { return false }
        let parts = word.split(separator: dot)
        return parts.count == 3 && parts[1].starts(with: "eyJ".utf8)
    }

    /// The number of a bot, a colon, and 35 characters of base 64.
    private static func telegramStart(
        of word: ArraySlice<UInt8>, in bytes: [UInt8]
    ) -> Int? {
        let colon = word.startIndex - 1
        guard word.count == 35, word.starts(with: "AA".utf8), colon >= 8,
            bytes[colon] == UInt8(ascii: ":")
        else { return nil }
        let number = bytes[..<colon].suffix(12).reversed().prefix(while: isDigit).count
        return number >= 8 ? colon - number : nil
    }

    /// Letters and digits in random order.
    private static func isOpaque(_ word: ArraySlice<UInt8>) -> Bool {
        word.allSatisfy(\.isASCIILetterOrDigit) && word.count(where: isDigit) >= 3
            && word.contains { !isDigit($0) } && Set(word).count >= 10
    }

    /// Whether the word is delimited on both sides. Letters of only one case are not enough here,
    /// so that a hash is not taken for a key.
    private static func isAlone(_ word: ArraySlice<UInt8>, in bytes: [UInt8]) -> Bool {
        let isAround: (UInt8) -> Bool = { $0 <= 0x20 || quotes.contains($0) }
        return word.count >= 28 && word.contains { $0 &- UInt8(ascii: "a") < 26 }
            && word.contains { $0 &- UInt8(ascii: "A") < 26 }
            && bytes[..<word.startIndex].allSatisfy(isAround)
            && bytes[word.endIndex...].allSatisfy(isAround)
    }

    /// `KEY=…`, `"token": "…"`, `my api key is …`, `Bearer …`.
    private static func isNamed(_ word: ArraySlice<UInt8>, in bytes: [UInt8]) -> Bool {
        var before = bytes[..<word.startIndex].suffix(40)
        let separators = Array(" \t=:>".utf8)
        func skip() {
            while let last = before.last, separators.contains(last) || quotes.contains(last) {
                before.removeLast()
            }
        }
        let gap = before.count
        skip()
        let isAssigned = bytes[before.endIndex..<word.startIndex].contains { $0 > 0x20 }
        var name = String(decoding: before, as: UTF8.self).lowercased()
        if name.hasSuffix("bearer") { return gap > before.count }
        if name.hasSuffix(" is") {
            name = String(name.dropLast(3))
        } else if !isAssigned {
            return false
        }
        return ["key", "token", "secret", "passwd", "password"].contains(where: name.hasSuffix)
    }

    // MARK: - Blocks

    /// The end of the private key in PEM that begins here (RFC 7468), or the end of the text if it
    /// breaks off within the key.
    private static func privateKeyEnd(in bytes: [UInt8], at index: Int) -> Int? {
        let dashes = Array("-----".utf8)
        guard bytes[index] == dashes[0], bytes[index...].starts(with: "-----BEGIN ".utf8) else {
            return nil
        }
        let label = bytes[index...].prefix(80).split(separator: UInt8(ascii: "\n")).first ?? []
        guard String(decoding: label, as: UTF8.self).contains("PRIVATE KEY") else { return nil }
        var end = index + dashes.count
        while end < bytes.count, !bytes[end...].starts(with: "-----END ".utf8) { end += 1 }
        end = min(bytes.count, end + dashes.count)
        while end < bytes.count, !bytes[end...].starts(with: dashes) { end += 1 }
        return min(bytes.count, end + dashes.count)
    }

    // MARK: - Bytes

    private static let dot = UInt8(ascii: ".")
    private static let quotes = Array("\"'`".utf8)

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            || byte == dot
    }
}
