import Base
import CalendarFiles
import FoundationEssentials
import Library
import Persistence

/// `manifest.json`, the list of a backup's contents; docs/formats.md describes
/// its members. Pure.
struct BackupManifest: Sendable, Equatable {
    /// The current version. One that older programs cannot read gets a higher number.
    static let schema = 1
    static let format = "chat backup"
    static let name = "manifest.json"
    static let database = "chat.db"
    static let calendars = "calendars/"
    static let configuration = "configuration/"
    /// The user's identity; included only on request.
    static let profile = ProfileFile.name

    struct File: Sendable, Equatable {
        /// The file's name in the archive.
        var name: String
        var size: Int
        /// 64 hexadecimal digits.
        var sha256: String
        var modified: Date
    }

    /// The version of the program.
    var app: String
    /// ISO 8601 with offset.
    var created: String
    /// Nil if there was no database.
    var contents: BackupDatabase.Contents?
    var files: [File]
    /// The UIDs of the events among them that were created here, which ring without
    /// an alarm. Nothing else about them is trusted.
    var ownEvents: [String] = []

    var json: JSONValue {
        [
            "format": .string(Self.format), "schema": JSONValue(Self.schema),
            "app": .string(app), "created": .string(created),
            "database": contents.map { contents in
                [
                    "schema": JSONValue(contents.schema),
                    "conversations": JSONValue(contents.conversations),
                    "items": JSONValue(contents.items),
                ]
            } ?? .null,
            "files": .array(
                files.map { file in
                    [
                        "name": .string(file.name), "size": JSONValue(file.size),
                        "sha256": .string(file.sha256),
                        "modified": .integer(Int64(file.modified.timeIntervalSince1970 * 1_000)),
                    ]
                }),
            "own_events": .array(ownEvents.map { .string($0) }),
        ]
    }

    init(app: String, created: String, contents: BackupDatabase.Contents?, files: [File]) {
        self.app = app
        self.created = created
        self.contents = contents
        self.files = files
    }

    /// - Throws: `notABackup`, `newerBackup`.
    init(_ bytes: [UInt8]) throws(BackupError.Reason) {
        // Text that is not JSON is not a manifest, whatever is wrong with it.
        guard let value = try? JSONParser.parse(bytes),
            value["format"]?.stringValue == Self.format,
            let schema = value["schema"]?.integerValue
        else { throw .notABackup }
        guard schema <= Self.schema else { throw .newerBackup }
        guard let app = value["app"]?.stringValue, let created = value["created"]?.stringValue,
            let list = value["files"]?.arrayValue
        else { throw .notABackup }
        self.app = app
        self.created = created
        var files: [File] = []
        for entry in list {
            guard let name = entry["name"]?.stringValue, let size = entry["size"]?.integerValue,
                let sum = entry["sha256"]?.stringValue,
                let modified = entry["modified"]?.integerValue,
                // In milliseconds it fits a `Double`.
                modified.magnitude < 1 << 53
            else { throw .notABackup }
            files.append(
                File(
                    name: name, size: Int(size), sha256: sum,
                    modified: Date(timeIntervalSince1970: Double(modified) / 1_000)))
        }
        self.files = files
        ownEvents = value["own_events"]?.strings ?? []
        if let found = value["database"], let schema = found["schema"]?.integerValue {
            contents = BackupDatabase.Contents(
                schema: Int(schema), conversations: Int(found["conversations"]?.integerValue ?? 0),
                items: Int(found["items"]?.integerValue ?? 0))
        }
    }

    // MARK: - Names

    /// The destination of a file in a backup.
    enum Destination: Sendable, Equatable {
        case manifest, database, profile
        /// `account/office`, and the name of the file.
        case calendar(collection: String, file: String)
        /// `config.json`, `roles/critic.md`, `routines/<uuid>.json`.
        case configuration(String)
    }

    /// The destination of a member of the archive; nil for a name unknown to this version.
    static func place(of name: String) -> Destination? {
        if name == Self.name { return .manifest }
        if name == database { return .database }
        if name == profile { return .profile }
        let parts = name.split(separator: "/").map { decoded(String($0)) }
        guard parts.allSatisfy(isPlain), let file = parts.last else { return nil }
        if name.hasPrefix(calendars), (3...4).contains(parts.count) {
            guard VDirectory.isItemName(file) || collectionFiles.contains(file) else { return nil }
            return .calendar(
                collection: parts[1..<parts.count - 1].joined(separator: "/"), file: file)
        }
        guard name.hasPrefix(configuration) else { return nil }
        if parts.count == 2, configurationFiles.contains(file) { return .configuration(file) }
        guard parts.count == 3 else { return nil }
        let name = "\(parts[1])/\(file)"
        let isKnown =
            name.hasPrefix(roles) && file.hasSuffix(".md")
            || name.hasPrefix(routines) && file.hasSuffix(".json")
        return isKnown ? .configuration(name) : nil
    }

    /// A collection's metadata files (the vdir specification).
    static let collectionFiles = ["displayname", "color"]
    static let settings = "config.json"
    /// Maximum size of a configuration file.
    static let limitInBytes = 4 << 20
    static let configurationFiles = [settings, "words", "instructions.md", ideas]
    /// The request for ideas and the discarded titles, from the data folder.
    static let ideas = "ideas.json"

    static let roles = "roles/"
    /// The routines, from the data folder. None runs before the user has approved it on this
    /// machine.
    static let routines = "routines/"

    /// Whether models follow the text: it is not used without consent.
    static func isInstruction(_ name: String) -> Bool {
        name == "instructions.md" || name == ideas || name.hasPrefix(roles)
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
            // A combining mark after a slash would hide that a folder begins there.
            && "/\(name)/".count == name.count + 2
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7F }
    }

    /// Encodes a path as part of a name in an archive: no archive may contain
    /// `%5C` literally.
    static func encoded(_ name: String) -> String {
        var text: [UInt8] = []
        for byte in name.utf8 {
            let isKept =
                byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\\")
                && byte != UInt8(ascii: "%")
            text += isKept ? [byte] : Array("%\(SHA256.hex([byte]).uppercased())".utf8)
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func decoded(_ name: String) -> String {
        String(decoding: HexEscapes.decoded(name.utf8, mark: "%"), as: UTF8.self)
    }
}
