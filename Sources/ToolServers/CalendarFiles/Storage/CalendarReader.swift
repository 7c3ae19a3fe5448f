import Base
import Dispatch
import Glibc
import ICalendar
import Synchronization

/// Reads and parses many files of one collection, on all cores.
///
/// The caller decides which files to read and what to do with them.
struct CalendarReader {
    enum Outcome: Sendable {
        case file(Component, VDirectory.ETag)
        /// The reason, as text.
        case problem(String)
        /// Deleted since the folder was read; not a problem.
        case gone
    }

    private static let chunk = 128

    let directory: VDirectory

    /// The results of `body` for each file, in order. It is called on several
    /// threads.
    func map<Value: Sendable>(
        _ names: [String], _ body: @escaping @Sendable (Int, Outcome) -> Value
    ) throws(FileCallError) -> [Value] {
        try spread(names) { index, folder in body(index, read(names[index], in: folder)) }
    }

    /// The file system facts of each file, without reading it; nil on failure.
    func stamps(_ names: [String]) throws(FileCallError) -> [CalendarIndex.Stamp?] {
        try spread(names) { index, folder in
            // Reading the file then reports the reason.
            let status = try? FileCall.status(names[index], in: folder, path: directory.path)
            return status.map(CalendarIndex.Stamp.init)
        }
    }

    private func spread<Value: Sendable>(
        _ names: [String], _ body: @escaping @Sendable (Int, FileCall.Descriptor) -> Value
    ) throws(FileCallError) -> [Value] {
        let chunks = (names.count + Self.chunk - 1) / Self.chunk
        guard chunks > 1 else { return try part(0..<names.count, body) }
        let parts = Mutex<[Int: Result<[Value], FileCallError>]>([:])
        // One lane per processor, including this thread. `concurrentPerform`
        // would use the global queues, and once these are used libdispatch wakes
        // the process every second (see `TaskThreads`).
        let lanes = min(chunks, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let group = DispatchGroup()
        let work = { @Sendable (lane: Int) in
            for number in stride(from: lane, to: chunks, by: lanes) {
                let range = number * Self.chunk..<min(names.count, (number + 1) * Self.chunk)
                let result: Result<[Value], FileCallError>
                do throws(FileCallError) {
                    result = .success(try part(range, body))
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
        values.reserveCapacity(names.count)
        let all = parts.withLock { $0 }
        for number in 0..<chunks { values += try all[number]?.get() ?? [] }
        return values
    }

    private func part<Value>(
        _ range: Range<Int>, _ body: (Int, FileCall.Descriptor) -> Value
    ) throws(FileCallError) -> [Value] {
        if range.isEmpty { return [] }
        let folder = try FileCall.openFolder(directory.path)
        return range.map { body($0, folder) }
    }

    private func read(_ name: String, in folder: FileCall.Descriptor) -> Outcome {
        let item: VDirectory.Item
        do throws(FileCallError) {
            item = try directory.read(name, in: folder)
        } catch {
            return error.reason == .notFound ? .gone : .problem(CalendarStore.Problem.reason(error))
        }
        do throws(ICalendarError) {
            let content = try CalendarParser.parse(item.bytes)
            if content.components("VCALENDAR").isEmpty {
                return .problem(CalendarStore.Problem.noCalendar(item.bytes))
            }
            return .file(content, item.etag)
        } catch {
            return .problem(CalendarStore.Problem.reason(error))
        }
    }
}
