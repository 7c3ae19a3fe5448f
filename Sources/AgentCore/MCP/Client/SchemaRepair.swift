import Base

/// Rewrites the schema of a server's tool in a form that every provider accepts. A provider that
/// refuses one schema refuses the whole request, so a malformed part is repaired if its meaning is
/// certain; otherwise the tool cannot be offered. Pure.
///
/// The result never forbids what the server allows: the server checks the arguments itself.
/// References are expanded (not every format supports `$ref`); a recursive one is reduced to its
/// type. Parameter names that Claude refuses are replaced; `restored` reverses that.
struct SchemaRepair {
    /// The reason why a schema cannot be sent, in our own text.
    struct Problem: Error, Equatable {
        var what: String
    }

    /// Limit of Anthropic's API for names of parameters: `[a-zA-Z0-9_.-]{1,64}`.
    private static let nameLimit = 64
    private static let depthLimit = 32
    private static let schemaLimit = 2_000

    private let root: JSONValue
    private(set) var renamed: [String: String] = [:]
    private var count = 0

    private init(_ root: JSONValue) { self.root = root }

    /// - Returns: an object at the root, without alternatives there, and the renamed
    ///   parameters with the server's own names.
    static func offered(
        _ schema: JSONValue
    ) throws(Problem) -> (schema: JSONObject, renamed: [String: String]) {
        guard let object = schema.objectValue else {
            throw Problem(what: "its input schema is not an object")
        }
        // Keywords dropped at the root cannot hide a type other than object.
        var repair = SchemaRepair(.object(object))
        let whole = flattened(try repair.repaired(.object(object), at: [], inside: ["#"]))
        guard types(whole).isEmpty || types(whole).contains("object") else {
            throw Problem(what: "its arguments are not an object")
        }
        var members = whole.members.filter {
            !["type", "anyOf", "oneOf", "allOf", "not", "if", "then", "else"].contains($0.name)
        }
        members.insert(.init("type", "object"), at: 0)
        if whole["properties"] == nil { members.append(.init("properties", [:])) }
        let sent = JSONObject(members)
        let limit = MCPToolDefinition.limitInBytes
        if JSONWriter.bytes(.object(sent)).count > limit {
            throw Problem(what: "its input schema is larger than \(Quantities.bytes(limit))")
        }
        return (sent, repair.renamed)
    }

    /// The arguments with the server's own names.
    static func restored(_ value: JSONValue, _ renamed: [String: String]) -> JSONValue {
        switch value {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map {
                        .init(renamed[$0.name] ?? $0.name, restored($0.value, renamed))
                    }))
        case .array(let values): .array(values.map { restored($0, renamed) })
        default: value
        }
    }

    // MARK: - One schema

    private mutating func repaired(
        _ value: JSONValue, at place: [String], inside: [String]
    ) throws(Problem) -> JSONObject {
        count += 1
        if count > Self.schemaLimit || place.count > Self.depthLimit {
            throw Problem(
                what: "its input schema has more than \(Self.schemaLimit) parts, "
                    + "or more than \(Self.depthLimit) levels")
        }
        switch value {
        case .null, .bool(true): return JSONObject()
        case .bool(false): return JSONObject([.init("not", [:])])
        // A bare type, as some generators write a parameter.
        case .string(let word):
            let type = try Self.type(word, at: place)
            return JSONObject(type.map { [.init("type", .string($0))] } ?? [])
        case .array, .integer, .number: throw Self.problem("is not a schema", at: place)
        case .object(let object):
            if let reference = object["$ref"]?.stringValue {
                return try written(reference, object, at: place, inside: inside)
            }
            return try keywords(object, at: place, inside: inside)
        }
    }

    /// The schema that a reference points to, merged with the keywords beside it.
    private mutating func written(
        _ reference: String, _ object: JSONObject, at place: [String], inside: [String]
    ) throws(Problem) -> JSONObject {
        guard let target = Self.find(reference, in: root) else {
            throw Self.problem("refers to something that is not in the schema", at: place)
        }
        guard var merged = target.objectValue else {
            return try repaired(target, at: place, inside: inside)
        }
        if inside.contains(reference) {
            merged = JSONObject(
                merged.members.filter { ["type", "description"].contains($0.name) })
        }
        for member in object.members where member.name != "$ref" {
            merged[member.name] = member.value
        }
        return try repaired(.object(merged), at: place, inside: inside + [reference])
    }

    private mutating func keywords(
        _ object: JSONObject, at place: [String], inside: [String]
    ) throws(Problem) -> JSONObject {
        var sent = JSONObject()
        for (name, value) in object.members.map({ ($0.name, $0.value) }) {
            // Only these two keywords may be null.
            if value.isNull, !["default", "const"].contains(name) { continue }
            switch Self.kind(of: name) {
            case .dropped: continue
            case .schema:
                // Members allowed by a pattern are now among the additional ones.
                if name == "additionalProperties", object["patternProperties"] != nil { continue }
                if let flag = Self.flag(value) {
                    sent[name] = flag
                } else {
                    sent[name] = .object(try repaired(value, at: place, inside: inside))
                }
            case .items where value.arrayValue == nil:
                sent[name] = .object(try repaired(value, at: place + ["[]"], inside: inside))
            case .items, .alternatives:
                // A list of items, in older drafts, gives the possible types of an element.
                var all: [JSONValue] = []
                for one in value.arrayValue ?? [value] where one != .bool(false) {
                    all.append(.object(try repaired(one, at: place + [name], inside: inside)))
                }
                if name == "items" {
                    sent[name] = all.isEmpty ? [:] : ["anyOf": .array(all)]
                } else if !all.isEmpty {
                    sent[name] = .array(all)
                }
            case .type: sent[name] = try Self.types(value, at: place)
            case .choices:
                guard value.objectValue == nil else {
                    throw Self.problem("has choices that are not a list", at: place)
                }
                var choices: [JSONValue] = []
                for choice in value.arrayValue ?? [value] where !choices.contains(choice) {
                    choices.append(Self.cleaned(choice))
                }
                if !choices.isEmpty { sent[name] = .array(choices) }
            case .text: if value.stringValue != nil { sent[name] = Self.cleaned(value) }
            case .number: if value.doubleValue != nil { sent[name] = value }
            case .bound:
                // Draft 4: a flag that makes the other keyword exclusive.
                let other = name == "exclusiveMinimum" ? "minimum" : "maximum"
                if value.doubleValue != nil { sent[name] = value }
                if value == .bool(true), let bound = object[other], bound.doubleValue != nil {
                    sent[name] = bound
                }
            case .examples: sent[name] = Self.cleaned(.array(value.arrayValue ?? [value]))
            case .other: sent[name] = Self.cleaned(value)
            }
        }
        for bound in ["minimum", "maximum"] {
            let exclusive = bound == "minimum" ? "exclusiveMinimum" : "exclusiveMaximum"
            if object[exclusive] == .bool(true) { sent[bound] = nil }
        }
        try addParameters(of: object, to: &sent, at: place, inside: inside)
        if Self.types(sent).isEmpty, sent["items"] != nil { sent["type"] = "array" }
        if Self.types(sent).contains("array"), sent["items"] == nil { sent["items"] = [:] }
        return sent
    }

    /// `properties` and `required`, which belong together.
    private mutating func addParameters(
        of object: JSONObject, to sent: inout JSONObject, at place: [String], inside: [String]
    ) throws(Problem) {
        var required = Self.names(object["required"])
        var properties: JSONObject?
        switch object["properties"] {
        case nil, .null?: break
        // PHP writes an empty object like this.
        case .array(let list)? where list.isEmpty: properties = JSONObject()
        case .object(let given)?:
            properties = JSONObject()
            for member in given.members where member.value != .bool(false) {
                let schema = try repaired(
                    member.value, at: place + [member.name], inside: inside)
                properties?[name(member.name)] = .object(schema)
                // Draft 3: the parameter declares it itself.
                if Self.flag(member.value["required"]) == .bool(true) {
                    required.append(member.name)
                }
            }
            required.removeAll { given[$0] == .bool(false) }
        default: throw Self.problem("has properties that are not an object", at: place)
        }
        if var known = properties {
            if Self.types(sent).isEmpty { sent["type"] = "object" }
            let isClosed = sent["additionalProperties"] == .bool(false)
            required.removeAll { isClosed && known[name($0)] == nil }
            for missing in required where known[name(missing)] == nil { known[name(missing)] = [:] }
            sent["properties"] = .object(known)
        }
        var seen: Set<String> = []
        let names = required.map { name($0) }.filter { seen.insert($0).inserted }
        if !names.isEmpty { sent["required"] = .array(names.map { .string($0) }) }
    }

    private mutating func name(_ own: String) -> String {
        func isPlain(_ scalar: Unicode.Scalar) -> Bool {
            scalar.isASCII
                && (scalar.properties.isAlphabetic || "_.-0123456789".contains(Character(scalar)))
        }
        let scalars = own.unicodeScalars
        if scalars.allSatisfy(isPlain), 1...Self.nameLimit ~= scalars.count { return own }
        let plain = String(String.UnicodeScalarView(scalars.map { isPlain($0) ? $0 : "_" }))
        let hash = MCPToolDefinition.hash(.string(own)).prefix(8)
        let name = String(plain.prefix(Self.nameLimit - 9)) + "_" + String(hash)
        renamed[name] = own
        return name
    }

    // MARK: - Keywords

    private enum Kind {
        case dropped, schema, items, alternatives, type, choices, text, number, bound, examples
        case other
    }

    private static func kind(of keyword: String) -> Kind {
        switch keyword {
        case "$schema", "$id", "$anchor", "$dynamicAnchor", "$comment", "$vocabulary", "$defs",
            "definitions", "$ref", "$dynamicRef", "properties", "required", "patternProperties",
            "dependentSchemas", "dependentRequired", "dependencies":
            .dropped
        case "additionalProperties", "unevaluatedProperties", "unevaluatedItems",
            "additionalItems", "contains", "propertyNames", "not", "if", "then", "else":
            .schema
        case "items": .items
        case "prefixItems", "anyOf", "oneOf", "allOf": .alternatives
        case "type": .type
        case "enum": .choices
        case "title", "description", "format", "pattern": .text
        case "minimum", "maximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems",
            "minProperties", "maxProperties":
            .number
        case "exclusiveMinimum", "exclusiveMaximum": .bound
        case "examples": .examples
        default: .other
        }
    }

    private static func flag(_ value: JSONValue?) -> JSONValue? {
        switch value {
        case .bool(let flag)?: .bool(flag)
        case .string(let text)? where ["true", "false"].contains(text.lowercased()):
            .bool(text.lowercased() == "true")
        default: nil
        }
    }

    /// The names in a value; none if it is not a name or a list of names.
    private static func names(_ value: JSONValue?) -> [String] {
        if let value, flag(value) != nil { return [] }
        return value?.arrayValue?.compactMap(\.stringValue) ?? value?.stringValue.map { [$0] } ?? []
    }

    private static let typeNames: [String: [String]] = [
        "string": ["str", "text"], "integer": ["int", "long"],
        "number": ["float", "double", "decimal"], "boolean": ["bool"],
        "array": ["list", "tuple"], "object": ["dict", "map", "struct"], "null": ["none", "nil"],
    ]

    /// JSON Schema's name for a type that a generator may have named as in its own language; nil if
    /// every type is allowed.
    private static func type(_ word: String, at place: [String]) throws(Problem) -> String? {
        let word = word.trimmingSpace().lowercased()
        if ["any", "mixed", ""].contains(word) { return nil }
        if let type = typeNames.first(where: { $0.key == word || $0.value.contains(word) }) {
            return type.key
        }
        throw problem("has the unknown type \"\(UntrustedText.line(word, limit: 30))\"", at: place)
    }

    private static func types(
        _ value: JSONValue, at place: [String]
    ) throws(Problem) -> JSONValue? {
        if let word = value.stringValue { return try type(word, at: place).map { .string($0) } }
        guard let words = value.arrayValue else {
            throw problem("has a type that is not a word", at: place)
        }
        var types: [JSONValue] = []
        for word in words {
            guard let word = word.isNull ? "null" : word.stringValue else {
                throw problem("has a type that is not a word", at: place)
            }
            guard let type = try type(word, at: place) else { return nil }
            if !types.contains(.string(type)) { types.append(.string(type)) }
        }
        return types.count > 1 ? .array(types) : types.first
    }

    static func types(_ schema: JSONObject) -> [String] {
        schema["type"]?.arrayValue?.compactMap(\.stringValue)
            ?? schema["type"]?.stringValue.map { [$0] } ?? []
    }

    /// Alternatives at the root become one object that has the parameters of all of them, and
    /// requires those that all of them require.
    private static func flattened(_ schema: JSONObject) -> JSONObject {
        var whole = schema
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let parts = (schema[keyword]?.arrayValue ?? []).compactMap(\.objectValue)
                .map(flattened)
                .filter { types($0).isEmpty || types($0).contains("object") }
            guard let first = parts.first else { continue }
            var properties = whole["properties"]?.objectValue ?? JSONObject()
            for member in parts.flatMap({ $0["properties"]?.objectValue?.members ?? [] })
            where properties[member.name] == nil {
                properties[member.name] = member.value
            }
            let needed = parts.map { names($0["required"]) }
            let shared =
                keyword == "allOf"
                ? needed.flatMap(\.self)
                : names(first["required"]).filter { name in
                    needed.allSatisfy { $0.contains(name) }
                }
            var required = names(whole["required"])
            required += shared.filter { !required.contains($0) }
            if types(whole).isEmpty, types(first).contains("object") { whole["type"] = "object" }
            whole["properties"] = .object(properties)
            if !required.isEmpty { whole["required"] = .array(required.map { .string($0) }) }
        }
        return whole
    }

    // MARK: - Parts

    /// A place in the same document (RFC 6901, as a fragment).
    static func find(_ reference: String, in root: JSONValue) -> JSONValue? {
        guard reference.hasPrefix("#") else { return nil }
        var value = root
        for step in reference.dropFirst().split(separator: "/") {
            var name = ""
            var rest = step[...]
            while let character = rest.popFirst() {
                if character == "~", let next = rest.first, next == "0" || next == "1" {
                    rest.removeFirst()
                    name += next == "0" ? "~" : "/"
                } else {
                    name.append(character)
                }
            }
            guard let next = value[name] ?? Int(name).flatMap({ value[$0] }) else { return nil }
            value = next
        }
        return value
    }

    static func cleaned(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(UntrustedText.cleaned(text))
        case .array(let values): .array(values.map(cleaned))
        case .object(let object):
            // The names stay: the server identifies its parameters by them.
            .object(JSONObject(object.members.map { .init($0.name, cleaned($0.value)) }))
        default: value
        }
    }

    private static func problem(_ what: String, at place: [String]) -> Problem {
        let shown = place.map { UntrustedText.line($0, limit: 40) }.joined(separator: ".")
        return Problem(what: shown.isEmpty ? "its input schema \(what)" : "its \(shown) \(what)")
    }
}
