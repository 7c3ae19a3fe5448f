import AgentCore
import Base
import Glibc
import Library
import Persistence
import Sound

/// The files that a rendering makes: one, or one for each chapter with a playlist.
extension StoryRenderCommand {
    struct Part {
        /// Byte range of the text; nil for all of it.
        var range: Range<Int>?
        /// Absolute.
        var path: String
        /// The chapter's title, if each chapter is a file.
        var title: String?
        var number: Int?
    }

    /// - Throws: `UsageError`, `StoryPlayError`, `SpeechError`.
    func parts(
        _ arguments: CommandArguments, of item: LibraryItem, _ story: Story, to output: String,
        as format: Format
    ) async throws -> [Part] {
        let ranges = story.ranges(end: item.body.utf8.count)
        let path = absolute(output)
        let isFolder = await ItemExport.isFolder(path)
        let number = try arguments.number("--chapter")
        let part = try number.map { try story.range(ofChapter: $0, of: item) }
        guard arguments.has("--chapters") else {
            let name = "/s\(ItemExport.fileName(item).dropFirst()).\(format.rawValue)"
            return [Part(range: part, path: isFolder ? path + name : path)]
        }
        if number != nil { throw UsageError("--chapter and --chapters cannot be combined.") }
        if ranges.isEmpty { throw StoryPlayError(.noSuchChapter(1, count: 0), item.id) }
        // "tide.mp3" means the folder "tide" with files of that format.
        let ending = "." + format.rawValue
        let folder =
            !isFolder && path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : path
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw SpeechError(reason: .file(errno))
        }
        let width = "\(ranges.count)".count
        return ranges.enumerated().map { index, range in
            let digits = "\(index + 1)"
            let name = String(repeating: "0", count: width - digits.count) + digits
            // Text before the first chapter, such as a title page, belongs to it.
            return Part(
                range: index == 0 ? 0..<range.upperBound : range,
                path:
                    "\(folder)/\(ItemExport.fileName(name, story.chapters[index].title))\(ending)",
                title: story.chapters[index].title, number: index + 1)
        }
    }

    private static func playlist(_ item: LibraryItem, _ folder: String) -> String {
        "\(folder)/s\(ItemExport.fileName(item).dropFirst()).m3u"
    }

    /// Checks for existing files before anything is made.
    func checkFree(_ parts: [Part], _ item: LibraryItem) async throws {
        for part in parts { try await ItemExport.checkFree(part.path) }
        guard let part = parts.first, part.title != nil else { return }
        try await ItemExport.checkFree(Self.playlist(item, FilePath.folder(of: part.path)))
    }

    func absolute(_ path: String) -> String {
        FilePath.tidy(path.hasPrefix("/") ? path : "\(library.workingFolder())/\(path)")
    }

    /// - Throws: `UsageError` if the format has no bit rate, or it is out of range.
    static func bitsPerSecond(
        _ arguments: CommandArguments, _ format: Format
    ) throws(UsageError) -> Int? {
        let usual = format.encoded?.usualBitsPerSecond
        guard arguments.has("--bitrate") else { return usual }
        guard usual != nil else {
            throw UsageError(
                "--bitrate does not apply to \(format.rawValue).", hint: "Use mp3, m4b or opus.")
        }
        guard let rate = try arguments.number("--bitrate"), (16...256).contains(rate) else {
            throw UsageError("--bitrate is a number from 16 to 256.", hint: "--bitrate 96")
        }
        return rate * 1_000
    }

    /// Writes the playlist and combines the outputs of all files.
    func album(
        _ made: [(part: Part, output: CommandOutput, seconds: Double)], of item: LibraryItem,
        _ story: Story, as format: Format, _ arguments: CommandArguments
    ) async throws -> CommandOutput {
        let folder = FilePath.folder(of: made[0].part.path)
        let title = ItemTable.title(item).oneLine
        if format.isSound {
            var lines = ["#EXTM3U", "#PLAYLIST:\(title)"]
            for (part, _, seconds) in made {
                let chapter = (part.title ?? "").oneLine
                lines.append("#EXTINF:\(Int(seconds.rounded())),\(title) - \(chapter)")
                lines.append(FilePath.name(part.path))
            }
            let list = try await RenderedFile(
                claiming: Self.playlist(item, folder),
                replaces: arguments.has("--force"))
            do {
                try await list.write(Array((lines.joined(separator: "\n") + "\n").utf8))
            } catch {
                await list.end()
                throw error
            }
            await list.end()
        }
        let seconds = made.reduce(0) { $0 + $1.seconds }
        var output = CommandOutput(
            lines: [
                StyledLine([
                    .init("✓ \(book.lookup.name(item)) → ", .success),
                    .init(shown(folder), .success, file: folder),
                    .init(
                        ", \(Quantities.count(made.count, "file")), \(Self.length(seconds))", .dim),
                ])
            ], json: .array(made.compactMap(\.output.json)))
        for (part, own, _) in made {
            output.notices += own.notices.map { "\((part.title ?? "").oneLine): \($0)" }
            if own.outcome == .degraded { output.outcome = .degraded }
        }
        return output
    }

    func shown(_ path: String) -> String {
        let folder = library.workingFolder() + "/"
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }

    /// "45 s", "12 min", "2 h 5 min".
    static func length(_ seconds: Double) -> String {
        if seconds < 120 { return Quantities.seconds(seconds.rounded()) }
        let minutes = Int((seconds / 60).rounded())
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
