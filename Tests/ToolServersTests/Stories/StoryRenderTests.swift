import AgentCore
import Base
import Foundation
import StoryKit
import Synchronization
import TestSupport
import XCTest

@testable import Sound
@testable import Stories

/// `chat story render` with an engine whose sound is known by its text. Above 400
/// lines because every format is made of the same story.
final class StoryRenderTests: XCTestCase {
    private static let tide = """
        # One; two = #3

        “Will it rise?” said Ida & Bo. Nobody knew.

        # Back\\

        “Yes,” said Ida. It rose <fast>.
        """

    /// A sentence is as many frames as it has letters, all of one value.
    static func sound(_ text: String) -> [UInt8] {
        [UInt8](repeating: UInt8(text.utf8.count), count: 2 * text.utf8.count)
    }

    struct Rig {
        let stories: StoryRig
        let engine: ScriptedEngine
        let cache: SoundCache
        let folder: TemporaryFolder

        init(
            path: String = "/nonexistent", host: String? = nil, free: DiskRoom.Free? = nil,
            _ sound: @escaping @Sendable (String) -> ScriptedEngine.Sound = {
                .bytes(StoryRenderTests.sound($0), PCMFormat(rate: 1000))
            }
        ) throws {
            let folder = try TemporaryFolder()
            let engine = ScriptedEngine(sound)
            let cache = SoundCache(
                folder: folder.path("sound"), environment: .system(variables: [:]))
            var sound = StorySound(
                engine: { engine },
                voices: { _, cast, _ in
                    let part = StoryVoices.Part(VoiceConfig())
                    return StoryVoices(
                        narrator: part,
                        characters: [StoryVoices.Part](
                            repeating: part, count: cast.characters.count), unknown: part)
                }, cache: cache, host: { host }, variables: ["PATH": path])
            if let free { sound.free = { _ in free } }
            stories = try StoryRig(sound: sound)
            (self.engine, self.cache, self.folder) = (engine, cache, folder)
        }

        func imported() async throws -> Rig {
            _ = try await stories.run("import", try stories.file("tide.md", StoryRenderTests.tide))
            return self
        }

        func output(_ name: String) -> String { folder.path(name) }

        var names: [String] {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            }
        }
    }

    private static let lines = [
        "One; two = #3", "“Will it rise?”", "said Ida & Bo.", "Nobody knew.", "Back\\",
        "“Yes,”", "said Ida.", "It rose <fast>.",
    ]
    private static let pauses = [500, 500, 250, 2000, 500, 500, 250, 0]

    func testAWaveFileIsTheSoundOfEachSentenceAndTheSilenceBetween() async throws {
        let rig = try await Rig().imported()
        let path = rig.output("a.wav")
        let done = try await rig.stories.run("render", "-o", path)
        var wanted: [UInt8] = []
        for (line, pause) in zip(Self.lines, Self.pauses) {
            wanted += Self.sound(line) + [UInt8](repeating: 0, count: 2 * pause)
        }
        let file = try rig.folder.read("a.wav")
        XCTAssertEqual(Array(file.dropFirst(44)), wanted)
        XCTAssertEqual(
            done.lines.map(\.text), ["✓ s1 tide → \(path), 9.0 KB, 5.0 s, 2 chapters"])
        XCTAssertEqual(done.json?["frames"]?.integerValue, wanted.count / 2)
        XCTAssertEqual(done.json?["silentFrames"]?.integerValue, Self.pauses.reduce(0, +))
        XCTAssertEqual(done.outcome, .ok)
        XCTAssertEqual(try rig.names, ["a.wav", "sound"])
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        XCTAssertEqual(attributes[.posixPermissions] as? Int, 0o600)
    }

    func testAFileThatIsThereIsReplacedByForceOnly() async throws {
        let rig = try await Rig().imported()
        try rig.folder.write([1], to: "a.wav")
        let refused = await failure {
            try await rig.stories.run("render", "-o", rig.output("a.wav"))
        }
        XCTAssertEqual(refused?.exit, .usage)
        XCTAssertEqual(try rig.folder.read("a.wav"), [1])
        _ = try await rig.stories.run("render", "s1", "-o", rig.output("a.wav"), "--force")
        XCTAssertGreaterThan(try rig.folder.read("a.wav").count, 44)
    }

    func testAChapterIsRenderedAlone() async throws {
        let rig = try await Rig().imported()
        _ = try await rig.stories.run("render", "-o", rig.output("b.wav"), "--chapter", "2")
        XCTAssertEqual(rig.engine.texts.sorted(), Self.lines.suffix(4).sorted())
        let refused = await failure {
            try await rig.stories.run("render", "-o", rig.output("c.wav"), "--chapter", "3")
        }
        XCTAssertEqual(refused?.what, "There is no chapter 3: s1 has 2 chapters.")
        XCTAssertEqual(refused?.exit, .usage)
    }

    func testEachChapterIsAFileInAPlaylist() async throws {
        let rig = try await Rig().imported()
        let done = try await rig.stories.run("render", "-o", rig.output("tide.wav"), "--chapters")
        let folder = rig.output("tide")
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted(),
            ["1-one-two-3.wav", "2-back.wav", "s1-tide.m3u"])
        XCTAssertEqual(
            String(decoding: try rig.folder.read("tide/s1-tide.m3u"), as: UTF8.self),
            """
            #EXTM3U
            #PLAYLIST:tide
            #EXTINF:1,tide - One; two = #3
            1-one-two-3.wav
            #EXTINF:1,tide - Back\\
            2-back.wav

            """)
        XCTAssertEqual(done.lines.map(\.text), ["✓ s1 tide → \(folder), 2 files, 3.0 s"])
        XCTAssertEqual(done.json?.arrayValue?.count, 2)
        XCTAssertEqual(rig.engine.texts.count, 8)
        let again = await failure {
            try await rig.stories.run("render", "-o", folder, "--chapters")
        }
        XCTAssertEqual(again?.exit, .usage)
    }

    func testWhatAKilledProcessLeftInTheFolderIsSwept() async throws {
        let rig = try await Rig().imported()
        let stem = ".chat-0123456789abcdef"
        for ending in ["part", "new", "cover", "lock"] {
            try rig.folder.write([1], to: "\(stem).\(ending)")
        }
        let held = open(rig.output(".chat-fedcba9876543210.lock"), O_RDWR | O_CREAT, 0o600)
        defer { close(held) }
        XCTAssertEqual(flock(held, LOCK_EX), 0)
        _ = try await rig.stories.run("render", "-o", rig.output("a.wav"))
        XCTAssertEqual(try rig.names, [".chat-fedcba9876543210.lock", "a.wav", "sound"])
    }

    func testTheBitRateIsTheUsersWhereThereIsOne() async throws {
        for name in ["ffmpeg", "ffprobe"] { _ = try TestMachine.find(name, package: "ffmpeg") }
        let rig = try await Rig(path: "/usr/bin") { text in
            .bytes(
                (0..<44_100 * text.utf8.count).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7 % 61) },
                PCMFormat(rate: 22_050))
        }.imported()
        var sizes: [Int] = []
        for rate in ["16", "64"] {
            let path = rig.output("a\(rate).mp3")
            _ = try await rig.stories.run("render", "-o", path, "--bitrate", rate)
            sizes.append(try rig.folder.read("a\(rate).mp3").count)
        }
        XCTAssertGreaterThan(sizes[1], sizes[0] * 3)
        for ending in ["opus", "flac"] {
            let path = rig.output("a.\(ending)")
            _ = try await rig.stories.run("render", "-o", path)
            let told = try Python.run(
                """
                import subprocess, sys
                print(subprocess.run(["ffprobe", "-loglevel", "error", "-of", "csv=p=0",
                    "-show_entries", "stream=codec_name:stream_tags=title:format_tags=title",
                    sys.argv[1]], capture_output=True, text=True).stdout.split())
                """, arguments: [path])
            XCTAssert(told.contains(ending) && told.contains("tide"), told)
        }
        for words in [["a.flac", "--bitrate", "64"], ["a.mp3", "--bitrate", "8"]] {
            let refused = await failure {
                try await rig.stories.run(
                    "render", "-o", rig.output(words[0]), words[1], words[2], "--force")
            }
            XCTAssertEqual(refused?.exit, .usage)
        }
    }

    func testWhatWasMadeBeforeIsNotMadeAgain() async throws {
        let rig = try await Rig().imported()
        _ = try await rig.stories.run("render", "-o", rig.output("a.wav"), "--chapter", "1")
        XCTAssertEqual(rig.engine.texts.count, 4)
        _ = try await rig.stories.run("render", "-o", rig.output("b.wav"))
        XCTAssertEqual(rig.engine.texts.count, 8)
        _ = try await rig.stories.run("render", "-o", rig.output("c.wav"))
        XCTAssertEqual(rig.engine.texts.count, 8)
        XCTAssertEqual(try rig.folder.read("b.wav"), try rig.folder.read("c.wav"))
    }

    /// A sentence that has no sound costs itself; three in a row are no accident.
    func testASentenceThatFailsIsLeftOutAndSaid() async throws {
        let failing = SpeechError(
            reason: .programFailed("espeak-ng", status: 1, message: "no phonemes"))
        let rig = try await Rig { text in
            text == "Nobody knew."
                ? .fails(failing) : .bytes(Self.sound(text), PCMFormat(rate: 1000))
        }.imported()
        let done = try await rig.stories.run("render", "-o", rig.output("a.wav"))
        XCTAssertEqual(done.outcome, .degraded)
        XCTAssertEqual(
            done.notices,
            ["1 sentence could not be read: espeak-ng ended (status 1): no phonemes."])
        let broken = try await Rig { _ in .fails(failing) }.imported()
        let refused = await failure {
            try await broken.stories.run("render", "-o", broken.output("a.wav"))
        }
        XCTAssertEqual(refused?.exit, .failure)
        XCTAssertEqual(try broken.names, [])
    }

    func testWhatWasMadeIsCalledKeptOnlyWhereSomethingWas() async throws {
        for (isSilent, expected) in [(true, 0), (false, 1)] {
            let rig = try await Rig { text in
                isSilent
                    ? .fails(SpeechError(reason: .nothingToSay))
                    : .bytes(Self.sound(text), PCMFormat(rate: 1000))
            }.imported()
            let shown = Mutex<[ToolProgress]>([])
            var interaction = rig.stories.library.interaction
            interaction.emit = Emitter { progress in shown.withLock { $0.append(progress) } }
            _ = try? await rig.stories.server.commands[0].run(
                ["render", "-o", rig.output("a.wav")], interaction)
            XCTAssertEqual(shown.withLock { $0.last?.kept.count }, expected)
        }
    }

    func testTheFastEncoderMakesAnAudiobook() async throws {
        let folder = try TemporaryFolder()
        let program = try folder.write(
            Array("#!/bin/sh\necho \"$*\" >>\"$0.log\"\ncat >\"${0%/*}/sound\"\nexit 1\n".utf8),
            to: "ffmpeg")
        XCTAssertEqual(chmod(program, 0o755), 0)
        let rig = try await Rig(path: folder.path + ":" + TestMachine.path).imported()
        let refused = await failure {
            try await rig.stories.run("render", "-o", rig.output("a.m4b"))
        }
        XCTAssertEqual(refused?.what.hasPrefix("ffmpeg ended (status 1)"), true)
        let run = String(decoding: try folder.read("ffmpeg.log"), as: UTF8.self)
        XCTAssert(run.contains(" -c:a aac -aac_coder fast -b:a 64000 "), run)
        XCTAssertEqual(try rig.names, ["sound"])
    }

    func testNothingIsLeftWhereItIsStopped() async throws {
        let rig = try await Rig { text in
            text == "Nobody knew."
                ? .hangs([1, 0]) : .bytes(Self.sound(text), PCMFormat(rate: 1000))
        }.imported()
        let task = Task { try await rig.stories.run("render", "-o", rig.output("a.wav")) }
        // The line after the one that hangs was asked for: the first three are in the file.
        while !rig.engine.texts.contains("Back\\") { await Task.yield() }
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("done")
        } catch is CancellationError {}
        XCTAssertEqual(try rig.names, ["sound"])
    }

    func testLoudSoundIsLoweredAsAWhole() {
        let samples: [Int16] = [32_767, -32_768, 16_384, 0, -1]
        let bytes = samples.flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
        let lowered = SamplePeak.lowered(bytes)
        XCTAssertEqual(SamplePeak.peak(lowered), SampleGain.ceiling)
        XCTAssertEqual(Array(lowered[4..<6]), [0x0A, 0x39])  // 14,602
        XCTAssertEqual(SamplePeak.lowered(lowered), lowered)
    }

    func testTheLoudestSampleIsFoundWhereverItIs() {
        for count in 0...50 {
            for place in 0..<count {
                for loudest in [Int16.min, 12_345] {
                    var samples = [Int16](repeating: -7, count: count)
                    samples[place] = loudest
                    let bytes = samples.flatMap { sample in
                        [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
                    }
                    XCTAssertEqual(
                        SamplePeak.peak(bytes), abs(Int(loudest)), "\(place) of \(count)")
                }
            }
        }
        XCTAssertEqual(SamplePeak.peak([]), 0)
    }

    func testVoicesOfAnotherFormatAreBroughtToTheFirst() async throws {
        let rig = try await Rig { text in
            let isOther = text == "Nobody knew."
            return .bytes(Self.sound(text), PCMFormat(rate: isOther ? 500 : 1000))
        }.imported()
        let done = try await rig.stories.run("render", "-o", rig.output("a.wav"))
        let letters = Self.lines.reduce(0) { $0 + $1.utf8.count } + "Nobody knew.".utf8.count
        XCTAssertEqual(
            done.json?["frames"]?.integerValue, letters + Self.pauses.reduce(0, +))
        XCTAssertEqual(
            try rig.folder.read("a.wav").count, 44 + 2 * (letters + Self.pauses.reduce(0, +)))
    }

    // MARK: - Before

    /// The first sentences are made for it, once.
    func testItSaysHowMuchSoundItWillBeAndWhatWasMadeBefore() async throws {
        let rig = try await Rig().imported()
        let shown = Mutex<[String]>([])
        var interaction = rig.stories.library.interaction
        interaction.show = { lines in shown.withLock { $0 += lines.map(\.text) } }
        for (words, expected) in [
            (["a.wav", "--chapter", "1"], "About 3.0 s of sound, 147 KB, made in about 1.0 s"),
            (
                ["b.wav"],
                "About 8.0 s of sound, 348 KB, made in about 1.0 s; 4 of 8 sentences were made before"
            ),
            (["c.wav"], "About 10 s of sound, 423 KB; all of it was made before"),
        ] {
            _ = try await rig.stories.server.commands[0].run(
                ["render", "-o", rig.output(words[0])] + words.dropFirst(), interaction)
            XCTAssertEqual(shown.withLock { $0.last }, expected)
        }
        XCTAssertEqual(rig.engine.texts.count, 8)
    }

    func testADiskWithoutRoomIsSaidBeforeAnythingIsWritten() async throws {
        let rig = try await Rig(free: DiskRoom.Free(bytes: 400_000, disk: 1)).imported()
        let refused = await failure {
            try await rig.stories.run("render", "-o", rig.output("a.wav"))
        }
        XCTAssertEqual(refused?.exit, .failure)
        XCTAssertEqual(refused?.what.contains("where 391 KB are free"), true, refused?.what ?? "")
        XCTAssertEqual(try rig.names, [])
        XCTAssertEqual(rig.engine.texts, [])
        // What is for two disks is not added up.
        XCTAssertNil(
            DiskRoom.shortage([("/a", 300), ("/b", 300)]) {
                DiskRoom.Free(bytes: 400, disk: $0 == "/a" ? 1 : 2)
            }?.folder)
        let short = DiskRoom.shortage([("/a", 300), ("/b", 300)]) { _ in
            DiskRoom.Free(bytes: 400, disk: 1)
        }
        XCTAssertEqual([short?.needed, short?.free], [600, 400])
        XCTAssertGreaterThan(DiskRoom.free("/tmp/not there/either")?.bytes ?? 0, 0)
    }

    // MARK: - Subtitles

    func testSubtitlesHaveTheTimesAndTheSpeakers() async throws {
        let rig = try await Rig().imported()
        _ = try await rig.stories.run("render", "-o", rig.output("a.srt"))
        let srt = String(decoding: try rig.folder.read("a.srt"), as: UTF8.self)
        XCTAssert(
            srt.hasPrefix(
                """
                1
                00:00:00,000 --> 00:00:00,013
                One; two = #3

                2
                00:00:00,513 --> 00:00:00,532
                Ida: “Will it rise?”

                3
                00:00:01,032 --> 00:00:01,046
                said Ida & Bo.

                """), srt)
        _ = try await rig.stories.run("render", "-o", rig.output("a.vtt"))
        let vtt = String(decoding: try rig.folder.read("a.vtt"), as: UTF8.self)
        XCTAssert(vtt.hasPrefix("WEBVTT\n\n00:00:00.000 --> 00:00:00.013\n"), vtt)
        XCTAssert(vtt.contains("\n<v Ida>“Will it rise?”\n\n"), vtt)
        XCTAssert(vtt.contains("\nIt rose &lt;fast&gt;.\n"), vtt)
    }

    // MARK: - Other programs

    func testWithoutFFmpegTheErrorSaysWhatIsMissing() async throws {
        let rig = try await Rig().imported()
        let refused = await failure {
            try await rig.stories.run("render", "-o", rig.output("a.m4b"))
        }
        XCTAssertEqual(refused?.exit, .missingProgram)
        XCTAssertEqual(refused?.programs, ["ffmpeg"])
        XCTAssertEqual(
            refused?.what,
            "Making a .m4b file needs ffmpeg, which is not installed; a .wav does not.")
        XCTAssertEqual(rig.engine.texts, [])
        let other = await failure { try await rig.stories.run("render", "-o", rig.output("a.ogg")) }
        XCTAssertEqual(other?.what, "Stories are not rendered as \".ogg\".")
    }

    func testFFmpegWritesChaptersWithTheirTitlesAndPlaces() async throws {
        for name in ["ffmpeg", "ffprobe"] { _ = try TestMachine.find(name, package: "ffmpeg") }
        // A rate that encoders take, and longer sounds.
        let rig = try await Rig(path: "/usr/bin") { text in
            .bytes(
                [UInt8](repeating: 3, count: 8_820 * text.utf8.count), PCMFormat(rate: 22_050))
        }.imported()
        for ending in ["m4b", "mp3"] {
            let path = rig.output("a.\(ending)")
            let done = try await rig.stories.run("render", "-o", path)
            let probe = try Python.run(
                """
                import json, subprocess, sys
                facts = json.loads(subprocess.run(["ffprobe", "-loglevel", "error", "-of", "json",
                    "-show_chapters", "-show_format", sys.argv[1]], capture_output=True).stdout)
                print(facts["format"]["tags"]["title"])
                for chapter in facts["chapters"]:
                    print(chapter["tags"]["title"].strip(), chapter["start_time"], chapter["end_time"])
                print(round(float(facts["format"]["duration"]), 1))
                """, arguments: [path])
            let chapters = try XCTUnwrap(done.json?["chapters"]?.arrayValue)
            let second = try XCTUnwrap(chapters.last)
            // 0.2 s for each byte, and the pauses.
            let start = Double(Self.lines.prefix(4).reduce(0) { $0 + $1.utf8.count }) / 5 + 3.25
            let end = Double(Self.lines.reduce(0) { $0 + $1.utf8.count }) / 5 + 4.5
            XCTAssertEqual(Self.number(second["start"]), start, accuracy: 0.001)
            func time(_ seconds: Double) -> String { String(format: "%.6f", seconds) }
            let expected = """
                tide
                One; two = #3 0.000000 \(time(start))
                Back\\ \(time(start)) \(time(end))

                """
            XCTAssert(probe.hasPrefix(expected), "\(ending): \(probe)\n\(expected)")
            let duration = Double(probe.split(separator: "\n").last ?? "") ?? 0
            XCTAssertEqual(duration, end, accuracy: 0.2)
        }
        XCTAssertEqual(try rig.names, ["a.m4b", "a.mp3", "sound"])
    }

    private static func number(_ value: JSONValue?) -> Double {
        Double(value.map { JSONWriter.string($0) } ?? "") ?? .nan
    }

    func testAServerElsewhereGetsNothingWithoutAYes() async throws {
        let rig = try await Rig(host: "speech.example").imported()
        let refused = await failure {
            try await rig.stories.run("render", "-o", rig.output("a.wav"))
        }
        XCTAssertEqual(refused?.what.contains("speech.example"), true)
        XCTAssertEqual(rig.engine.texts, [])
        _ = try await rig.stories.run("render", "-o", rig.output("a.wav"), "--yes")
        XCTAssertEqual(rig.engine.texts.count, 8)
    }

    // MARK: - Long files

    /// 5 GB that are a hole, read by another program.
    func testAFileAboveFourGigabytesIsRF64() throws {
        let format = PCMFormat(rate: 22_050)
        let size = 5 << 30
        let header = WaveHeader.longBytes(format, dataBytes: size)
        XCTAssertEqual(header.count, 80)
        XCTAssert(header.starts(with: "RF64".utf8))
        let read = try WaveHeader.read(header, fileBytes: 80 + size)
        XCTAssertEqual(read.dataBytes, size)
        XCTAssertEqual(read.dataOffset, 80)
        let short = WaveHeader.longBytes(format, dataBytes: 100)
        XCTAssert(short.starts(with: "RIFF".utf8))
        XCTAssertEqual(try WaveHeader.read(short, fileBytes: 180).dataBytes, 100)
        _ = try TestMachine.find("ffprobe", package: "ffmpeg")
        let folder = try TemporaryFolder()
        let path = try folder.write(header, to: "long.wav")
        XCTAssertEqual(truncate(path, 80 + size), 0)
        let duration = try Python.run(
            """
            import subprocess, sys
            print(subprocess.run(["ffprobe", "-loglevel", "error", "-of", "csv=p=0",
                "-show_entries", "format=duration", sys.argv[1]], capture_output=True,
                text=True).stdout.strip())
            """, arguments: [path])
        XCTAssertEqual(Double(duration.dropLast()) ?? 0, Double(size) / 44_100, accuracy: 0.01)
    }
}
