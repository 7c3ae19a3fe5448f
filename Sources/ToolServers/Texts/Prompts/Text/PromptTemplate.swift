import Base

/// The text of a prompt with its placeholders: `{{input}}` for the subject,
/// `{{lang}}` for an argument, `{{lang|English}}` for an optional one. Pure.
///
///     {{input}}  {{ lang }}  {{tone|kind and short}}     places
///     \{{lang}}                                          the same as a text
///     {{ user.name }}  {{plugin:x}}  {{}}  {lang}        text: no name of ours
///
/// Inserted values are data: they are never searched for placeholders, so that
/// a value that contains `{{…}}` is inserted as it is.
package struct PromptTemplate: Sendable, Equatable {
    package struct Argument: Sendable, Equatable {
        package var name: String
        /// The default value; nil if it is required.
        package var fallback: String?

        package init(_ name: String, fallback: String? = nil) {
            self.name = name
            self.fallback = fallback
        }
    }

    enum Piece: Sendable, Equatable {
        case text(String)
        case place(Argument)
    }

    /// The placeholder of the input, which is not an argument.
    package static let input = "input"

    let pieces: [Piece]

    package init(_ text: String) { pieces = Self.pieces(of: text) }

    /// Each once, in the order of the text; a default given anywhere applies to
    /// all placeholders of that name.
    package var arguments: [Argument] {
        places.reduce(into: [Argument]()) { found, place in
            guard place.name != Self.input else { return }
            guard let known = found.firstIndex(where: { $0.name == place.name }) else {
                return found.append(place)
            }
            found[known].fallback = found[known].fallback ?? place.fallback
        }
    }

    package var hasInput: Bool { places.contains { $0.name == Self.input } }

    /// Whether a text is required: `{{input}}` has no default.
    package var needsInput: Bool {
        hasInput && !places.contains { $0.name == Self.input && $0.fallback != nil }
    }

    /// The text with all placeholders replaced. Without a placeholder for it
    /// the input follows the text, separated by an empty line.
    ///
    /// - Parameter values: by name; those not in `arguments` are ignored.
    /// - Throws: `Missing` for an argument, or the input, without a value and a
    ///   default.
    package func filled(
        input: String = "", values: [String: String] = [:]
    ) throws(Missing) -> String {
        var known = values
        for argument in arguments where known[argument.name] == nil {
            known[argument.name] = argument.fallback
        }
        known[Self.input] =
            input.isEmpty
            ? places.lazy.filter { $0.name == Self.input }.compactMap(\.fallback).first : input
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let part): text += part
            case .place(let argument):
                guard let value = known[argument.name] else { throw Missing(name: argument.name) }
                text += value
            }
        }
        if hasInput || input.isEmpty { return text }
        return text.isEmpty ? input : "\(text)\n\n\(input)"
    }

    /// A required argument, or the input, that is missing.
    package struct Missing: Error, Equatable { package var name: String }

    private var places: [Argument] {
        pieces.compactMap { if case .place(let argument) = $0 { argument } else { nil } }
    }
}

extension PromptTemplate {
    static func isName(_ name: some StringProtocol) -> Bool {
        guard let first = name.utf8.first, (first | 0x20) &- UInt8(ascii: "a") < 26,
            name.utf8.count <= 40
        else { return false }
        return name.utf8.allSatisfy { byte in
            (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
    }

    /// One pass: the text after a `{{` is examined no further than to the next
    /// one, so that the time is linear in the length.
    private static func pieces(of text: String) -> [Piece] {
        let bytes = Array(text.utf8)
        var pieces: [Piece] = []
        var plain: [UInt8] = []
        func flush() {
            if !plain.isEmpty { pieces.append(.text(String(decoding: plain, as: UTF8.self))) }
            plain = []
        }
        var position = 0
        while position < bytes.count {
            guard isPair(bytes, position, of: UInt8(ascii: "{")),
                let (argument, end) = place(bytes, position + 2)
            else {
                plain.append(bytes[position])
                position += 1
                continue
            }
            if plain.last == UInt8(ascii: "\\") {
                // Escaped: the backslash is removed, the placeholder is text.
                plain.removeLast()
                plain += bytes[position..<end]
            } else {
                flush()
                pieces.append(.place(argument))
            }
            position = end
        }
        flush()
        return pieces
    }

    private static func isPair(_ bytes: [UInt8], _ position: Int, of byte: UInt8) -> Bool {
        position + 1 < bytes.count && bytes[position] == byte && bytes[position + 1] == byte
    }

    /// The text after `{{`: a name, an optional default, and `}}` on the same line.
    private static func place(_ bytes: [UInt8], _ start: Int) -> (Argument, end: Int)? {
        var end = start
        while !isPair(bytes, end, of: UInt8(ascii: "}")) {
            if end >= bytes.count || bytes[end] == UInt8(ascii: "\n")
                || isPair(bytes, end, of: UInt8(ascii: "{"))
            {
                return nil
            }
            end += 1
        }
        let parts = bytes[start..<end].split(
            separator: UInt8(ascii: "|"), maxSplits: 1, omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self).trimmingSpace() }
        guard let name = parts.first, isName(name) else { return nil }
        return (Argument(name, fallback: parts.count == 2 ? parts[1] : nil), end + 2)
    }
}
