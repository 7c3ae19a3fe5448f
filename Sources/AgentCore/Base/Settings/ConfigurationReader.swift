/// Reads the parsed file by the settings tables: finds the line of a wrong value, and
/// suggests the nearest setting for an unknown one.
package struct ConfigurationReader {
    /// Maximum number of warnings, and of errors.
    private static let limit = 100

    private let bytes: [UInt8]
    private let file: String
    /// One sentence for each unknown name; the file is still used.
    package private(set) var warnings: [String] = []
    /// Names of the settings in the file, with their objects in front: `alerts.bell`.
    package private(set) var given: [String] = []
    /// One for each invalid value; its default is used.
    package private(set) var errors: [ConfigurationError] = []
    private var noted: [[String]: WideningSetting] = [:]
    /// Settings that extend the program's permissions, and unknown ones; sorted by name.
    package var widening: [WideningSetting] { noted.values.sorted { $0.name < $1.name } }

    package init(bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    package mutating func read<Root>(
        _ value: JSONValue, _ path: [String], _ table: SettingTable<Root>,
        into root: inout Root
    ) throws(ConfigurationError) {
        guard let object = value.objectValue else { throw wrong(path, table.accepted) }
        // null counts as missing, so that a setting can be disabled and kept.
        for member in object.members where !member.value.isNull {
            let path = path + [member.name]
            guard let row = table.rows.first(where: { $0.name == member.name }) else {
                // At its own position, but with the table's accepted values.
                if table.isStrict {
                    note(wrong(path, "nothing: it is " + table.accepted))
                    continue
                }
                warn(path, table.rows.map(\.name))
                note(path, member.value, isWider: true, isKnown: false)
                continue
            }
            given.append(path.joined(separator: "."))
            do {
                try row.read(member.value, path, &root, &self)
            } catch {
                given.removeAll { $0 == path.joined(separator: ".") }
                note(error)
            }
        }
    }

    /// Refuses a combination of several settings.
    package mutating func refuse(_ path: [String], _ accepted: String) {
        given.removeAll { $0 == path.joined(separator: ".") }
        note(wrong(path, accepted))
    }

    private mutating func note(_ error: ConfigurationError) {
        // Further errors would not be read, and finding the position of each takes time.
        if errors.count < Self.limit { errors.append(error) }
    }

    mutating func note(
        _ path: [String], _ value: JSONValue, isWider: Bool, isKnown: Bool = true
    ) {
        // For a repeated name the later value is used.
        noted[path] =
            isWider ? WideningSetting(path: path, value: value, isKnown: isKnown) : nil
    }

    package func wrong(_ path: [String], _ accepted: String) -> ConfigurationError {
        let offset = path.isEmpty ? 0 : JSON5.offset(of: path, in: bytes)
        let position = offset.map { JSON5.position(of: $0, in: bytes) }
        return ConfigurationError(
            reason: .wrongValue(
                name: path.isEmpty ? "the file" : path.joined(separator: "."), accepted: accepted),
            file: file, line: position?.line, column: position?.column)
    }

    private mutating func warn(_ path: [String], _ known: [String]) {
        guard warnings.count < Self.limit else { return }
        let name = path.last ?? ""
        let prefix = path.dropLast().map { $0 + "." }.joined()
        let line = JSON5.offset(of: path, in: bytes).map { JSON5.position(of: $0, in: bytes).line }
        let place = line.map { "\(file):\($0)" } ?? file
        var sentence = "\(place): there is no setting \(prefix)\(name)."
        if let nearest = NearestWord.find(name, among: known) {
            sentence += " Did you mean \(prefix)\(nearest)?"
        } else if known.count > 8 {
            sentence += " chat config lists them."
        } else {
            sentence += " There are: \(known.joined(separator: ", "))."
        }
        warnings.append(sentence)
    }
}
