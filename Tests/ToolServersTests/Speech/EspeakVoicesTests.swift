import AgentCore
import Foundation
import TestSupport
import XCTest

@testable import ToolServers

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
        XCTAssertEqual(list.entries.map(\.voice), voices)
        XCTAssertTrue(list.entries.allSatisfy { $0.gain > 0.2 && $0.gain < 8 })
        var other = list
        other.version = "eSpeak NG text-to-speech: 0.1"
        let later = try EspeakRig(script: "variants=5\n" + EspeakRig.fewLanguages, in: folder)
        later.kept.bytes = JSONWriter.bytes(other.json)
        let anew = try await later.engine().voices()
        XCTAssertEqual(later.kept.writes, 1)
        XCTAssertTrue((5..<30).contains(anew.count), "\(anew.count)")
        XCTAssertTrue(Set(anew.map(\.identifier)).isSubset(of: names))
    }

    func testADamagedFileIsNoList() {
        let list = EspeakVoiceList(
            version: "1", standard: "en-us",
            entries: [
                .init(
                    voice: SpeechVoice(
                        identifier: "en-us+f3", name: "x", language: "en-us", gender: .female),
                    gain: 1.25)
            ])
        let bytes = JSONWriter.bytes(list.json)
        XCTAssertEqual(EspeakVoiceList(bytes), list)
        for end in bytes.indices { XCTAssertNil(EspeakVoiceList(Array(bytes[..<end]))) }
        let text = String(decoding: bytes, as: UTF8.self)
        for (old, new) in [("1.25", "-1"), ("en-us+f3", "../x"), ("\"form\":2", "\"form\":9")] {
            XCTAssertNil(EspeakVoiceList(Array(text.replacing(old, with: new).utf8)), new)
        }
    }

    func testTheStandardVoiceFollowsTheLocale() {
        let cases = [
            "": "en-us", "C": "en-us", "C.UTF-8": "en-us", "POSIX": "en-us", "en_GB.UTF-8": "en-gb",
            "de_DE.UTF-8": "de", "de_DE@euro": "de", "fr_CA": "fr-fr", "pt_BR.UTF-8": "pt-br",
            "es_MX": "es-419", "zh_CN.UTF-8": "cmn", "-x": "en-us", "../x": "en-us",
        ]
        for (locale, voice) in cases {
            XCTAssertEqual(EspeakVoiceName.standard(in: ["LANG": locale]).text, voice, locale)
        }
        XCTAssertEqual(
            EspeakVoiceName.standard(in: ["LANG": "de_DE", "LC_ALL": "fr_FR"]).text, "fr-fr")
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
