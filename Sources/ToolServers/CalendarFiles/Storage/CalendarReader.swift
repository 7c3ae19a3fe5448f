import Base
import Dispatch
import Glibc
import ICalendar
import Synchronization

/// Reads and parses many files of one collection, on all cores.
///
/// The caller decides which files to read and what to do with them.
struct CalendarReader {
    /// A file of the folder, with what the index knows of it.
    struct Candidate: Sendable {
        var name: String
        var known: CalendarIndex.Stamp?
        /// False if it need not be read as long as it has the known stamp.
        var mayMatch = true
    }

    enum Outcome: Sendable {
        /// With a stamp if the index does not know this state of the file.
        case file(Component, VDirectory.ETag, CalendarIndex.Stamp?)
        /// The reason, as text.
        case problem(String)
        /// Deleted since the folder was read, which is not a problem, or it need not be read.
        case skipped
    }

    private static let chunk = 128

    let directory: VDirectory
    /// Whether the stamps of unknown files are wanted.
    let teachesIndex: Bool

    /// The results of `body` for each file, in order. It is called on several
    /// threads.
    func map<Value: Sendable>(
        _ files: [Candidate], _ body: @escaping @Sendable (String, Outcome) -> Value?
    ) throws(FileCallError) -> [Value] {
        let chunks = (files.count + Self.chunk - 1) / Self.chunk
        guard chunks > 1 else { return try part(files[...], body) }
        let parts = Mutex<[Int: Result<[Value], FileCallError>]>([:])
        // One lane per processor, including this thread. `concurrentPerform`
        // would use the global queues, and once these are used libdispatch wakes
        // the process every second (see `TaskThreads`).
        let lanes = min(chunks, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let group = DispatchGroup()
        let work = { @Sendable (lane: Int) in
            for number in stride(from: lane, to: chunks, by: lanes) {
                let range = number * Self.chunk..<min(files.count, (number + 1) * Self.chunk)
                let result: Result<[Value], FileCallError>
                do throws(FileCallError) {
                    result = .success(try part(files[range], body))
                } catch {
                    result = .failure(error)
                }
                parts.withLock { $0[number] = result }
            }
        }
        for lane in 1..<lanes {
            DispatchQueue(label: "chat.calendar.read").async(group: group) { work(lane) }
        }
        work(0)
        group.wait()
        var values: [Value] = []
        let all = parts.withLock { $0 }
        for number in 0..<chunks { values += try all[number]?.get() ?? [] }
        return values
    }

    private func part<Value>(
        _ files: ArraySlice<Candidate>, _ body: (String, Outcome) -> Value?
    ) throws(FileCallError) -> [Value] {
        if files.isEmpty { return [] }
        let folder = try FileCall.openFolder(directory.path)
        return files.compactMap { body($0.name, read($0, in: folder)) }
    }

    private func read(_ file: Candidate, in folder: FileCall.Descriptor) -> Outcome {
        var stamp: CalendarIndex.Stamp?
        if teachesIndex, !file.mayMatch || file.known == nil {
            stamp = self.stamp(file.name, in: folder)
            if !file.mayMatch, stamp == file.known { return .skipped }
        }
        let item: VDirectory.Item
        do throws(FileCallError) {
            item = try directory.read(file.name, in: folder)
        } catch {
            return error.reason == .notFound
                ? .skipped : .problem(CalendarStore.Problem.reason(error))
        }
        if teachesIndex, stamp == nil, file.known?.identity != item.etag.identity {
            stamp = self.stamp(file.name, in: folder)
        }
        // The file has changed while it was read.
        if stamp?.identity != item.etag.identity { stamp = nil }
        do throws(ICalendarError) {
            let content = try CalendarParser.parse(item.bytes)
            if content.components("VCALENDAR").isEmpty {
                return .problem(CalendarStore.Problem.noCalendar(item.bytes))
            }
            return .file(content, item.etag, stamp)
        } catch {
            return .problem(CalendarStore.Problem.reason(error))
        }
    }

    /// The file system facts of a file; nil on failure.
    private func stamp(_ name: String, in folder: FileCall.Descriptor) -> CalendarIndex.Stamp? {
        // Reading the file then reports the reason.
        let status = try? FileCall.status(name, in: folder, path: directory.path)
        return status.map(CalendarIndex.Stamp.init)
    }
}
