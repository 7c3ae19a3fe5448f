/// The type of a setting: the values it accepts, and how a value is shown. Pure.
package struct SettingKind<Value>: Sendable {
    /// The accepted values, for the error after "accepts".
    package let accepted: String
    /// The values that are words, for completion.
    package var words: [String] = []
    /// Nil for an invalid value.
    package let read: @Sendable (JSONValue) -> Value?
    package let text: @Sendable (Value) -> String

    package init(
        _ accepted: String, text: @escaping @Sendable (Value) -> String = { "\($0)" },
        read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.accepted = accepted
        self.read = read
        self.text = text
    }
}

extension SettingKind where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of the cases of an enumeration.
    package static var word: Self { .word(of: Array(Value.allCases)) }
}

extension SettingKind where Value: RawRepresentable<String> & Sendable {
    package static func word(of values: [Value]) -> Self {
        let words = values.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        var kind = Self("one of " + words, text: \.rawValue) { value in
            values.first { $0.rawValue == value.stringValue }
        }
        kind.words = values.map(\.rawValue)
        return kind
    }
}

extension SettingKind<String> {
    package static var text: Self {
        Self("a string that is not empty") { $0.stringValue.flatMap { $0.isEmpty ? nil : $0 } }
    }

    package static var url: Self {
        Self("a URL that begins with https:// or http://") { value in
            value.stringValue.flatMap { KeyOrigin($0) == nil ? nil : $0 }
        }
    }

    /// The path of a folder.
    package static var folder: Self {
        Self("an absolute path, or one that begins with ~/") { value in
            value.stringValue.flatMap { $0.hasPrefix("/") || $0.hasPrefix("~/") ? $0 : nil }
        }
    }

    /// The name of a folder of calendar files.
    package static var folderName: Self {
        Self("the name of a folder, without a slash") { value in
            value.stringValue.flatMap { name in
                !name.isEmpty && !name.hasPrefix(".") && !name.contains("/")
                    && name.utf8.count <= 255 ? name : nil
            }
        }
    }
}

extension SettingKind<Bool> {
    package static var flag: Self {
        var kind = Self("true or false", text: { $0 ? "on" : "off" }) { $0.boolValue }
        kind.words = ["true", "false"]
        return kind
    }

    /// A flag that is "on" or "off" in the file.
    package static var onOff: Self {
        var kind = Self("one of \"on\", \"off\"", text: { $0 ? "on" : "off" }) { value in
            switch value.stringValue {
            case "on": true
            case "off": false
            default: nil
            }
        }
        kind.words = ["on", "off"]
        return kind
    }
}

extension SettingKind<Int> {
    package static func whole(_ range: ClosedRange<Int>, _ accepted: String? = nil) -> Self {
        Self(
            accepted ?? "a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { $0.integerValue.flatMap { range.contains($0) ? $0 : nil } }
    }

    package static var hour: Self { .whole(0...23, "an hour from 0 to 23") }
}

extension SettingKind<Double> {
    package static func number(
        _ range: ClosedRange<Double>, _ accepted: String? = nil, unit: String = ""
    ) -> Self {
        Self(
            accepted ?? "a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))",
            text: { plain($0) + unit }
        ) { $0.doubleValue.flatMap { range.contains($0) ? $0 : nil } }
    }

    package static var dollars: Self {
        Self("dollars, 0 or more", text: amount) { value in
            value.doubleValue.flatMap { $0 >= 0 && $0 < 1e9 ? $0 : nil }
        }
    }

    /// $60, $2.50, $0.075.
    private static func amount(_ dollars: Double) -> String {
        let text = plain(dollars)
        return "$" + text + (text.dropLast().last == "." ? "0" : "")
    }

    /// 60 for 60.0, 0.5 for 0.5.
    private static func plain(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}

extension SettingKind<[String]> {
    /// A program and its arguments, run without a shell: a line or an array.
    package static func command(_ accepted: String) -> Self {
        Self(accepted, text: { $0.joined(separator: " ") }) { value in
            let words = value.stringValue.map(ShellTokenizer.words(of:)) ?? value.strings
            return words.flatMap { $0.first?.isEmpty == false ? $0 : nil }
        }
    }

    package static func program(_ name: String) -> Self {
        command("a program and its arguments, such as [\"\(name)\", \"-q\"]")
    }

    package static var hosts: Self {
        Self("an array of host names", text: { $0.isEmpty ? "none" : list($0) }) {
            $0.strings?.map { $0.lowercased() }
        }
    }

    package static var folders: Self {
        Self(
            "an absolute path, or one that begins with ~/, or an array of such", text: list
        ) { value in
            let folders = value.stringValue.map { [$0] } ?? value.strings ?? []
            let isEach = folders.allSatisfy { $0.hasPrefix("/") || $0.hasPrefix("~/") }
            return folders.isEmpty || !isEach ? nil : folders
        }
    }

    private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}

extension JSONValue {
    /// Nil unless it is an array of strings.
    package var strings: [String]? {
        guard let elements = arrayValue else { return nil }
        let words = elements.compactMap(\.stringValue)
        return words.count == elements.count ? words : nil
    }
}
