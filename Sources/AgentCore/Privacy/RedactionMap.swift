import Base

/// Maps placeholders to their originals, in the order in which they appeared. It is as
/// private as the originals.
///
/// Each spelling has a placeholder of its own, so that restoring gives the text back
/// byte for byte. Spellings are compared by their bytes: "é" in one character and in
/// two are equal strings and different originals.
package struct RedactionMap: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        /// The placeholder with its brackets: `[NAME]`, `[NAME_2]`.
        package var placeholder: String
        package var original: String
        package var kind: PersonalData.Kind
    }

    package private(set) var entries: [Entry] = []
    private var placeholders: [[UInt8]: String] = [:]
    private var originals: [String: String] = [:]
    private var counts: [PersonalData.Kind: Int] = [:]
    /// Placeholders that the text already contains, which mean themselves.
    private var taken: Set<String> = []

    /// - Parameter text: the text to be redacted; placeholders that it already contains are
    ///   not given out.
    package init(avoiding text: String = "") { avoid(text) }

    /// Prepares a map that is used for several texts for the next of them.
    package mutating func avoid(_ text: String) { _ = reserve(placeholdersIn: Array(text.utf8)) }

    /// Keeps the placeholders that a text already contains from being given out.
    ///
    /// - Returns: those that the map has given out before, which the text must not keep.
    mutating func reserve(
        placeholdersIn text: [UInt8]
    ) -> [(range: Range<Int>, kind: PersonalData.Kind)] {
        var known: [(range: Range<Int>, kind: PersonalData.Kind)] = []
        for index in text.indices where text[index] == UInt8(ascii: "[") {
            guard let placeholder = Self.placeholder(at: index, in: text) else { continue }
            if originals[placeholder] == nil {
                taken.insert(placeholder)
            } else {
                let kind = entries.first { $0.placeholder == placeholder }?.kind ?? .name
                known.append((index..<index + placeholder.utf8.count, kind))
            }
        }
        return known
    }

    /// Starts another text: an original that occurs in both texts gets a new placeholder, which
    /// does not show that they name the same person.
    package mutating func beginText() { placeholders = [:] }

    /// The placeholder for an original, the same each time that it occurs in a text.
    package mutating func placeholder(
        for original: String, _ kind: PersonalData.Kind
    ) -> String {
        placeholder(forUTF8: Array(original.utf8)[...], kind)
    }

    mutating func placeholder(
        forUTF8 original: ArraySlice<UInt8>, _ kind: PersonalData.Kind
    ) -> String {
        let original = Array(original)
        if let known = placeholders[original] { return known }
        var placeholder: String
        repeat {
            let number = counts[kind, default: 0] + 1
            counts[kind] = number
            placeholder = Self.placeholder(kind, number)
        } while taken.contains(placeholder) || originals[placeholder] != nil
        let text = String(decoding: original, as: UTF8.self)
        entries.append(Entry(placeholder: placeholder, original: text, kind: kind))
        placeholders[original] = placeholder
        originals[placeholder] = text
        return placeholder
    }

    /// The placeholder with that number; the first of a kind has none.
    static func placeholder(_ kind: PersonalData.Kind, _ number: Int) -> String {
        number == 1 ? "[\(kind.placeholder)]" : "[\(kind.placeholder)_\(number)]"
    }

    func original(of placeholder: String) -> String? { originals[placeholder] }

    /// Puts each original back in place of its placeholder. It is the exact reverse of redacting;
    /// placeholders inside an original are not replaced.
    package func restore(_ text: String) -> String {
        let utf8 = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(utf8.count)
        var position = 0
        var index = 0
        while index < utf8.count {
            if utf8[index] == UInt8(ascii: "["),
                let placeholder = Self.placeholder(at: index, in: utf8),
                let original = originals[placeholder]
            {
                output += utf8[position..<index]
                output += original.utf8
                index += placeholder.utf8.count
                position = index
            } else {
                index += 1
            }
        }
        return String(decoding: output + utf8[position...], as: UTF8.self)
    }

    // MARK: - What a placeholder looks like

    /// The maximum length over all kinds and numbers.
    private static let longest = 24

    private static func placeholder(at open: Int, in text: [UInt8]) -> String? {
        var close = open + 1
        while close < text.count, close - open <= longest, isPart(text[close]) { close += 1 }
        guard close < text.count, text[close] == UInt8(ascii: "]"), close > open + 1 else {
            return nil
        }
        return String(decoding: text[open...close], as: UTF8.self)
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte &- UInt8(ascii: "A") < 26
            || byte &- UInt8(ascii: "0") < 10
    }
}

extension RedactionMap {
    /// The error for JSON that is not a map.
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
                Self.placeholder(at: 0, in: Array(placeholder.utf8)) == placeholder,
                originals[placeholder] == nil
            else { throw Malformed() }
            entries.append(Entry(placeholder: placeholder, original: original, kind: kind))
            placeholders[Array(original.utf8)] = placeholder
            originals[placeholder] = original
        }
    }
}
