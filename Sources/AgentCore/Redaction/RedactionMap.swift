/// Which placeholder stands for which original, in the order in which they
/// appeared. It is as private as the originals.
///
/// Each spelling has a placeholder of its own, so that restoring gives the text back
/// byte for byte.
package struct RedactionMap: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        /// With its brackets: `[NAME]`, `[NAME_2]`.
        package var placeholder: String
        package var original: String
        package var kind: PersonalData.Kind
    }

    package private(set) var entries: [Entry] = []
    private var placeholders: [String: String] = [:]
    private var originals: [String: String] = [:]
    private var counts: [PersonalData.Kind: Int] = [:]
    /// Stand in the text already and mean themselves.
    private var taken: Set<String> = []

    /// - Parameter text: what is to be redacted; a placeholder that stands in it is not
    ///   given out.
    package init(avoiding text: String = "") { avoid(text) }

    /// For a map that grows over several texts, before the next one is redacted.
    package mutating func avoid(_ text: String) {
        for placeholder in Self.placeholders(in: text) where originals[placeholder] == nil {
            taken.insert(placeholder)
        }
    }

    /// The same original gets the same placeholder.
    package mutating func placeholder(
        for original: String, _ kind: PersonalData.Kind
    ) -> String {
        if let known = placeholders[original] { return known }
        var placeholder: String
        repeat {
            let number = counts[kind, default: 0] + 1
            counts[kind] = number
            placeholder = number == 1 ? "[\(kind.placeholder)]" : "[\(kind.placeholder)_\(number)]"
        } while taken.contains(placeholder)
        entries.append(Entry(placeholder: placeholder, original: original, kind: kind))
        placeholders[original] = placeholder
        originals[placeholder] = original
        return placeholder
    }

    /// Puts each original back where its placeholder stands. Exact: it is the reverse
    /// of redacting, and what stands in an original is not looked at again.
    package func restore(_ text: String) -> String {
        var output = ""
        var rest = text.utf8[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "[")) {
            output += Substring(rest[..<open])
            guard let placeholder = Self.placeholder(at: open, in: rest),
                let original = originals[placeholder]
            else {
                output += "["
                rest = rest[rest.index(after: open)...]
                continue
            }
            output += original
            rest = rest[rest.index(open, offsetBy: placeholder.utf8.count)...]
        }
        return output + Substring(rest)
    }

    // MARK: - What a placeholder looks like

    /// The longest that any kind and number makes.
    private static let longest = 24

    private static func placeholder(
        at open: Substring.UTF8View.Index, in text: Substring.UTF8View
    ) -> String? {
        let inside = text[text.index(after: open)...].prefix(longest)
        guard let close = inside.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let name = inside[..<close]
        guard !name.isEmpty,
            name.allSatisfy({
                $0 == UInt8(ascii: "_") || $0 &- UInt8(ascii: "A") < 26
                    || $0 &- UInt8(ascii: "0") < 10
            })
        else { return nil }
        return "[\(Substring(name))]"
    }

    private static func placeholders(in text: String) -> [String] {
        var found: [String] = []
        var rest = text.utf8[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "[")) {
            if let placeholder = placeholder(at: open, in: rest) { found.append(placeholder) }
            rest = rest[rest.index(after: open)...]
        }
        return found
    }
}

extension RedactionMap {
    /// What cannot be read as a map.
    package struct Malformed: Error {}

    /// An array of `{"placeholder", "kind", "original"}`, as `--map` writes it.
    package var json: JSONValue {
        .array(
            entries.map { entry in
                [
                    "placeholder": .string(entry.placeholder),
                    "kind": .string(entry.kind.rawValue), "original": .string(entry.original),
                ]
            })
    }

    package init(json: JSONValue) throws(Malformed) {
        guard let list = json.arrayValue else { throw Malformed() }
        for value in list {
            guard let placeholder = value["placeholder"]?.stringValue,
                let original = value["original"]?.stringValue,
                let kind = value["kind"]?.stringValue.flatMap(PersonalData.Kind.init),
                originals[placeholder] == nil
            else { throw Malformed() }
            entries.append(Entry(placeholder: placeholder, original: original, kind: kind))
            placeholders[original] = placeholder
            originals[placeholder] = original
            counts[kind, default: 0] += 1
        }
    }
}
