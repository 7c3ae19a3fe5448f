import Base
import Documents
import Persistence

/// A story as a ZIP archive, for backup or transfer: its text byte for byte, and all of its
/// metadata. Pure.
///
///     manifest.json    what this is, with size and checksum of the other files
///     story.json       title, tags, and the item's metadata
///     source.txt       the text
///     cover.jpg        or cover.png: the cover picture, if any
struct StoryArchive: Sendable, Equatable {
    static let schema = 1
    static let format = "chat story"
    private static let manifest = "manifest.json"
    private static let facts = "story.json"
    private static let source = "source.txt"
    private static let cover = "cover."

    var title: String
    var tags: [String]
    var text: String
    var metadata: JSONObject
    var cover: CoverPicture?

    init(_ item: LibraryItem, cover: CoverPicture? = nil) {
        self.cover = cover
        (title, tags, text) = (item.title, item.tags, item.body)
        metadata = Story(item).metadata(over: item.metadata)
        // A path on this machine.
        metadata["file"] = nil
    }

    // MARK: - Writing

    /// - Parameter created: ISO 8601.
    func bytes(created: String) throws -> [UInt8] {
        let facts: JSONValue = [
            "title": .string(title), "tags": .array(tags.map { .string($0) }),
            "metadata": .object(metadata),
        ]
        var files = [
            (Self.facts, Array((JSONWriter.pretty(facts) + "\n").utf8)),
            (Self.source, Array(text.utf8)),
        ]
        if let cover { files.append((Self.cover + cover.ending, cover.bytes)) }
        let manifest: JSONValue = [
            "format": .string(Self.format), "schema": JSONValue(Self.schema),
            "created": .string(created),
            "files": .array(
                files.map { name, bytes in
                    [
                        "name": .string(name), "size": JSONValue(bytes.count),
                        "sha256": .string(SHA256.hex(SHA256.digest(bytes))),
                    ]
                }),
        ]
        return try ZipWriter.bytes { archive in
            try archive.add(Self.manifest, Array((JSONWriter.pretty(manifest) + "\n").utf8))
            for (name, bytes) in files { try archive.add(name, bytes) }
        }
    }

    // MARK: - Reading

    /// - Returns: nil for an archive that is something else, such as an EPUB.
    /// - Throws: `DocumentError` for one that is damaged, or of a later version.
    init?(_ archive: ArchiveSource, name: String) throws(DocumentError) {
        func damaged(_ what: String) -> DocumentError { DocumentError(.damaged(what), name) }
        var files: [String: [UInt8]] = [:]
        do throws(ArchiveError) {
            let zip = try ZipReader(archive)
            for file in [Self.manifest, Self.facts, Self.source] {
                guard let member = zip.member(file) else { return nil }
                files[file] = try zip.bytes(of: member, limit: DocumentReader.textLimit)
            }
            for name in CoverPicture.endings.map({ Self.cover + $0 }) {
                guard let member = zip.member(name), member.size <= CoverPicture.limit else {
                    continue
                }
                files[name] = try zip.bytes(of: member, limit: CoverPicture.limit)
            }
        } catch {
            throw DocumentError(.archive(error), name)
        }
        func object(_ file: String) throws(DocumentError) -> JSONValue {
            // The position of the error does not help a reader who did not write the file.
            guard let value = try? JSONParser.parse(files[file] ?? []) else {
                throw damaged("\(file) is not JSON")
            }
            return value
        }
        let manifest = try object(Self.manifest)
        guard manifest["format"]?.stringValue == Self.format else { return nil }
        guard let schema = manifest["schema"]?.integerValue, schema <= Self.schema else {
            throw damaged("it was written by a later version of chat")
        }
        for file in manifest["files"]?.arrayValue ?? [] {
            guard let member = file["name"]?.stringValue, let bytes = files[member] else {
                continue
            }
            if file["sha256"]?.stringValue != SHA256.hex(SHA256.digest(bytes)) {
                throw damaged("\(member) does not match its manifest")
            }
        }
        guard let text = String(validating: files[Self.source] ?? [], as: UTF8.self) else {
            throw damaged("\(Self.source) is not UTF-8")
        }
        let facts = try object(Self.facts)
        title = (facts["title"]?.stringValue ?? "").oneLine
        tags = (facts["tags"]?.arrayValue ?? []).compactMap(\.stringValue)
        metadata = facts["metadata"]?.objectValue ?? JSONObject()
        self.text = text
        cover = CoverPicture.endings.lazy.compactMap { files[Self.cover + $0] }.first
            .flatMap { CoverPicture($0) }
    }
}
