import Base
import Documents
import FoundationEssentials
import Persistence
import StoryKit

/// A story's metadata besides its text: an item of kind `story` whose body is the text byte
/// for byte. Places in it are UTF-8 byte offsets.
///
/// Other members of the item's metadata (cast, decisions, voices, bookmarks; see
/// docs/formats.md) belong to other types and are kept unchanged.
package struct Story: Sendable, Equatable {
    package struct Chapter: Sendable, Equatable {
        /// The title on one line.
        package var title: String
        package var start: Int
        /// The start of its first line, by which it is found again in a changed text.
        var line: String
    }

    package var author: String?
    /// "en".
    package var language: String?
    package var style: QuoteStyle
    /// The format of the source.
    package var format: ReadDocument.Format
    /// The source file's name without folders; nil if piped in.
    package var source: String?
    /// Identifies the source file without revealing its path.
    var file: String?
    package var chapters: [Chapter]
    /// Checksum of the text that `chapters` refers to.
    var checksum: UInt32
    /// The time when the speakers were found, and the means: "offline", or a model's name.
    package var index: (made: Date, by: String)?
    /// Checksum of the text in which the speakers were found.
    private var indexChecksum: UInt32?
    /// Whether the speakers were found in the current text.
    package var isIndexCurrent: Bool { indexChecksum == nil || indexChecksum == checksum }

    /// Creates the metadata of a document.
    init(_ document: ReadDocument, source: String?, file: String?) {
        let bytes = Array(document.text.utf8)
        author = document.author
        language = document.language ?? TextLanguage.guess(String(document.text.prefix(40_000)))
        style = QuoteStyle.counted(in: document.text)
        format = document.format
        self.source = source
        self.file = file
        chapters = document.chapters.map { Chapter($0, in: bytes) }
        checksum = CRC32.of(bytes)
    }

    package static func == (one: Story, other: Story) -> Bool {
        one.metadata(over: JSONObject()) == other.metadata(over: JSONObject())
    }

    /// The byte ranges of the chapters: each ends at the next, or at the end of the text.
    package func ranges(end: Int) -> [Range<Int>] {
        chapters.indices.map { index in
            let next = index + 1 < chapters.count ? chapters[index + 1].start : end
            return min(chapters[index].start, end)..<min(max(next, chapters[index].start), end)
        }
    }

    /// - Parameter number: counted from 1.
    func range(ofChapter number: Int, of item: LibraryItem) throws(StoryPlayError) -> Range<Int> {
        let ranges = ranges(end: item.body.utf8.count)
        if ranges.indices.contains(number - 1) { return ranges[number - 1] }
        throw StoryPlayError(.noSuchChapter(number, count: ranges.count), item.id)
    }
}

extension Story.Chapter {
    private static let lineLimit = 80

    init(_ chapter: ReadDocument.Chapter, in bytes: [UInt8]) {
        let line = bytes[bytes.whole(chapter.start..<chapter.start + Self.lineLimit)].prefix {
            $0 != 0x0A && $0 != 0x0D
        }
        self.init(
            title: chapter.title, start: chapter.start,
            line: String(decoding: line, as: UTF8.self))
    }
}

// MARK: - The item

extension Story {
    /// - Parameter item: the item with its whole body, or with an empty one for lists,
    ///   which do not need places.
    package init(_ item: LibraryItem) { self.init(item.metadata, text: item.body) }

    init(_ metadata: JSONObject, text: String) {
        author = metadata["author"]?.stringValue
        language = metadata["language"]?.stringValue
        format = metadata["format"]?.stringValue.flatMap(ReadDocument.Format.init) ?? .text
        source = metadata["source"]?.stringValue
        file = metadata["file"]?.stringValue
        chapters = (metadata["chapters"]?.arrayValue ?? []).compactMap { value in
            guard let title = value["title"]?.stringValue, let start = value["start"]?.integerValue,
                start >= 0
            else { return nil }
            return Chapter(title: title, start: start, line: value["line"]?.stringValue ?? "")
        }
        let sum = metadata["checksum"]?.integerValue.flatMap { UInt32(exactly: $0) }
        checksum = sum ?? 0
        let named = metadata["quotes"]?.stringValue.flatMap(QuoteStyle.init)
        style = named ?? (text.isEmpty ? .none : QuoteStyle.counted(in: text))
        if let made = metadata["index"]?["made"]?.integerValue {
            index = (
                Date(timeIntervalSince1970: Double(made) / 1_000),
                metadata["index"]?["by"]?.stringValue ?? "offline"
            )
        }
        let indexed = metadata["index"]?["checksum"]?.integerValue
        indexChecksum = indexed.flatMap { UInt32(exactly: $0) }
        // The item may have been created or changed by other commands.
        if !text.isEmpty { follow(text) }
    }

    /// - Parameter old: the item's metadata; members of other types stay.
    package func metadata(over old: JSONObject) -> JSONObject {
        var object = old
        object["format"] = .string(format.rawValue)
        object["source"] = source.map { .string($0) }
        object["file"] = file.map { .string($0) }
        object["author"] = author.map { .string($0) }
        object["language"] = language.map { .string($0) }
        object["quotes"] = .string(style.rawValue)
        object["chapters"] = .array(
            chapters.map { chapter in
                [
                    "title": .string(chapter.title), "start": JSONValue(chapter.start),
                    "line": .string(chapter.line),
                ]
            })
        object["checksum"] = JSONValue(Int(checksum))
        return object
    }
}

extension StoryText {
    /// - Parameter item: a story with its whole body.
    init(_ item: LibraryItem) {
        let story = Story(item)
        self.init(item.body, style: story.style, language: story.language)
    }
}
