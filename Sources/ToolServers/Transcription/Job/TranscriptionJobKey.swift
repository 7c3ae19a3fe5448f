import Base

/// Identifies a job by everything its words depend on: the bytes of the
/// recording, the request, and the server. The same file under another name is
/// the same job; a file written to since is another.
struct TranscriptionJobKey: Sendable, Equatable {
    /// 32 hexadecimal digits.
    let text: String

    private static let sampled = 64 << 10

    /// Reads the head, the middle and the tail of the file.
    init(
        _ file: OpenFile, _ options: TranscriptionOptions, server: String, limitInBytes: Int
    ) throws(OpenFile.Failure) {
        var hash = Hash()
        for number in [file.size, file.changed.seconds, file.changed.nanoseconds, limitInBytes] {
            hash.add(Array("\(number) ".utf8))
        }
        for offset in [0, (file.size - Self.sampled) / 2, file.size - Self.sampled] {
            hash.add(try file.read(at: max(0, offset), count: Self.sampled))
        }
        for part in [
            server, options.model, options.language ?? "", options.prompt ?? "",
            options.times.rawValue, "\(options.wantsSpeakers)",
        ] {
            // A length prefix distinguishes ("ab", "c") from ("a", "bc").
            hash.add(Array("\(part.utf8.count):\(part)".utf8))
        }
        text = hash.text
    }

    /// Two 64-bit FNV-1a sums with different seeds. Nothing can be gained by making two
    /// recordings collide: the hash only distinguishes files.
    private struct Hash {
        private var first: UInt64 = 0xcbf2_9ce4_8422_2325
        private var second: UInt64 = 0x6c62_272e_07bb_0142

        mutating func add(_ bytes: [UInt8]) {
            bytes.withUnsafeBufferPointer { buffer in
                for byte in buffer {
                    first = (first ^ UInt64(byte)) &* 0x100_0000_01b3
                    second = (second ^ UInt64(byte ^ 0x5a)) &* 0x100_0000_01b3
                }
            }
        }

        var text: String {
            first.padded(to: 16, radix: 16) + second.padded(to: 16, radix: 16)
        }
    }
}
