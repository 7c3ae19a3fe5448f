import AgentCore
import Base
import Documents
import Library
import Persistence
import Sound
import StoryKit

/// `chat story render`: renders a story with its voices to a sound file or subtitles.
///
/// Finished sound is cached, so that repeating the command continues where it stopped.
/// Never overwrites a file without `--force` and never leaves a partial one.
struct StoryRenderCommand: Sendable {
    enum Format: String, Sendable, CaseIterable {
        case wav, mp3, m4b, opus, flac
        /// Subtitles only.
        case srt, vtt

        var isSound: Bool { self != .srt && self != .vtt }
        /// Nil if ffmpeg is not needed.
        var encoded: EncodedSoundFile.Format? { .init(rawValue: rawValue) }

        /// Size of that much sound; nil for subtitles, which are small.
        func bytes(seconds: Double, bitsPerSecond: Int?) -> Int? {
            let plain = Int(seconds * StoryRenderCommand.soundBytes)
            return switch self {
            // 22,050 samples a second, the rate of espeak-ng.
            case .wav: plain
            case .flac: plain * 3 / 5
            case .mp3, .m4b, .opus: Int(seconds) * (bitsPerSecond ?? 0) / 8
            case .srt, .vtt: nil
            }
        }
    }

    let book: StoryBook
    let library: LibraryServer.Dependencies
    let sound: StorySound

    var verb: Verb {
        Verb(
            "render",
            "render it with its voices as audio (wav, mp3, m4b, opus, flac) or subtitles (srt, vtt)",
            [.phrase("STORY", "a story: s3 or last; default: last", .story, isOptional: true)],
            options: [
                .init("-o, --output PATH", "a file, or a folder", .file),
                .init(
                    "--format", oneOf: Format.allCases.map(\.rawValue),
                    "default: by the extension of PATH, or wav"),
                .init("--chapter N", "one chapter"),
                .init("--chapters", "a file for each chapter, and a playlist, in the folder PATH"),
                .init(
                    "--bitrate N",
                    "for mp3, m4b and opus, kilobits a second; default: 64, for opus 32"),
                .init(
                    "--cover PICTURE",
                    "for mp3, m4b and flac, a jpg or png; default: the story's own", .file),
                .init("--force", "replace an existing file"),
                .init("--yes", "do not ask before a remote server speaks"),
            ], json: "path bytes format seconds frames rate silentFrames lines failed chapters",
            example: "s3 -o alice.m4b"
        ) { try await run($0) }
    }

    private func run(_ arguments: CommandArguments) async throws -> CommandOutput {
        let item = try await book.lookup.find(arguments.text.isEmpty ? "last" : arguments.text)
        let story = Story(item)
        guard let output = arguments["--output"] else {
            throw UsageError(
                "It needs a file.",
                hint: "chat story render \(book.lookup.id(item.id)) -o story.wav")
        }
        let format: Format =
            try arguments.choice("--format")
            ?? StoryExport.format(
                ofFile: output, else: .wav, "rendered",
                ".wav, .mp3, .m4b, .opus, .flac, .srt or .vtt; or --format FORMAT")
        let parts = try await parts(arguments, of: item, story, to: output, as: format)
        let bitsPerSecond = try Self.bitsPerSecond(arguments, format)
        let program = try encoder(format)
        let own = format == .opus ? nil : try await book.cover(of: item)
        let cover = try await cover(arguments["--cover"], format)
        if !arguments.has("--force") { try await checkFree(parts, item) }
        let engine = CachedSpeechEngine(
            try sound.engine(), cache: sound.cache, story: item.uid)
        arguments.interaction.emit(progress(item, hasKept: false))
        let spoken = try await book.spoken(item)
        let emit = arguments.interaction.emit
        let voices = try await sound.voices(item, spoken.cast) {
            emit($0.progress(ItemTable.title(item)))
        }
        let scripts = parts.map { part in
            StoryScript(
                spoken.text, speakers: spoken.attributions.compactMapValues(\.speaker),
                narrated: spoken.narrated, chapters: story.chapters.map(\.start),
                part: part.range, pauses: voices.pauses)
        }
        let script = StoryScript(joining: scripts)
        let likely = script.likelySeconds(voices)
        func expectation(_ seconds: Double, _ forecast: RenderForecast? = nil) -> String {
            Self.expectation(
                seconds, format.bytes(seconds: seconds, bitsPerSecond: bitsPerSecond), forecast)
        }
        try checkRoom(
            seconds: likely, format, format.bytes(seconds: likely, bitsPerSecond: bitsPerSecond),
            at: parts[0].path)
        if sound.host() != nil {
            await show(expectation(likely), arguments)
            try await ask(arguments, script)
        }
        // Keep all sound cached until the end, so that nothing is made twice.
        await sound.cache.keep(max(SoundCache.usualLimit, Int(likely * Self.soundBytes * 1.5)))
        let forecast = try await RenderForecast(
            script, voices, engine, uptime: library.environment.uptime)
        if sound.host() == nil { await show(expectation(forecast.seconds, forecast), arguments) }

        let onLine = progress(of: item, script, forecast, emit: emit)
        var before = (lines: 0, seconds: 0.0)
        var made: [(part: Part, output: CommandOutput, seconds: Double)] = []
        for (part, script) in zip(parts, scripts) {
            let file = try await RenderedFile(
                claiming: part.path, replaces: arguments.has("--force"))
            do {
                let marks = { (rendered: StoryRenderer.Rendered) in
                    ChapterMarks(
                        title: part.title ?? ItemTable.title(item), album: ItemTable.title(item),
                        track: part.number.map { "\($0)/\(parts.count)" }, author: story.author,
                        chapters: part.title == nil ? story.chapters.map(\.title) : [], script,
                        rendered)
                }
                let target = Target(
                    file: file, format: format, program: program,
                    bitsPerSecond: bitsPerSecond, marks: marks,
                    names: spoken.cast.characters.map(\.name), cover: cover, own: own,
                    isLong: forecast.seconds > 6 * 3_600)
                let renderer = StoryRenderer(engine: engine, voices: voices)
                let (rendered, hasCover) = try await render(script, into: target, renderer) {
                    onLine(before.lines + $0, before.seconds + $1)
                }
                let seconds = rendered.seconds(rendered.frames)
                before = (before.lines + script.lines.count, before.seconds + seconds)
                var done = await done(item, target, rendered, hasCover: hasCover)
                if !hasCover, own != nil, program != nil {
                    done.notices.append("Its cover was left out: ffmpeg does not take the picture.")
                }
                made.append((part, done, seconds))
            } catch let error as SpeechError
                where error.reason == .nothingToSay && part.title != nil
            {
                // A chapter with only a picture has no sound.
            } catch {
                await file.end()
                throw error
            }
            await file.end()
        }
        await sound.cache.keep(SoundCache.usualLimit)
        guard let first = made.first else { throw SpeechError(reason: .nothingToSay) }
        return parts[0].title == nil
            ? first.output : try await album(made, of: item, story, as: format, arguments)
    }

    // MARK: - Before

    /// Bytes for a second of espeak-ng's sound: 22,050 samples.
    static let soundBytes = 44_100.0

    /// "About 2 h 5 min of sound, 331 MB, made in about 20 s; 312 of 1,204 sentences are
    /// made already".
    private static func expectation(
        _ seconds: Double, _ bytes: Int?, _ forecast: RenderForecast?
    ) -> String {
        var facts = ["About \(length(seconds)) of sound"]
        if let bytes { facts.append(Quantities.bytes(bytes)) }
        if let time = forecast?.time { facts.append("made in about \(length(max(1, time)))") }
        let line = facts.joined(separator: ", ")
        guard let forecast, forecast.madeCount > 0 else { return line }
        let (made, all) = (forecast.madeCount, forecast.isMade.count)
        if made == all { return line + "; all of it was made before" }
        return line
            + "; \(Quantities.grouped(made)) of \(Quantities.count(all, "sentence")) were made before"
    }

    private func show(_ line: String, _ arguments: CommandArguments) async {
        let width = max(20, (library.width() ?? .max) - 1)
        await arguments.interaction.show(StyledLine(line, .dim).folded(to: width, indent: 0))
    }

    /// Checks for room for the file and the cached sound before anything is written.
    private func checkRoom(
        seconds: Double, _ format: Format, _ bytes: Int?, at path: String
    ) throws(StoryRenderError) {
        var needs = [(sound.cache.folder, Int(seconds * Self.soundBytes))]
        if let bytes {
            // ffmpeg writes a second copy with chapters.
            needs.append((FilePath.folder(of: path), format == .wav ? bytes : 2 * bytes))
        }
        if let (folder, needed, free) = DiskRoom.shortage(needs, free: sound.free) {
            throw StoryRenderError(.noRoom(folder, needed: needed, free: free))
        }
    }

    /// Asks for consent, because the text goes to the speech server.
    private func ask(_ arguments: CommandArguments, _ script: StoryScript) async throws {
        guard let host = sound.host(), !arguments.has("--yes") else { return }
        let count = script.lines.reduce(0) { $0 + $1.text.unicodeScalars.count }
        let warning = "\(Quantities.grouped(count)) characters go to \(host)."
        if await arguments.interaction.confirm(warning, "Go on?") { return }
        throw ToolError.failed("\(warning) Nothing was sent; --yes agrees to it.")
    }

    private func encoder(_ format: Format) throws -> String? {
        guard format.encoded != nil else { return nil }
        do { return try Subprocess.find(EncodedSoundFile.program, in: sound.variables) } catch {
            throw StoryRenderError(.needsEncoder(format.rawValue))
        }
    }

    /// Read before rendering, which takes long.
    private func cover(_ path: String?, _ format: Format) async throws -> CoverPicture? {
        guard let path else { return nil }
        guard [.mp3, .m4b, .flac].contains(format) else {
            throw UsageError(
                "--cover does not apply to \(format.rawValue).", hint: "Use mp3, m4b or flac.")
        }
        let hint = "--cover takes a jpg or png of at most \(Quantities.bytes(CoverPicture.limit))."
        do {
            if let cover = CoverPicture(try await book.bytes(of: absolute(path))) { return cover }
        } catch let error as DocumentError {
            throw UsageError(error.diagnostic.what, hint: hint)
        }
        throw UsageError("\(path.oneLine) is not such a picture.", hint: hint)
    }

    // MARK: - Rendering

    private struct Target {
        var file: RenderedFile
        var format: Format
        /// Path of ffmpeg, if needed.
        var program: String?
        var bitsPerSecond: Int?
        var marks: (StoryRenderer.Rendered) -> ChapterMarks
        var names: [String]
        /// The user's choice; an error in it is reported.
        var cover: CoverPicture?
        /// The story's own cover; left out if ffmpeg cannot read it.
        var own: CoverPicture?
        var isLong: Bool
    }

    private func render(
        _ script: StoryScript, into target: Target, _ renderer: StoryRenderer,
        onLine: (Int, Double) -> Void
    ) async throws -> (StoryRenderer.Rendered, hasCover: Bool) {
        let file = target.file
        var wave: WaveFileSink?
        var encoded: EncodedSoundFile?
        if target.format == .wav {
            wave = WaveFileSink(path: file.path, partial: file.partial, isLong: target.isLong)
        }
        if let program = target.program, let format = target.format.encoded {
            encoded = EncodedSoundFile(
                program: program, variables: sound.variables, format,
                bitsPerSecond: target.bitsPerSecond, file: file)
        }
        let sink: (any AudioSink)? = wave ?? encoded
        do {
            let rendered = try await renderer.render(script, into: sink, onLine: onLine)
            try await sink?.finish()
            var hasCover = false
            if let encoded { hasCover = try await place(encoded, target.marks(rendered), target) }
            if !target.format.isSound {
                let subtitles = StorySubtitles(script, names: target.names, rendered)
                let text = target.format == .srt ? subtitles.srt : subtitles.vtt
                try await file.write(Array(text.utf8))
            }
            return (rendered, hasCover)
        } catch {
            await sink?.stop()
            throw error
        }
    }

    /// - Returns: whether the file has a cover.
    private func place(
        _ encoded: EncodedSoundFile, _ marks: ChapterMarks, _ target: Target
    ) async throws -> Bool {
        let cover = target.cover ?? target.own
        do {
            try await encoded.place(marks, cover: cover)
            return cover != nil
        } catch is SpeechError where target.cover == nil && cover != nil {
            try await encoded.place(marks, cover: nil)
            return false
        }
    }

    private func progress(_ item: LibraryItem, hasKept: Bool) -> ToolProgress {
        var progress = ToolProgress(activity: "Rendering", title: ItemTable.title(item))
        guard hasKept else { return progress }
        progress.hint = "what was made is kept"
        progress.kept = [
            StyledLine("What was made is kept: the same command goes on from there.", .dim)
        ]
        return progress
    }

    /// A handler that reports progress, with the remaining time by the pace so far.
    private func progress(
        of item: LibraryItem, _ script: StoryScript, _ forecast: RenderForecast, emit: Emitter
    ) -> (Int, Double) -> Void {
        let environment = library.environment
        let start = environment.uptime()
        let count = script.lines.count
        // The forecast's lines are made by now.
        let missing = max(0, count - forecast.madeCount - RenderForecast.tried)
        var (made, seen) = (0, 0)
        return { done, seconds in
            if done > seen, forecast.isMade.indices.contains(done - 1), !forecast.isMade[done - 1] {
                made += 1
            }
            seen = done
            var progress = progress(item, hasKept: seconds > 0)
            progress.fraction = Double(done) / Double(max(1, count))
            progress.part = "\(Quantities.grouped(done)) of \(Quantities.count(count, "sentence"))"
            let new = made - RenderForecast.tried
            let passed = environment.uptime() - start
            let left =
                new > 10 ? passed / Double(new) * Double(max(0, missing - new)) : forecast.time
            progress.facts = [
                "\(Self.length(seconds)) of sound",
                left.map { "\(Self.length($0)) left" } ?? "",
            ]
            emit(progress)
        }
    }

    // MARK: - After

    private func done(
        _ item: LibraryItem, _ target: Target, _ rendered: StoryRenderer.Rendered, hasCover: Bool
    ) async -> CommandOutput {
        let file = target.file
        let bytes = await file.bytes
        let chapters = target.marks(rendered).chapters
        var facts = [Quantities.bytes(bytes), Self.length(rendered.seconds(rendered.frames))]
        if !chapters.isEmpty { facts.append(Quantities.count(chapters.count, "chapter")) }
        if hasCover { facts.append("cover") }
        var output = CommandOutput(
            lines: [
                StyledLine([
                    .init("✓ \(book.lookup.name(item)) → ", .success),
                    .init(shown(file.path), .success, file: file.path),
                    .init(", " + facts.joined(separator: ", "), .dim),
                ])
            ],
            json: [
                "path": .string(file.path), "bytes": JSONValue(bytes),
                "format": .string(target.format.rawValue),
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
        if let first = rendered.firstFailure {
            let count = Quantities.count(rendered.failures, "sentence")
            output.notices = ["\(count) could not be read: \(first.diagnostic.what)"]
            output.outcome = .degraded
        }
        return output
    }
}
