/// Reads the parsed file by the tables of its settings: finds the line of a
/// wrong value, and names the nearest setting for an unknown one.
package struct ConfigurationReader {
    /// Warnings, and errors.
    private static let limit = 100

    private let bytes: [UInt8]
    private let file: String
    /// One sentence for each unknown name; the file is used all the same.
    package private(set) var warnings: [String] = []
    /// What the file sets, with the names of objects in front: `alerts.bell`.
    package private(set) var given: [String] = []
    /// One for each value that is not accepted; its default is in use.
    package private(set) var errors: [ConfigurationError] = []
    private var noted: [[String]: WideningSetting] = [:]
    /// What of it widens what the program does, and what is not known; by name.
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
        // null is the same as silence, so that a setting can be parked.
        for member in object.members where !member.value.isNull {
            let path = path + [member.name]
            guard let row = table.rows.first(where: { $0.name == member.name }) else {
                // Its own place, but what the table accepts.
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

    /// For what several settings say together.
    package mutating func refuse(_ path: [String], _ accepted: String) {
        given.removeAll { $0 == path.joined(separator: ".") }
        note(wrong(path, accepted))
    }

    private mutating func note(_ error: ConfigurationError) {
        // More are not read, and looking for the place of each takes its time.
        if errors.count < Self.limit { errors.append(error) }
    }

    mutating func note(
        _ path: [String], _ value: JSONValue, isWider: Bool, isKnown: Bool = true
    ) {
        // Of a name that is there twice the later value is used.
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
