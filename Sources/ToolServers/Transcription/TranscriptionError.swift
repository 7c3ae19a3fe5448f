import AgentCore
import Base

/// The reason why a transcription failed. Facts only; never a key, a path or spoken words.
package struct TranscriptionError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// No key for the server.
        case noKey
        /// The base URL cannot be used.
        case badAddress(String)
        /// The connection failed after `sentBytes` bytes.
        case transport(TransportError)
        /// 401.
        case keyRejected
        /// 403.
        case forbidden
        /// 404 with the model's name in it.
        case modelNotFound
        /// 404 or a web page: no such service at that address.
        case endpointNotFound
        /// 413: more than the server accepts.
        case tooLarge
        /// 415, or a 400 that complains about the format.
        case unsupportedFormat
        /// Other 400 and 422.
        case badRequest
        case rateLimited
        /// Money or a monthly limit.
        case quotaExhausted
        /// 5xx: the server failed.
        case serverFailure
        case redirected
        /// 200 with a body that is not a transcript.
        case malformed
        /// A streamed transcript ended before its end.
        case cut
        /// The model does not support what was requested (times, speakers).
        case notOffered(what: String, model: String)
    }

    package var reason: Reason
    /// Host and port.
    package var host = ""
    package var status: Int?
    package var code: ServerText?
    /// The server's own sentence.
    package var message: ServerText?
    package var requestID: ServerText?
    /// Seconds to wait, as requested by the server.
    package var retryAfter: Double?
    /// `x-should-retry`, which overrides the rule by status.
    package var shouldRetry: Bool?
    /// Bytes of sound that had been sent when it failed, and in total.
    package var sentBytes: Int?
    package var totalBytes: Int?
}

extension TranscriptionError: DescribedError {
    private static let again = "Run it again; finished pieces are not sent again."
    private static let address = "Check transcription.base_url: chat config shows it."

    package var diagnostic: Diagnostic {
        let server = host.isEmpty ? "The server" : host
        let number = status.map { " (\($0))" } ?? ""
        let said = Diagnostic.said(message)
        let request = requestID.map { ", request \($0)" } ?? ""
        switch reason {
        case .noKey:
            return Diagnostic(
                "There is no key for \(server).",
                todo: Diagnostic.keyLine(host: host)
                    + ". Or use your own server: transcription.base_url",
                exit: .needsKeyOrNetwork)
        case .badAddress(let text):
            return Diagnostic(badAddress: text, setting: "transcription.base_url")
        case .transport(let transport):
            // If a part was sent, the network works; only this upload failed.
            let hasLeft = (sentBytes ?? 0) > 0
            var diagnostic = Diagnostic(
                transport,
                network: hasLeft
                    ? Self.again
                    : "Check the network and transcription.base_url (chat config), then run it again."
            )
            if let cut { diagnostic.what = cut }
            if hasLeft { diagnostic.exit = .failure }
            return diagnostic
        case .keyRejected:
            return Diagnostic(
                "\(server) did not accept the key\(number)\(said).",
                todo: Diagnostic.keyLine(host: host), exit: .needsKeyOrNetwork)
        case .forbidden:
            return Diagnostic(
                "\(server) accepts the key but does not allow this\(number)\(said).",
                todo: "The key needs the right to transcribe audio.", exit: .needsKeyOrNetwork)
        case .modelNotFound:
            return Diagnostic(
                "\(server) has no such model\(number)\(said).",
                todo: "Another: --model gpt-transcribe. Times and subtitles then need a local "
                    + "Whisper server: transcription.base_url in chat config.")
        case .endpointNotFound:
            return Diagnostic(
                "\(server) does not offer transcription\(number)\(said).", todo: Self.address,
                exit: .needsKeyOrNetwork)
        case .tooLarge:
            return Diagnostic(
                "\(server) does not accept an upload of this size\(number)\(said).",
                todo: "Set a smaller transcription.limit_bytes: chat config edit")
        case .unsupportedFormat:
            return Diagnostic(
                "\(server) does not accept this format\(number)\(said).",
                todo: "Save it in another format, WAV or MP3, then try again.")
        case .badRequest:
            return Diagnostic("\(server) refused it\(number)\(said)\(request).", todo: Self.again)
        case .rateLimited:
            let wait = retryAfter.map { " It asks you to wait \(Diagnostic.wait($0))." } ?? ""
            return Diagnostic(
                "\(server) is limiting your requests\(number)\(said).\(wait)",
                todo: "Run it again in a while; finished pieces are not sent again.")
        case .quotaExhausted:
            return Diagnostic(
                "\(server) says there is no money or quota left\(said).",
                todo: "Top up with the provider, or set transcription.base_url.",
                exit: .needsKeyOrNetwork)
        case .serverFailure:
            return Diagnostic(
                "\(server) returned an error\(number)\(said)\(request).", todo: Self.again)
        case .redirected:
            return Diagnostic(
                "\(server) redirects the request\(number); chat never follows redirects.",
                todo: Self.address, exit: .needsKeyOrNetwork)
        case .malformed:
            return Diagnostic(
                "\(server) sent something that is not a transcript\(said).", todo: Self.address)
        case .cut:
            return Diagnostic("The transcript ended in the middle\(request).", todo: Self.again)
        case .notOffered(let what, let model):
            return Diagnostic(
                "\(model) does not offer \(what).",
                todo: what == "speakers"
                    ? "For speakers: --model gpt-4o-transcribe-diarize"
                    // A model of that name has times; it is the server that
                    // returns none.
                    : model.hasPrefix("whisper")
                        ? "Without them: --format text" : "For times: --model whisper-1",
                exit: .usage)
        }
    }

    /// The part of the upload that was sent before it was interrupted.
    private var cut: String? {
        guard let sent = sentBytes, let all = totalBytes, sent > 0, sent < all else {
            return nil
        }
        return "The connection ended after \(Quantities.grouped(sent)) of "
            + "\(Quantities.grouped(all)) bytes."
    }
}
