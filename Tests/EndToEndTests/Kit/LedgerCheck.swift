import Persistence
import Synchronization
import TestSupport
import XCTest

/// Counts what the servers on loopback receive while programs run, and compares it with the
/// ledgers of those programs when the last of them is gone: each request has a row of its size,
/// and each row that was answered has a request.
enum LedgerCheck {
    /// By host and size: how many requests, and to how many of them a response came.
    typealias Rows = [String: (all: Int, answered: Int)]

    private struct State {
        /// Programs that are there.
        var programs = 0
        var received: [String: Int] = [:]
        var rows = Rows()
        var isWhole = true
    }

    private static let state = Mutex(State())
    private static let rows: SQL = "SELECT host, bytes_out, status IS NOT NULL FROM sent"

    static func begin() {
        state.withLock { $0.programs += 1 }
        LoopbackServer.watcher.withLock { watcher in
            watcher = { port, bytes in
                state.withLock { state in
                    if state.programs > 0 {
                        state.received["127.0.0.1:\(port) \(bytes)", default: 0] += 1
                    }
                }
            }
        }
    }

    /// - Parameter variables: those by which the program finds its ledger; nil compares nothing.
    static func end(ledger variables: [String: String]?) {
        let rows = variables.flatMap(read)
        let ended: State? = state.withLock { state in
            state.programs -= 1
            if let rows {
                state.rows.merge(rows) { ($0.all + $1.all, $0.answered + $1.answered) }
            } else {
                state.isWhole = false
            }
            if state.programs > 0 { return nil }
            defer { state = State() }
            return state
        }
        guard let ended, ended.isWhole else { return }
        XCTAssertEqual(problems(ended.received, ended.rows), [])
    }

    /// Only hosts that received something are servers of the test.
    static func problems(_ received: [String: Int], _ rows: Rows) -> [String] {
        let hosts = Set(received.keys.map { $0.prefix { $0 != " " } })
        return Set(rows.keys).union(received.keys).sorted().compactMap { request in
            let (count, row) = (received[request] ?? 0, rows[request] ?? (0, 0))
            if !hosts.contains(request.prefix { $0 != " " })
                || row.answered <= count && count <= row.all
            {
                return nil
            }
            return "\(request) bytes: received \(count), rows \(row.all), "
                + "of them answered \(row.answered)"
        }
    }

    /// Nil if there is no ledger that can be read.
    private static func read(_ variables: [String: String]) -> Rows? {
        let home = variables["HOME"] ?? ""
        let data = variables["XDG_DATA_HOME"] ?? "\(home)/.local/share"
        let path = (variables["CHAT_HOME"] ?? "\(data)/chat") + "/chat.db"
        guard access(path, F_OK) == 0 else { return [:] }
        var found = Rows()
        do {
            let connection = try Connection(path: path)
            defer { connection.close() }
            try connection.each(rows) { (row) throws(SQLiteError) in
                let request = "\(row.text(0)) \(row.integer(1))"
                found[request, default: (0, 0)].all += 1
                found[request, default: (0, 0)].answered += Int(row.integer(2))
                return true
            }
        } catch {
            return nil
        }
        return found
    }
}
