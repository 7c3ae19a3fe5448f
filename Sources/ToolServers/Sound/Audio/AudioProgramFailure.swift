import Base

/// The cause of a player's or recorder's failure, if its last error message makes it plain.
/// Pure; recognizes the English messages of ALSA, PulseAudio, PipeWire, SoX, FFmpeg and
/// SDL, because child processes run in English.
package enum AudioProgramFailure: Sendable, Equatable {
    /// No sound card, or none with that name.
    case noDevice
    /// PulseAudio or PipeWire is not running, or not for this user.
    case noServer
    /// Another program uses the device.
    case busy
    /// This user has no permission to use it.
    case notAllowed

    package init?(_ words: String) {
        let words = words.lowercased()
        func says(_ any: String...) -> Bool { any.contains { words.contains($0) } }
        // ALSA's server plug-in fails like ALSA, but names itself.
        if says(
            "connection refused", "host is down", "pa_context", "connection failure",
            "connect to server", "connect to pipewire", "connect to pulseaudio", "no such process")
        {
            self = .noServer
        } else if says("device or resource busy", "resource busy") {
            self = .busy
        } else if says("permission denied", "access denied", "operation not permitted") {
            self = .notAllowed
        } else if says(
            "cannot find card", "no such device", "audio open error", "unknown pcm",
            "default audio device", "open audio device", "no soundcards", "no such entity",
            "no audio device", "audio open failed", "input/output error")
        {
            self = .noDevice
        } else {
            return nil
        }
    }

    /// The common cause of all attempts; nil if one of them is unclear. Without a server
    /// the card is used directly, so that message counts.
    package init?(_ attempts: [ProgramAttempt]) {
        let causes = attempts.map { AudioProgramFailure($0.message) }
        guard !causes.isEmpty, !causes.contains(nil) else { return nil }
        let order: [AudioProgramFailure] = [.notAllowed, .busy, .noDevice, .noServer]
        guard let first = order.first(where: { causes.contains($0) }) else { return nil }
        self = first
    }
}

/// The remedies, for the messages of recorders and players.
extension AudioProgramFailure {
    func sentence(_ tried: [ProgramAttempt], device: String) -> String {
        let names = tried.map(\.program).uniqued.joined(separator: ", ")
        return switch self {
        case .noDevice: "There is \(device) (tried \(names))."
        case .noServer: "The sound server cannot be reached (tried \(names))."
        case .busy: "Another program is using the sound device (tried \(names))."
        case .notAllowed: "You have no permission to use the sound device (tried \(names))."
        }
    }

    /// Several programs with their error messages, short enough to fit into three lines
    /// with the remedy.
    static func attempts(_ tried: [ProgramAttempt], _ what: String) -> String? {
        guard tried.count > 1 else { return nil }
        var words: [String: String] = [:]
        for attempt in tried { words[attempt.program] = attempt.message }
        let names = tried.map(\.program).uniqued
        let most = max(16, 120 / names.count)
        let said = names.map { name in
            var line = Diagnostic.said(words[name])
            if line.count > most { line = line.prefix(most) + "…" }
            return name + (line.isEmpty ? " ended" : line)
        }
        return "\(what): " + said.joined(separator: "; ") + "."
    }

    var remedy: String {
        switch self {
        case .noDevice: "Plug one in, or choose a program that finds one: chat doctor."
        case .noServer: "Start it: systemctl --user start pipewire-pulse (or pulseaudio)"
        case .busy: "Close that program, then try again."
        case .notAllowed: "sudo adduser $USER audio, then log in again"
        }
    }
}

extension [String] {
    /// The elements without duplicates, in order of first occurrence.
    fileprivate var uniqued: [String] {
        reduce(into: []) { list, item in if !list.contains(item) { list.append(item) } }
    }
}

/// A sound program that failed at once while another one remained to try. Facts only; the
/// message is made elsewhere.
package struct ProgramAttempt: Sendable, Equatable {
    package var program: String
    package var status: Int32
    /// The program's last error message, bounded.
    package var message: String
}
