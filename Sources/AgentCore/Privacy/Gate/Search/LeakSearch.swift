import Base

/// Searches one body for the needles of a `LeakGate`: in every string as it stands and in
/// whatever is encoded in it, and across the borders between fields.
struct LeakSearch {
    /// The kind of the searched text: it decides which matches count.
    private enum Reading {
        /// Plain text, or text decoded as its receiver would decode it.
        case text
        /// Fixed words of the program or the wire format, each of which may also be a name.
        case fixed
        /// A readable stretch in bytes that may be anything.
        case stretch
    }

    private let gate: LeakGate
    private(set) var leaks: [LeakGate.Leak] = []
    private var folding = SeenCharacters()
    /// The last letters read so far: of all fields under "", and of the fields that share a name
    /// under that name.
    private var seams: [String: SeenLetters] = [:]
    private var names: Set<String> = []

    private static let most = 20
    /// Number of letters of a field that may belong to a match across its border; longer
    /// than all but addresses of web pages.
    private static let reach = 60
    private static let mostNames = 2_000
    private static let mostSeams = 64
    /// Maximum nesting of escapes and base64.
    private static let layers = 3

    init(_ gate: LeakGate) { self.gate = gate }

    /// Members of the wire formats whose values are not the user's text.
    private static let structure: Set<String> = [
        "role", "type", "phase", "status", "media_type", "id", "call_id", "tool_call_id",
        "tool_use_id", "signature", "encrypted_content",
    ]

    /// - Parameter isFixed: whether it is part of the definitions of the tools, which hold no
    ///   text of the user.
    mutating func walk(_ value: JSONValue, path: String, key: String, isFixed: Bool) {
        if leaks.count >= Self.most { return }
        switch value {
        case .null, .bool: break
        case .integer(let number):
            read(Array("\(number)".utf8), path: path, key: key, isFixed: isFixed)
        case .number(let text): read(Array(text.utf8), path: path, key: key, isFixed: isFixed)
        case .string(let text):
            read(
                Array(text.utf8), path: path, key: key,
                isFixed: isFixed || Self.structure.contains(key))
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                walk(element, path: "\(path)[\(index)]", key: key, isFixed: isFixed)
            }
        case .object(let object):
            for member in object.members {
                let inside = path.isEmpty ? member.name : "\(path).\(member.name)"
                // The user's choice of a model, which may be called Claude.
                if inside == "model" { continue }
                if names.count < Self.mostNames, names.insert(member.name).inserted {
                    search(Array(member.name.utf8), reading: .fixed, at: inside, layer: Self.layers)
                }
                walk(
                    member.value, path: inside, key: member.name,
                    isFixed: isFixed || inside == "tools")
            }
        }
    }

    mutating func read(_ text: [UInt8], path: String, key: String, isFixed: Bool) {
        let letters = search(text, reading: isFixed ? .fixed : .text, at: path)
        for group in ["", key] where !letters.bytes.isEmpty {
            join(letters, to: group, path: path, isFixed: isFixed)
        }
    }

    // MARK: - Readings of one text

    /// Matches a text as it stands, without its tags, and with what is encoded in it decoded.
    ///
    /// - Returns: the letters of the text as it stands.
    @discardableResult
    private mutating func search(
        _ text: [UInt8], form: String = "plain", reading: Reading, at path: String, layer: Int = 0
    ) -> SeenLetters {
        let letters = SeenLetters(text, skipsTags: false, &folding)
        match(letters, of: text, form: form, reading: reading, at: path)
        if text.contains(UInt8(ascii: "<")) {
            let untagged = SeenLetters(text, skipsTags: true, &folding)
            match(
                untagged, of: text, form: form == "plain" ? "split" : form, reading: reading,
                at: path)
        }
        guard layer < Self.layers, leaks.count < Self.most else { return letters }
        if let (plain, found) = HiddenText.unwrapped(text) {
            search(
                plain, form: form == "plain" ? found : form, reading: reading, at: path,
                layer: layer + 1)
        }
        var hidden: [(text: [UInt8], isWhole: Bool)] = []
        HiddenText.base64(in: text) { hidden.append(($0, $1)) }
        for (text, isWhole) in hidden {
            // Text that is encoded twice is decoded once more, not four times.
            search(
                text, form: "base64", reading: isWhole ? reading : .stretch, at: path,
                layer: isWhole || text.count > 32 ? layer + 1 : Self.layers)
        }
        return letters
    }

    private mutating func match(
        _ letters: SeenLetters, of text: [UInt8], form: String, reading: Reading,
        at path: String
    ) {
        var state = PatternAutomaton.start
        var found: [(LeakNeedle, Range<Int>)] = []
        var names: [Range<Int>]?
        gate.automaton.search(letters.bytes, from: &state) { pattern, end in
            let needle = gate.needles[pattern]
            let range = (end - needle.bytes.count)..<end
            if counts(needle, reading), found.count < Self.most,
                LeakMatch(needle: needle, range: range, letters: letters, text: text).isLeak,
                isCertain(needle, at: Int(letters.offsets[range.lowerBound]), in: text, &names)
            {
                found.append((needle, range))
            }
        }
        for (needle, range) in found {
            let match = LeakMatch(needle: needle, range: range, letters: letters, text: text)
            let places = letters.offsets[range].map(Int.init)
            add(
                needle.kind, form: form == "plain" && match.isSplit ? "split" : form, at: path,
                line: LeakLine.around(places[0]..<places[places.count - 1], in: text))
        }
    }

    private func counts(_ needle: LeakNeedle, _ reading: Reading) -> Bool {
        switch (reading, needle.rule) {
        case (.text, _): true
        case (.fixed, .word), (.fixed, .handle), (.fixed, .initialled): false
        case (.fixed, _): true
        case (.stretch, _): needle.letters >= 6
        }
    }

    /// A name that is also a word counts only where the redactor takes it for a name.
    ///
    /// - Parameter names: the redactor's matches in the whole text, once they have been
    ///   searched for.
    private func isCertain(
        _ needle: LeakNeedle, at offset: Int, in text: [UInt8], _ names: inout [Range<Int>]?
    ) -> Bool {
        guard case .word(isCommon: true) = needle.rule, needle.kind == .name else { return true }
        let known = names ?? gate.namesThatAreWords(in: text)
        names = known
        return known.overlaps(offset..<offset + 1)
    }

    private mutating func add(
        _ kind: PersonalData.Kind, form: String, at path: String, line: String
    ) {
        guard leaks.count < Self.most,
            !leaks.contains(where: { $0.kind == kind && $0.path == path })
        else { return }
        leaks.append(LeakGate.Leak(kind: kind, form: form, path: path, line: line))
    }

    // MARK: - Seams

    /// Finds data split over two fields: "Jo" in one and "hn Doe" in the next.
    private mutating func join(
        _ letters: SeenLetters, to group: String, path: String, isFixed: Bool
    ) {
        guard var joined = seams[group] else {
            if seams.count < Self.mostSeams {
                seams[group] = letters
                seams[group]?.keepLast(Self.reach)
            }
            return
        }
        let seam = joined.count
        joined.append(field: letters, most: Self.reach)
        var state = PatternAutomaton.start
        var kinds: [LeakNeedle] = []
        gate.automaton.search(joined.bytes, from: &state) { pattern, end in
            let needle = gate.needles[pattern]
            let range = (end - needle.bytes.count)..<end
            if range.lowerBound < seam, seam < end, counts(needle, isFixed ? .fixed : .text),
                LeakMatch(needle: needle, range: range, letters: joined, text: nil).isLeak
            {
                kinds.append(needle)
            }
        }
        for needle in kinds {
            add(
                needle.kind, form: "split over fields", at: path,
                line: String(decoding: needle.bytes, as: UTF8.self))
        }
        if letters.count > Self.reach { joined = letters }
        joined.keepLast(Self.reach)
        seams[group] = joined
    }
}

/// The words around a place in a text, on one line.
enum LeakLine {
    /// Number of bytes on either side.
    private static let reach = 32

    static func around(_ range: Range<Int>, in text: [UInt8]) -> String {
        var start = range.lowerBound
        while start > 0, range.lowerBound - start < reach, text[start - 1] != 0x0A { start -= 1 }
        // Not within a character.
        while start < range.lowerBound, text[start] & 0xC0 == 0x80 { start += 1 }
        var end = range.upperBound
        while end < text.count, end - range.upperBound < reach, text[end] != 0x0A { end += 1 }
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return String(decoding: text[start..<end], as: UTF8.self)
            .split(whereSeparator: \.isNewline).joined(separator: " ").trimmingSpace()
    }
}
