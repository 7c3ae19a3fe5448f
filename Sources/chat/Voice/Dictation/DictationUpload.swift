import AgentCore
import ToolServers

/// One recording of ours to a transcription server, in one upload.
///
/// The least that dictation needs: nothing is tried again here, nothing cut up.
struct DictationUpload: Sendable {
    let voice: VoiceParts

    func transcribe(
        _ path: String, language: String?,
        _ onProgress: @escaping @Sendable (TranscriptionProgress) -> Void
    ) async throws -> Transcript {
        let base = try voice.transcriptionAddress()
        let key = try await voice.transcriptionKey(base)
        let settings = voice.settings.transcription
        let file = try OpenFile(path)
        let slice = BodySlice.file(file, offset: 0, count: file.size)
        var parts = [
            MultipartBody.Part(
                name: "file", filename: "audio.wav", contentType: AudioKind.wav.mediaType,
                content: [slice]),
            MultipartBody.Part(name: "model", text: settings.model),
            MultipartBody.Part(name: "response_format", text: "json"),
        ]
        if let language = language ?? settings.language {
            parts.append(MultipartBody.Part(name: "language", text: language))
        }
        if let prompt = settings.prompt {
            parts.append(MultipartBody.Part(name: "prompt", text: prompt))
        }
        let body = MultipartBody(parts, boundary: "chat-\(voice.environment.uuid())")
        // The sound is the first part.
        let sound = body.ranges.first ?? 0..<0
        var request = HTTPRequest(
            method: "POST", url: base.appending("audio/transcriptions"),
            headers: [HTTPHeader("Content-Type", body.contentType)], body: .slices(body.slices),
            limits: TransferLimits(bodyBytes: 4 << 20))
        if let key { request.headers.append(HTTPHeader("Authorization", "Bearer \(key)")) }
        request.onUpload = { sent in
            let bytes = min(max(0, sent - sound.lowerBound), sound.count)
            onProgress(.sent(bytes: bytes, of: sound.count))
            if bytes == sound.count { onProgress(.waiting) }
        }
        let response: HTTPResponse
        let answer: [UInt8]
        do {
            response = try await voice.transport.send(request)
            answer = try await response.body.all()
        } catch let error as TransportError {
            throw TranscriptionError(reason: .transport(error), host: base.authority)
        }
        guard response.head.status == 200 else {
            throw TranscriptionError(
                reason: Self.reason(response.head.status), host: base.authority,
                status: response.head.status)
        }
        guard let json = try? JSONParser.parse(answer), let text = json["text"]?.stringValue else {
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
