import AgentCore
import Base
import Glibc
import Persistence
import Sound

/// Reads a named file or piped standard input for a message. Checks size and kind, so that
/// nothing else runs for a file that cannot be sent. Blocks.
package enum InputFiles {
    /// Maximum bytes of a file: no provider accepts more in a request.
    static let limitInBytes = 25 << 20
    /// Maximum bytes of a text: about half a million tokens.
    package static let textLimitInBytes = 2 << 20

    /// A file's contents when it was read.
    package struct Loaded: Sendable, Equatable {
        /// The path as the user wrote it.
        package var path: String
        /// The last path component, safe for one line.
        package var name: String
        package var bytes: [UInt8]
        package var kind: FileKind
        /// Whether it may be cut to fit the model's context.
        var mayBeCut = false
    }

    /// - Parameter path: `shown` is the user's spelling for messages. `name` is the name
    ///   the model sees, if not the last path component.
    package static func load(
        _ path: String, shown: String? = nil, name: String? = nil
    ) throws(AttachmentFailure) -> Loaded {
        let shown = shown ?? path
        func failure(_ reason: AttachmentFailure.Reason) -> AttachmentFailure {
            AttachmentFailure(path: shown, reason: reason)
        }
        // NONBLOCK: a FIFO would block until it is written to.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            // A socket cannot be opened at all.
            throw failure(errno == ENXIO ? .notAFile : .system(errno))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(.system(errno)) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw failure(.folder)
        default: throw failure(.notAFile)
        }
        if status.st_size > limitInBytes {
            // A long recording can be transcribed instead.
            throw failure(
                isRecording(descriptor)
                    ? .unsupported(.audio) : .tooLarge(limit: limitInBytes))
        }
        let bytes = try read(descriptor, path: shown)
        return try loaded(bytes, path: shown, name: name.map(fileName) ?? self.name(ofFile: path))
    }

    private static func isRecording(_ descriptor: Int32) -> Bool {
        var head = [UInt8](repeating: 0, count: 64 << 10)
        let count = pread(descriptor, &head, head.count, 0)
        return count > 0 && AudioKind(head: Array(head.prefix(count))) != nil
    }

    /// Bytes from another source, checked like a file.
    package static func loaded(
        _ bytes: [UInt8], path: String, name: String
    ) throws(AttachmentFailure) -> Loaded {
        func failure(_ reason: AttachmentFailure.Reason) -> AttachmentFailure {
            AttachmentFailure(path: path, reason: reason)
        }
        if bytes.isEmpty { throw failure(.empty) }
        let kind = FileKind(bytes, name: name)
        switch kind {
        case .unsupported(let kind): throw failure(.unsupported(kind))
        case .unknown: throw failure(.unknownType)
        case .image(let header) where header.size == nil: throw failure(.brokenImage)
        case .text(let text) where text.count > textLimitInBytes:
            throw failure(.textTooLarge(limit: textLimitInBytes))
        case .text, .image, .pdf: break
        }
        return Loaded(path: path, name: name, bytes: bytes, kind: kind)
    }

    /// A library item as a text file: `i12 Tea cups`. Of a long story only the beginning is
    /// included.
    package static func loaded(_ item: LibraryItem) throws(AttachmentFailure) -> Loaded {
        let title = item.title.trimmingSpace()
        let body = item.body.trimmingSpace().isEmpty ? title : item.body
        let isStory = item.kind == .story
        let id = isStory ? item.kind.id(item.id) : "\(item.id)"
        var bytes = Array(body.utf8)
        if isStory { bytes = StoryBeginning.bytes(bytes, limit: textLimitInBytes) }
        var file = try loaded(
            bytes, path: "\(item.id)", name: fileName(title.isEmpty ? id : "\(id) \(title)"))
        file.mayBeCut = isStory
        return file
    }

    /// Reads a pipe up to its end.
    package static func read(_ descriptor: Int32, path: String) throws(AttachmentFailure) -> [UInt8]
    {
        do { return try WholeFile.read(descriptor, limit: limitInBytes) } catch {
            throw AttachmentFailure(
                path: path,
                reason: error == .tooLarge ? .tooLarge(limit: limitInBytes) : .system(error.code))
        }
    }

    /// The name that the model sees: a file name may contain anything but `/`.
    private static func name(ofFile path: String) -> String { fileName(FilePath.name(path)) }

    private static func fileName(_ last: String) -> String {
        var name = ""
        for scalar in last.unicodeScalars.prefix(200) {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            name.unicodeScalars.append(isControl ? "_" : scalar)
        }
        return name
    }
}
