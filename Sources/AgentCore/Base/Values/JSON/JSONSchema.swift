/// The part of JSON Schema (draft 2020-12) that describes our tools, and validation of
/// arguments against it. An external schema is passed on unchanged.
package indirect enum JSONSchema: Sendable, Equatable {
    case string(description: String? = nil, choices: [String] = [])
    case integer(description: String? = nil, range: ClosedRange<Int>? = nil)
    case number(description: String? = nil)
    case boolean(description: String? = nil)
    case array(of: JSONSchema, description: String? = nil)
    case object([Property])
    /// The schema of an external tool, with an object at its root. Only missing members are
    /// reported here; the tool's server checks the rest.
    case external(JSONObject)

    package struct Property: Sendable, Equatable {
        package var name: String
        package var schema: JSONSchema
        package var isRequired: Bool

        package init(_ name: String, _ schema: JSONSchema, isRequired: Bool = false) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }
    }

    /// A violation at a position in the arguments (`$.priority`).
    package struct Violation: Error, Sendable, Equatable {
        package var path: String
        package var problem: String

        package init(path: String, problem: String) {
            self.path = path
            self.problem = problem
        }
    }

    /// The schema as sent to providers: as short as possible, since each request contains
    /// it. A description gives the valid range of numbers.
    package var json: JSONValue {
        switch self {
        case .string(let description, let choices):
            .compact([
                "type": "string", "description": description.map(JSONValue.string),
                "enum": choices.isEmpty ? nil : .array(choices.map(JSONValue.string)),
            ])
        case .integer(let description, let range):
            .compact([
                "type": "integer", "description": description.map(JSONValue.string),
                "minimum": description == nil ? range.map { JSONValue($0.lowerBound) } : nil,
                "maximum": description == nil ? range.map { JSONValue($0.upperBound) } : nil,
            ])
        case .number(let description):
            .compact(["type": "number", "description": description.map(JSONValue.string)])
        case .boolean(let description):
            .compact(["type": "boolean", "description": description.map(JSONValue.string)])
        case .array(let element, let description):
            .compact([
                "type": "array", "description": description.map(JSONValue.string),
                "items": element.json,
            ])
        case .object(let properties):
            .compact([
                "type": "object",
                "properties": .object(
                    JSONObject(properties.map { JSONObject.Member($0.name, $0.schema.json) })),
                "required": properties.contains(where: \.isRequired)
                    ? .array(properties.filter(\.isRequired).map { JSONValue.string($0.name) })
                    : nil,
            ])
        case .external(let schema): .object(schema)
        }
    }

    /// Every violation, in the order of the value.
    package func violations(in value: JSONValue, at path: String = "$") -> [Violation] {
        switch (self, value) {
        case (.string(_, let choices), .string(let text)):
            if choices.isEmpty || choices.contains(text) { return [] }
            return [
                Violation(path: path, problem: "must be one of \(choices.joined(separator: ", "))")
            ]
        case (.integer(_, let range), _):
            guard let number = value.integerValue else { return [wrongType(path, "an integer")] }
            if let range, !range.contains(number) {
                return [
                    Violation(
                        path: path,
                        problem: "must be from \(range.lowerBound) to \(range.upperBound)")
                ]
            }
            return []
        case (.number, _):
            return value.doubleValue?.isFinite == true ? [] : [wrongType(path, "a number")]
        case (.boolean, .bool): return []
        case (.array(let element, _), .array(let values)):
            return values.enumerated().flatMap {
                element.violations(in: $1, at: "\(path)[\($0)]")
            }
        case (.object(let properties), .object(let object)):
            return violations(of: properties, in: object, at: path)
        case (.external(let schema), .object(let object)):
            let required = schema["required"]?.arrayValue ?? []
            return required.compactMap(\.stringValue).filter { object[$0] == nil }.map {
                Violation(path: "\(path).\($0)", problem: "is missing")
            }
        default: return [wrongType(path, typeName)]
        }
    }

    private func violations(
        of properties: [Property], in object: JSONObject, at path: String
    ) -> [Violation] {
        var found: [Violation] = []
        var seen: Set<String> = []
        for member in object.members {
            let place = "\(path).\(member.name)"
            if !seen.insert(member.name).inserted {
                found.append(Violation(path: place, problem: "is given twice"))
            } else if let property = properties.first(where: { $0.name == member.name }) {
                // Models often write null for an optional member that they leave out.
                if member.value.isNull, !property.isRequired { continue }
                found += property.schema.violations(in: member.value, at: place)
            } else {
                found.append(Violation(path: place, problem: "is not a parameter of this tool"))
            }
        }
        for property in properties where property.isRequired && !seen.contains(property.name) {
            found.append(Violation(path: "\(path).\(property.name)", problem: "is missing"))
        }
        return found
    }

    private func wrongType(_ path: String, _ wanted: String) -> Violation {
        Violation(path: path, problem: "must be \(wanted)")
    }

    private var typeName: String {
        switch self {
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .boolean: "true or false"
        case .array: "an array"
        case .object, .external: "an object"
        }
    }
}
