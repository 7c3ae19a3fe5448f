import Base
import Glibc

/// Decodes the bytes of a page: by its byte order mark, else by the server's header, else
/// by the page's own declaration, else as UTF-8 if valid, else by a guess. Pure, except for
/// the C library's own tables of other encodings.
///
/// There are no errors: bytes that are invalid in the encoding become U+FFFD.
package enum PageDecoding {
    /// - Parameters:
    ///   - charset: from the header `Content-Type`.
    ///   - isMarkup: whether the page may declare an encoding itself.
    package static func text(_ bytes: [UInt8], charset: String?, isMarkup: Bool) -> String {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return String(decoding: bytes.dropFirst(3), as: UTF8.self)
        }
        if bytes.starts(with: [0xFF, 0xFE]) { return converted(bytes.dropFirst(2), "UTF-16LE") }
        if bytes.starts(with: [0xFE, 0xFF]) { return converted(bytes.dropFirst(2), "UTF-16BE") }
        if let name = charset.flatMap(encoding) { return decoded(bytes, name) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        if isMarkup, let name = declared(in: bytes).flatMap(encoding), name != "UTF-8",
            // If its beginning can be read as ASCII, the page is not in one of these.
            !name.hasPrefix("UTF-16")
        {
            return decoded(bytes, name)
        }
        return EncodingGuess.text(bytes) ?? decoded(bytes, "WINDOWS-1252")
    }

    /// The encoding declared by a page, if it is not one of the web's; nil if it declares
    /// none.
    static func unknownEncoding(in bytes: [UInt8]) -> String? {
        declared(in: bytes).flatMap { encoding($0) == nil ? String($0.prefix(40)) : nil }
    }

    private static func decoded(_ bytes: [UInt8], _ name: String) -> String {
        name == "UTF-8" ? String(decoding: bytes, as: UTF8.self) : converted(bytes[...], name)
    }

    /// `charset=…` or `encoding="…"` near the start.
    private static func declared(in bytes: [UInt8]) -> String? {
        let head = String(decoding: bytes.prefix(2_048), as: UTF8.self).lowercased()
        for mark in ["charset=", "encoding="] {
            guard let found = head.firstRange(of: mark) else { continue }
            let name = head[found.upperBound...].drop { "\"' ".contains($0) }
                .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_:".contains($0)) }
            if !name.isEmpty { return String(name) }
        }
        return nil
    }

    // MARK: - Names

    /// The iconv name of an encoding of the web (WHATWG, "Encoding", 4.2); nil for any
    /// other, which an attacker might choose for its effect on the reader.
    private static func encoding(_ label: String) -> String? {
        let label = label.lowercased().trimming { $0.isWhitespace || "\"'".contains($0) }
        if let name = names[String(label)] { return name }
        for (prefix, numbers) in [("windows-", 1250...1258), ("cp", 1250...1258)] {
            if label.hasPrefix(prefix), let number = Int(label.dropFirst(prefix.count)),
                numbers.contains(number)
            {
                return "WINDOWS-\(number)"
            }
        }
        if label.hasPrefix("iso-8859-"), let number = Int(label.dropFirst(9)),
            (2...16).contains(number), number != 12
        {
            return "ISO-8859-\(number)"
        }
        return nil
    }

    private static let names = [
        "utf-8": "UTF-8", "utf8": "UTF-8", "unicode-1-1-utf-8": "UTF-8",
        // Pages that claim Latin-1 or ASCII use Windows-1252.
        "iso-8859-1": "WINDOWS-1252", "latin1": "WINDOWS-1252", "us-ascii": "WINDOWS-1252",
        "ascii": "WINDOWS-1252", "utf-16": "UTF-16LE", "utf-16le": "UTF-16LE",
        "utf-16be": "UTF-16BE", "gbk": "GB18030", "gb2312": "GB18030", "gb18030": "GB18030",
        "big5": "BIG5-HKSCS", "big5-hkscs": "BIG5-HKSCS", "shift_jis": "CP932",
        "shift-jis": "CP932", "sjis": "CP932", "windows-31j": "CP932", "euc-jp": "EUC-JP",
        "iso-2022-jp": "ISO-2022-JP", "euc-kr": "CP949", "ks_c_5601-1987": "CP949",
        "koi8-r": "KOI8-R", "koi8-u": "KOI8-U", "macintosh": "MACINTOSH", "ibm866": "IBM866",
        "windows-874": "CP874", "tis-620": "CP874",
    ]

    // MARK: - iconv

    // From <iconv.h>, which Swift's module of the C library leaves out.
    private typealias Open =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>)
        -> OpaquePointer?
    private typealias Close = @convention(c) (OpaquePointer) -> Int32
    private typealias Convert =
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
            UnsafeMutablePointer<Int>?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
            UnsafeMutablePointer<Int>?
        ) -> Int

    /// - Parameter name: the name used by iconv.
    static func converted(_ bytes: ArraySlice<UInt8>, _ name: String) -> String {
        guard let open = CFunction.named("iconv_open", as: Open.self),
            let close = CFunction.named("iconv_close", as: Close.self),
            let convert = CFunction.named("iconv", as: Convert.self),
            // iconv_open returns (iconv_t)-1 if the encoding is not installed.
            let handle = open("UTF-8", name), Int(bitPattern: handle) != -1
        else { return latin(bytes) }
        defer { _ = close(handle) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count * 3 / 2)
        var input = bytes.map { CChar(bitPattern: $0) }
        var buffer = [CChar](repeating: 0, count: 64 << 10)
        var offset = 0
        while offset < input.count {
            var (isInvalid, written) = (false, 0)
            input.withUnsafeMutableBufferPointer { input in
                buffer.withUnsafeMutableBufferPointer { buffer in
                    var from = input.baseAddress.map { $0 + offset }
                    var left = input.count - offset
                    var to = buffer.baseAddress
                    var room = buffer.count
                    let outcome = convert(handle, &from, &left, &to, &room)
                    // If the buffer is full it is emptied, and the rest converted.
                    isInvalid = outcome == -1 && errno != E2BIG
                    offset = input.count - left
                    written = buffer.count - room
                }
            }
            result += buffer[..<written].lazy.map { UInt8(bitPattern: $0) }
            if isInvalid {
                result += "\u{FFFD}".utf8
                offset += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func latin(_ bytes: ArraySlice<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(CodePage.scalar(byte, page: 1252)) }
        return String(scalars)
    }
}
