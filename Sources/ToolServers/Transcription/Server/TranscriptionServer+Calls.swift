import AgentCore
import Base
import Glibc
import Sound

/// The tool for the model, and the plain message that needs no model.
extension TranscriptionServer {
    private static let tool = "transcribe_audio"

    package func listTools() -> [Tool] {
        [
            Tool(
                name: Self.tool, title: "Transcribe a recording",
                description: """
                    Sends a recording that the user named to the transcription service and returns \
                    what was said.
                    """,
                inputSchema: .object([
                    .init(
                        "path",
                        .string(description: "The file"),
                        isRequired: true),
                    .init(
                        "language",
                        .string(description: "Such as en; only if it is known")),
                    .init(
                        "prompt",
                        .string(description: "Rare words that may be said")),
                    .init(
                        "times",
                        .boolean(description: "A time before each sentence")),
                ]),
                // The recording leaves the computer.
                toolClass: .outward,
                cues: """
                    transcri* recording* voice+memo voice+note podcast* audio* interview* mp# m#a wav \
                    ogg oga flac aac opus webm aufnahme* sprachnachricht* sprachmemo* diktat* \
                    abtipp* tipp+ab mitschrift* verschriftlich*
                    """)
        ]
    }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        guard name == Self.tool else { throw ToolError.toolNotFound(name: name) }
        let path = arguments["path"]?.stringValue ?? ""
        guard !path.isEmpty else { throw ToolError.failed("path is empty") }
        var request = TranscriptionRequest()
        request.language = arguments["language"]?.stringValue
        request.prompt = arguments["prompt"]?.stringValue
        request.showsTimes = arguments["times"]?.boolValue ?? false
        request.saves = false
        do {
            let done = try await transcribe(path, request, Interaction(emit: emit))
            let text = done.text.isEmpty ? "(no words)" : done.text
            return ToolOutput(
                text: "Transcript of \(done.line):\n\n\(text)"
                    + (done.item.map { "\n\n(kept in the library as \($0))" } ?? ""),
                summary: done.line + (done.item.map { " · kept as \($0)" } ?? ""),
                isUntrusted: true)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw ToolError.failed(Diagnostic(of: error).what)
        }
    }

    package func preview(of name: String, arguments: JSONObject) async -> CallPreview {
        guard let path = arguments["path"]?.stringValue, !path.isEmpty else {
            return .touches(nil)
        }
        do {
            let audio = try await open(path)
            return .touches(
                TranscriptFacts.preview(
                    file: audio.path, bytes: audio.bytes, duration: audio.duration,
                    server: host, price: price(dependencies.settings.model, audio.duration)))
        } catch {
            return .fails(ToolOutput(text: Diagnostic(of: error).what, isError: true))
        }
    }

    // MARK: - Messages

    package func canHandle(message: PlainMessage) -> IntentMatch {
        // "transcribe what I say" is not about a file.
        guard let named = Self.named(in: message), named.contains(".") else { return .none }
        // Whether it is there is found out by `handle`, and a model has the message if it is not.
        let isPath = !named.contains(" ") || named.contains("/")
        return IntentMatch(
            confidence: isPath ? 0.95 : IntentRouter.completeThreshold,
            suggestedTools: [Self.tool], reasoning: "names a recording to transcribe",
            isComplete: true,
            fallbackMessage: isPath
                ? "There is no file \"\(named)\". With its path: chat transcribe FILE" : nil)
    }

    package func command(for message: PlainMessage) -> [String]? {
        Self.named(in: message).flatMap { isFile($0) ? ["transcribe", $0] : nil }
    }

    package func handle(
        message: PlainMessage, mayAsk: Bool, emit: Emitter
    ) async throws -> CommandOutput? {
        guard let named = Self.named(in: message), isFile(named) else { return nil }
        var request = TranscriptionRequest()
        request.paths = [named]
        var output = try await TranscribeCommand(server: self).transcribe(
            request, Interaction(emit: emit))
        // In a conversation the answer is lines, not a file for a pipe.
        if let document = output.document {
            let text = String(decoding: document, as: UTF8.self).trimmingSpace()
            output.lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { StyledLine(String($0)) }
            output.document = nil
            // Our answer contains untrusted text: this marks the turn.
            output.kept = [
                Attachment(
                    name: FilePath.stem(named) + ".txt", mediaType: "text/plain",
                    bytes: Array(text.utf8), isKeptOnly: true)
            ]
        }
        return output
    }

    /// Whether it is a regular file: one check, without waiting for anything else.
    private func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(absolute(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The rest of "transcribe …" or "please transcribe …", without quotes or
    /// backslashes; nil for other messages.
    private static func named(in message: PlainMessage) -> String? {
        message.reading(by: Self.self, named)
    }

    private static func named(_ message: String) -> String? {
        var rest = message.trimmingSpace()[...]
        // A path has no line breaks.
        if rest.contains(where: \.isNewline) || rest.utf8.count > 5_000 { return nil }
        for word in ["please ", "transcribe "] {
            let isVerb = word == "transcribe "
            guard rest.prefix(word.count).lowercased() == word else {
                if isVerb { return nil }
                continue
            }
            rest = rest.dropFirst(word.count).drop(while: \.isWhitespace)
        }
        if rest.first == "@" { rest = rest.dropFirst() }
        if let quote = rest.first, quote == "\"" || quote == "'", rest.count > 2,
            rest.last == quote
        {
            rest = rest.dropFirst().dropLast()
        } else if rest.contains("\\") {
            var path = ""
            var isEscaped = false
            for character in rest {
                if character == "\\", !isEscaped {
                    isEscaped = true
                } else {
                    path.append(character)
                    isEscaped = false
                }
            }
            return path.isEmpty ? nil : path
        }
        return rest.isEmpty ? nil : String(rest)
    }
}
