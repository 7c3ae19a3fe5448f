import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Sound

final class EspeakVoicesTests: XCTestCase {
    func testTheListHoldsWhatSoundsDifferentAndIsKept() async throws {
        _ = try EspeakRig()
        let folder = try TemporaryFolder()
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] != nil
        let rig =
            try isFull ? EspeakRig() : EspeakRig(script: EspeakRig.fewLanguages, in: folder)
        let voices = try await rig.engine().voices()
        let names = voices.map(\.identifier)
        XCTAssertEqual(Set(names).count, names.count)
        for name in ["en-us", "en-gb", "en-gb-scotland", "en-029", "de", "en-us+f3", "en-us+m3"] {
            XCTAssertTrue(names.contains(name), name)
        }
        // Robots, and what speaks as another voice.
        for name in ["en-us+whisper", "en-us+robosoft3", "mb-en1", "en-german-1", "variant"] {
            XCTAssertFalse(names.contains(name), name)
        }
        // klatt, klatt6 and caleb are one voice.
        XCTAssertEqual(
            names.filter { ["en-us+klatt", "en-us+klatt6", "en-us+caleb"].contains($0) }.count, 1)
        XCTAssertEqual(voices.first { $0.identifier == "en-us+f3" }?.gender, .female)
        XCTAssertEqual(voices.first { $0.identifier == "en-us+m3" }?.gender, .male)
        XCTAssertGreaterThan(names.filter { $0.contains("+") }.count, 40)

        // The second launch asks for nothing but the version.
        XCTAssertEqual(rig.kept.writes, 1)
        let again = try await rig.engine().voices()
        XCTAssertEqual(again, voices)
        XCTAssertEqual(rig.kept.writes, 1)

        // Another version has other voices.
        let list = try XCTUnwrap(EspeakVoiceList(try XCTUnwrap(rig.kept.bytes)))
        XCTAssertEqual(list.voices(), voices)
        for entry in list.entries {
            guard case .heard(_, let gain) = entry.trial else { continue }
            XCTAssertTrue(gain > 0.2 && gain < 8, entry.voice.identifier)
        }
        var other = list
        other.version = "eSpeak NG text-to-speech: 0.1"
        let later = try EspeakRig(script: "variants=5\n" + EspeakRig.fewLanguages, in: folder)
        later.kept.bytes = JSONWriter.bytes(other.json)
        let anew = try await later.engine().voices()
        XCTAssertEqual(later.kept.writes, 1)
        XCTAssertTrue((5..<30).contains(anew.count), "\(anew.count)")
        XCTAssertTrue(Set(anew.map(\.identifier)).isSubset(of: names))
    }

    private final class Trials: Sendable {
        private let all = Mutex<[VoiceTrial]>([])
        var handler: VoiceTrial.Handler { { trial in self.all.withLock { $0.append(trial) } } }
        var seen: [VoiceTrial] { all.withLock { $0 } }
    }

    /// One after the other they are the table that all at once are, and nothing is tried
    /// twice.
    func testOnlyTheLanguageThatIsToBeSpokenIsTried() async throws {
        _ = try EspeakRig()
        let folder = try TemporaryFolder()
        let log = folder.path("log")
        let rig = try EspeakRig(
            script: "variants=9\ncase \"$*\" in *\" -v \"*) echo \"$*\" >>\(log) ;; esac\n"
                + EspeakRig.fewLanguages, in: folder)
        func tried() throws -> [String] {
            let lines = String(decoding: try folder.read("log"), as: UTF8.self)
                .split(separator: "\n").compactMap { $0.split(separator: " ").last }
            try FileManager.default.removeItem(atPath: log)
            return lines.map(String.init).sorted()
        }
        var trials = Trials()
        let english = try await rig.engine().voices(for: "en-GB", onTrial: trials.handler)
        let first = try tried()
        XCTAssertTrue(Set(first).isSuperset(of: ["en-us", "en-gb", "en-gb-scotland"]), "\(first)")
        XCTAssertFalse(first.contains("de"))
        XCTAssertNil(english.first { $0.identifier == "de" }?.pitch)
        XCTAssertNotNil(english.first { $0.identifier == "en-gb" }?.pitch)
        let count = try XCTUnwrap(trials.seen.first?.count)
        XCTAssertEqual(trials.seen.map(\.done), Array(0...count))
        // The standard voice was looked for before.
        XCTAssertEqual(first.count, count + 1)
        XCTAssertEqual(trials.seen.last?.text, "\(count)/\(count)")

        trials = Trials()
        let again = try await rig.engine().voices(for: "en", onTrial: trials.handler)
        XCTAssertEqual(again, english)
        XCTAssertEqual(trials.seen, [])
        let all = try await rig.engine().voices()
        XCTAssertEqual(try tried(), ["de"])
        XCTAssertEqual(rig.kept.writes, 2)
        let other = try EspeakRig(script: "variants=9\n" + EspeakRig.fewLanguages, in: folder)
        let atOnce = try await other.engine().voices()
        XCTAssertEqual(all, atOnce)
    }

    func testWhatWasTriedIsKeptWhereTheRestIsCancelled() async throws {
        _ = try EspeakRig()
        let folder = try TemporaryFolder()
        let few = "variants=9\n" + EspeakRig.fewLanguages
        let rig = try EspeakRig(
            script: "case \"$*\" in *+*) exec sleep 600 ;; esac\n" + few, in: folder)
        let (stream, continuation) = AsyncStream.makeStream(of: VoiceTrial.self)
        let engine = try rig.engine()
        let task = Task { try await engine.voices(for: "en") { continuation.yield($0) } }
        // The speakers never answer.
        for await trial in stream where trial.done == 5 { break }
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("it was not cancelled")
        } catch is CancellationError {}
        let list = try XCTUnwrap(EspeakVoiceList(try XCTUnwrap(rig.kept.bytes)))
        let heard = list.entries.filter { $0.trial != nil }.map(\.voice.identifier)
        XCTAssertGreaterThanOrEqual(heard.count, 5)
        XCTAssertFalse(heard.contains { $0.contains("+") }, "\(heard)")

        let later = try EspeakRig(script: few, in: folder)
        later.kept.bytes = rig.kept.bytes
        let trials = Trials()
        _ = try await later.engine().voices(for: "en", onTrial: trials.handler)
        XCTAssertEqual(trials.seen.first?.count, list.untried(for: "en").count)
    }

    /// Measured by another program, of sentences that no voice was measured by.
    func testVoicesAreEquallyLoudAtThePitchTheySpeakAt() async throws {
        let ffmpeg = try TestMachine.find("ffmpeg", package: "ffmpeg")
        let engine = try EspeakRig().engine()
        let folder = try TemporaryFolder()
        for text in [
            "Why, you must go to her at once! she cried, and ran out into the rain.",
            "We know where you were, oh my.",
        ] {
            var levels: [String: Double] = [:]
            for name in ["klatt3", "klatt2", "belinda", "f3", "m3", "iven", "Annie", "grandpa"] {
                let sound = try await EspeakRig.all(
                    try await engine.synthesize(
                        Utterance(
                            text: text, voice: VoiceChoice(identifier: "en-us+" + name, pitch: 1.3))
                    ))
                let path = try folder.write(sound + sound + sound, to: "sound.pcm")
                let told = try Python.run(
                    """
                    import subprocess, sys
                    said = subprocess.run([sys.argv[1], "-hide_banner", "-nostats", "-f", "s16le",
                        "-ar", "22050", "-ac", "1", "-i", sys.argv[2], "-af", "ebur128", "-f", "null",
                        "-"], capture_output=True, text=True).stderr
                    print(said.split("I:")[-1].split("LUFS")[0].strip())
                    """, arguments: [ffmpeg, path])
                levels[name] = try XCTUnwrap(Double(told.dropLast()))
            }
            let apart = (levels.values.max() ?? 0) - (levels.values.min() ?? 0)
            XCTAssertLessThanOrEqual(apart, 3, "\(text) \(levels)")
        }
    }

    func testADamagedFileIsNoList() {
        let list = EspeakVoiceList(
            version: "1", standard: "en-us",
            entries: [
                .init(
                    voice: SpeechVoice(
                        identifier: "en-us+f3", name: "x", language: "en-us", gender: .female),
                    trial: .heard(sound: .max, gain: 1.25)),
                .init(
                    voice: SpeechVoice(identifier: "en-us+m3", name: "y", language: "en-us"),
                    trial: .failed),
                .init(voice: SpeechVoice(identifier: "de", name: "z", language: "de")),
            ])
        let bytes = JSONWriter.bytes(list.json)
        XCTAssertEqual(EspeakVoiceList(bytes), list)
        for end in bytes.indices { XCTAssertNil(EspeakVoiceList(Array(bytes[..<end]))) }
        let text = String(decoding: bytes, as: UTF8.self)
        for (old, new) in [
            ("1.25", "-1"), ("en-us+f3", "../x"), ("\"form\":4", "\"form\":9"), ("ffff", "x"),
        ] {
            XCTAssertNil(EspeakVoiceList(Array(text.replacing(old, with: new).utf8)), new)
        }
    }

    func testTheStandardVoiceFollowsTheLocale() {
        let cases = [
            "": "en-us", "C": "en-us", "C.UTF-8": "en-us", "POSIX": "en-us", "en_GB.UTF-8": "en-gb",
            "de_DE.UTF-8": "de", "de_DE@euro": "de", "fr_CA": "fr-fr", "pt_BR.UTF-8": "pt-br",
            "es_MX": "es-419", "zh_CN.UTF-8": "cmn", "-x": "en-us", "../x": "en-us",
            "nn_NO": "nb", "fr_BE": "fr-be", "en_ZA": "en-gb", "de_AT": "de", "pt_PT": "pt",
        ]
        for (locale, voice) in cases {
            XCTAssertEqual(EspeakVoiceName.standard(in: ["LANG": locale]).text, voice, locale)
        }
        XCTAssertEqual(
            EspeakVoiceName.standard(in: ["LANG": "de_DE", "LC_ALL": "fr_FR"]).text, "fr-fr")
    }

    /// A region falls back to its language, and a code of another standard is known.
    func testALanguageFindsTheVoiceThatSpeaksIt() {
        let bases = [
            "af", "cmn", "de", "en-029", "en-gb", "en-gb-scotland", "en-us", "es", "es-419",
            "fr-be", "fr-ch", "fr-fr", "he", "id", "ja", "nb", "pt", "pt-br", "vi-vn-x-south",
            "yue",
        ]
        let cases = [
            "de-DE": "de", "de-AT": "de", "DE": "de", "es-ES": "es", "es-MX": "es-419",
            "pt-PT": "pt",
            "pt-BR": "pt-br", "pt_BR.UTF-8": "pt-br", "ja-jp": "ja", "zh": "cmn", "zh-TW": "cmn",
            "zh-Hans-CN": "cmn", "zh-HK": "yue", "no": "nb", "nn-NO": "nb", "iw": "he",
            "en": "en-us", "en-GB": "en-gb", "en-GB-scotland": "en-gb-scotland", "en-CA": "en-us",
            "fr": "fr-fr", "fr-CA": "fr-fr", "fr-CH": "fr-ch", "vi": "vi-vn-x-south",
            "ger": "de", "eng-GB": "en-us",
        ]
        for (tag, base) in cases {
            XCTAssertEqual(EspeakVoiceName.base(for: tag, among: bases), base, tag)
        }
        for tag in ["tl", "", "-", "x-klingon", "e"] {
            XCTAssertNil(EspeakVoiceName.base(for: tag, among: bases), tag)
        }
    }

    /// British and French have speakers of their own, too.
    func testAVariantIsHeardInEveryLanguage() async throws {
        let rig = try EspeakRig()
        for base in ["en-gb", "fr-fr", "de", "es", "pt-br", "cmn", "nb"] {
            var sounds: Set<[UInt8]> = []
            for voice in [base, base + "+f3", base + "+david"] {
                let choice = VoiceChoice(identifier: voice)
                sounds.insert(try await rig.sound("Hello there.", choice))
            }
            XCTAssertEqual(sounds.count, 3, base)
        }
    }

    func testTheListingIsReadByItsColumns() {
        let listing = EspeakListing(
            voices: """
                Pty Language       Age/Gender VoiceName          File                 Other Languages
                 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)
                 5  cmn             --/M      Chinese_(Mandarin) sit/cmn              (zh-cmn 5)(zh 5)
                 5  en-us           --/F      us-mbrola-1        mb/mb-us1            (en 8)
                 5  variant         --/M      Storm              !v/Storm             (en-us 5)
                garbage
                """,
            variants: """
                Pty Language       Age/Gender VoiceName          File                 Other Languages
                 5  variant         70/F      female1            !v/f1
                 5  variant         --/M      Mr_Serious         !v/Mr serious
                 5  variant         --/M      robosoft3          !v/robosoft3
                 5  variant         --/M      Hugo               !v/Hugo
                """)
        XCTAssertEqual(
            listing.bases,
            [
                .init(identifier: "en-gb", name: "English (Great Britain)", gender: .male),
                .init(identifier: "cmn", name: "Chinese (Mandarin)", gender: .male),
            ])
        XCTAssertTrue(listing.aliases.isSuperset(of: ["en", "zh-cmn", "zh"]))
        XCTAssertEqual(listing.variants.map(\.identifier), ["f1", "Hugo"])
    }
}
