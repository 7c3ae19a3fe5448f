import CSQLite
import FoundationEssentials

/// One prepared statement: values bound by position, rows read by the names of their columns.
///
/// Belongs to its `Connection`, which caches it, resets it after use and finalises it on closing.
/// SQL text never contains values: they are bound.
package final class Statement {
    let sql: SQL
    private let handle: OpaquePointer
    private unowned let connection: Connection
    /// Whether it is in use; another use of the same SQL then gets a new statement.
    var isInUse = false
    /// The names of the columns, in order. Compared one by one: a row has about ten, and hashing
    /// a name takes longer than that.
    private lazy var columns = (0..<sqlite3_column_count(handle)).map { place in
        sqlite3_column_name(handle, place).map { String(cString: $0) } ?? ""
    }

    /// - Throws: `other` for SQL that does not fit the schema, and errors of
    ///   reading the schema (`corrupt`, `locked`, …).
    init(_ sql: SQL, on connection: Connection) throws(SQLiteError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle, sql.text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw connection.error(code, statement: sql.beginning)
        }
        self.sql = sql
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ values: consuming [SQLiteValue]) throws(SQLiteError) {
        precondition(
            values.count == Int(sqlite3_bind_parameter_count(handle)),
            "\(sql.beginning) has another number of parameters")
        var index: Int32 = 0
        for value in values {
            index += 1
            let code: Int32
            switch value {
            case .null: code = sqlite3_bind_null(handle, index)
            case .integer(let number): code = sqlite3_bind_int64(handle, index, number)
            case .text(var text):
                code = text.withUTF8 { utf8 in
                    utf8.withMemoryRebound(to: CChar.self) { bytes in
                        // An empty buffer may have no address, which would bind NULL.
                        guard let start = bytes.baseAddress else {
                            return chat_sqlite3_bind_text(handle, index, "", 0)
                        }
                        return chat_sqlite3_bind_text(handle, index, start, UInt64(bytes.count))
                    }
                }
            case .blob(let bytes):
                code = bytes.withUnsafeBytes { buffer in
                    guard let start = buffer.baseAddress, !buffer.isEmpty else {
                        return sqlite3_bind_zeroblob(handle, index, 0)
                    }
                    return chat_sqlite3_bind_blob(handle, index, start, UInt64(buffer.count))
                }
            }
            if code != SQLITE_OK { throw connection.error(code, statement: sql.beginning) }
        }
    }

    /// Moves to the next row; false after the last one.
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.error(code, statement: sql.beginning)
        }
    }

    /// Releases the row, the read lock and the bound values.
    func reset() {
        // The result repeats the failure that `step` has already thrown.
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private func place(of column: Column) -> Int32 {
        switch column {
        case .place(let place): return place
        case .name(let name):
            guard let place = columns.firstIndex(of: name) else {
                preconditionFailure("\(sql.beginning) has no column \(name)")
            }
            return Int32(place)
        }
    }

    package func integer(_ column: Column) -> Int64 {
        sqlite3_column_int64(handle, place(of: column))
    }

    private func isNull(_ column: Column) -> Bool {
        sqlite3_column_type(handle, place(of: column)) == SQLITE_NULL
    }

    package func flag(_ column: Column) -> Bool { integer(column) != 0 }

    package func date(_ column: Column) -> Date { Date(milliseconds: integer(column)) }

    package func optionalDate(_ column: Column) -> Date? {
        isNull(column) ? nil : date(column)
    }

    /// Bytes that are not UTF-8 (a damaged file, another program) read as U+FFFD.
    package func text(_ column: Column) -> String {
        guard let start = sqlite3_column_text(handle, place(of: column)) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, place(of: column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package func optionalInteger(_ column: Column) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    package func optionalText(_ column: Column) -> String? {
        isNull(column) ? nil : text(column)
    }

    package func optionalBytes(_ column: Column) -> [UInt8]? {
        isNull(column) ? nil : bytes(column)
    }

    package func bytes(_ column: Column) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, place(of: column)) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, place(of: column)))
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}

/// A column of a row: by its name, or by its index in a statement with one or two columns.
package enum Column: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case name(String)
    case place(Int32)

    package init(stringLiteral name: String) { self = .name(name) }
    package init(integerLiteral place: Int32) { self = .place(place) }
}

/// A statement's text, by which it is cached.
///
/// Contains no values: those are `SQLiteValue`s, bound when it runs.
package struct SQL: Sendable, Hashable, ExpressibleByStringInterpolation {
    let text: String

    package init(stringLiteral text: String) { self.text = text }

    /// The beginning of the SQL on one line, for errors.
    var beginning: String {
        String(text.prefix(200)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// A value bound to a statement.
package enum SQLiteValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    package static func optional(_ text: String?) -> SQLiteValue {
        text.map(SQLiteValue.text) ?? .null
    }

    package static func optional(_ bytes: [UInt8]?) -> SQLiteValue {
        bytes.map(SQLiteValue.blob) ?? .null
    }

    /// Stored as milliseconds since 1970.
    package static func date(_ date: Date?) -> SQLiteValue {
        date.map { .integer($0.inMilliseconds) } ?? .null
    }

    package static func flag(_ isOn: Bool) -> SQLiteValue { .integer(isOn ? 1 : 0) }

    package static func flag(_ isOn: Bool?) -> SQLiteValue { isOn.map { flag($0) } ?? .null }
}

extension Date {
    package init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    /// Milliseconds since 1970. A time that does not fit 64 bits means a broken clock, which is not
    /// a reason to trap.
    package var inMilliseconds: Int64 {
        Int64(exactly: (timeIntervalSince1970 * 1_000).rounded()) ?? 0
    }
}
