import AgentCore
import Base
import Foundation
import Synchronization

/// A transcription service on 127.0.0.1: answers by script and records the
/// uploads, taken apart. Real sockets.
package final class TranscriptionServerStub: Sendable {
    package enum Answer: Sendable {
        /// The format `json`.
        case json(String)
        /// The format `verbose_json`; the text is that of the segments joined.
        case verbose([Segment], words: [Segment] = [], language: String = "english")
        /// The format `diarized_json`: segments with speakers.
        case diarized([Segment])
        /// An event stream of these deltas, to its end.
        case stream([String])
        /// An event stream that breaks after these deltas.
        case brokenStream([String])
        /// Plain text, as for the formats `text`, `srt` and `vtt`.
        case text(String)
        /// An error object in OpenAI's form.
        case error(
            Int, code: String? = nil, type: String? = nil, parameter: String? = nil,
            message: String = "scripted", headers: [HTTPHeader] = [])
        /// Reads so many bytes of the body and closes the connection.
        case cutUpload(afterBytes: Int)
        /// Reads so many bytes of the body, then does what the script says.
        case early(afterBytes: Int, ServerScript)
        case script(ServerScript)
    }

    package struct Segment: Sendable {
        package var start: Double
        package var end: Double
        package var text: String
        package var speaker: String?

        package init(_ start: Double, _ end: Double, _ text: String, speaker: String? = nil) {
            self.start = start
            self.end = end
            self.text = text
            self.speaker = speaker
        }
    }

    /// One request as it came.
    package struct Upload: Sendable {
        package var request: RecordedRequest
        /// nil where the body is cut or malformed.
        package var form: MultipartForm?

        init(_ request: RecordedRequest) {
            self.request = request
            do { form = try MultipartForm(request) } catch { form = nil }
        }

        package var file: MultipartForm.Part? { form?.parts.first { $0.name == "file" } }
        package var model: String? { form?["model"].first }
        package var prompt: String? { form?["prompt"].first }
        package var responseFormat: String? { form?["response_format"].first }
        /// The key that was sent.
        package var bearer: String? {
            request[header: "authorization"].map { String($0.dropFirst("Bearer ".count)) }
        }
    }

    private let server: LoopbackServer

    /// Answers the uploads with these in turn; the last one repeats.
    package convenience init(_ answers: Answer...) throws {
        try self.init(inTurn: answers)
    }

    package init(inTurn answers: [Answer]) throws {
        let turns = Mutex((next: 0, byConnection: [Int: Answer]()))
        server = try LoopbackServer(
            bodyLimit: { request in
                turns.withLock { turns in
                    let answer = answers[min(turns.next, answers.count - 1)]
                    turns.next += 1
                    turns.byConnection[request.connection] = answer
                    return answer.bodyLimit
                }
            },
            { request in
                let answer = turns.withLock { $0.byConnection[request.connection] }
                return answer?.script ?? ServerScript([.cut])
            })
    }

    /// Answers by what was uploaded, on a thread of the server.
    package init(_ answer: @escaping @Sendable (Upload) -> Answer) throws {
        server = try LoopbackServer { answer(Upload($0)).script }
    }

    /// For `base_url`: with `/v1`.
    package var address: String { server.url("/v1") }

    package var uploads: [Upload] { server.requests.map(Upload.init) }

    package var connectionCount: Int { server.connectionCount }

    package func waitForUploads(_ count: Int) async { await server.waitForRequests(count) }

    package func stop() { server.stop() }
}

extension TranscriptionServerStub.Answer {
    fileprivate var bodyLimit: Int {
        switch self {
        case .cutUpload(let count), .early(let count, _): count
        default: .max
        }
    }

    fileprivate var script: ServerScript {
        switch self {
        case .json(let text): .json(200, ["text": .string(text), "usage": Self.usage])
        case .verbose(let segments, let words, let language):
            .json(200, Self.verbose(segments, words: words, language: language))
        case .diarized(let segments): .json(200, Self.diarized(segments))
        case .stream(let deltas):
            .sse(Self.events(deltas) + Self.lastEvent(deltas.joined()))
        case .brokenStream(let deltas):
            ServerScript([
                ServerScript.sseHead(), .chunk([UInt8](Self.events(deltas).utf8)), .cut,
            ])
        case .text(let text): .text(200, text)
        case .error(let status, let code, let type, let parameter, let message, let headers):
            .json(
                status,
                [
                    "error": [
                        "message": .string(message),
                        "type": .string(type ?? "invalid_request_error"),
                        "param": parameter.map { .string($0) } ?? .null,
                        "code": code.map { .string($0) } ?? .null,
                    ]
                ], headers: headers)
        case .cutUpload: ServerScript([.cut])
        case .early(_, let script), .script(let script): script
        }
    }

    private static let usage: JSONValue = [
        "type": "tokens", "input_tokens": 21, "output_tokens": 5, "total_tokens": 26,
    ]

    private static func verbose(
        _ segments: [TranscriptionServerStub.Segment], words: [TranscriptionServerStub.Segment],
        language: String
    ) -> JSONValue {
        .compact([
            "task": "transcribe", "language": .string(language),
            "duration": JSONValue(segments.last?.end ?? 0),
            "text": .string(segments.map(\.text).joined(separator: " ")),
            "words": words.isEmpty
                ? nil
                : .array(
                    words.map {
                        [
                            "word": .string($0.text), "start": JSONValue($0.start),
                            "end": JSONValue($0.end),
                        ]
                    }),
            "segments": .array(
                segments.enumerated().map { index, segment in
                    [
                        "id": JSONValue(index), "seek": 0, "start": JSONValue(segment.start),
                        "end": JSONValue(segment.end), "text": .string(" " + segment.text),
                        "temperature": 0, "avg_logprob": JSONValue(-0.2),
                    ]
                }),
        ])
    }

    private static func diarized(_ segments: [TranscriptionServerStub.Segment]) -> JSONValue {
        [
            "task": "transcribe", "duration": JSONValue(segments.last?.end ?? 0),
            "text": .string(segments.map(\.text).joined(separator: " ")),
            "segments": .array(
                segments.enumerated().map { index, segment in
                    [
                        "type": "transcript.text.segment", "id": .string("seg_\(index)"),
                        "start": JSONValue(segment.start), "end": JSONValue(segment.end),
                        "text": .string(segment.text), "speaker": .string(segment.speaker ?? "A"),
                    ]
                }),
        ]
    }

    private static func events(_ deltas: [String]) -> String {
        deltas.map { event(["type": "transcript.text.delta", "delta": .string($0)]) }.joined()
    }

    private static func lastEvent(_ text: String) -> String {
        event(["type": "transcript.text.done", "text": .string(text), "usage": usage])
    }

    private static func event(_ json: JSONValue) -> String {
        "data: \(String(decoding: JSONWriter.bytes(json), as: UTF8.self))\n\n"
    }
}
