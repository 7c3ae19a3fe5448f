/// The link definitions of a text, by label.
package struct LinkReferences: Sendable {
    struct Target: Sendable, Equatable {
        var url: String
        var title: String?
    }

    private var targets: [String: Target] = [:]

    var isEmpty: Bool { targets.isEmpty }

    subscript(label: ArraySlice<UInt8>) -> Target? {
        targets.isEmpty ? nil : targets[Self.key(label)]
    }

    /// Adds a definition; the first one of a label counts.
    mutating func define(_ label: ArraySlice<UInt8>, _ target: Target) {
        let key = Self.key(label)
        if targets[key] == nil { targets[key] = target }
    }

    /// The normalized label: case and the amount of space do not matter.
    private static func key(_ label: ArraySlice<UInt8>) -> String {
        let words = label.split(whereSeparator: ByteClass.isSpace)
        // Converting both ways makes the sharp s equal to its capital form.
        return String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
            .lowercased().uppercased()
    }
}
