import Base
import Privacy

/// The user's identity: the names, e-mail addresses, phones, addresses and links that must
/// never leave this machine, and that a letter gets only at the very end. A value;
/// `ProfileFile` stores it.
///
/// Each field may have several values. Letters print the first; all of them are
/// hidden from models.
package struct Profile: Sendable, Equatable {
    package typealias Field = PersonalData.Kind

    private var lists: [Field: [String]] = [:]
    /// Members of a later version, which are written back.
    private var others: [JSONObject.Member] = []

    /// Maximum number of values per field; more is a mistake.
    static let limit = 50

    package init() {}

    package var isEmpty: Bool { lists.isEmpty }

    package func values(of field: Field) -> [String] { lists[field] ?? [] }

    /// The value that letters print.
    package func first(_ field: Field) -> String? { lists[field]?.first }

    /// The data that the redactor looks for.
    package var person: PersonalData {
        PersonalData(
            Field.allCases.flatMap { field in
                values(of: field).map { PersonalData.Entry(field, $0) }
            })
    }

    // MARK: - Changing

    /// Replaces all values of the field.
    package mutating func set(_ field: Field, _ value: String) throws(ProfileError) {
        lists[field] = [try ProfileValue.checked(field, value)]
    }

    /// - Returns: false if the value already exists.
    @discardableResult
    package mutating func add(_ field: Field, _ value: String) throws(ProfileError) -> Bool {
        let value = try ProfileValue.checked(field, value)
        let known = values(of: field)
        if known.contains(value) { return false }
        guard known.count < Self.limit else { throw ProfileError(.tooMany(field)) }
        lists[field, default: []].append(value)
        return true
    }

    /// - Parameter value: the stored value, in any letter case, or its number; nil for all
    ///   values.
    /// - Returns: the number of values removed.
    package mutating func remove(_ field: Field, _ value: String? = nil) -> Int {
        guard let value else { return lists.removeValue(forKey: field)?.count ?? 0 }
        var list = values(of: field)
        let wanted = SearchText.folded(value.trimmingSpace())
        let index =
            list.firstIndex { SearchText.folded($0) == wanted }
            ?? Int(wanted).flatMap { list.indices.contains($0 - 1) ? $0 - 1 : nil }
        guard let index else { return 0 }
        list.remove(at: index)
        lists[field] = list.isEmpty ? nil : list
        return 1
    }

    // MARK: - As a file

    /// - Throws: `malformed` with the place of the error.
    package init(json bytes: [UInt8], path: String) throws(ProfileError) {
        let value: JSONValue
        do { value = try JSONParser.parse(bytes) } catch {
            throw ProfileError.malformed(
                path, bytes, at: error.offset, Diagnostic.words(error.reason.rawValue))
        }
        guard let object = value.objectValue else {
            throw ProfileError.malformed(path, bytes, at: 0, "it is not an object")
        }
        for member in object.members {
            guard let field = Field(rawValue: member.name) else {
                others.append(member)
                continue
            }
            // A file edited by hand may have a single value without brackets.
            let list = member.value.arrayValue ?? [member.value]
            let texts = list.compactMap(\.stringValue)
            guard texts.count == list.count else {
                throw ProfileError.malformed(
                    path, bytes, at: JSON5.offset(of: [member.name], in: bytes) ?? 0,
                    "\"\(member.name)\" contains something that is not text")
            }
            let kept = texts.map { $0.trimmingSpace() }.filter { !$0.isEmpty }
            if !kept.isEmpty { lists[field] = kept }
        }
    }

    package var json: [UInt8] {
        var object = JSONObject()
        for field in Field.allCases where !values(of: field).isEmpty {
            object[field.rawValue] = .array(values(of: field).map { .string($0) })
        }
        object.members += others
        return Array((JSONWriter.pretty(.object(object)) + "\n").utf8)
    }

    /// Whether there is nothing to write.
    package var isBlank: Bool { lists.isEmpty && others.isEmpty }
}
