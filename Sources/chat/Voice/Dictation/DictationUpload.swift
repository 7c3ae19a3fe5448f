import AgentCore
import ToolServers

/// One recording of ours to a transcription server, in one upload.
///
/// The least that dictation needs: nothing is tried again here, nothing cut up.
struct DictationUpload: Sendable {
    let voice: VoiceParts

    func transcribe(
        _ path: String, language: String?, _ onProgress: @escaping UploadScreen.Progress
    ) async throws -> Transcript {
        let base = try voice.transcriptionAddress()
        let key = try await voice.transcriptionKey(base)
        let settings = voice.settings.transcription
        let file = try OpenFile(path)
        let slice = BodySlice.file(file, offset: 0, count: file.size)
        func field(_ name: String, _ value: String) -> BodyPart {
            BodyPart(name: name, content: .bytes(Array(value.utf8)))
        }
        var parts = [
            BodyPart(
                name: "file", filename: "audio.wav", contentType: AudioKind.wav.mediaType,
                content: .slices([slice])),
            field("model", settings.model), field("response_format", "json"),
        ]
        if let language = language ?? settings.language {
            parts.append(field("language", language))
        }
        if let prompt = settings.prompt { parts.append(field("prompt", prompt)) }
        var request = HTTPRequest(
            method: "POST", url: base.appending("audio/transcriptions"),
            headers: key.map { [HTTPHeader("Authorization", "Bearer \($0)")] } ?? [],
            body: .multipart(parts), limits: TransferLimits(bodyBytes: 4 << 20))
        request.onUpload = { sent in
            onProgress(.sent(bytes: min(sent, file.size), of: file.size))
            if sent >= file.size { onProgress(.waiting) }
        }
        let response: HTTPResponse
        let body: [UInt8]
        do {
            response = try await voice.transport.send(request)
            body = try await response.body.all()
        } catch let error as TransportError {
            throw TranscriptionError(reason: .transport(error), host: base.authority)
        }
        guard response.head.status == 200 else {
            throw TranscriptionError(
                reason: Self.reason(response.head.status), host: base.authority,
                status: response.head.status)
        }
        guard let json = try? JSONParser.parse(body), let text = json["text"]?.stringValue else {
            throw TranscriptionError(reason: .malformed, host: base.authority, status: 200)
        }
        return Transcript(text: text)
    }

    private static func reason(_ status: Int) -> TranscriptionError.Reason {
        switch status {
        case 401: .keyRejected
        case 403: .forbidden
        case 404: .endpointNotFound
        case 413: .tooLarge
        case 415: .unsupportedFormat
        case 429: .rateLimited
        case 300..<400: .redirected
        case 400..<500: .badRequest
        default: .serverFailure
        }
    }
}
