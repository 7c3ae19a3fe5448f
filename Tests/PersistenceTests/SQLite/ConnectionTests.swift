import AgentCore
import Base
import Foundation
import XCTest

@testable import Persistence

final class ConnectionTests: XCTestCase {
    private func opened(_ folder: StoreFolder) throws -> Connection {
        let connection = try Connection(path: try DatabaseFile.prepare(folder.database))
        try connection.configure()
        return connection
    }

    private func settings(_ connection: Connection) throws -> [String] {
        try [
            "journal_mode", "synchronous", "foreign_keys", "trusted_schema", "cell_size_check",
            "temp_store",
        ].map { name in
            "\(name)=" + (try connection.first("PRAGMA \(name)") { $0.text(0) } ?? "")
        }
    }

    func testAConnectionIsSetUpForDurabilityAndDistrust() throws {
        let folder = try StoreFolder()
        let connection = try opened(folder)
        XCTAssertEqual(
            try settings(connection),
            [
                "journal_mode=wal", "synchronous=2", "foreign_keys=1", "trusted_schema=0",
                "cell_size_check=1", "temp_store=2",
            ])
        // DEFENSIVE: the schema cannot be written behind SQLite's back.
        XCTAssertThrowsError(
            try connection.script(
                "test",
                "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'x';"
                    + "CREATE TABLE t(a); DELETE FROM sqlite_schema;"))
        connection.close()
    }

    func testBoundValuesComeBackEqual() throws {
        let folder = try StoreFolder()
        let connection = try opened(folder)
        try connection.script("test", "CREATE TABLE t(a ANY) STRICT")
        let insert: SQL = "INSERT INTO t VALUES (?1)"
        for text in Samples.naughty { try connection.run(insert, [.text(text)]) }
        XCTAssertEqual(
            try connection.rows("SELECT a FROM t ORDER BY rowid") { $0.text(0) },
            Samples.naughty)
        try connection.run("DELETE FROM t")
        let blobs: [[UInt8]] = [[], [0], Array(0...255)]
        for blob in blobs { try connection.run(insert, [.blob(blob)]) }
        XCTAssertEqual(
            try connection.rows("SELECT typeof(a) FROM t") { $0.text(0) },
            ["blob", "blob", "blob"])
        XCTAssertEqual(
            try connection.rows("SELECT a FROM t ORDER BY rowid") { $0.bytes(0) },
            blobs)
        try connection.run("DELETE FROM t")
        for value in [SQLiteValue.integer(.min), .integer(.max), .null, .flag(true)] {
            try connection.run(insert, [value])
        }
        XCTAssertEqual(
            try connection.rows("SELECT a FROM t ORDER BY rowid") {
                $0.optionalInteger(0)
            }, [.min, .max, nil, 1])
        connection.close()
    }

    func testTextThatIsNoUTF8ReadsWithReplacements() throws {
        let folder = try StoreFolder()
        let connection = try opened(folder)
        XCTAssertEqual(
            try connection.first("SELECT CAST(x'61FF62' AS TEXT)") { $0.text(0) },
            "a\u{FFFD}b")
        connection.close()
    }

    func testAFailedTransactionLeavesNothing() throws {
        let folder = try StoreFolder()
        let connection = try opened(folder)
        try connection.script("test", "CREATE TABLE t(a INTEGER PRIMARY KEY) STRICT")
        let insert: SQL = "INSERT INTO t VALUES (?1)"
        XCTAssertThrowsError(
            try connection.transaction { () throws(SQLiteError) in
                try connection.run(insert, [.integer(1)])
                try connection.run(insert, [.integer(1)])
            }
        ) { error in
            let error = error as? SQLiteError
            XCTAssertEqual(error?.reason, .constraint)
            XCTAssertEqual(error?.extendedCode, 1_555)
            XCTAssertEqual((error?.extendedCode ?? 0) & 0xFF, 19)
            XCTAssertEqual(error?.statement, "INSERT INTO t VALUES (?1)")
            XCTAssertEqual(error?.path, folder.database)
        }
        XCTAssertEqual(
            try connection.first("SELECT count(*) FROM t") { $0.integer(0) }, 0)
        try connection.transaction { () throws(SQLiteError) in
            try connection.run(insert, [.integer(1)])
        }
        connection.close()
    }

    func testAnErrorNeverHoldsABoundValue() throws {
        let folder = try StoreFolder()
        let connection = try opened(folder)
        try connection.script("test", "CREATE TABLE t(a INTEGER UNIQUE) STRICT")
        let insert: SQL = "INSERT INTO t VALUES (?1)"
        XCTAssertThrowsError(try connection.run(insert, [.text("secret")])) { error in
            XCTAssertFalse("\(error)".contains("secret"), "\(error)")
        }
        connection.close()
    }

    func testStatementsAreCachedAndAllFinalised() throws {
        let folder = try StoreFolder()
        let connection = try opened(folder)
        let numbers: SQL = "SELECT value FROM json_each('[1,2,3]')"
        var pairs: [String] = []
        // The same SQL while its rows are being read.
        try connection.each(numbers) { (outer) throws(SQLiteError) in
            try connection.each(numbers) { (inner) throws(SQLiteError) in
                pairs.append("\(outer.integer(0))\(inner.integer(0))")
                return true
            }
            return true
        }
        XCTAssertEqual(pairs, ["11", "12", "13", "21", "22", "23", "31", "32", "33"])
        XCTAssertThrowsError(try connection.run("SELEC 1"))
        XCTAssertThrowsError(try connection.run("SELECT abs(-9223372036854775808)"))
        XCTAssertEqual(connection.statementCount, 2)
        connection.dropCachedStatements()
        XCTAssertEqual(connection.statementCount, 0)
        connection.close()
        connection.close()
    }

    func testARaisedInterruptionEndsARunningReadAndTheConnectionGoesOn() throws {
        let folder = try StoreFolder()
        let connection = try opened(folder)
        let endless: SQL = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT i FROM n WHERE i = 1
            """
        let interruption = Interruption()
        connection.workInterruption = interruption
        var rows = 0
        XCTAssertThrowsError(
            try connection.each(endless) { _ in
                rows += 1
                interruption.raise()
                return true
            }
        ) { XCTAssertEqual(($0 as? SQLiteError)?.reason, .interrupted) }
        XCTAssertThrowsError(try connection.run("SELECT 1"))
        connection.workInterruption = nil
        XCTAssertEqual(rows, 1)
        XCTAssertEqual(try connection.first("SELECT 1") { $0.integer(0) }, 1)
        connection.close()
    }

    func testALockedDatabaseIsToldAfterTheTimeout() async throws {
        let folder = try StoreFolder()
        let world = World()
        let store = try folder.store(world, busyTimeoutInMilliseconds: 30)
        let id = await store.newConversation(kind: .repl, provider: .local, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        try await folder.foreign { other in
            try other.script("test", "BEGIN IMMEDIATE")
            await XCTAssertReason(.locked) {
                _ = try await journal.begin(user: .user("hello"), isLocal: false)
            }
            // Readers never wait.
            let listed = try await store.list(limit: 5)
            XCTAssertEqual(listed, [])
            try other.script("test", "ROLLBACK")
        }
        _ = try await journal.begin(user: .user("hello"), isLocal: false)
        let titles = try await store.list(limit: 5).map(\.title)
        XCTAssertEqual(titles, ["hello"])
        await store.close()
    }

    func testACancelledTaskDoesNotWaitForALock() async throws {
        let folder = try StoreFolder()
        let store = try folder.store(busyTimeoutInMilliseconds: 3_600_000)
        let id = await store.newConversation(kind: .repl, provider: .local, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        try await folder.foreign { other in
            try other.script("test", "BEGIN IMMEDIATE")
            let waiting = Task { try await journal.begin(user: .user("hello"), isLocal: false) }
            waiting.cancel()
            do {
                _ = try await waiting.value
                XCTFail("the lock was not respected")
            } catch {
                XCTAssertTrue(error is CancellationError, "\(error)")
            }
            try other.script("test", "ROLLBACK")
        }
        // A cancelled task still saves what it can save at once.
        let saving = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await journal.begin(user: .user("kept"), isLocal: false)
        }
        _ = try await saving.value
        let titles = try await store.list(limit: 5).map(\.title)
        XCTAssertEqual(titles, ["kept"])
        await store.close()
    }

    func testSeveralInstancesWriteAtOnceAndLoseNothing() async throws {
        let folder = try StoreFolder()
        let stores = try (0..<3).map { number in
            var environment = World().environment
            environment.uuid = { "\(number)0000000-0000-4000-8000-000000000000" }
            return try ConversationStore(path: folder.database, environment: environment)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores {
                group.addTask {
                    let id = await store.newConversation(
                        kind: .repl, provider: .claude, model: "m"
                    ).id
                    let journal = store.journal(for: id, in: .repl)
                    for round in 0..<40 {
                        let turn = try await journal.begin(user: .user("\(round)"), isLocal: false)
                        let text = String(repeating: "a", count: 5_000)
                        try await journal.append(text, kind: .text, to: turn)
                        let answer = Message(role: .assistant, parts: [.text("answer \(round)")])
                        try await journal.record(answer, in: turn)
                        try await journal.close(turn, status: .done, usage: Usage(), note: nil)
                    }
                }
            }
            try await group.waitForAll()
        }
        let expected = (0..<40).map { ["\($0)", "answer \($0)"] }
        for record in try await stores[0].list(limit: 10) {
            let turns = try await stores[1].turns(of: record.id, last: 100)
            XCTAssertEqual(turns.map { $0.turn.messages.map(\.text) }, expected)
            XCTAssertEqual(record.messages, 80)
        }
        let integrity = try await stores[2].values("PRAGMA integrity_check")
        XCTAssertEqual(integrity, ["ok"])
        for store in stores { await store.close() }
    }

    func testInstancesThatCreateTheFileAtOnceAgree() async throws {
        for _ in 0..<20 {
            let folder = try StoreFolder()
            let path = folder.database
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let store = try ConversationStore(
                            path: path, environment: World().environment)
                        let count = try await store.list(limit: 5).count
                        await store.close()
                        return count
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            XCTAssertEqual(counts, [0, 0, 0, 0])
        }
    }

    /// A connection belongs to one actor: what runs beside its other calls races
    /// with them on the cache of statements.
    func testAReadThatCanBeCancelledRunsOnTheActorOfTheConnection() async throws {
        let folder = try StoreFolder()
        let store = try ConversationStore(
            path: folder.database, environment: .system(variables: [:]))
        try await store.readAsserting()
        await store.close()
    }
}

extension ConversationStore {
    fileprivate func readAsserting() async throws {
        try await connection.interruptible { () throws(SQLiteError) in
            // Ends the process, as nothing else tells where a call runs.
            preconditionIsolated("the read runs beside the actor")
        }
    }
}
