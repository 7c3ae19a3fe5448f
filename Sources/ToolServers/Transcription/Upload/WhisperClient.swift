import AgentCore
import Base
import FoundationEssentials
import Synchronization

/// Transcribes with a service compatible with OpenAI's
/// `…/audio/transcriptions`: OpenAI itself, or a whisper server on this
/// machine.
///
/// Does one upload, sent from disk as it is read. A form field that the server
/// does not support is left out once and remembered; every other failure is
/// thrown: retrying, cutting and saving are done elsewhere.
package final class WhisperClient: Transcriber {
    private let address: BaseURL
    private let key: @Sendable () async throws -> String?
    private let transport: any HTTPTransport
    private let environment: Environment
    /// The fields this server does not support, by model.
    private let memory = Mutex<[String: TranscriptionAdjustments]>([:])

    /// - Parameters:
    ///   - address: includes its `/v1`.
    ///   - key: called before each upload; nil or empty sends none.
    package init(
        address: BaseURL, key: @escaping @Sendable () async throws -> String?,
        transport: any HTTPTransport, environment: Environment
    ) {
        self.address = address
        self.key = key
        self.transport = transport
        self.environment = environment
    }

    /// A service answers within minutes; a whisper without a graphics card may
    /// take longer than the sound lasts.
    private var limits: TransferLimits {
        TransferLimits(
            idle: address.isLoopback ? .seconds(3_600) : .seconds(300),
            bodyBytes: TranscriptDecoder.limitInBytes)
    }

    package func transcribe(
        _ upload: TranscriptionUpload,
        onProgress: @escaping @Sendable (TranscriptionProgress) -> Void
    ) async throws -> Transcript {
        let model = upload.options.model
        var adjustments = memory.withLock { $0[model] ?? TranscriptionAdjustments() }
        // Fails before the key is read.
        var form = try TranscriptionForm(upload, adjustments: adjustments, host: host)
        let key = try await usableKey()
        while true {
            try Task.checkCancellation()
            try check(upload)
            let body = MultipartBody(form.parts, boundary: environment.uuid())
            let progress = SentSound(
                sound: body.ranges.last ?? 0..<0, tell: onProgress)
            do {
                let response = try await send(
                    body, model: model, key: key, progress: progress)
                progress.close()
                if response.head.status == 200 {
                    memory.withLock { $0[model] = adjustments }
                    return try await read(response, key: key, onProgress: onProgress)
                }
                let failure = try await failure(of: response, key: key)
                guard
                    adjustments.learn(
                        status: response.head.status, parameter: failure.parameter?.text,
                        message: failure.error.message?.text, sent: form.texts)
                else { throw failure.error }
                form = try TranscriptionForm(upload, adjustments: adjustments, host: host)
            } catch var error as TranscriptionError {
                error.sentBytes = progress.sent
                error.totalBytes = upload.byteCount
                throw error
            } catch let error as TransportError {
                // To report which file failed, and how.
                if error.reason == .bodyUnreadable { try check(upload) }
                throw TranscriptionError(
                    reason: .transport(error), host: host, sentBytes: progress.sent,
                    totalBytes: upload.byteCount)
            }
        }
    }

    private var host: String { address.authority }

    private func usableKey() async throws -> String? {
        let text = try await key()
        do {
            return try KeyText.usable(text)
        } catch {
            throw TranscriptionError(reason: .keyRejected, host: host)
        }
    }

    /// - Throws: `OpenFile.Failure` if a file has changed since it was opened.
    private func check(_ upload: TranscriptionUpload) throws {
        for case .file(let file, _, _) in upload.audio { try file.checkUnchanged() }
    }

    private func send(
        _ body: MultipartBody, model: String, key: String?, progress: SentSound
    ) async throws -> HTTPResponse {
        var headers = [
            HTTPHeader("Content-Type", body.contentType),
            HTTPHeader("Accept", "application/json, text/event-stream, text/plain"),
        ]
        if let key { headers.append(HTTPHeader("Authorization", "Bearer \(key)")) }
        var request = HTTPRequest(
            Outgoing(.transcription, [SentContent.recording], model: model), method: "POST",
            url: address.appending("/audio/transcriptions"), headers: headers,
            body: .slices(body.slices), limits: limits)
        request.onUpload = { progress.note(bytesOfBody: $0) }
        return try await transport.send(request)
    }

    private func read(
        _ response: HTTPResponse, key: String?,
        onProgress: @Sendable (TranscriptionProgress) -> Void
    ) async throws -> Transcript {
        var decoder = TranscriptDecoder(contentType: response.head["content-type"])
        do {
            while !decoder.isFinished, let chunk = try await response.body.next() {
                let words = try decoder.push(chunk)
                if !words.isEmpty { onProgress(.text(words)) }
            }
            let (words, transcript) = try decoder.finish()
            if !words.isEmpty { onProgress(.text(words)) }
            return transcript
        } catch let failure as TranscriptDecoder.Failure {
            throw TranscriptionFailure.error(
                of: failure, head: response.head, host: host, key: key)
        }
    }

    /// Reads no more of the body than an error needs.
    private func failure(
        of response: HTTPResponse, key: String?
    ) async throws -> TranscriptionFailure {
        var bytes: [UInt8] = []
        do {
            while bytes.count < ResponseFacts.errorBodyLimit,
                let chunk = try await response.body.next()
            {
                bytes += chunk
            }
        } catch is TransportError {
            // The status has arrived, which matters more than the broken body:
            // a server that refuses an upload often closes on it.
        }
        return TranscriptionFailure(
            head: response.head, body: bytes, host: host, key: key, now: environment.now())
    }
}

/// Converts the sent bytes of a request into progress of its sound, and orders the
/// reports of two threads: nothing about the upload is reported after the response
/// has begun.
final class SentSound: Sendable {
    private struct State {
        var sent = 0
        var isClosed = false
    }

    private let sound: Range<Int>
    private let tell: @Sendable (TranscriptionProgress) -> Void
    private let state = Mutex(State())

    /// - Parameter sound: its range in the body of the request.
    init(sound: Range<Int>, tell: @escaping @Sendable (TranscriptionProgress) -> Void) {
        self.sound = sound
        self.tell = tell
    }

    /// Bytes of sound that have been sent.
    var sent: Int { state.withLock { $0.sent } }

    /// Called on the transport's thread.
    func note(bytesOfBody bytes: Int) {
        let sent = min(max(bytes - sound.lowerBound, 0), sound.count)
        state.withLock { state in
            guard sent != state.sent else { return }
            state.sent = sent
            // Reported under the lock, so that the reader's words follow it.
            guard !state.isClosed else { return }
            tell(.sent(bytes: sent, of: sound.count))
            if sent == sound.count { tell(.waiting) }
        }
    }

    /// Called when the response has begun.
    func close() { state.withLock { $0.isClosed = true } }
}
