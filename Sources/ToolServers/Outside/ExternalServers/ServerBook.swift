import Base
import Glibc

/// The files about external servers: `mcp.json`, which the user may edit, and the pins.
/// Read on demand, replaced as a whole, readable by the user alone. Simultaneous changes by
/// two programs are serialized by a lock.
package actor ServerBook: QueuedActor {
    package struct Content: Sendable, Equatable {
        package var entries: [ServerEntry] = []
        package var pins: [String: ServerPin] = [:]

        package func entry(_ name: String) -> ServerEntry? { entries.first { $0.name == name } }
        package func pin(_ name: String) -> ServerPin { pins[name] ?? ServerPin() }
    }

    private static let limit = 8 << 20
    private static let servers = "mcpServers"

    package nonisolated let executor = QueueExecutor(label: "mcp-servers")

    /// `mcp.json`.
    package nonisolated let path: String
    private let pinPath: String
    private let environment: Environment

    package init(path: String, pins: String, environment: Environment) {
        self.path = path
        pinPath = pins
        self.environment = environment
    }

    /// Reads the entries and the approvals; both are empty without files.
    package func read() throws(ServerBookError) -> Content {
        var content = Content()
        content.entries = Self.entries(try file(path))
        let pins = try file(pinPath)["servers"]?.objectValue?.members ?? []
        for pin in pins { content.pins[pin.name] = ServerPin(pin.value) }
        return content
    }

    /// The servers that are programs: their network requests are unknown to us.
    package func programs() -> [String] {
        // An unreadable file counts as none, since no server of it runs.
        ((try? read().entries) ?? []).filter { entry in  // So does an unreadable entry.
            guard !entry.isDisabled, case .program? = try? entry.launch() else { return false }
            return true
        }.map(\.name)
    }

    /// The entries of an `mcp.json` file, from any program.
    package static func entries(_ file: JSONObject) -> [ServerEntry] {
        let servers =
            file[servers]?.objectValue ?? file["servers"]?.objectValue
            ?? JSONObject(
                file.members.filter { $0.value["command"] != nil || $0.value["url"] != nil })
        return servers.members.compactMap { member in
            member.value.objectValue.map { ServerEntry(name: member.name, json: $0) }
        }
    }

    /// Adds an entry, replaces the one with that name, or removes it, and leaves the rest
    /// of the file unchanged.
    package func setEntry(_ name: String, _ entry: ServerEntry?) throws(ServerBookError) {
        try change(path) { file in
            var servers = file[Self.servers]?.objectValue ?? JSONObject()
            Self.set(name, entry.map { .object($0.json) }, in: &servers)
            Self.set(Self.servers, .object(servers), in: &file)
        }
    }

    package func setPin(_ name: String, _ pin: ServerPin?) throws(ServerBookError) {
        try change(pinPath) { file in
            var servers = file["servers"]?.objectValue ?? JSONObject()
            Self.set(name, pin?.json, in: &servers)
            file = JSONObject([.init("version", 1), .init("servers", .object(servers))])
        }
    }

    /// Records whether a server's tools differ from the approved ones. The rest of the pin stays
    /// as it is in the file, where another program may have approved the tools since.
    func setToolsDiffer(_ differs: Bool, of name: String) throws(ServerBookError) {
        try change(pinPath) { file in
            var servers = file["servers"]?.objectValue ?? JSONObject()
            guard var pin = servers[name].map(ServerPin.init) else { return }
            pin.toolsDiffer = differs
            Self.set(name, pin.json, in: &servers)
            file = JSONObject([.init("version", 1), .init("servers", .object(servers))])
        }
    }

    private static func set(_ name: String, _ value: JSONValue?, in object: inout JSONObject) {
        let place = object.members.firstIndex { $0.name == name }
        object.members.removeAll { $0.name == name }
        guard let value else { return }
        let member = JSONObject.Member(name, value)
        object.members.insert(member, at: min(place ?? .max, object.members.count))
    }

    // MARK: - Files

    /// The entries of another program's file, named by the user.
    package func entries(importedFrom path: String) throws(ServerBookError) -> [ServerEntry] {
        let bytes = try bytes(path)
        guard let bytes else {
            throw ServerBookError(path: path, why: "there is no such file", isOurs: false)
        }
        do throws(ServerBookError) {
            // Other programs allow comments.
            return Self.entries(try parse(JSON5.blanked(bytes), path))
        } catch {
            throw ServerBookError(path: path, why: error.why, isOurs: false)
        }
    }

    private func file(_ path: String) throws(ServerBookError) -> JSONObject {
        guard let bytes = try bytes(path) else { return JSONObject() }
        return try parse(bytes, path)
    }

    private func bytes(_ path: String) throws(ServerBookError) -> [UInt8]? {
        do throws(WholeFile.Failure) {
            return try WholeFile.read(path, limit: Self.limit)
        } catch {
            if error.code == ENOENT { return nil }
            throw ServerBookError(path: path, why: error.why(limit: Self.limit))
        }
    }

    private func parse(_ bytes: [UInt8], _ path: String) throws(ServerBookError) -> JSONObject {
        do {
            let value = try JSONParser.parse(bytes)
            if let object = value.objectValue { return object }
            throw ServerBookError(path: path, why: "it is not a JSON object")
        } catch let error as ServerBookError {
            throw error
        } catch {
            throw ServerBookError(path: path, why: "it is not valid JSON")
        }
    }

    private func change(
        _ path: String, _ body: (inout JSONObject) -> Void
    ) throws(ServerBookError) {
        func failure(_ code: Int32) -> ServerBookError {
            ServerBookError(path: path, why: Diagnostic.system(code))
        }
        let lock = PrivateFolder.lock(FilePath.folder(of: path))
        guard lock >= 0 else { throw failure(-lock) }
        defer { close(lock) }
        var object = try file(path)
        body(&object)
        let text = JSONWriter.pretty(.object(object)) + "\n"
        let code = WholeFile.replace(
            text.utf8, at: path, temporary: "\(path).\(environment.uuid()).tmp")
        guard code == 0 else { throw failure(code) }
    }
}

/// A file about servers cannot be read or written; it is left alone.
package struct ServerBookError: Error, Sendable, Equatable, DescribedError {
    package var path: String
    package var why: String
    /// Whether it is one of our own files, without which no server is known.
    package var isOurs = true

    package var diagnostic: Diagnostic {
        Diagnostic(
            "\(path) cannot be used: \(why).",
            todo: isOurs ? "No tool server is started until that is fixed." : "Nothing was added.")
    }
}
