import AgentCore
import ICalendar
import Persistence
import StoryKit

/// `chat story render`: a story read by its voices, as a sound file or as subtitles.
///
/// What was made is kept in the cache of sound, so that the same command goes on where it
/// was stopped. Writes no file over another without `--force`, and none half.
struct StoryRenderCommand: Sendable {
    enum Format: String, Sendable, CaseIterable {
        case wav, mp3, m4b
        /// The times of the lines alone.
        case srt, vtt

        var isSound: Bool { self != .srt && self != .vtt }

        /// Of so much sound; nil for text, which is small.
        func bytes(seconds: Double) -> Int? {
            switch self {
            // 22,050 samples a second, which is what espeak-ng makes.
            case .wav: Int(seconds * 44_100)
            case .mp3, .m4b: Int(seconds) * EncodedSoundFile.bitsPerSecond / 8
            case .srt, .vtt: nil
            }
        }
    }

    let book: StoryBook
    let library: LibraryServer.Dependencies
    let sound: StorySound

    var verb: Verb {
        Verb(
            "render", "read by its voices, as a sound file (wav, mp3, m4b) or subtitles (srt, vtt)",
            [.phrase("[STORY]", "a story: s3 or last, which is also meant without", .story)],
            options: [
                .init("-o, --output PATH", "a file, or a folder", .file),
                .init(
                    "--format", oneOf: Format.allCases.map(\.rawValue),
                    "else by the ending of PATH; wav without"),
                .init("--chapter N", "one chapter"),
                .init("--cover PICTURE", "a picture for mp3 and m4b: jpg or png", .file),
                .init("--force", "replace a file that is there"),
                .init("--yes", "without a question where a server elsewhere speaks"),
            ], json: "path bytes format seconds frames rate silentFrames lines failed chapters",
            example: "s3 -o alice.m4b"
        ) { try await run($0) }
    }

    private func run(_ words: CommandArguments) async throws -> CommandOutput {
        let item = try await book.lookup.find(words.text.isEmpty ? "last" : words.text)
        let id = book.lookup.id(item.id)
        let story = Story(item)
        guard let output = words["--output"] else {
            throw UsageError("It needs a file.", hint: "chat story render \(id) -o story.wav")
        }
        let format: Format = try words.choice("--format") ?? Self.format(ofFile: output)
        var part: Range<Int>?
        if let number = try words.number("--chapter") {
            let ranges = story.ranges(end: item.body.utf8.count)
            guard ranges.indices.contains(number - 1) else {
                throw StoryRenderError(.noSuchChapter(number, id, count: ranges.count))
            }
            part = ranges[number - 1]
        }
        let program = try encoder(format)
        let path = await path(output, item, format)
        if !words.has("--force") { try await ItemExport.checkFree(path) }
        let engine = CachedSpeechEngine(try sound.engine(), cache: sound.cache)
        words.interaction.emit(progress(item))
        let spoken = try await book.spoken(item)
        let voices = try await sound.voices(item, spoken.cast)
        let script = StoryScript(
            spoken.text, speakers: spoken.attributions.compactMapValues(\.speaker),
            chapters: story.chapters.map(\.start), part: part, pauses: voices.pauses)
        let seconds = script.likelySeconds(voices)
        await words.interaction.show([StyledLine(expectation(seconds, format, engine), .dim)])
        try await ask(words, script)

        let file = try await RenderedFile(claiming: path, replaces: words.has("--force"))
        // All of it stays until it is done, so that nothing is made twice.
        await sound.cache.keep(max(SoundCache.usualLimit, Int(seconds * 44_100 * 1.5)))
        do {
            let rendered = try await render(
                script, voices, engine, words, item,
                Target(
                    file: file, format: format, program: program,
                    marks: {
                        ChapterMarks(
                            title: ItemTable.title(item), author: story.author,
                            chapters: story.chapters.map(\.title), script, $0)
                    }, names: spoken.cast.characters.map(\.name),
                    cover: words["--cover"].map(absolute), isLong: seconds > 6 * 3_600))
            await sound.cache.keep(SoundCache.usualLimit)
            let done = await done(item, story, script, rendered, format, file)
            await file.end()
            return done
        } catch {
            await file.end()
            throw error
        }
    }

    // MARK: - Before

    /// "About 2 h 5 min of sound, 331 MB, made in about 20 s".
    private func expectation(
        _ seconds: Double, _ format: Format, _ engine: CachedSpeechEngine
    ) -> String {
        var facts = ["About \(Self.length(seconds)) of sound"]
        if let bytes = format.bytes(seconds: seconds) { facts.append(Quantities.bytes(bytes)) }
        if let pace = sound.pace(engine.name) {
            facts.append("made in about \(Self.length(max(1, seconds / pace)))")
        }
        return facts.joined(separator: ", ")
    }

    /// What is read goes to the server that speaks.
    private func ask(_ words: CommandArguments, _ script: StoryScript) async throws {
        guard let host = sound.host(), !words.has("--yes") else { return }
        let count = script.lines.reduce(0) { $0 + $1.text.unicodeScalars.count }
        let warning = "\(Quantities.grouped(count)) characters go to \(host)."
        if await words.interaction.confirm(warning, "Go on?") { return }
        throw ToolError.failed("\(warning) Nothing was sent; --yes agrees to it.")
    }

    private func encoder(_ format: Format) throws -> String? {
        guard format == .mp3 || format == .m4b else { return nil }
        do { return try Subprocess.find(EncodedSoundFile.program, in: sound.variables) } catch {
            throw StoryRenderError(.needsEncoder(format.rawValue))
        }
    }

    /// - Throws: `UsageError` for another ending: the file would not be what it says.
    private static func format(ofFile path: String) throws(UsageError) -> Format {
        let name = FilePath.name(path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return .wav }
        let ending = String(name[dot...].dropFirst()).lowercased()
        guard let format = Format(rawValue: ending) else {
            throw UsageError(
                "Stories are not rendered as \"\(KeyShape.shown(TextValue.oneLine(ending)))\".",
                hint: "There are .wav, .mp3, .m4b, .srt and .vtt; --format FORMAT with any name.")
        }
        return format
    }

    private func absolute(_ path: String) -> String {
        FilePath.tidy(path.hasPrefix("/") ? path : "\(library.workingFolder())/\(path)")
    }

    private func path(_ output: String, _ item: LibraryItem, _ format: Format) async -> String {
        let path = absolute(output)
        guard await ItemExport.isFolder(path) else { return path }
        return path + "/s\(ItemExport.fileName(item).dropFirst()).\(format.rawValue)"
    }

    // MARK: - Rendering

    private struct Target {
        var file: RenderedFile
        var format: Format
        /// Path of ffmpeg, where it is needed.
        var program: String?
        var marks: (StoryRenderer.Rendered) -> ChapterMarks
        var names: [String]
        var cover: String?
        var isLong: Bool
    }

    private func render(
        _ script: StoryScript, _ voices: StoryVoices, _ engine: CachedSpeechEngine,
        _ words: CommandArguments, _ item: LibraryItem, _ target: Target
    ) async throws -> StoryRenderer.Rendered {
        let file = target.file
        var wave: WaveFileSink?
        var encoded: EncodedSoundFile?
        if target.format == .wav {
            wave = WaveFileSink(path: file.path, partial: file.partial, isLong: target.isLong)
        }
        if let program = target.program,
            let format = EncodedSoundFile.Format(rawValue: target.format.rawValue)
        {
            encoded = EncodedSoundFile(
                program: program, variables: sound.variables, format, file: file)
        }
        let sink: (any AudioSink)? = wave ?? encoded
        do {
            let rendered = try await StoryRenderer(engine: engine, voices: voices).render(
                script, into: sink, onLine: progress(words.interaction.emit, item, script))
            try await sink?.finish()
            try await encoded?.place(target.marks(rendered), cover: target.cover)
            if !target.format.isSound {
                let subtitles = StorySubtitles(script, names: target.names, rendered)
                let text = target.format == .srt ? subtitles.srt : subtitles.vtt
                try await file.write(Array(text.utf8))
            }
            return rendered
        } catch {
            await sink?.stop()
            throw error
        }
    }

    private func progress(_ item: LibraryItem) -> ToolProgress {
        var progress = ToolProgress(activity: "Rendering", title: ItemTable.title(item))
        progress.hint = "what was made is kept"
        progress.kept = [
            StyledLine("What was made is kept: the same command goes on from there.", .dim)
        ]
        return progress
    }

    private func progress(
        _ emit: Emitter, _ item: LibraryItem, _ script: StoryScript
    ) -> (Int, Double) -> Void {
        let environment = library.environment
        let start = environment.uptime()
        let count = script.lines.count
        let base = progress(item)
        return { done, seconds in
            var progress = base
            let fraction = Double(done) / Double(max(1, count))
            progress.fraction = fraction
            progress.part = "\(Quantities.grouped(done)) of \(Quantities.grouped(count)) sentences"
            let passed = environment.uptime() - start
            let left = fraction > 0.02 ? passed / fraction - passed : nil
            progress.facts = [
                Self.length(seconds), left.map { "\(Self.length($0)) left" } ?? "",
            ]
            emit(progress)
        }
    }

    // MARK: - After

    private func done(
        _ item: LibraryItem, _ story: Story, _ script: StoryScript,
        _ rendered: StoryRenderer.Rendered, _ format: Format, _ file: RenderedFile
    ) async -> CommandOutput {
        let folder = library.workingFolder()
        let shown =
            file.path.hasPrefix(folder + "/")
            ? String(file.path.dropFirst(folder.count + 1)) : file.path
        let bytes = await file.bytes
        let chapters = ChapterMarks(
            title: "", author: nil, chapters: story.chapters.map(\.title), script, rendered
        ).chapters
        var facts = [Quantities.bytes(bytes), Self.length(rendered.seconds(rendered.frames))]
        if !chapters.isEmpty { facts.append(Quantities.count(chapters.count, "chapter")) }
        var output = CommandOutput(
            lines: [
                StyledLine([
                    .init("✓ \(book.lookup.name(item)) → ", .success),
                    .init(shown, .success, file: file.path),
                    .init(", " + facts.joined(separator: ", "), .dim),
                ])
            ],
            json: [
                "path": .string(file.path), "bytes": JSONValue(bytes),
                "format": .string(format.rawValue),
                "seconds": JSONValue(rendered.seconds(rendered.frames)),
                "frames": JSONValue(rendered.frames),
                "rate": JSONValue(rendered.format?.rate ?? 0),
                "silentFrames": JSONValue(rendered.silentFrames),
                "lines": JSONValue(rendered.cues.count), "failed": JSONValue(rendered.failures),
                "chapters": .array(
                    chapters.map {
                        [
                            "title": .string($0.title),
                            "start": JSONValue(Double($0.start) / 1_000),
                            "end": JSONValue(Double($0.end) / 1_000),
                        ]
                    }),
            ])
        output.quotesOthers = true
        if let first = rendered.firstFailure {
            let count = Quantities.count(rendered.failures, "sentence")
            output.notices = ["\(count) could not be read: \(first.diagnostic.what)"]
            output.outcome = .degraded
        }
        return output
    }

    /// "45 s", "12 min", "2 h 5 min".
    static func length(_ seconds: Double) -> String {
        if seconds < 120 { return Quantities.seconds(seconds.rounded()) }
        let minutes = Int((seconds / 60).rounded())
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
