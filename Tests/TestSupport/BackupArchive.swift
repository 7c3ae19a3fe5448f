import Base

/// Backups that this program would not make: any files under any names, with a manifest
/// that is right about them.
package enum BackupArchive {
    /// - Parameter modified: of each file, milliseconds since 1970.
    package static func bytes(
        _ files: [(name: String, bytes: [UInt8])], modified: Int64 = 1_700_000_000_000
    ) throws -> [UInt8] {
        let list = files.map { file -> JSONValue in
            [
                "name": .string(file.name), "size": JSONValue(file.bytes.count),
                "sha256": .string(SHA256.hex(SHA256.digest(file.bytes))),
                "modified": .integer(modified),
            ]
        }
        let manifest: JSONValue = [
            "format": "chat backup", "schema": 1, "app": "9.9",
            "created": "2026-11-22T09:00:00+00:00", "database": .null, "files": .array(list),
        ]
        return try ZipWriter.bytes { writer in
            for file in files { try writer.add(file.name, file.bytes) }
            try writer.add("manifest.json", JSONWriter.bytes(manifest))
        }
    }

    package static func bytes(
        _ files: [(name: String, text: String)], modified: Int64 = 1_700_000_000_000
    ) throws -> [UInt8] {
        try bytes(files.map { ($0.name, Array($0.text.utf8)) }, modified: modified)
    }
}
