import Base

/// Checks a value against a schema of a server: the structured result of a tool against its
/// `outputSchema`. Pure; nothing is fetched, and unknown keywords are ignored.
struct SchemaCheck {
    /// The schema that local references point into.
    private let root: JSONValue
    /// Maximum depth of nested schemas, references included.
    private static let depthLimit = 64

    private init(_ root: JSONValue) { self.root = root }

    /// The first mismatch with its path, in our own words; nil if the value fits.
    static func problem(in value: JSONValue, of schema: JSONValue) -> String? {
        SchemaCheck(schema).problem(in: value, schema, at: "$", depth: 0)
    }

    private func problem(
        in value: JSONValue, _ schema: JSONValue, at place: String, depth: Int
    ) -> String? {
        if schema == .bool(false) { return "\(place) is not allowed" }
        guard let rules = schema.objectValue, depth < Self.depthLimit else { return nil }
        func check(_ value: JSONValue, _ schema: JSONValue, _ step: String = "") -> String? {
            problem(in: value, schema, at: place + step, depth: depth + 1)
        }
        if let target = rules["$ref"]?.stringValue.flatMap({ SchemaRepair.find($0, in: root) }),
            let found = check(value, target)
        {
            return found
        }
        let names = SchemaRepair.types(rules)
        if !names.isEmpty, !names.contains(where: { Self.isType($0, value) }) {
            return "\(place) is not of the type \(names.joined(separator: " or "))"
        }
        if let choices = rules["enum"]?.arrayValue,
            !choices.contains(where: { Self.same($0, value) })
        {
            return "\(place) is none of the values that are allowed"
        }
        if let constant = rules["const"], !Self.same(constant, value) {
            return "\(place) is not the value that it has to be"
        }
        for part in rules["allOf"]?.arrayValue ?? [] {
            if let found = check(value, part) { return found }
        }
        for keyword in ["anyOf", "oneOf"] {
            guard let parts = rules[keyword]?.arrayValue, !parts.isEmpty else { continue }
            let fitting = parts.count { check(value, $0) == nil }
            if fitting == 0 || keyword == "oneOf" && fitting > 1 {
                return "\(place) fits \(fitting == 0 ? "none" : "several") of the alternatives"
            }
        }
        if let found = bounds(of: value, rules, at: place) { return found }
        switch value {
        case .array(let elements):
            let first = rules["prefixItems"]?.arrayValue ?? []
            for (index, element) in elements.enumerated() {
                let schema = index < first.count ? first[index] : rules["items"] ?? true
                if let found = check(element, schema, "[\(index)]") { return found }
            }
        case .object(let object):
            for name in (rules["required"]?.arrayValue ?? []).compactMap(\.stringValue)
            where object[name] == nil {
                return "\(place).\(UntrustedText.line(name, limit: 40)) is missing"
            }
            let known = rules["properties"]?.objectValue ?? JSONObject()
            let others = rules["patternProperties"] == nil ? rules["additionalProperties"] : nil
            for member in object.members {
                let step = "." + UntrustedText.line(member.name, limit: 40)
                if let found = check(member.value, known[member.name] ?? others ?? true, step) {
                    return found
                }
            }
        default: break
        }
        return nil
    }

    private func bounds(of value: JSONValue, _ rules: JSONObject, at place: String) -> String? {
        var size: (amount: Double, words: String, least: String, most: String)?
        switch value {
        case .integer, .number:
            size = value.doubleValue.map { ($0, "", "minimum", "maximum") }
        // Characters of JSON Schema are code points.
        case .string(let text):
            size = (Double(text.unicodeScalars.count), "the length of ", "minLength", "maxLength")
        case .array(let elements):
            size = (Double(elements.count), "the count of ", "minItems", "maxItems")
        default: break
        }
        guard let size else { return nil }
        func bound(_ name: String) -> Double? { rules[name]?.doubleValue }
        var isLess = bound(size.least).map { size.amount < $0 } ?? false
        var isMore = bound(size.most).map { size.amount > $0 } ?? false
        if size.least == "minimum" {
            isLess = isLess || bound("exclusiveMinimum").map { size.amount <= $0 } ?? false
            isMore = isMore || bound("exclusiveMaximum").map { size.amount >= $0 } ?? false
        }
        return isLess || isMore
            ? "\(size.words)\(place) is \(isLess ? "less" : "more") than it may be" : nil
    }

    private static func isType(_ name: String, _ value: JSONValue) -> Bool {
        switch (name, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array),
            ("object", .object), ("number", .integer), ("number", .number), ("integer", .integer):
            true
        case ("integer", .number): value.doubleValue.map { $0 == $0.rounded() } ?? false
        case ("null", _), ("boolean", _), ("string", _), ("array", _), ("object", _),
            ("number", _), ("integer", _):
            false
        default: true
        }
    }

    /// Objects are equal in whatever order, and 1 is 1.0.
    private static func same(_ one: JSONValue, _ other: JSONValue) -> Bool {
        if let one = one.doubleValue, let other = other.doubleValue { return one == other }
        return MCPToolDefinition.hash(one) == MCPToolDefinition.hash(other)
    }
}
