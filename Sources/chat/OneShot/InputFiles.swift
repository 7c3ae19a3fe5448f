import AgentCore
import Glibc

/// Reads what goes with a message: files named on the command line, and piped
/// standard input. Blocks; called before anything else runs.
enum InputFiles {
    /// More than this goes into no request.
    static let limitInBytes = 20 << 20

    struct Failure: Error, Sendable, Equatable {
        enum Reason: Sendable, Equatable {
            case system(Int32)
            case notAFile
            case tooLarge
            case unknownType
        }

        var path: String
        var reason: Reason
    }

    static func attachment(path: String) throws(Failure) -> Attachment {
        // NONBLOCK: a FIFO would hold us until somebody writes.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(path: path, reason: .system(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw Failure(path: path, reason: .system(errno))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(path: path, reason: .notAFile)
        }
        let bytes = try read(descriptor, path: path)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let type = mediaType(name: name, bytes: bytes) else {
            throw Failure(path: path, reason: .unknownType)
        }
        return Attachment(name: name, mediaType: type, bytes: bytes)
    }

    /// All of a pipe, up to its end.
    static func read(_ descriptor: Int32, path: String) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(path: path, reason: .system(errno))
            }
            bytes += buffer[..<count]
            if bytes.count > limitInBytes { throw Failure(path: path, reason: .tooLarge) }
        }
    }

    private static func mediaType(name: String, bytes: [UInt8]) -> String? {
        let signatures: [([UInt8], String)] = [
            ([0x89, 0x50, 0x4E, 0x47], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
            ([0x47, 0x49, 0x46, 0x38], "image/gif"),
        ]
        for (signature, type) in signatures where bytes.starts(with: signature) { return type }
        if bytes.starts(with: Array("RIFF".utf8)),
            bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        {
            return "image/webp"
        }
        if bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil { return nil }
        return name.lowercased().hasSuffix(".md") ? "text/markdown" : "text/plain"
    }
}
