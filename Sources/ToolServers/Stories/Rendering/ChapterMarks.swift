import Base
import Sound

/// The metadata that ffmpeg writes into a story's sound file: title, author, and chapter
/// starts. Pure.
struct ChapterMarks: Sendable, Equatable {
    struct Chapter: Sendable, Equatable {
        var title: String
        /// Milliseconds.
        var start: Int
        var end: Int
    }

    var title: String
    var album: String
    /// "3/12", if each chapter is a file.
    var track: String?
    var author: String?
    var chapters: [Chapter]

    /// The first chapter begins with the file, as players expect, and includes anything
    /// before it, such as a title page.
    init(
        title: String, album: String, track: String?, author: String?,
        chapters titles: [String], _ script: StoryScript, _ rendered: StoryRenderer.Rendered
    ) {
        (self.title, self.album, self.track) = (title, album, track)
        self.author = author
        chapters = []
        let rate = rendered.format?.rate ?? 1
        func milliseconds(_ frame: Int) -> Int { (frame * 1_000 + rate / 2) / rate }
        var current: Int?
        for cue in rendered.cues {
            guard let chapter = script.lines[cue.line].chapter, chapter != current,
                titles.indices.contains(chapter)
            else { continue }
            current = chapter
            let start = chapters.isEmpty ? 0 : milliseconds(cue.frames.lowerBound)
            if !chapters.isEmpty { chapters[chapters.count - 1].end = start }
            chapters.append(Chapter(title: titles[chapter], start: start, end: start))
        }
        if !chapters.isEmpty {
            chapters[chapters.count - 1].end = milliseconds(rendered.frames)
        }
    }

    /// The text for ffmpeg's `ffmetadata` demuxer.
    var ffmetadata: String {
        var lines = [";FFMETADATA1", "title=\(Self.escaped(title))"]
        lines.append("album=\(Self.escaped(album))")
        if let track { lines.append("track=\(track)") }
        if let author { lines.append("artist=\(Self.escaped(author))") }
        lines.append("genre=Audiobook")
        for chapter in chapters {
            // Without a time base, ffmpeg assumes nanoseconds.
            lines += [
                "[CHAPTER]", "TIMEBASE=1/1000", "START=\(chapter.start)", "END=\(chapter.end)",
                "title=\(Self.escaped(chapter.title))",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func escaped(_ text: String) -> String {
        var line = ""
        for character in text.oneLine {
            if "=;#\\".contains(character) { line += "\\" }
            line.append(character)
        }
        // ffmpeg 5 treats a line end after any backslash as part of the value.
        return line.hasSuffix("\\") ? line + " " : line
    }
}
