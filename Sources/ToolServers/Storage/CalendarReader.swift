import AgentCore
import Dispatch
import Synchronization

/// Reads and parses many files of one collection, on all cores.
///
/// Which files, and what becomes of them, is the caller's business.
struct CalendarReader {
    enum Outcome: Sendable {
        case file(Component, VDirectory.ETag)
        /// The reason, as one word.
        case problem(String)
        /// Deleted since the folder was read: no problem of anybody.
        case gone
    }

    private static let chunk = 128

    let directory: VDirectory

    /// What `body` makes of each file, in order. Called on several threads.
    func map<Value: Sendable>(
        _ names: [String], _ body: @Sendable (Int, Outcome) -> Value
    ) throws(VDirectoryError) -> [Value] {
        let chunks = (names.count + Self.chunk - 1) / Self.chunk
        guard chunks > 1 else { return try part(names, 0..<names.count, body) }
        let parts = Mutex<[Int: Result<[Value], VDirectoryError>]>([:])
        DispatchQueue.concurrentPerform(iterations: chunks) { number in
            let range = number * Self.chunk..<min(names.count, (number + 1) * Self.chunk)
            let result: Result<[Value], VDirectoryError>
            do throws(VDirectoryError) {
                result = .success(try part(names, range, body))
            } catch {
                result = .failure(error)
            }
            parts.withLock { $0[number] = result }
        }
        var values: [Value] = []
        values.reserveCapacity(names.count)
        let all = parts.withLock { $0 }
        for number in 0..<chunks { values += try all[number]?.get() ?? [] }
        return values
    }

    private func part<Value>(
        _ names: [String], _ range: Range<Int>, _ body: (Int, Outcome) -> Value
    ) throws(VDirectoryError) -> [Value] {
        let folder = try FileCall.openFolder(directory.path)
        return range.map { body($0, read(names[$0], in: folder)) }
    }

    private func read(_ name: String, in folder: FileCall.Descriptor) -> Outcome {
        let item: VDirectory.Item
        do throws(VDirectoryError) {
            item = try directory.read(name, in: folder)
        } catch {
            return error.reason == .notFound ? .gone : .problem(error.reason.rawValue)
        }
        do throws(ICalendarError) {
            let content = try CalendarParser.parse(item.bytes)
            if content.components("VCALENDAR").isEmpty { return .problem("noCalendar") }
            return .file(content, item.etag)
        } catch {
            return .problem(error.reason.rawValue)
        }
    }
}
