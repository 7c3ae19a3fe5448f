import Foundation
import TestSupport

@testable import AgentCore
@testable import Base
@testable import TerminalKit
@testable import Transcription

/// From models, and from the servers that offer them.
extension WayIn {
    static let fromModels = [
        WayIn(
            "answer of a model", AnswerReader.textLimit, growth: 60,
            refusals: [
                Refusal(AnswerReader.textLimit) {
                    let text = string(letters(AnswerReader.textLimit + 1))
                    return failure(
                        of: #"data: {"choices":[{"delta":{"content":""# + text + "\"}}]}\n\n")
                },
                Refusal(AnswerReader.textLimit) {
                    let text = string(letters(AnswerReader.textLimit + 1))
                    return failure(
                        of: #"{"choices":[{"message":{"content":""# + text + "\"}}]}")
                },
            ], take: { show($0) }),
        WayIn(
            "event of an answer", AnswerReader.eventLimit, "16 MB",
            Quantities.bytes(TransferLimits().bodyBytes), growth: 10,
            refusals: [
                Refusal(AnswerReader.eventLimit) {
                    failure(of: "data: " + string(letters(AnswerReader.eventLimit + 1)))
                },
                Refusal(AnswerReader.eventLimit) {
                    failure(of: "{" + string(letters(AnswerReader.eventLimit)))
                },
            ]
        ) { bytes in
            var (parser, events) = (ServerSentEventParser(), [ServerSentEvent]())
            try parser.push(Array("data: ".utf8) + bytes + [0x0A, 0x0A], into: &events)
        },
        WayIn(
            "arguments of a tool call", ReceivedCall.argumentLimit,
            Quantities.bytes(ReceivedCall.argumentLimit), "\(JSONParser.depthLimit) levels",
            growth: 30,
            refusals: [
                Refusal(ReceivedCall.argumentLimit) {
                    var call = ReceivedCall()
                    call.name = "note"
                    call.append(arguments: string(letters(ReceivedCall.argumentLimit + 1)))
                    return prepared(call.call(id: "c"))
                }
            ]
        ) { bytes in
            _ = prepared(
                ToolCall(
                    id: "c", name: "note",
                    arguments: JSONWriter.string(["text": .string(string(bytes))])))
        },
        WayIn(
            "result of a tool", ToolRunner.resultLimitInBytes, growth: 40,
            refusals: [
                Refusal("\(ToolRunner.resultLimitInBytes)") {
                    ToolRunner.bounded(string(letters(ToolRunner.resultLimitInBytes + 1)))
                }
            ]
        ) { _ = ToolRunner.bounded(UntrustedText.cleaned(string($0))) },
        // The rest is not read.
        WayIn("error of a server", ResponseFacts.errorBodyLimit, growth: 60) { bytes in
            for body in [bytes, Array(JSONWriter.bytes(["error": .string(string(bytes))]))] {
                _ =
                    ResponseFacts.error(
                        head: HTTPResponseHead(status: 400, headers: []), body: body,
                        source: source,
                        now: Date(timeIntervalSince1970: 0)
                    ).message
            }
        },
        // `CurlHandle` names the limit of each response.
        WayIn("list of models", ModelList.limitInBytes, growth: 60) { bytes in
            _ = ResponseFacts.json(bytes)
            _ = ModelList.read(["data": [["id": .string(string(bytes))]]])
        },
        WayIn("transcript of a server", TranscriptDecoder.limitInBytes, growth: 40) { bytes in
            for body in [bytes, Array(JSONWriter.bytes(["text": .string(string(bytes))]))] {
                var decoder = TranscriptDecoder(contentType: nil)
                _ = try decoder.push(body)
                _ = try? decoder.finish()
            }
        },
    ]

    private static let source = AnswerSource(
        origin: ModelOrigin(provider: .local, format: .chat, model: "m"), host: "h",
        newID: { "id" })

    private static func failure(of body: String) -> String {
        var reader = AnswerReader(source: source, contentType: nil, isLenient: false)
        let failure = reader.push(Array(body.utf8)) ?? reader.end()
        guard case .transport(let error)? = failure?.reason else { return "no error" }
        return error.detail.text
    }

    private struct Notes: ToolServer {
        let name = "notes"
        let description = "Keeps notes."

        func listTools() -> [Tool] {
            [
                Tool(
                    name: "note", title: "Note", description: "Keeps a note.",
                    inputSchema: .object([.init("text", .string(description: "the note"))]),
                    toolClass: .write)
            ]
        }

        func callTool(
            _ name: String, arguments: JSONObject, emit: Emitter
        ) async throws -> ToolOutput { ToolOutput(text: "") }
    }

    /// The refusal of a call, as the model gets it.
    private static func prepared(_ call: ToolCall) -> String {
        switch ToolRegistry(servers: [Notes()]).prepare(call) {
        case .success: "no error"
        case .failure(let error): error.modelText
        }
    }

    /// As the terminal shows an answer that streams.
    private static func show(_ bytes: [UInt8]) {
        var (filter, stream) = (HostileText(), MarkdownStream(columns: 80, usesUnicode: true))
        var painter = LivePainter(style: Style(usesColor: true, usesUnicode: true), wrap: .words)
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = filter.pass(String(decoding: rest.prefix(8_192), as: UTF8.self))
            rest = rest.dropFirst(8_192)
            let update = stream.feed(String(decoding: piece, as: UTF8.self))
            _ = painter.paint(
                finished: update.finished, live: update.live,
                on: ScreenSize(columns: 80, rows: 24))
        }
        _ = painter.paint(finished: stream.finish().finished, on: ScreenSize())
    }
}
