import AgentCore
import Base
import Synchronization

/// Speech from any server that implements OpenAI's `/audio/speech`.
///
/// It requests plain samples, or a WAV if the server does not provide them; the format is
/// detected by the first bytes, not by the request. Text longer than one request allows is
/// sent in several, the next when the last has been played.
package final class ServerSpeechEngine: SpeechEngine {
    /// Maximum characters of one request (OpenAI's API reference).
    static let inputLimit = 4_096
    /// The format of OpenAI's `pcm` samples, which have no header.
    static let plainFormat = PCMFormat(rate: 24_000)
    package static let standardVoice = "alloy"

    package var name: String { address.authority }
    private let address: BaseURL
    private let model: String
    private let key: @Sendable () async throws -> String?
    private let transport: any HTTPTransport
    /// Set once a server provides no plain samples, which are then not requested again.
    private let wantsWave = Mutex(false)

    /// - Parameters:
    ///   - address: includes `/v1`.
    ///   - key: nil if the server needs none.
    package init(
        address: BaseURL, model: String, transport: any HTTPTransport,
        key: @escaping @Sendable () async throws -> String?
    ) {
        self.address = address
        self.model = model
        self.transport = transport
        self.key = key
    }

    package func version() -> String { model }

    package func likelyVoices() -> [SpeechVoice] {
        address.host == "api.openai.com" ? Self.openAIVoices : []
    }

    package func voices() async throws -> [SpeechVoice] {
        if address.host == "api.openai.com" { return Self.openAIVoices }
        // Not in OpenAI's API, but several servers have one of these. Without it, the user
        // has to know the voices.
        for path in ["/audio/voices", "/audio/speech/voices"] {
            if let json = try await voiceList(path) { return Self.voices(in: json) }
        }
        return []
    }

    /// An array of names or objects, or an object by names; also within `voices` or `data`.
    static func voices(in json: JSONValue) -> [SpeechVoice] {
        let list = json["voices"] ?? json["data"] ?? json
        let items: [(name: String?, JSONValue)] =
            list.arrayValue?.map { ($0.stringValue, $0) }
            ?? list.objectValue?.members.map { ($0.name, $0.value) } ?? []
        return items.prefix(2_000).compactMap { name, item in
            func told(_ keys: String...) -> String? {
                keys.lazy.compactMap { item[$0]?.stringValue }.first { !$0.isEmpty }
            }
            guard let identifier = name ?? told("id", "voice_id", "name") else { return nil }
            let label = told("name", "display_name") ?? identifier
            var voice = SpeechVoice(
                named: identifier, language: told("language", "lang", "locale"),
                aliases: [label])
            voice.name = label
            if let gender = told("gender") {
                voice.gender = VoiceNameFacts.gender(told: gender) ?? voice.gender
            }
            return voice
        }
    }

    package func synthesize(_ utterance: Utterance) async throws -> SpokenAudio {
        let texts = Self.texts(utterance.text)
        guard let first = texts.first else { throw SpeechError(reason: .nothingToSay) }
        let voice = utterance.voice
        let run = ServerSpeechRun(
            first: try await begin(first, voice), rest: texts.dropFirst(),
            gain: min(1, max(0, voice.volume)) / VoiceChoice().volume,
            begin: { [self] in try await begin($0, voice) })
        return SpokenAudio(format: run.format) { try await run.next() }
    }

    // MARK: - Requests

    /// Sends a request and reads the response until its format is known.
    private func begin(_ text: String, _ voice: VoiceChoice) async throws -> ServerSpeechAnswer {
        let asksForWave = wantsWave.withLock { $0 }
        if !asksForWave {
            do {
                return try await ask(text, voice, format: "pcm")
            } catch let error as SpeechError where Self.mayBeFormat(error) {
                let answer = try await ask(text, voice, format: "wav")
                wantsWave.withLock { $0 = true }
                return answer
            }
        }
        return try await ask(text, voice, format: "wav")
    }

    /// Whether the error may come from a server that does not support `pcm`, or sends
    /// another format.
    private static func mayBeFormat(_ error: SpeechError) -> Bool {
        switch error.reason {
        case .malformed, .server(status: 400, _), .server(status: 415, _),
            .server(status: 422, _), .server(status: 501, _):
            true
        default: false
        }
    }

    private func ask(
        _ text: String, _ voice: VoiceChoice, format: String
    ) async throws -> ServerSpeechAnswer {
        let key = try await usableKey()
        var request = request("POST", "/audio/speech", key)
        request.headers.append(HTTPHeader("Content-Type", "application/json"))
        request.body = .bytes(JSONWriter.bytes(body(text, voice, format)))
        // Half an hour of sound, more than any sentence.
        request.limits.bodyBytes = 100 << 20
        let response = try await send(request)
        guard response.head.status == 200 else { throw await refusal(response, key) }
        return try await ServerSpeechAnswer.begin(
            response.body, format: Self.plainFormat, host: address.authority)
    }

    private func body(_ text: String, _ voice: VoiceChoice, _ format: String) -> JSONValue {
        // The same words per minute as the program, with its own rate as 1.
        let speed = voice.speed
        return .compact([
            "model": .string(model), "input": .string(text),
            "voice": .string(voice.identifier ?? Self.standardVoice),
            "response_format": .string(format),
            "speed": speed == 1 ? .none : .some(JSONValue(speed)),
        ])
    }

    private func usableKey() async throws -> String? {
        let text = try await key()
        do {
            return try KeyText.usable(text)
        } catch {
            throw SpeechError(reason: .noKey, host: address.authority)
        }
    }

    private func request(_ method: String, _ path: String, _ key: String?) -> HTTPRequest {
        var request = HTTPRequest(
            Outgoing(.speech, method == "POST" ? [SentContent.text] : [], model: model),
            method: method, url: address.appending(path))
        if let key { request.headers.append(HTTPHeader("Authorization", "Bearer \(key)")) }
        request.limits.idle = .seconds(60)
        return request
    }

    private func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        do {
            return try await transport.send(request)
        } catch let error as TransportError {
            throw SpeechError(reason: .transport(error), host: address.authority)
        }
    }

    /// The server's error message, if any, without a key that it repeats; it is not worth
    /// waiting for.
    private func refusal(_ response: HTTPResponse, _ key: String?) async -> SpeechError {
        var bytes: [UInt8] = []
        // The start of a broken error body is enough.
        while bytes.count < 64 << 10, let chunk = try? await response.body.next() { bytes += chunk }
        let message = ResponseFacts.json(bytes).flatMap { ErrorFacts($0, hiding: key).message }
        let status = response.head.status
        return SpeechError(
            reason: status == 401 && message == nil
                ? .noKey : .server(status: status, message: message),
            host: address.authority)
    }

    private func voiceList(_ path: String) async throws -> JSONValue? {
        do {
            var request = request("GET", path, try await usableKey())
            request.limits.total = .seconds(10)
            request.limits.bodyBytes = 1 << 20
            let response = try await send(request)
            guard response.head.status == 200 else { return nil }
            return try JSONParser.parse(try await response.body.all())
        } catch is JSONParser.Failure {
            return nil
        } catch let error as TransportError {
            throw SpeechError(reason: .transport(error), host: address.authority)
        }
    }

    /// Divides the text between sentences into parts within the limit.
    static func texts(_ text: String, limit: Int = inputLimit) -> [String] {
        var texts: [String] = []
        var sentences = ""
        for sentence in SentenceSplitter.sentences(of: text) {
            let count = sentences.unicodeScalars.count + sentence.text.unicodeScalars.count + 1
            if !sentences.isEmpty, count > limit {
                texts.append(sentences)
                sentences = ""
            }
            sentences += sentences.isEmpty ? sentence.text : " " + sentence.text
        }
        return sentences.isEmpty ? texts : texts + [sentences]
    }

    private static let openAIVoices = [
        "alloy", "ash", "ballad", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer",
        "verse", "marin", "cedar",
    ].map { SpeechVoice(named: $0) }
}
