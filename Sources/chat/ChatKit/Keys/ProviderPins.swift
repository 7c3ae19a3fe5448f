import AgentCore
import Base
import Glibc

/// The user's approvals of configured providers: a file beside the pins of tool servers. No
/// backup contains it, so that an imported configuration brings no approval.
package struct ProviderPins: Sendable {
    let path: String
    /// The source of the temporary file's name.
    private let uuid: @Sendable () -> String

    package init(path: String, uuid: @escaping @Sendable () -> String) {
        self.path = path
        self.uuid = uuid
    }

    func holds(_ access: ProviderAccess) -> Bool {
        pins.contains { $0.name == access.name.rawValue && $0.value == access.pinned }
    }

    /// - Throws: `KeyFileError` if it cannot be stored.
    func add(_ access: ProviderAccess) throws(KeyFileError) {
        let lock = PrivateFolder.lock(FilePath.folder(of: path))
        guard lock >= 0 else { throw KeyFileError(reason: .system(-lock), path: path) }
        defer { close(lock) }
        let others = pins.filter { $0.name != access.name.rawValue }
        let value: JSONValue = [
            "version": 1,
            "providers": .object(JSONObject(others + [.init(access.name.rawValue, access.pinned)])),
        ]
        let code = WholeFile.replace(
            (JSONWriter.pretty(value) + "\n").utf8, at: path, temporary: "\(path).\(uuid()).tmp")
        if code != 0 { throw KeyFileError(reason: .system(code), path: path) }
    }

    /// The stored approvals.
    private var pins: [JSONObject.Member] {
        // Empty if the file is missing or damaged: then the user is asked again.
        let json = (try? WholeFile.read(path, limit: 1 << 20)).flatMap { try? JSONParser.parse($0) }
        return json?["providers"]?.objectValue?.members ?? []
    }
}
