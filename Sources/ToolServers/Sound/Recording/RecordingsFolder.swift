import Base
import FoundationEssentials
import Glibc

/// The folder of saved recordings. It names new ones and lists old ones, but removes none.
///
/// Its calls are short but block; not meant for folders with thousands of files.
package struct RecordingsFolder: Sendable {
    package struct Item: Sendable, Equatable {
        package var name: String
        package var path: String
        package var bytes: Int
        /// Duration; nil if the file's header cannot be read.
        package var seconds: Double?
        /// Time of the last change, in seconds since 1970.
        package var changed: Int
    }

    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// Lists the recordings, newest first; none if the folder is missing.
    /// - Throws: `RecordingError` with `file` and the folder's path.
    package func list() throws(RecordingError) -> [Item] {
        guard let names = FilePath.names(in: path) else {
            if errno == ENOENT { return [] }
            throw RecordingError(reason: .file(errno), file: path)
        }
        let items = names.filter { $0.hasSuffix(".wav") && !$0.hasPrefix(".") }.compactMap(item)
        return items.sorted { ($0.changed, $0.name) > ($1.changed, $1.name) }
    }

    /// Nil if it is not a regular file.
    private func item(_ name: String) -> Item? {
        let path = self.path + "/" + name
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int(status.st_size)
        // An unreadable file is listed without a duration.
        let head = try? OpenFile(path).read(at: 0, count: 64 << 10)  // So is a damaged one.
        let header = head.flatMap { try? WaveHeader.read($0, fileBytes: size) }
        return Item(
            name: name, path: path, bytes: size, seconds: header?.duration,
            changed: status.st_mtim.tv_sec)
    }

    /// Creates an empty recording named after the local time; the folder is created if
    /// missing, for this user only.
    func create(
        at instant: Date, in place: LocalTime, _ format: PCMFormat
    ) throws(WaveRecording.Failure) -> WaveRecording {
        let made = PrivateFolder.make(path)
        if made != 0 { throw WaveRecording.Failure(code: made) }
        // Some programs and file systems treat a colon as a separator.
        let name = place.civil(at: instant).isoText.map { character in
            switch character {
            case "T": " "
            case ":": "."
            default: String(character)
            }
        }.joined()
        var number = 1
        while true {
            let file = path + "/" + name + (number == 1 ? "" : " (\(number))") + ".wav"
            do {
                return try WaveRecording(creating: file, format)
            } catch  where error.code == EEXIST && number < 1_000 {
                number += 1
            }
        }
    }
}
