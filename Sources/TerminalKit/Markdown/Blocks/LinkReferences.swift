/// The link definitions of a text by their labels.
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

    /// The first definition of a label counts.
    mutating func define(_ label: ArraySlice<UInt8>, _ target: Target) {
        let key = Self.key(label)
        if targets[key] == nil { targets[key] = target }
    }

    /// Labels match when they are equal but for case and the amount of space.
    private static func key(_ label: ArraySlice<UInt8>) -> String {
        let words = label.split(whereSeparator: ByteClass.isSpace)
        // Both ways, so that the sharp s equals its capital form.
        return String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
            .lowercased().uppercased()
    }
}
