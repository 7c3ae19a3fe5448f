import AgentCore
import Base

/// What the user has agreed that each provider of the configuration gets: a file beside the pins
/// of tool servers. No backup holds it, so that a configuration from elsewhere brings no yes.
package struct ProviderPins: Sendable {
    let path: String
    /// For the name of the temporary file.
    private let uuid: @Sendable () -> String

    package init(path: String, uuid: @escaping @Sendable () -> String) {
        self.path = path
        self.uuid = uuid
    }

    func holds(_ access: ProviderAccess) -> Bool {
        pins.contains { $0.name == access.name.rawValue && $0.value == access.pinned }
    }

    /// - Throws: `KeyFileError` where it cannot be kept.
    func add(_ access: ProviderAccess) throws(KeyFileError) {
        let others = pins.filter { $0.name != access.name.rawValue }
        let value: JSONValue = [
            "version": 1,
            "providers": .object(JSONObject(others + [.init(access.name.rawValue, access.pinned)])),
        ]
        var code = PrivateFolder.make(FilePath.folder(of: path))
        if code == 0 {
            code = WholeFile.replace(
                (JSONWriter.pretty(value) + "\n").utf8, at: path,
                temporary: "\(path).\(uuid()).tmp")
        }
        if code != 0 { throw KeyFileError(reason: .system(code), path: path) }
    }

    /// None where the file is not there or damaged: then each is asked about again.
    private var pins: [JSONObject.Member] {
        let bytes = (try? WholeFile.read(path, limit: 1 << 20)) ?? []
        return (try? JSONParser.parse(bytes))?["providers"]?.objectValue?.members ?? []
    }
}
