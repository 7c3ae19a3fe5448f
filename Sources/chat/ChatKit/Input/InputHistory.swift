import Base
import FoundationEssentials
import Glibc
import Persistence
import Synchronization
import TerminalKit

/// The lines typed at the prompt, across launches and instances: a file of one line per entry that
/// is only appended to, under a lock. Independent of the editor. Failures to read or write it are
/// not reported, nor are files that `PrivateFile` refuses.
///
/// This instance's entries come last, so that Up reaches them first; those of other instances come
/// before, not in between. An entry is not stored if it starts with a space (private), looks like a
/// key, contains text for the profile, or repeats the one before. Text that identifies the user can
/// be recalled until the program ends and is never stored.
package struct InputHistory: LineHistory {
    private let path: String
    /// The current place; nil writes the text alone.
    private let place: @Sendable () -> HistoryEntry.Origin?
    /// Whether a text identifies the user.
    private let isPersonal: @Sendable (String) -> Bool
    private var own: [HistoryEntry] = []
    private var others: [HistoryEntry] = []
    /// The part of the file already read.
    private var seen: (inode: ino_t, end: Int) = (0, 0)

    /// Maximum number of bytes read from the end of the file.
    static let loadBytes = 1 << 20
    /// Size at which the file is cut to the part read at launch.
    static let compactionBytes = 10 << 20

    package init(
        path: String, place: @escaping @Sendable () -> HistoryEntry.Origin? = { nil },
        isPersonal: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.path = path
        self.isPersonal = isPersonal
        self.place = place
    }

    /// Each text once, at its latest position: those of other instances and earlier launches, then
    /// those of this instance.
    var entries: [HistoryEntry] {
        var taken: Set<String> = []
        let last = (others + own).reversed().filter { taken.insert($0.text).inserted }
        let mine = Set(own.map(\.text))
        let all =
            last.filter { !mine.contains($0.text) }.reversed()
            + last.filter { mine.contains($0.text) }.reversed()
        return Array(all.suffix(LineEditor.historyLimit))
    }

    package var texts: [String] { entries.map(\.text) }

    package func request(query: String) -> PickerRequest {
        HistoryPicker.request(entries, query: query, now: place()?.time ?? 0)
    }

    /// Reads what was appended to the file since the last time; false if nothing was. Usually only
    /// a `stat`, because it runs before each prompt.
    @discardableResult
    package mutating func refresh() -> Bool {
        var info = stat()
        guard lstat(path, &info) == 0 else { return false }
        let isSame = info.st_ino == seen.inode && info.st_size >= seen.end
        if isSame, info.st_size == seen.end { return false }
        // A refused or missing file is an empty history.
        guard let file = try? PrivateFile.open(path, O_RDONLY) else { return false }
        defer { close(file) }
        var bytes = Self.tail(
            isSame ? min(Self.loadBytes, Int(info.st_size) - seen.end) : Self.loadBytes, of: file,
            startsAtLine: isSame)
        // A line without its end is still being written.
        let rest = bytes.reversed().prefix { $0 != 0x0A }.count
        bytes = bytes.dropLast(rest)
        let new = bytes.split(separator: 0x0A).suffix(LineEditor.historyLimit).map(
            HistoryEntry.init(line:))
        others = Array((isSame ? others + new : new).suffix(2 * LineEditor.historyLimit))
        seen = (info.st_ino, Int(info.st_size) - rest)
        return !new.isEmpty
    }

    /// Stores an entry; false if it is private, empty or a repetition.
    @discardableResult
    package mutating func append(_ text: String) -> Bool {
        guard !text.isEmpty, !text.hasPrefix(" "), text != (own.last ?? others.last)?.text,
            !HistoryEntry.holdsSecret(text), !PrivateInput.isCommand(text)
        else { return false }
        var entry = HistoryEntry(text, place())
        own.append(entry)
        if own.count > LineEditor.historyLimit { own.removeFirst() }
        if isPersonal(text) { return true }
        // The title of a conversation is often its first words.
        if isPersonal(entry.place?.title ?? "") { entry.place?.title = "" }
        let bytes = entry.line
        guard let file = Self.openLocked(path) else { return true }
        defer { close(file) }
        // One write to a file opened for appending is atomic even without the lock.
        _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        var info = stat()
        if fstat(file, &info) == 0, info.st_size > Self.compactionBytes {
            Self.compact(path, from: file)
        }
        return true
    }

    /// Opens and locks the file, and makes sure that it is still the one at `path`: another
    /// instance may have replaced it meanwhile.
    private static func openLocked(_ path: String) -> Int32? {
        for _ in 0..<8 {
            let file: Int32
            do throws(PrivateFile.Refusal) {
                file = try PrivateFile.open(path, O_RDWR | O_APPEND | O_CREAT)
            } catch {
                guard error.reason == .system(ENOENT), makeFolder(of: path) else { return nil }
                continue
            }
            while flock(file, LOCK_EX) != 0, errno == EINTR {}
            var here = stat()
            var there = stat()
            if fstat(file, &here) == 0, lstat(path, &there) == 0, here.st_ino == there.st_ino {
                return file
            }
            close(file)
        }
        return nil
    }

    private static func makeFolder(of path: String) -> Bool {
        guard path.hasPrefix("/") else { return false }
        let folder = FilePath.folder(of: path)
        return PrivateFolder.make(folder) == 0 && access(folder, W_OK) == 0
    }

    /// Cuts the file to its newest entries; called with the lock held.
    private static func compact(_ path: String, from file: Int32) {
        let kept = tail(loadBytes, of: file)
        let fresh = path + ".new"
        unlink(fresh)
        // On failure the long file stays: a truncated one would be worse.
        _ = WholeFile.replace(kept, at: path, temporary: fresh)
    }

    /// The last whole lines of a file, at most `limit` bytes.
    private static func tail(
        _ limit: Int, of file: Int32, startsAtLine: Bool = false
    ) -> ArraySlice<UInt8> {
        let size = Int(lseek(file, 0, SEEK_END))
        let start = max(0, size - limit)
        guard size > 0 else { return [] }
        let bytes = [UInt8](unsafeUninitializedCapacity: size - start) { buffer, count in
            while count < buffer.count, let base = buffer.baseAddress {
                let got = pread(
                    file, base + count, buffer.count - count, off_t(start + count))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { break }
                count += got
            }
        }
        guard start > 0, !startsAtLine else { return bytes[...] }
        // The first line is probably cut.
        let firstEnd = bytes.firstIndex(of: 0x0A) ?? bytes.count
        return bytes[min(firstEnd + 1, bytes.count)...]
    }
}

/// The history as a list to choose from: newest first, each entry once, with its age and
/// conversation. Pure.
enum HistoryPicker {
    /// - Parameter entries: oldest first; an item's id is its index in them.
    static func request(
        _ entries: [HistoryEntry], query: String, now: Int
    ) -> PickerRequest {
        let items = entries.enumerated().reversed().map { index, entry in
            var detail = ""
            if let place = entry.place {
                detail = Quantities.ago(
                    Date(timeIntervalSince1970: Double(place.time)),
                    now: Date(timeIntervalSince1970: Double(now)))
                if !place.title.isEmpty { detail += " · \(place.title)" }
            }
            return PickerItem(
                id: "\(index)", title: shown(entry.text), detail: detail,
                searchText: entry.place?.title ?? "")
        }
        return PickerRequest(
            heading: "History", items: items, initialQuery: query.contains("\n") ? "" : query)
    }

    /// The entry in one line, cut to a displayable length.
    private static func shown(_ text: String) -> String {
        var line = ""
        for character in text.prefix(400) {
            if character.isNewline { line += " ⏎ " } else { line.append(character) }
        }
        return line
    }
}

/// The current place for the history: set when a prompt opens, read on the terminal's
/// thread.
package final class HistoryPlace: Sendable {
    private let environment: Environment
    private let place = Mutex<(id: String, title: String)>(("", ""))

    package init(environment: Environment) { self.environment = environment }

    package func set(_ record: ConversationRecord?) {
        place.withLock { $0 = (record?.id ?? "", record?.title ?? "") }
    }

    package var now: HistoryEntry.Origin {
        let (id, title) = place.withLock { $0 }
        let time = environment.now().timeIntervalSince1970
        return HistoryEntry.Origin(time: Int(time), conversation: id, title: title)
    }
}
