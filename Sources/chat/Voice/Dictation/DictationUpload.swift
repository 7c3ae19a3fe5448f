import AgentCore
import ToolServers

/// One recording of ours to the transcription server, as `/transcribe` does
/// it: in pieces where it is long, tried again, gone on with. The words come
/// back and are not written anywhere.
struct DictationUpload: Sendable {
    let voice: VoiceParts

    func transcribe(
        _ path: String, language: String?,
        _ onProgress: @escaping @Sendable (TranscriptionProgress) -> Void
    ) async throws -> Transcript {
        var doors = voice.transcriptionDoors
        doors.onProgress = { event, _ in onProgress(event) }
        var request = TranscriptionRequest()
        request.language = language
        request.saves = false
        return try await TranscriptionServer(doors).transcribe(path, request).transcript
    }
}
