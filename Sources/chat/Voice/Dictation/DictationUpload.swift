import AgentCore
import ToolServers

/// A dictated recording through the transcription server's job: sent, tried
/// again, cut up where it is long. Nothing is written beside the recording.
struct DictationUpload: Sendable {
    let services: Services

    func transcribe(
        _ path: String, _ options: RecordOptions, _ screen: TranscriptionScreen
    ) async throws -> TranscriptionServer.Transcribed {
        let voice = services.voice
        let base = try voice.transcriptionAddress()
        let diagnostics = services.diagnostics
        var doors = TranscriptionServer.Doors(
            settings: voice.settings.transcription, server: base.authority,
            folder: services.paths.transcriptions, home: services.paths.home,
            environment: services.environment, timesOffered: { TranscriptionModel($0).times },
            // The path is absolute.
            workingFolder: { "/" }, sentence: { diagnostics.describe($0).what },
            transcriber: { [environment = services.environment] in
                // Told before anything is sent.
                _ = try await voice.transcriptionKey(base)
                return WhisperClient(
                    address: base, key: { try await voice.transcriptionKey(base) },
                    transport: voice.transport, environment: environment)
            })
        doors.onProgress = { event, _ in screen.observe(event) }
        doors.mayRetry = { error, _ in
            await screen.confirms(
                StyledLine("  ! \(diagnostics.describe(error).what)", .warning),
                "    It may have been paid for. Send it again? y or Enter for no: ")
        }
        var request = TranscriptionRequest()
        request.paths = [path]
        request.format = options.format
        request.language = options.language
        request.saves = false
        let (server, wanted) = (TranscriptionServer(doors), request)
        return try await screen.run { try await server.transcribe(path, wanted) }
    }
}
