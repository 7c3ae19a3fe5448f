import Base

/// JSON as lines that read like a résumé. Pure.
///
///     {"name": "Acme", "position": "Engineer", "startDate": "2019-01",
///      "highlights": ["Cut latency by 40 %"]}
///
///     Engineer, Acme, 2019-01 – present
///     - Cut latency by 40 %
enum JSONText {
    static func text(_ value: JSONValue) -> String {
        lines(value).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// All strings and numbers in the value, in order.
    static func strings(_ value: JSONValue) -> [String] {
        switch value {
        case .string(let text): text.isEmpty ? [] : [text]
        case .integer(let number): ["\(number)"]
        case .number(let text): [text]
        case .array(let elements): elements.flatMap(strings)
        case .object(let object):
            object.members.filter { !isSkipped($0.name) }.flatMap { strings($0.value) }
        case .null, .bool: []
        }
    }

    private static func isSkipped(_ name: String) -> Bool {
        JSONResume.skipped.contains(ResumeWords.key(name))
    }

    private static func lines(_ value: JSONValue) -> [String] {
        switch value {
        case .null, .bool: return []
        case .integer(let number): return ["\(number)"]
        case .number(let text): return [text]
        case .string(let text): return plain(text)
        case .array(let elements):
            if elements.allSatisfy({ $0.objectValue == nil && $0.arrayValue == nil }) {
                return elements.flatMap { plain(strings($0).joined()) }.map { "- \($0)" }
            }
            return elements.flatMap(lines)
        case .object(let object): return entry(object)
        }
    }

    /// The lines of multi-line text or HTML.
    private static func plain(_ text: String) -> [String] {
        let text =
            MarkupText.isMarkup(text) || text.contains("<p>") || text.contains("<br")
            ? MarkupText.plain(text) : text
        return ResumeLine.lines(of: text).map { $0.isBullet ? "- \($0.closed)" : $0.closed }
    }

    /// The members that begin an entry, in this order.
    private static let front = [
        "position", "title", "studyType", "degree", "area", "field", "name", "company",
        "organization", "institution", "school", "language", "fluency", "level", "awarder",
        "issuer",
        "publisher", "entity", "roles", "type", "location", "city",
    ]
    private static let start = ["startDate", "start", "from"]
    private static let end = ["endDate", "end", "to"]
    private static let moment = ["date", "releaseDate", "year"]
    /// Members omitted from an entry: a link shows who the applicant is or what they made, not what
    /// they did.
    private static let links: Set<String> = ["url", "website", "link", "href", "github"]

    private static func entry(_ object: JSONObject) -> [String] {
        var head: [String] = []
        var used = Set<String>()
        func short(_ name: String) -> String? {
            guard let value = object[name], !used.contains(name) else { return nil }
            used.insert(name)
            let text: String
            switch value {
            case .string(let string): text = plain(string).joined(separator: " ")
            case .integer(let number): text = "\(number)"
            case .number(let number): text = number
            case .array(let elements): text = elements.flatMap(strings).joined(separator: ", ")
            default:
                used.remove(name)
                return nil
            }
            return text.isEmpty ? nil : text
        }
        for name in front {
            if let text = short(name) { head.append(text) }
        }
        let begin = start.compactMap(short).first
        let finish = end.compactMap(short).first
        if let begin {
            head.append("\(begin) – \(finish ?? "present")")
        } else if let finish {
            head.append(finish)
        }
        for name in moment { if let text = short(name) { head.append(text) } }
        var result: [String] = []
        var line = head.joined(separator: ", ")
        // "Web: HTML, CSS"
        if let words = object["keywords"]?.arrayValue, !words.isEmpty {
            used.insert("keywords")
            let text = words.flatMap(strings).joined(separator: ", ")
            line = line.isEmpty ? text : "\(line): \(text)"
        }
        if !line.isEmpty { result.append(line) }
        for member in object.members where !used.contains(member.name) && !isSkipped(member.name) {
            if links.contains(member.name) || isPersonal(member.name) { continue }
            result += lines(member.value)
        }
        return result
    }

    private static func isPersonal(_ name: String) -> Bool {
        let label = ResumeWords.shared.labels[ResumeWords.key(name)]
        switch label {
        case .email, .phone, .birth, .identifier, .relative, .referee: return true
        case .name, .given, .family, .personal, .address, .url, nil:
            return name == "reference" || name == "supervisor" || name == "contact"
        }
    }
}
