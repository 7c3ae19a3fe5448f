import Base

/// Removes possible secrets from a configuration before it goes into a backup:
/// commands that print keys, the alert hook, strings shaped like keys, and
/// passwords in addresses. Pure; comments and order are kept.
struct ConfigurationScrubber {
    /// Members whose values are always left out.
    static let secretMembers: Set<String> = ["key_command", "hook"]

    /// Nil if removal cannot be guaranteed: it is not valid JSON.
    let text: [UInt8]?
    /// Names of the removed members, each once.
    let leftOut: [String]

    init(_ bytes: [UInt8]) {
        let blanked = JSON5.blanked(bytes)
        var leftOut: [String] = []
        var kept: [UInt8] = []
        var place = 0
        var copied = 0
        while place < blanked.count {
            guard blanked[place] == UInt8(ascii: "\"") else {
                place += 1
                continue
            }
            let end = JSON5.endOfString(blanked, from: place)
            let name = String(
                decoding: blanked[(place + 1)..<max(place + 1, end - 1)], as: UTF8.self)
            var after = JSON5.skippingSpace(blanked, from: end)
            guard Self.secretMembers.contains(name), after < blanked.count,
                blanked[after] == UInt8(ascii: ":")
            else {
                place = end
                continue
            }
            let value = JSON5.skippingSpace(blanked, from: after + 1)
            after = JSON5.endOfValue(blanked, from: value)
            if let comma = JSON5.comma(bytes, behind: after) { after = comma + 1 }
            kept += bytes[copied..<place]
            kept += Array("/* \(name) was left out of the backup */".utf8)
            copied = after
            place = after
            if !leftOut.contains(name) { leftOut.append(name) }
        }
        kept += bytes[copied...]
        let plain = String(decoding: kept, as: UTF8.self)
        var shown = KeyShape.redacted(plain)
        if shown != plain { leftOut.append("a key") }
        let withoutPasswords = Self.withoutPasswords(shown)
        if withoutPasswords != shown { leftOut.append("a password") }
        shown = withoutPasswords
        let result = Array(shown.utf8)
        let isSure =
            // A name may be written with escapes; then nothing of the file is included.
            (try? JSON5.parse(result)).map { !Self.holds(Self.secretMembers, $0) } ?? false
        text = isSure ? result : nil
        self.leftOut = leftOut
    }

    private static func holds(_ names: Set<String>, _ value: JSONValue) -> Bool {
        if let list = value.arrayValue { return list.contains { holds(names, $0) } }
        guard let object = value.objectValue else { return false }
        return object.members.contains { names.contains($0.name) || holds(names, $0.value) }
    }

    /// `https://name:password@host` without the part before the host.
    private static func withoutPasswords(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(of: "://") {
            result += rest[..<range.upperBound]
            rest = rest[range.upperBound...]
            let host = rest.prefix { !"/\"?# \n\t,]}".contains($0) }
            if let at = host.lastIndex(of: "@") { rest = rest[host.index(after: at)...] }
        }
        return result + rest
    }
}
