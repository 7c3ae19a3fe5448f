import AgentCore
import ToolServers

/// A dictated recording to the transcription server, as `/transcribe` does it:
/// in pieces where it is long, tried again, gone on with. Nothing is written
/// beside the recording.
struct DictationUpload: Sendable {
    let services: Services

    func transcribe(
        _ path: String, _ options: RecordOptions, _ screen: TranscriptionScreen
    ) async throws -> TranscriptionServer.Transcribed {
        var doors = services.voice.transcriptionDoors
        doors.onProgress = { event, _ in screen.observe(event) }
        doors.mayRetry = { [diagnostics = services.diagnostics] error, _ in
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
