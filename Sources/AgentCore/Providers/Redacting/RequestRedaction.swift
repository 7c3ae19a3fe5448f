import Base
import Privacy

/// Replaces personal data in a request by placeholders, and keeps the map that restores them in the
/// answer. Pure.
///
/// It goes from the first turn to the last, so that a later turn changes no placeholder of an
/// earlier one. Content that cannot be redacted is not sent: images, PDF and audio become notes,
/// and signed reasoning and items that only their provider can read are left out if they contain
/// personal data.
struct RequestRedaction {
    private(set) var map = RedactionMap()
    private let redactor: Redactor
    private let gate: LeakGate

    init(_ person: PersonalData, memo: RedactionMemo? = nil) {
        redactor = Redactor(person, hidesEmployers: true, memo: memo)
        gate = LeakGate(person)
    }

    /// The instruction about placeholders for the model; the same for everyone.
    static let note = """
        Words in brackets such as [NAME], [EMAIL_2] or [PHONE] stand for personal data that you \
        are not given. Write them exactly as they are wherever you mean what they stand for, also \
        in what you give to tools.
        """

    mutating func redacted(_ request: ModelRequest) -> ModelRequest {
        var request = request
        let system = redactor.redact(request.system, into: &map)
        request.system = system.isEmpty ? Self.note : system + "\n\n" + Self.note
        for turn in request.turns.indices {
            for message in request.turns[turn].messages.indices {
                let parts = request.turns[turn].messages[message].parts
                request.turns[turn].messages[message].parts = parts.compactMap { redacted($0) }
            }
        }
        if request.privacy == .public { request.privacy = .redact }
        return request
    }

    /// - Returns: nil if the part is left out.
    private mutating func redacted(_ part: Part) -> Part? {
        switch part {
        case .text(var text):
            // They reveal who the user is, whichever names are removed. The current system text is
            // at the head, redacted like the rest.
            if text.isNotes || text.isSystem { return nil }
            if text.isContext { text.text = PlaceOfTime.removed(fromContext: text.text) }
            text.text = redactor.redact(text.text, into: &map)
            return .text(text)
        case .refusal(let text): return .refusal(redactor.redact(text, into: &map))
        case .toolCall(var call):
            call.arguments = JSONText.mapped(call.arguments) { text in
                redactor.redact(PlaceOfTime.removed(from: text), into: &map)
            }
            return .toolCall(call)
        case .toolResult(var result):
            result.text = redactor.redact(PlaceOfTime.removed(from: result.text), into: &map)
            // Pictures cannot be checked here.
            result.pictures = []
            return .toolResult(result)
        case .attachment(let file): return redacted(file)
        case .thinking(let thinking):
            return thinking.item.map(tells) == true ? nil : part
        case .opaque(let item): return tells(item) ? nil : part
        }
    }

    private mutating func redacted(_ file: Attachment) -> Part? {
        if file.isKeptOnly { return nil }
        let name = redactor.redact(file.name, into: &map)
        guard AttachmentContent.kind(of: file) == .text else {
            return .text(
                "A file (\(file.mediaType)) was attached here; it is not given to you.")
        }
        let text = String(decoding: file.bytes, as: UTF8.self)
        return .attachment(
            Attachment(
                name: name, mediaType: file.mediaType,
                bytes: Array(redactor.redact(text, into: &map).utf8)))
    }

    /// Members that only the provider can read; their bytes are arbitrary.
    private static let sealed: Set<String> = ["signature", "data", "encrypted_content", "id"]

    private func tells(_ item: JSONValue) -> Bool {
        !gate.leaks(in: JSONWriter.bytes(item)).isEmpty || hasFinding(item)
    }

    private func hasFinding(_ item: JSONValue) -> Bool {
        switch item {
        case .string(let text): !redactor.findings(in: text).isEmpty
        case .array(let elements): elements.contains(where: hasFinding)
        case .object(let object):
            object.members.contains { !Self.sealed.contains($0.name) && hasFinding($0.value) }
        case .null, .bool, .integer, .number: false
        }
    }
}

/// Rewrites the strings and numbers of a JSON text.
package enum JSONText {
    /// Changes every string of a JSON text, or the whole text if it is not JSON. A text without
    /// changes is returned as it is.
    package static func mapped(_ text: String, _ change: (String) -> String) -> String {
        // Other parsers cannot read it as JSON either, so such a call is not run.
        guard let value = try? JSONParser.parse(text) else {
            return change(text)
        }
        let changed = mapped(value, change)
        return changed == value ? text : JSONWriter.string(changed)
    }

    private static func mapped(_ value: JSONValue, _ change: (String) -> String) -> JSONValue {
        switch value {
        case .null, .bool: return value
        case .integer, .number:
            let digits = JSONWriter.string(value)
            let changed = change(digits)
            return changed == digits ? value : .string(changed)
        case .string(let text): return .string(change(text))
        case .array(let elements): return .array(elements.map { mapped($0, change) })
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.map {
                        JSONObject.Member(change($0.name), mapped($0.value, change))
                    }))
        }
    }
}

/// The user's place in a written time: its offset from UTC and its zone's name.
/// its zone.
package enum PlaceOfTime {
    /// Removes it from `[Local time: Sat 2026-11-21T14:05:00+01:00 CET]`: all text after the time.
    static func removed(fromContext text: String) -> String {
        let plain = removed(from: text)
        guard let colon = plain.lastIndex(of: ":") else { return plain }
        let digits = plain[plain.index(after: colon)...].prefix(while: \.isNumber)
        return String(plain[..<digits.endIndex]) + "]"
    }

    /// Removes the offset from ISO 8601 times, which the tools then take as local.
    package static func removed(from text: String) -> String {
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var place = 0
        var kept = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "T"), let end = offset(bytes, behind: place) {
                output += bytes[kept..<(end - 6)]
                kept = end
                place = end
            } else {
                place += 1
            }
        }
        if kept == 0 { return text }
        return String(decoding: output + bytes[kept...], as: UTF8.self)
    }

    /// The end of `+01:00` if a time with it follows a date.
    private static func offset(_ bytes: [UInt8], behind letter: Int) -> Int? {
        func fits(_ form: String, at start: Int) -> Bool {
            guard start >= 0, start + form.utf8.count <= bytes.count else { return false }
            return zip(form.utf8, bytes[start...]).allSatisfy { wanted, byte in
                switch wanted {
                case UInt8(ascii: "0"): byte &- UInt8(ascii: "0") < 10
                case UInt8(ascii: "+"): byte == wanted || byte == UInt8(ascii: "-")
                default: byte == wanted
                }
            }
        }
        guard fits("0000-00-00T00:00", at: letter - 10) else { return nil }
        var end = letter + 6
        if fits(":00", at: end) { end += 3 }
        return fits("+00:00", at: end) ? end + 6 : nil
    }
}
