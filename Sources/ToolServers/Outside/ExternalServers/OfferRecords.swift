import Base

/// The servers or tools offered to conversations, by name; only for the newest
/// conversations. If the file cannot be read or written, only the provider's cache is
/// missed.
package actor OfferRecords: QueuedActor {
    package nonisolated let executor = QueueExecutor(label: "offers")

    /// Number of conversations remembered.
    private static let limit = 500

    private let path: String
    private let uuid: @Sendable () -> String

    package init(path: String, uuid: @escaping @Sendable () -> String) {
        self.path = path
        self.uuid = uuid
    }

    package func names(of conversation: String) -> [String] {
        read()[conversation]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    package func note(_ names: [String], of conversation: String) {
        var all = read()
        let value = JSONValue.array(names.map { .string($0) })
        if all[conversation] == value { return }
        all.members.removeAll { $0.name == conversation }
        all.members.append(.init(conversation, value))
        all.members.removeFirst(max(0, all.members.count - Self.limit))
        guard PrivateFolder.make(FilePath.folder(of: path)) == 0 else { return }
        _ = WholeFile.replace(
            JSONWriter.bytes(.object(all)), at: path, temporary: "\(path).\(uuid()).tmp",
            syncs: false)
    }

    private func read() -> JSONObject {
        // A damaged file is replaced by the next record.
        let json = (try? WholeFile.read(path, limit: 1 << 20)).flatMap { try? JSONParser.parse($0) }
        return json?.objectValue ?? JSONObject()
    }
}
