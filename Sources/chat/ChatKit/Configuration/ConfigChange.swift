import AgentCore
import Base

/// A change of one setting in `config.json`: the file's new text, checked as the program
/// would read it. Pure; `ConfigCommand` writes it.
package struct ConfigChange {
    package let name: String
    /// The value in the file before; nil if not set.
    package let before: JSONValue?
    package let after: JSONValue?
    package let bytes: [UInt8]
    /// The settings of the changed file, without flags and variables.
    package let settings: Settings

    // MARK: - Set

    /// - Parameters:
    ///   - words: the value as typed; parsed by the setting's type.
    ///   - old: the file's contents; nil without a file.
    ///   - file: the path for errors about existing contents.
    /// - Throws: `UsageError`, `ConfigurationError`; the file must be valid.
    package init(
        setting name: String, to words: [String], in old: [UInt8]?, file: String
    ) throws {
        try Self.refuseKeys(name, words)
        let known = try Self.known(name)
        let path = Self.path(known.text)
        let (start, before) = try Self.read(old, file)
        // The first error names the accepted values.
        var failure: ConfigurationError?
        var found: (value: JSONValue, bytes: [UInt8], settings: Settings)?
        for value in Self.candidates(words) {
            var editor = JSON5Editor(start)
            do throws(JSON5Editor.Failure) {
                try editor.set(path, to: value)
            } catch {
                throw ConfigObjectNeeded(name: known.text, path: error.path, file: file)
            }
            do throws(ConfigurationError) {
                let settings = try Settings.parse(
                    editor.bytes, file: file, changed: known.text)
                found = (value, editor.bytes, settings)
                break
            } catch {
                failure = failure ?? error
            }
        }
        if let found {
            self.name = known.text
            self.before = Self.value(at: path, in: before)
            (after, bytes, settings) = found
            return
        }
        guard case .wrongValue(let wrong, let accepted)? = failure?.reason else {
            throw failure
                ?? ConfigurationError(
                    reason: .tooLarge(limit: Settings.limitInBytes), file: file)
        }
        // Without a position: the value is not in the file.
        throw ConfigurationError(reason: .wrongVariable(name: wrong, accepted: accepted))
    }

    // MARK: - Unset

    /// - Returns: nil if the file does not set it.
    package init?(unsetting name: String, in old: [UInt8]?, file: String) throws {
        let known = try Self.known(name)
        let path = Self.path(known.text)
        let (start, root) = try Self.read(old, file)
        var editor = JSON5Editor(start)
        guard editor.remove(path) else { return nil }
        self.name = known.text
        before = Self.value(at: path, in: root)
        after = nil
        settings = try Settings.parse(editor.bytes, file: file, changed: known.text)
        bytes = editor.bytes
    }

    // MARK: - Names

    /// - Throws: `UsageError` that names the nearest setting.
    private static func known(_ name: String) throws(UsageError) -> SettingName {
        let names = Settings.table.names
        if let known = names.first(where: { $0.text == name })
            ?? names.first(where: {
                $0.text == name.lowercased().replacing("-", with: "_")
            })
        {
            return known
        }
        // The names below it are the user's: `prices.gpt-5`, `roles.critic`.
        if let dot = name.firstIndex(of: "."), name.index(after: dot) < name.endIndex,
            let parent = names.first(where: { $0.text == name[..<dot] }),
            !names.contains(where: { $0.text.hasPrefix(parent.text + ".") })
        {
            return SettingName(text: name, accepted: parent.accepted)
        }
        let nearest =
            NearestWord.find(name, among: names.map(\.text))
            ?? names.first { $0.text.hasSuffix("." + name) }?.text
        throw UsageError(
            "There is no setting \"\(KeyShape.shown(name))\".",
            hint: nearest.map { "Did you mean \($0)?" } ?? "chat config show lists them.")
    }

    /// The path of a setting. After a user's own name the rest is one component, dots included;
    /// provider names contain no dots.
    private static func path(_ name: String) -> [String] {
        let names = Settings.table.names
        if names.contains(where: { $0.text == name }) {
            return name.split(separator: ".").map(String.init)
        }
        let splits = name.hasPrefix("providers.") ? 2 : 1
        return name.split(separator: ".", maxSplits: splits).map(String.init)
    }

    private static func refuseKeys(_ name: String, _ arguments: [String]) throws(UsageError) {
        let last = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let isKey = ["key", "api_key", "apikey", "token", "password", "secret"].contains(last)
        let holdsKey = arguments.contains {
            $0.lowercased().hasPrefix("sk-") || KeyShape.isFound(in: $0)
        }
        if isKey || holdsKey {
            throw UsageError(
                "A key is never an argument, and config.json never contains one: other programs can "
                    + "see it. If you typed one, consider it public and make a new one.",
                hint: "chat keys set \(ProviderName.words) asks for it")
        }
    }

    // MARK: - Values

    /// The possible values of typed words, the likeliest first.
    private static func candidates(_ arguments: [String]) -> [JSONValue] {
        let text = arguments.joined(separator: " ")
        let json = try? JSONParser.parse(text)  // Most words are not JSON.
        var values: [JSONValue] = []
        if let json, json.arrayValue != nil || json.objectValue != nil { values.append(json) }
        values.append(.string(text))
        if let json, json.arrayValue == nil, json.objectValue == nil, !json.isNull {
            values.append(json)
        }
        switch text.lowercased() {
        case "true", "on", "yes": values += [.bool(true), .string("on")]
        case "false", "off", "no": values += [.bool(false), .string("off")]
        default: break
        }
        values.append(.string(text.lowercased()))
        let list = arguments.flatMap { $0.split(separator: ",") }.map {
            JSONValue.string(String($0))
        }
        return values + [.array(list)]
    }

    private static func read(
        _ old: [UInt8]?, _ file: String
    ) throws(ConfigurationError) -> (bytes: [UInt8], root: JSONValue) {
        guard let old else { return (Array("{}\n".utf8), .object(JSONObject())) }
        // Other values may be invalid, but the file as a whole has to be readable.
        _ = try Settings.parse(old, file: file, changed: "")
        // It was parsed successfully just before.
        return (old, (try? JSON5.parse(old)) ?? .null)
    }

    private static func value(at path: [String], in root: JSONValue) -> JSONValue? {
        let found = path.reduce(Optional(root)) { $0?[$1] }
        return found?.isNull == true ? nil : found
    }
}

/// An object setting for which the file has a word in place of the object.
struct ConfigObjectNeeded: Error, Sendable, Equatable {
    var name: String
    var path: [String]
    var file: String
}

extension ConfigObjectNeeded: DescribedError {
    var diagnostic: Diagnostic {
        Diagnostic(
            "\(name) cannot be set: \(path.joined(separator: ".")) in \(file) is not an object.",
            todo: "To change it: chat config edit", exit: .usage)
    }
}
