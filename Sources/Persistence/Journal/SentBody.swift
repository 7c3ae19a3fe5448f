import AgentCore
import Base

/// The form in which the ledger stores a body: without keys, and with the size and digest of each
/// upload instead of its content. Pure except for reading uploaded files for their digest.
package enum SentBody {
    /// A longer word in base64 is a file or a signature, not text.
    private static let longestWord = 512

    /// The method, the address and the body.
    ///
    /// - Throws: `OpenFile.Failure` if a file of the body cannot be read.
    package static func text(of request: HTTPRequest) throws(OpenFile.Failure) -> String {
        var bytes = Array("\(request.method) \(request.url)\n\n".utf8)
        switch request.body {
        case .none: break
        case .bytes(let body): bytes += body
        case .slices(let slices):
            for slice in slices {
                switch slice {
                case .bytes(let part): bytes += part
                case .file(let file, let offset, let count):
                    var (sum, place) = (SHA256(), offset)
                    while place < offset + count {
                        let piece = try file.read(
                            at: place, count: min(256 << 10, offset + count - place))
                        if piece.isEmpty { break }
                        sum.add(piece)
                        place += piece.count
                    }
                    bytes += mark(count, sum.digest())
                }
            }
        }
        return text(bytes, of: bytes.count, hiding: request.key)
    }

    /// - Parameters:
    ///   - bytes: the beginning of the body, or all of it.
    ///   - size: the size of the whole body.
    ///   - key: the secret of the request, in any form.
    package static func text(_ bytes: [UInt8], of size: Int, hiding key: String?) -> String {
        let kept = bytes.prefix(SendReceipt.bodyLimit)
        // Sound, pictures and other files.
        if kept.contains(0) {
            // The digest of a part would pass for that of the whole.
            if bytes.count < size { return "[\(size) bytes]" }
            return String(decoding: mark(size, SHA256.digest(bytes)), as: UTF8.self)
        }
        var words: [UInt8] = []
        var start = kept.startIndex
        while start < kept.endIndex {
            let isWord = isBase64(kept[start])
            let end = kept[start...].firstIndex { isBase64($0) != isWord } ?? kept.endIndex
            let run = Array(kept[start..<end])
            let isFile = isWord && run.count > longestWord
            words += isFile ? mark(run.count, SHA256.digest(run)) : run
            start = end
        }
        var text = KeyShape.redacted(String(decoding: words, as: UTF8.self))
        if let key, !key.isEmpty { text = text.replacing(key, with: "[key]") }
        return size == kept.count ? text : text + "\n[\(size - kept.count) more bytes]"
    }

    private static func mark(_ count: Int, _ digest: [UInt8]) -> [UInt8] {
        Array("[\(count) bytes, sha256 \(SHA256.hex(digest))]".utf8)
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "+/=_-".utf8.contains(byte)
    }
}
