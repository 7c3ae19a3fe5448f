import AgentCore
import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Sound
@testable import Transcription

/// A client and the service it talks to.
final class UploadRig: Sendable {
    static let sound = [UInt8]("RIFF".utf8) + (4..<3000).map { UInt8(truncatingIfNeeded: $0) }

    let server: TranscriptionServerStub
    let address: BaseURL
    let client: WhisperClient
    private let recorded = Mutex<[TranscriptionProgress]>([])

    convenience init(_ answer: TranscriptionServerStub.Answer, key: String? = "sk-test-1") throws {
        try self.init(TranscriptionServerStub(answer), key: key)
    }

    convenience init(
        _ answer:
            @escaping @Sendable (TranscriptionServerStub.Upload) ->
            TranscriptionServerStub
            .Answer
    ) throws {
        try self.init(TranscriptionServerStub(answer), key: "sk-test-1")
    }

    init(_ server: TranscriptionServerStub, key: String?) throws {
        self.server = server
        address = try BaseURL(server.address)
        client = WhisperClient(
            address: address, key: { key }, transport: CurlTransport(),
            environment: .system(variables: [:]))
    }

    var progress: [TranscriptionProgress] { recorded.withLock { $0 } }

    /// The words that were shown as they came.
    var words: String {
        progress.map { if case .text(let words) = $0 { words } else { "" } }.joined()
    }

    /// Bytes of sound that were told to have left, in order.
    var sent: [Int] {
        progress.compactMap { if case .sent(let bytes, _) = $0 { bytes } else { nil } }
    }

    @discardableResult
    func transcribe(
        _ options: TranscriptionOptions = TranscriptionOptions(model: "whisper-1"),
        audio: [BodySlice] = [.bytes(sound)], kind: AudioKind = .wav
    ) async throws -> Transcript {
        try await client.transcribe(
            TranscriptionUpload(audio: audio, kind: kind, options: options),
            onProgress: { progress in self.recorded.withLock { $0.append(progress) } })
    }

    /// The error of a transcription that has to fail.
    func error(
        _ options: TranscriptionOptions = TranscriptionOptions(model: "whisper-1"),
        audio: [BodySlice] = [.bytes(sound)], file: StaticString = #filePath, line: UInt = #line
    ) async -> TranscriptionError? {
        do {
            let transcript = try await transcribe(options, audio: audio)
            XCTFail("no error: \(transcript)", file: file, line: line)
        } catch let error as TranscriptionError {
            return error
        } catch {
            XCTFail("\(error)", file: file, line: line)
        }
        return nil
    }
}
