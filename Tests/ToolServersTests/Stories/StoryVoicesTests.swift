import AgentCore
import Base
import Foundation
import Persistence
import StoryKit
import Synchronization
import TestSupport
import XCTest

@testable import Sound
@testable import Stories

/// `chat story voices` with espeak-ng itself, and with a server.
final class StoryVoicesTests: XCTestCase {
    private static let tea = """
        “Have some wine,” said the March Hare to Alice.

        “I don't see any wine,” said Alice.

        “There isn't any,” said the March Hare.

        “Your hair wants cutting,” said the Hatter. He had been looking at her.

        “You should learn not to make personal remarks,” said Alice.

        “It's very rude,” said the Queen.

        “You might just as well say,” said the Dormouse, “that it is the same thing!”

        “It is the same thing with you,” said the Hatter.

        """

    /// The American voices: measured by the first test that only uses them.
    private static let measured = EspeakRig.Kept()

    /// espeak-ng that knows few languages, of a test's own folder.
    private func espeak(
        _ folder: TemporaryFolder, locale: String = "", kept: EspeakRig.Kept = EspeakRig.Kept()
    ) throws -> EspeakRig {
        _ = try EspeakRig()
        return try EspeakRig(
            script: EspeakRig.fewLanguages, in: folder, locale: locale, kept: kept)
    }

    private func rig(
        _ engine: any SpeechEngine, standard: VoiceChoice = VoiceChoice(), width: Int? = nil,
        spoken: @escaping @Sendable (Utterance) -> Void = { _ in }
    ) async throws -> StoryRig {
        let rig = try StoryRig(
            width: width,
            voice: StoryVoiceBook.Dependencies(
                engine: { engine }, standard: standard, speak: { spoken($0) }))
        _ = try await rig.run("import", try rig.file("tea.txt", Self.tea), "--title", "Tea")
        _ = try await rig.run("index", "s1")
        return rig
    }

    private func voices(_ output: CommandOutput) -> [JSONValue] {
        output.json?.arrayValue ?? []
    }

    func testEveryoneGetsAVoiceThatIsHeardAsTheirOwn() async throws {
        let folder = try TemporaryFolder()
        let espeak = try espeak(folder)
        let engine = try espeak.engine()
        let rig = try await rig(engine)
        let emitted = Mutex<[ToolProgress]>([])
        var interaction = rig.library.interaction
        interaction.emit = Emitter { progress in emitted.withLock { $0.append(progress) } }
        let output = try await rig.server.commands[0].run(
            ["voices", "--auto", "s1", "--json"], interaction)
        let progress = emitted.withLock { $0 }
        let found = voices(output)
        XCTAssertEqual(found.first?["role"]?.stringValue, "narrator")
        XCTAssertEqual(found.first?["voiceIdentifier"]?.stringValue, "en-us")
        let speaking = found.filter { ($0["lines"]?.integerValue ?? 0) > 0 }
        XCTAssertGreaterThanOrEqual(speaking.count, 4)
        let all = [found[0]] + speaking
        let names = all.compactMap { $0["voiceIdentifier"]?.stringValue }
        XCTAssertEqual(Set(names).count, all.count)
        XCTAssertFalse(names.contains { $0.contains("mb") || $0.contains("mbrola") })

        // What is heard, not what is promised: each says one sentence.
        var measures: [(hash: Int, measure: VoiceMeasure)] = []
        for voice in all {
            let config = VoiceConfig(
                voiceIdentifier: voice["voiceIdentifier"]?.stringValue,
                rate: voice["rate"]?.doubleValue ?? 0,
                pitchMultiplier: voice["pitchMultiplier"]?.doubleValue ?? 0,
                volume: voice["volume"]?.doubleValue ?? 0)
            let sound = try await EspeakRig.all(
                try await engine.synthesize(
                    Utterance(
                        text: String(decoding: EspeakVoices.probe, as: UTF8.self),
                        voice: VoiceChoice(config))))
            measures.append((sound.hashValue, VoiceMeasure(sound, rate: 22_050)))
        }
        XCTAssertEqual(Set(measures.map(\.hash)).count, all.count)
        for (index, one) in measures.enumerated() {
            for (place, other) in measures.enumerated().dropFirst(index + 1) {
                func ratio(_ part: KeyPath<VoiceMeasure, Double?>) throws -> Double {
                    let values = [
                        try XCTUnwrap(one.measure[keyPath: part]),
                        try XCTUnwrap(other.measure[keyPath: part]),
                    ].sorted()
                    return values[1] / values[0]
                }
                let (pitch, centroid) = (try ratio(\.pitch), try ratio(\.centroid))
                XCTAssert(
                    pitch >= 1.12 || centroid >= 1.15,
                    "\(names[index]) \(names[place]): \(pitch) \(centroid)")
            }
        }

        // It took a while, and said how far it was.
        XCTAssertEqual(progress.first?.activity, "Choosing voices")
        let last = try XCTUnwrap(progress.last)
        XCTAssertEqual("\(last.activity) \(last.title)", "Preparing Tea")
        XCTAssertTrue(last.part.hasPrefix("trying voices "), last.part)
        XCTAssertEqual(progress.last?.fraction, 1)
        XCTAssertGreaterThan(progress.count, 40)

        // Once more, and as it is kept, they are the same.
        let again = try await rig.run("voices", "s1", "--auto")
        XCTAssertEqual(again.json, output.json)
        let kept = try await rig.run("voices")
        XCTAssertEqual(kept.json, output.json)
    }

    /// In a British locale English is read by British voices, German of any region by
    /// German ones, and a voice that is named can be chosen.
    func testEveryVoiceSpeaksTheLanguageOfTheStory() async throws {
        let folder = try TemporaryFolder()
        let engine = try espeak(folder, locale: "en_GB.UTF-8").engine()
        let rig = try await rig(engine)
        func bases(_ output: CommandOutput) -> Set<String> {
            Set(
                voices(output).compactMap { $0["voiceIdentifier"]?.stringValue }.compactMap {
                    EspeakVoiceName($0)?.base
                })
        }
        let british = try await rig.run("voices", "--auto")
        XCTAssertEqual(bases(british), ["en-gb"])
        let names = voices(british).compactMap { $0["voiceIdentifier"]?.stringValue }
        XCTAssertGreaterThan(Set(names).count, 4)
        let set = try await rig.run("voices", "set", "Alice", "en-gb+david")
        XCTAssert(set.lines.contains { $0.text.contains("en-gb+david") })

        for (language, base) in [("de-AT", "de"), ("de_DE", "de"), ("en-US", "en-us")] {
            let file = try rig.file("\(language).txt", Self.tea + language)
            _ = try await rig.run("import", file, "--language", language)
            _ = try await rig.run("index")
            let spoken = bases(try await rig.run("voices", "--auto"))
            XCTAssertEqual(spoken, [base], language)
        }
    }

    /// By spelling, by what is in their names, by gender; never nothing.
    func testNearestVoicesAreThoseThatMayBeMeant() {
        func voice(
            _ id: String, _ name: String, _ gender: SpeechVoice.Gender? = nil
        ) -> SpeechVoice {
            SpeechVoice(identifier: id, name: name, language: "en", gender: gender)
        }
        let names = VoiceNames([
            voice("en-us", "English (America)"), voice("en-gb-scotland", "English (Scotland)"),
            voice("de", "German"), voice("en-us+f3", "English (America), f3", .female),
            voice("en-us+f4", "English (America), f4", .female),
            voice("en-us+linda", "English (America), linda", .female),
            voice("en-us+klatt3", "English (America), klatt3", .male),
        ])
        XCTAssertEqual(names.nearest("lynda"), ["linda"])
        XCTAssertEqual(names.nearest("en-gb+lindaa"), ["linda"])
        XCTAssertEqual(names.nearest("f33").first, "f3")
        XCTAssertEqual(names.nearest("Scot"), ["en-gb-scotland"])
        XCTAssertEqual(names.nearest("german"), ["de"])
        XCTAssertEqual(names.nearest("female"), ["f3", "f4", "linda"])
        XCTAssertEqual(names.nearest("klatt"), ["klatt3"])
        XCTAssertEqual(names.nearest("nosuch").count, 3)
    }

    func testAVoiceIsSetAndResetAndAnUnknownOneIsRefused() async throws {
        let folder = try TemporaryFolder()
        let rig = try await rig(try espeak(folder, kept: Self.measured).engine(), width: 60)
        let before = try await rig.run("voices", "--auto")
        let set = try await rig.run(
            "voices", "set", "Alice", "F4", "--pitch", "1.2", "--rate", "0.35", "--volume", "0.4")
        XCTAssertEqual(
            set.lines.map(\.text),
            [
                "✓ voice set: s1 Tea · /undo",
                "Alice  → en-us+f4  (female, pitch 60, rate 0.35, volume",
                "         0.4, set by hand)",
            ])
        // A choice of the user's stays; others do not take its voice.
        let auto = try await rig.run("voices", "--preset", "cartoon")
        let alice = voices(auto).first { $0["name"]?.stringValue == "Alice" }
        XCTAssertEqual(alice?["voiceIdentifier"]?.stringValue, "en-us+f4")
        XCTAssertEqual(alice?["by"]?.stringValue, "user")
        XCTAssertEqual(
            voices(auto).filter { $0["voiceIdentifier"]?.stringValue == "en-us+f4" }.count, 1)
        let item = try await rig.item(1)
        XCTAssertEqual(item?.metadata["voices"]?["preset"]?.stringValue, "cartoon")

        let error = await failure { try await rig.run("voices", "set", "Alice", "nosuch") }
        XCTAssertEqual(error?.what, "There is no voice \"nosuch\".")
        XCTAssertEqual(error?.exit, .usage)
        XCTAssert(error?.todo?.hasPrefix("Nearest: ") == true, error?.todo ?? "")
        let nobody = await failure { try await rig.run("voices", "set", "Alise", "f3") }
        XCTAssertEqual(nobody?.todo, "Did you mean \"Alice\"?")
        for words in [
            ["voices", "set"], ["voices", "s1", "sett", "Alice"], ["voices", "set", "Alice"],
        ] {
            do {
                _ = try await rig.server.commands[0].run(words, rig.library.interaction)
                XCTFail("\(words)")
            } catch is UsageError {}
        }

        _ = try await rig.run("voices", "--preset", "plain")
        _ = try await rig.run("voices", "reset")
        let reset = try await rig.run("voices")
        XCTAssertEqual(reset.json, before.json)
    }

    func testWhoeverHasTheNarratorsNewVoiceGetsAnother() async throws {
        let folder = try TemporaryFolder()
        let rig = try await rig(try espeak(folder, kept: Self.measured).engine())
        let before = voices(try await rig.run("voices", "--auto"))
        let taken = try XCTUnwrap(before[1]["voiceIdentifier"]?.stringValue)
        _ = try await rig.run("voices", "set", "narrator", taken)
        let after = voices(try await rig.run("voices"))
        XCTAssertEqual(after[0]["voiceIdentifier"]?.stringValue, taken)
        XCTAssertEqual(after.filter { $0["voiceIdentifier"]?.stringValue == taken }.count, 1)
        XCTAssertEqual(Array(after.dropFirst(2)), Array(before.dropFirst(2)))
    }

    func testAPreviewReadsTheFirstWordsInTheirVoice() async throws {
        let folder = try TemporaryFolder()
        let heard = Heard()
        let rig = try await rig(
            try espeak(folder, kept: Self.measured).engine(),
            spoken: { utterance in heard.add(utterance) })
        let output = try await rig.run("voices", "preview", "alice")
        let spoken = try XCTUnwrap(heard.all.first)
        XCTAssertEqual(spoken.text, "“I don't see any wine,”")
        XCTAssertEqual(
            spoken.voice.identifier, voices(output).first?["voiceIdentifier"]?.stringValue)
    }

    func testAServersVoicesServeAsWell() async throws {
        let rig = try await rig(
            NamedVoices(names: ["ash", "echo", "nova", "sage", "coral", "fable", "onyx"]))
        let found = voices(try await rig.run("voices", "--auto"))
        let names = found.filter { ($0["lines"]?.integerValue ?? 1) > 0 }
            .compactMap { $0["voiceIdentifier"]?.stringValue }
        XCTAssertEqual(Set(names).count, names.count, "\(names)")
        XCTAssertEqual(names.first, "ash")
    }
}

private final class Heard: Sendable {
    private let state = Mutex<[Utterance]>([])

    func add(_ utterance: Utterance) { state.withLock { $0.append(utterance) } }

    var all: [Utterance] { state.withLock { $0 } }
}

/// A server that lists its voices by name.
private struct NamedVoices: SpeechEngine {
    let name = "speech.example"
    let names: [String]

    func voices() async throws -> [SpeechVoice] {
        names.map { SpeechVoice(identifier: $0, name: $0, language: "") }
    }

    func synthesize(_ utterance: Utterance) async throws -> SpokenAudio {
        throw SpeechError(reason: .nothingToSay)
    }
}
