import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Glibc
import Sound

/// Checks the programs that record, speak and play, and the kept recordings. Starts the
/// synthesisers: espeak-ng for its version, and piper because a broken Python would stop it.
extension Checkup {
    func voice() async -> [Finding] {
        var findings: [Finding] = []
        findings.append(
            tool(
                services.voice.settings.recording.command, known: RecorderProgram.knownNames,
                use: "records what you say", setting: "CHAT_RECORDER, or recording.command"))
        findings.append(
            tool(
                services.voice.settings.speech.playerCommand, known: await players(),
                use: "plays speech", setting: "CHAT_PLAYER, or speech.player"))
        findings.append(await synthesiser())
        if let finding = await piper() { findings.append(finding) }
        findings.append(
            found(
                Helper(
                    programs: ["ffmpeg", "sox"], use: "splits and converts long recordings"),
                .voice))
        return findings + leftovers()
    }

    /// The player that would be used: an installed `pw-play` may be too old.
    private func players() async -> [String] {
        // Only cancelling throws, and then the answer is not needed.
        let found = try? await PlayerFinder(command: nil, variables: variables).find()
        return found.map { [$0.found.player.name] }
            ?? PlayerProgram.known.filter { $0.neededOption == nil }.map(\.name)
    }

    /// The user's own program, or the first of the known ones.
    private func tool(
        _ own: [String]?, known: [String], use: String, setting: String
    ) -> Finding {
        guard let program = own?.first else {
            let finding = found(Helper(programs: known, use: use), .voice)
            // Only ALSA's programs need a listed card: the others may reach a sound server.
            let isALSA = ["aplay:", "arecord:"].contains { finding.text.hasPrefix($0) }
            // Without ALSA in the kernel there is no such file.
            guard isALSA, !Self.hasSoundCard(try? WholeFile.read("/proc/asound/cards")) else {
                return finding
            }
            return Finding(
                .voice, .warning, "\(finding.text), but no sound card is listed")
        }
        // Only whether it exists matters.
        if (try? Subprocess.find(program, in: variables)) != nil {
            return Finding(.voice, .good, "\(program): \(use), as you chose")
        }
        return Finding(
            .voice, .warning, "no \(program), which you chose: \(use)",
            remedy: PackageManager.here.line(forOneOf: [program])
                ?? "\(setting) in the configuration")
    }

    /// Whether ALSA's list of cards, `/proc/asound/cards`, names one: ` 0 [PCH  ]: …`
    static func hasSoundCard(_ list: [UInt8]?) -> Bool {
        String(decoding: list ?? [], as: UTF8.self).contains("[")
    }

    /// Whether espeak-ng works, with its version, which determines the voices.
    private func synthesiser() async -> Finding {
        let use = "speaks without a server"
        var environment = Subprocess.baseEnvironment(from: variables)
        // Its sound library would create a folder in the real home. A file instead of a folder: not
        // even root can create one below it.
        environment["HOME"] = "/dev/null"
        do {
            let result = try await Subprocess(
                program: try Subprocess.find("espeak-ng", in: variables), arguments: ["--version"],
                environment: environment,
                limits: .init(time: .seconds(2), outputBytes: 4 << 10)
            ).run()
            // "eSpeak NG text-to-speech: 1.51  Data at: /usr/lib/…"
            let words = String(decoding: result.output, as: UTF8.self).split(separator: " ")
            let version = words.first { $0.first?.isNumber == true }.map { " \($0)" } ?? ""
            return Finding(.voice, .good, "espeak-ng\(version): \(use)")
        } catch {
            return found(Helper(programs: ["espeak-ng"], use: use), .voice)
        }
    }

    /// Whether piper starts and which of its models are usable; nil if it is not set up.
    private func piper() async -> Finding? {
        let speech = services.voice.settings.speech
        guard speech.engine == .piper || speech.models != nil else { return nil }
        let use = "speaks without a server, in neural voices"
        let folder = speech.models.map { FilePath.expanding($0, home: services.paths.home) }
        do {
            let engine = try PiperEngine(folder: folder, variables: variables)
            try await engine.check()
            let shown = services.paths.shortened(folder ?? "")
            let models = "\(Quantities.count(engine.modelNames.count, "model")) in \(shown)"
            let unusable = (FilePath.names(in: folder ?? "") ?? []).filter {
                $0.hasSuffix(".onnx") && !engine.modelNames.contains(String($0.dropLast(5)))
            }
            guard let name = unusable.sorted().first else {
                return Finding(.voice, .good, "piper: \(use), with \(models)")
            }
            return Finding(
                .voice, .warning,
                "piper: \(use), with \(models), but not with \(name.oneLine)",
                remedy: "download \(name.oneLine).json, its configuration, beside it")
        } catch let error as SpeechError {
            if case .needsProgram = error.reason {
                return Finding(
                    .voice, .warning, "no piper: \(use)", remedy: "pipx install piper-tts")
            }
            let diagnostic = error.diagnostic
            return Finding(.voice, .warning, diagnostic.what, remedy: diagnostic.todo)
        } catch { return nil }
    }

    private func leftovers() -> [Finding] {
        var findings: [Finding] = []
        let recordings = Self.count(services.paths.recordings) { $0.hasSuffix(".wav") }
        if recordings > 0 {
            let folder = services.paths.shortened(services.paths.recordings)
            findings.append(
                Finding(
                    .voice, .good, "\(Quantities.count(recordings, "recording")) kept in \(folder)",
                    remedy: "chat transcribe FILE, or delete what you do not need"))
        }
        return findings
    }

    private static func count(_ folder: String, _ isMeant: (String) -> Bool) -> Int {
        (FilePath.names(in: folder) ?? []).count(where: isMeant)
    }
}
