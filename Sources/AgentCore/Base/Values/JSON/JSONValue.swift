/// A JSON value that survives a round trip exactly: integers stay integers, other numbers keep
/// their digits, and an object keeps the order of its members (and even a repeated name).
///
/// It is the program's only JSON type: for providers' responses, tools' arguments and the database.
/// `JSONParser` parses, `JSONWriter` writes, and `JSONSchema` has rules about structure.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number written without fraction or exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number, as written (RFC 8259 §6).
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// The members of a JSON object in the order they were written.
///
/// Looking up a name is linear: the objects of this program have few members, and an array
/// costs less than a dictionary for every streamed event.
package struct JSONObject: Sendable, Equatable {
    package struct Member: Sendable, Equatable {
        package var name: String
        package var value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package var members: [Member]

    package init(_ members: [Member] = []) {
        self.members = members
    }

    /// The value of the last member with that name, like most parsers. Assigning replaces
    /// it in place, appends it, or with `nil` removes it.
    package subscript(name: String) -> JSONValue? {
        get { members.last { $0.name == name }?.value }
        set {
            let index = members.lastIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name, value))
            case (nil, nil): break
            }
        }
    }

    package var names: [String] { members.map(\.name) }
}

extension JSONValue {
    package subscript(name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }

    /// The element at `index`, or `nil` outside of an array's bounds.
    package subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    package var stringValue: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    package var boolValue: Bool? {
        guard case .bool(let flag) = self else { return nil }
        return flag
    }

    /// The integer; also for an integral number such as `3.0` or `1e3`.
    package var integerValue: Int? {
        switch self {
        case .integer(let number): return Int(number)
        case .number(let text):
            guard let number = Double(text) else { return nil }
            return Int(exactly: number)
        default: return nil
        }
    }

    package var doubleValue: Double? {
        switch self {
        case .integer(let number): return Double(number)
        case .number(let text): return Double(text)
        default: return nil
        }
    }

    package var arrayValue: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    package var objectValue: JSONObject? {
        guard case .object(let object) = self else { return nil }
        return object
    }

    package var isNull: Bool { self == .null }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(nilLiteral: ()) { self = .null }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { JSONObject.Member($0.0, $0.1) }))
    }

    /// An object without the members whose value is `nil`.
    package static func compact(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(
            JSONObject(
                members.compactMap { name, value in value.map { JSONObject.Member(name, $0) } }))
    }

    package init(_ number: Int) { self = .integer(Int64(number)) }

    /// A finite number as JSON; infinity and NaN, which JSON lacks, are null.
    package init(_ number: Double) {
        self = number.isFinite ? .number("\(number)") : .null
    }
}
