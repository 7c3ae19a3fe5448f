import AgentCore
import Glibc
import TerminalKit
import ToolServers

/// Sentences for transcripts that did not come.
extension Diagnostic {
    private static let again = "Run it again; finished pieces are not sent again."
    private static let address = "Check transcription.base_url: chat config shows it."

    init(_ error: TranscriptionError) {
        let host = error.host.isEmpty ? "The server" : error.host
        let status = error.status.map { " (\($0))" } ?? ""
        let said = Self.said(error.message)
        let request = error.requestID.map { ", request \($0)" } ?? ""
        switch error.reason {
        case .noKey:
            self.init(
                "There is no key for \(host).",
                todo: Self.keyLine(host: error.host)
                    + ". Or name a server of your own: transcription.base_url",
                exit: .needsKeyOrNetwork)
        case .badAddress(let text):
            self.init(badAddress: text, setting: "transcription.base_url")
        case .transport(let transport):
            // Where some of it left the network is there; this upload was not
            // to be.
            let hasLeft = (error.sentBytes ?? 0) > 0
            self.init(
                transport,
                network: hasLeft
                    ? Self.again
                    : "Check the network and transcription.base_url (chat config), then run it again."
            )
            if let cut = Self.cut(error) { what = cut }
            if hasLeft { exit = .failure }
        case .keyRejected:
            self.init(
                "\(host) did not accept the key\(status)\(said).",
                todo: Self.keyLine(host: error.host), exit: .needsKeyOrNetwork)
        case .forbidden:
            self.init(
                "\(host) knows the key but does not allow this\(status)\(said).",
                todo: "The key needs the right to transcribe audio.", exit: .needsKeyOrNetwork)
        case .modelNotFound:
            self.init(
                "\(host) has no such model\(status)\(said).",
                todo: "Another: --model whisper-1, or transcription.model in chat config.")
        case .endpointNotFound:
            self.init(
                "\(host) offers no transcription\(status)\(said).", todo: Self.address,
                exit: .needsKeyOrNetwork)
        case .tooLarge:
            self.init(
                "\(host) takes no upload of this size\(status)\(said).",
                todo: "Set a smaller transcription.limit_bytes: chat config edit")
        case .unsupportedFormat:
            self.init(
                "\(host) does not take this format\(status)\(said).",
                todo: "Save it in another format, WAV or MP3, then try again.")
        case .badRequest:
            self.init("\(host) refused it\(status)\(said)\(request).", todo: Self.again)
        case .rateLimited:
            let wait = error.retryAfter.map { " It asks to wait \(Self.wait($0))." } ?? ""
            self.init(
                "\(host) limits how fast you may ask\(status)\(said).\(wait)",
                todo: "Run it again in a while; finished pieces are not sent again.")
        case .quotaExhausted:
            self.init(
                "\(host) says there is no money or quota left\(said).",
                todo: "Top up with the provider, or set transcription.base_url.",
                exit: .needsKeyOrNetwork)
        case .serverFailure:
            self.init("\(host) failed\(status)\(said)\(request).", todo: Self.again)
        case .redirected:
            self.init(
                "\(host) sends the request elsewhere\(status); that is never followed.",
                todo: Self.address, exit: .needsKeyOrNetwork)
        case .malformed:
            self.init("\(host) sent something that is no transcript\(said).", todo: Self.address)
        case .cut:
            self.init("The transcript ended in the middle\(request).", todo: Self.again)
        case .notOffered(let what, let model):
            self.init(
                "\(model) does not offer \(what).",
                todo: what == "speakers"
                    ? "Who speaks: --model gpt-4o-transcribe-diarize"
                    // Of a model of that name it is the server that gives none.
                    : model.hasPrefix("whisper")
                        ? "Without them: --format text" : "Times: --model whisper-1",
                exit: .usage)
        }
    }

    init(_ error: TranscriptionJobError) {
        switch error.reason {
        case .busy:
            self.init(
                "\(error.path) is being transcribed by another chat.",
                todo: "Wait until it has ended there; its pieces are kept.")
        case .storage(let code):
            self.init(
                "Pieces cannot be kept in \(error.path): \(String(cString: strerror(code))).",
                todo: [ENOSPC, EDQUOT].contains(code)
                    ? "Make room there, then run it again."
                    : "That folder must be yours to write in.")
        }
    }

    /// How far the upload came, where it ended on the way.
    private static func cut(_ error: TranscriptionError) -> String? {
        guard let sent = error.sentBytes, let all = error.totalBytes, sent > 0, sent < all else {
            return nil
        }
        return "The connection ended after \(Quantities.grouped(sent)) of "
            + "\(Quantities.grouped(all)) bytes."
    }

    /// What the network does to an upload; `network` is what helps.
    init(_ error: TransportError, network: String) {
        self.init(error, provider: .openai)
        // An answer's advice is of no use for what was to be sent.
        switch error.reason {
        case .tls, .proxy, .badURL, .protocolViolation, .unsupportedEncoding, .bodyUnreadable: break
        case .nameNotResolved, .connectionRefused, .connectTimeout, .unreachable, .idleTimeout,
            .totalTimeout, .connectionLost, .tooLarge, .other:
            todo = network
            exit = .needsKeyOrNetwork
        }
    }
}
