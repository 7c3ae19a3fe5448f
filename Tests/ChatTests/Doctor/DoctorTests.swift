import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import chat

final class DoctorTests: XCTestCase {
    private func findings(_ rig: ChatRig) async throws -> [(String, String)] {
        let output = try await DoctorCommand(services: rig.services).command.run(
            ["check"])
        return (output.json?.arrayValue ?? []).map {
            ($0["level"]?.stringValue ?? "", $0["text"]?.stringValue ?? "")
        }
    }

    func testNewcomerIsToldWhoCouldAnswerAndNothingIsMade() async throws {
        let rig = try ChatRig()
        let found = try await findings(rig)
        XCTAssertTrue(found.contains { $0 == ("absent", "claude: no key") })
        XCTAssertTrue(
            found.contains { $0 == ("warning", "no model is reachable; local features still work") }
        )
        XCTAssertFalse(found.contains { $0.0 == "broken" }, "\(found)")
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: rig.folder.path), [])
    }

    func testKeyIsNamedByItsPlaceAndNeverShown() async throws {
        let rig = try ChatRig(variables: ChatRig.claude)
        let found = try await findings(rig)
        XCTAssertTrue(
            found.contains {
                $0.0 == "good" && $0.1.hasPrefix("claude: api.anthropic.com, key from the ")
                    && $0.1.contains("ANTHROPIC_API_KEY")
            }, "\(found)")
        XCTAssertFalse(found.contains { $0.1.contains("sk-ant") })
        XCTAssertEqual(rig.transport.urls.filter { $0.contains("anthropic") }, [])
    }

    func testOnlineAsksThoseWhoHaveAKey() async throws {
        let rig = try ChatRig(variables: ChatRig.claude)
        rig.transport.set("api.anthropic.com") { _ in
            (401, "application/json", #"{"type":"error","error":{"type":"authentication_error"}}"#)
        }
        let output = try await DoctorCommand(services: rig.services).command.run(
            ["check", "--online"])
        XCTAssertEqual(output.outcome, .failure)
        XCTAssertTrue(
            output.lines.contains { $0.text.contains("✗ Claude did not accept the key") },
            output.lines.map(\.text).joined(separator: "\n"))
    }

    func testALocalServerThatRefusesIsNotGood() async throws {
        let rig = try ChatRig(configuration: #"{"local": {"base_url": "http://127.0.0.1:9/v1"}}"#)
        let found = try await findings(rig)
        XCTAssertEqual(
            found.filter { $0.1.contains("refused") }.map(\.0), ["warning"], "\(found)")
        XCTAssertTrue(found.contains { $0.1.hasPrefix("no model is reachable") })
    }

    func testALSAWithoutASoundCardIsNamed() {
        XCTAssertTrue(
            Checkup.hasSoundCard(Array(" 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n".utf8)))
        XCTAssertFalse(Checkup.hasSoundCard(Array("--- no soundcards ---\n".utf8)))
        XCTAssertFalse(Checkup.hasSoundCard(nil))
    }

    func testTheWindowOfALocalModelIsNamed() async throws {
        let rig = try ChatRig()
        rig.transport.set("127.0.0.1:11434") { request in
            request.url.hasSuffix("/api/ps")
                ? (
                    200, "application/json",
                    #"{"models":[{"name":"llama","context_length":4096}]}"#
                ) : try await RoutedTransport.local("x")(request)
        }
        let found = try await findings(rig)
        XCTAssertTrue(
            found.contains { $0 == ("good", "local: 127.0.0.1:11434; llama reads 4,096 tokens") },
            "\(found)")
    }

    func testFolderThatOthersCanReadIsAWarningWithTheLineThatMendsIt() async throws {
        let rig = try ChatRig()
        chmod(rig.folder.path, 0o755)
        defer { chmod(rig.folder.path, 0o700) }
        let output = try await DoctorCommand(services: rig.services).command.run(
            ["check"])
        XCTAssertTrue(output.lines.contains { $0.text.hasPrefix("      chmod 700 ") })
    }

    func testDamagedConversationsAreBroken() async throws {
        let rig = try ChatRig()
        try rig.folder.write(Array(repeating: 0x41, count: 8_192), to: "chat.db")
        let output = try await DoctorCommand(services: rig.services).command.run(
            ["check"])
        XCTAssertEqual(output.outcome, .failure)
        let bytes = try rig.folder.read("chat.db")
        XCTAssertEqual(bytes, Array(repeating: 0x41, count: 8_192))
    }

    func testVoiceTellsWhatIsUsedAndWhatInstallsTheRest() async throws {
        let bin = try TemporaryFolder()
        let programs = ["arecord": "exit 0", "espeak-ng": "echo 'eSpeak NG: 1.51  Data at: /x'"]
        for (name, line) in programs {
            try bin.write(Array("#!/bin/sh\n\(line)\n".utf8), to: name)
            chmod(bin.path + "/" + name, 0o700)
        }
        let rig = try ChatRig(
            variables: ["PATH": bin.path, "CHAT_PLAYER": "my-player --raw"])
        for path in ["state/recordings", "state/transcriptions/0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"] {
            try FileManager.default.createDirectory(
                atPath: rig.folder.path + "/" + path, withIntermediateDirectories: true)
        }
        try rig.folder.write([1], to: "state/recordings/2026-11-21 09.00.wav")
        try rig.folder.write(
            [1], to: "state/transcriptions/0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a/journal")
        let output = try await DoctorCommand(services: rig.services).command.run(
            ["check"])
        let hasCard = Checkup.hasSoundCard(try? WholeFile.read("/proc/asound/cards"))
        let lines = output.lines.map(\.text)
        let start = try XCTUnwrap(lines.firstIndex(of: "Voice"))
        let end = try XCTUnwrap(lines.firstIndex(of: "Reminders and calendar"))
        XCTAssertEqual(
            Array(lines[start..<end]),
            [
                "Voice", "  · transcription: no key for api.openai.com",
                "      chat keys set openai, or your own server: transcription.base_url",
                "  ! 1 transcription unfinished",
                "      Run the same command again to continue.",
                hasCard
                    ? "  ✓ arecord: records what you say"
                    : "  ! arecord: records what you say, but no sound card is listed",
                "  ! no my-player, which you chose: plays speech",
                "      CHAT_PLAYER, or speech.player in the configuration",
                "  ✓ espeak-ng 1.51: speaks without a server",
                "  · no ffmpeg or sox: splits and converts long recordings",
                "      \(PackageManager.here.line(forOneOf: ["ffmpeg"]) ?? "")",
                "  ✓ 1 recording kept in ~/state/recordings",
                "      chat transcribe FILE, or delete what you do not need",
            ])
        XCTAssertEqual(rig.transport.urls.filter { !$0.contains("11434") }, [])
    }

    func testPiperIsNamedWithTheModelsThatItCanUse() async throws {
        let bin = try TemporaryFolder()
        func piper(_ line: String) throws {
            try bin.write(Array("#!/bin/sh\n\(line)\n".utf8), to: "piper")
            chmod(bin.path + "/piper", 0o700)
        }
        let models = try TemporaryFolder()
        let rig = try ChatRig(
            variables: ["PATH": bin.path],
            configuration: #"{"speech": {"engine": "piper", "models": "\#(models.path)"}}"#)
        func finding() async throws -> [String] {
            let lines = try await DoctorCommand(services: rig.services).command.run(["check"])
                .lines.map(\.text)
            let found = lines.firstIndex { $0.contains("piper") && !$0.contains("pipx") } ?? 0
            return Array(lines[found..<min(found + 2, lines.count)])
        }
        let missing = try await finding()
        XCTAssertEqual(
            missing,
            [
                "  ! no piper: speaks without a server, in neural voices",
                "      pipx install piper-tts",
            ])
        try piper("exit 0")
        let empty = try await finding()
        XCTAssertEqual(empty.first, "  ! There is no model of piper in \(models.path).")
        try models.write([1], to: "en_US-joe-medium.onnx")
        try models.write(
            Array(#"{"audio": {"sample_rate": 22050}}"#.utf8), to: "en_US-joe-medium.onnx.json")
        let good = try await finding()
        XCTAssertEqual(
            good.first,
            "  ✓ piper: speaks without a server, in neural voices, with 1 model in \(models.path)")
        try models.write([1], to: "b.onnx")
        let partly = try await finding()
        XCTAssertEqual(
            partly,
            [
                "  ! piper: speaks without a server, in neural voices, with 1 model in "
                    + "\(models.path), but not with b.onnx",
                "      download b.onnx.json, its configuration, beside it",
            ])
        try piper("echo 'ModuleNotFoundError: onnxruntime' >&2; exit 1")
        let broken = try await finding()
        XCTAssertEqual(
            broken.first, "  ! piper ended (status 1): ModuleNotFoundError: onnxruntime.")
    }

    func testItemsThatCannotBeFollowedAreNamedOnce() async throws {
        let rig = try ChatRig()
        let folder = "calendars/calendar"
        try FileManager.default.createDirectory(
            atPath: rig.folder.path + "/" + folder, withIntermediateDirectories: true)
        let lines = [
            "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:a", "SUMMARY:walk",
            "DTSTART;TZID=Mars/Olympus:20260310T080000", "RRULE:RRULE:FREQ=DAILY", "END:VEVENT",
            "BEGIN:VTODO", "UID:b", "SUMMARY:milk", "DUE:soon", "END:VTODO", "END:VCALENDAR", "",
        ]
        try rig.folder.write(
            Array(lines.joined(separator: "\r\n").utf8), to: folder + "/a.ics")
        let warnings = try await findings(rig).filter { $0.1.contains("a.ics") }
        XCTAssertEqual(
            warnings.map { "\($0.0) \($0.1)" },
            [
                "\"walk\": unknown time zone \"Mars/Olympus\"; its times are treated as local",
                "\"walk\": its RRULE cannot be understood (RRULE:FREQ=DAILY)",
                "\"milk\": its DUE cannot be understood (soon)",
            ].map { "warning ~/calendars/calendar/a.ics: " + $0 })
    }

    func testWhatARestoreLeftIsNamedWithItsSettings() async throws {
        let rig = try ChatRig()
        let left = #"{ "web": "on", "tools": { "allow": ["*"] } }"#
        try rig.folder.write(Array(left.utf8), to: "config.json.restored")
        try rig.folder.write([0xFF], to: "instructions.md.restored")
        let found = try await findings(rig).filter { $0.1.contains(".restored") }
        XCTAssertEqual(
            found.map { "\($0.0) \($0.1)" },
            [
                "config.json.restored was left by a restore and is not used: tools.allow, web",
                "instructions.md.restored was left by a restore and is not used",
            ].map { "warning ~/" + $0 })
    }

    func testUnknownWordIsNamed() async throws {
        let rig = try ChatRig()
        do {
            _ = try await DoctorCommand(services: rig.services).command.run(
                ["check", "--fast"])
            XCTFail("no error")
        } catch let error as UsageError {
            XCTAssertEqual(error.problem, "doctor has no option --fast.")
        }
    }
}
