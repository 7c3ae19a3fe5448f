import AgentCore
import Base

/// The reason why there is no sound. Facts only; never the text.
package struct SpeechError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// None of these programs is installed.
        case needsProgram([String])
        /// The program ended with this status and error message, bounded.
        case programFailed(String, status: Int32, message: String)
        /// The program was silent and idle for too long.
        case programHangs(String)
        /// piper has no model in this folder; nil if none is set.
        case noModels(String?)
        case unknownVoice(String, nearest: String?)
        /// A speech server's answer.
        case transport(TransportError)
        case server(status: Int, message: ServerText?)
        case noKey
        case badAddress(String)
        /// The answer is not playable sound.
        case malformed
        /// The file cannot be written; the `errno`.
        case file(Int32)
        case nothingToSay
        /// The sound is in use, for playback or recording: by another program, or by this
        /// one if there is no process ID. Untrusted text.
        case soundTaken(by: String, pid: Int32?)
    }

    package var reason: Reason
    /// Host of a server, or empty.
    package var host: String
    /// The players that could not start, best first, if all failed; the reason is the last
    /// one's.
    package var attempts: [ProgramAttempt]

    package init(reason: Reason, host: String = "", attempts: [ProgramAttempt] = []) {
        self.reason = reason
        self.host = host
        self.attempts = attempts
    }
}

extension SpeechError: DescribedError {
    package var diagnostic: Diagnostic {
        let server = host.isEmpty ? "The speech server" : host
        let named = host.isEmpty ? server : "The speech server \(host)"
        switch reason {
        case .needsProgram(let programs): return Diagnostic(needs: programs, "Speech needs")
        case .programFailed(let program, let status, let message):
            let tried =
                attempts.isEmpty
                ? [ProgramAttempt(program: program, status: status, message: message)]
                : attempts
            // espeak-ng's messages are not about a device.
            let failure = program == "espeak-ng" ? nil : AudioProgramFailure(tried)
            let why = failure?.sentence(tried, device: "no sound device")
            return Diagnostic(
                why ?? AudioProgramFailure.attempts(tried, "No player works here")
                    ?? (status == 0 && message.isEmpty
                        ? "\(program) ended before everything was played." : nil)
                        ?? "\(program) ended (status \(status))\(Diagnostic.said(message)).",
                todo: failure?.remedy ?? "chat doctor shows what speaks and plays here.")
        case .programHangs(let program):
            return Diagnostic(
                "\(program) did nothing for too long and was stopped.",
                todo: "chat doctor shows what speaks and plays here.")
        case .noModels(let folder):
            return Diagnostic(
                folder.map { "There is no model of piper in \($0.oneLine)." }
                    ?? "piper needs a folder of models: speech.models is not set.",
                todo: "python3 -m piper.download_voices en_US-lessac-medium --download-dir FOLDER",
                exit: .missingProgram)
        case .unknownVoice(let voice, let nearest):
            return Diagnostic(
                "There is no voice \"\(voice)\".",
                todo: nearest.map { "Did you mean \($0)? chat say voices lists them all." }
                    ?? "chat say voices lists them.", exit: .usage)
        case .transport(let transport):
            return Diagnostic(
                transport, network: "Check the network, or speech.base_url: chat config.")
        case .server(401, let message):
            return Diagnostic(
                "\(server) did not accept the key (401)\(Diagnostic.said(message)).",
                todo: Diagnostic.keyLine(host: host), exit: .needsKeyOrNetwork)
        case .server(let status, let message):
            return Diagnostic(
                "\(named) returned an error (\(status))\(Diagnostic.said(message)).",
                todo: "Without a server: speech.engine = espeak (chat config edit)",
                exit: status >= 500 || status == 429 ? .failure : .needsKeyOrNetwork)
        case .noKey:
            return Diagnostic(
                "There is no key for \(server).",
                todo: Diagnostic.keyLine(host: host), exit: .needsKeyOrNetwork,
                programs: ["espeak-ng"])
        case .badAddress(let text):
            return Diagnostic(badAddress: text, setting: "speech.base_url")
        case .malformed:
            return Diagnostic(
                "\(server) sent something that is not audio.",
                todo: "Check speech.base_url: chat config shows it.")
        case .file(let code):
            return Diagnostic("The sound cannot be written: \(Diagnostic.system(code)).")
        case .nothingToSay:
            return Diagnostic("There is nothing to say.", exit: .usage)
        case .soundTaken(let what, let process?):
            return Diagnostic(
                "Already playing \(what) in another chat (pid \(process)).",
                todo: "Stop it there with q or /stop, or with: kill \(process)")
        case .soundTaken(let what, nil):
            return Diagnostic(
                "Sound is already in use here, for \(what).", todo: "Try again when that has ended."
            )
        }
    }
}
