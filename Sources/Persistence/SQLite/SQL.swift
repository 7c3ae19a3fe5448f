/// A statement's text with the name it has in errors and in the cache.
///
/// Holds no values: those are `SQLiteValue`s, bound when it runs.
package struct SQL: Sendable {
    let name: String
    let text: String

    package init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
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

    package static func flag(_ isOn: Bool) -> SQLiteValue { .integer(isOn ? 1 : 0) }
}
