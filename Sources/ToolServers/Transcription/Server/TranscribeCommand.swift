import AgentCore
import Base
import FoundationEssentials

/// `chat transcribe FILE…` and `/transcribe FILE…`: parses which recordings to
/// transcribe and in what form, and prints the result.
package struct TranscribeCommand: Sendable {
    let server: TranscriptionServer

    var command: Command {
        var file = Self.file
        file.run = { try await run($0) }
        return Command(
            name: TranscriptionServer.noun, summary: "turn recordings into text",
            takesWordsWithoutVerb: true,
            verbs: [
                file,
                Verb(
                    "jobs", "long recordings that were interrupted",
                    options: [.init("--clear", "forget them")],
                    json: "file bytes model server done pieces running"
                ) { try await jobs($0) },
            ])
    }

    /// The arguments after `transcribe`.
    static let file = Verb(
        "file", "what is said in them: put on the input line, or printed and saved next to them",
        [.init("FILE", "a recording", .file, repeats: true)],
        options: [
            .init(
                "--format text|srt|vtt|json", "text, subtitles, or all details",
                .examples(TranscriptWriter.Format.allCases.map(\.rawValue))),
            .init("--language L", "its code, such as en, if it is known"),
            .init("--timestamps", "a time before each sentence"),
            .init("--speakers", "who speaks"),
            .init("--output FILE", "write it there", .file),
            .init("--prompt TEXT", "names and rare words that are likely to be said"),
            .init("--model M", "another model than transcription.model"),
            .init("--fresh", "start over instead of continuing"),
            .init("--no-save", "save no file next to the recording"),
            .init("--send", "in a chat: send the words at once"),
            .init("--yes", "replace the file of --output"),
        ], json: "path saved item file text language duration segments words",
        example: "meeting.m4a")

    private func run(_ arguments: CommandArguments) async throws -> CommandOutput {
        let request = try TranscriptionRequest(arguments)
        let isDraft =
            arguments.interaction.isChat && request.paths.count == 1 && request.format == .text
            && request.output == nil && !arguments.wantsJSON && !arguments.isConfirmed
        if arguments.has("--send"), !isDraft {
            throw UsageError(
                arguments.interaction.isChat
                    ? "Only the text of one recording can be sent."
                    : "There is no chat to send the words to.",
                hint: arguments.interaction.isChat ? "/transcribe --send FILE" : nil)
        }
        if isDraft {
            return try await draft(request, sends: arguments.has("--send"), arguments.interaction)
        }
        var output = try await transcribe(
            request, replaces: arguments.isConfirmed, arguments.interaction)
        // Otherwise a document would be printed in its place.
        if arguments.wantsJSON { output.document = nil }
        return output
    }

    /// The words of one recording, for the prompt's input line.
    private func draft(
        _ request: TranscriptionRequest, sends: Bool, _ interaction: Interaction
    ) async throws -> CommandOutput {
        let done = try await server.transcribe(request.paths[0], request, interaction)
        var output = CommandOutput()
        output.remarks =
            remarks(done).enumerated().map { index, line in
                index == 0 ? line : line.indented
            } + done.notices.map { StyledLine("  \($0)", .dim) }
        output.draft = CommandOutput.Draft(text: done.draft, source: done.name, sends: sends)
        return output
    }

    // MARK: - Recordings

    func transcribe(
        _ request: TranscriptionRequest, replaces: Bool = false,
        _ interaction: Interaction = Interaction()
    ) async throws -> CommandOutput {
        guard request.paths.count > 1 else {
            // There is at least one path; see `TranscriptionRequest`.
            let path = request.paths.first ?? ""
            let done = try await server.transcribe(
                path, request, replaces: replaces, interaction)
            var output = CommandOutput(json: json(done), notices: done.notices)
            output.remarks = remarks(done)
            if request.output == nil || done.saved == nil, !done.text.isEmpty {
                output.document = Array(done.text.utf8)
            }
            if done.isDegraded { output.outcome = .degraded }
            return output
        }
        return try await several(request, interaction)
    }

    /// Transcribes one after the other; a failure does not stop the others.
    private func several(
        _ request: TranscriptionRequest, _ interaction: Interaction
    ) async throws -> CommandOutput {
        var output = CommandOutput()
        var parts: [String] = []
        var values: [JSONValue] = []
        var failures: [any Error] = []
        recordings: for path in request.paths {
            do {
                let done = try await server.transcribe(path, request, interaction)
                parts.append(
                    request.format == .json ? "" : "==> \(path) <==\n\(done.text)")
                values.append(json(done))
                output.remarks += remarks(done)
                output.notices += done.notices.map {
                    $0.hasPrefix(done.name) ? $0 : "\(done.name): \($0)"
                }
                if done.isDegraded { output.outcome = .degraded }
            } catch is CancellationError {
                // Transcripts already received were paid for.
                if parts.isEmpty { throw CancellationError() }
                output.notices.append(
                    "Stopped after \(parts.count) of \(request.paths.count) recordings.")
                output.outcome = .interrupted
                break recordings
            } catch {
                failures.append(error)
                let sentence = Diagnostic(of: error).what
                values.append([
                    "file": .string(FilePath.name(path)), "error": .string(sentence),
                ])
                output.notices.append("\(path): \(sentence)")
            }
        }
        // All failed the same way: report the first, with its exit status.
        if failures.count == request.paths.count,
            failures.allSatisfy({ Self.isSame($0, failures[0]) })
        {
            throw failures[0]
        }
        output.json = .array(values)
        let text =
            request.format == .json
            ? JSONWriter.pretty(.array(values)) + "\n" : parts.joined(separator: "\n")
        output.document = text.isEmpty ? nil : Array(text.utf8)
        if !failures.isEmpty, output.outcome != .interrupted {
            output.outcome = failures.count == request.paths.count ? .failure : .degraded
        }
        return output
    }

    /// Whether both are the same refusal by the server.
    private static func isSame(_ left: any Error, _ right: any Error) -> Bool {
        guard let left = left as? TranscriptionError, let right = right as? TranscriptionError
        else { return false }
        return left.reason == right.reason
    }

    private func remarks(_ done: TranscriptionServer.Transcribed) -> [StyledLine] {
        [StyledLine("✓ \(done.line)", .dim)] + (done.savedLine.map { [$0] } ?? [])
            + (done.item.map { [StyledLine("kept as \($0) · /undo", .hint)] } ?? [])
    }

    private func json(_ done: TranscriptionServer.Transcribed) -> JSONValue {
        guard case .object(var object) = TranscriptWriter.json(done.transcript, done.facts) else {
            return .null
        }
        object["path"] = .string(done.path)
        object["saved"] = done.saved.map { .string($0) } ?? .null
        object["item"] = done.item.map { .string("\($0)") } ?? .null
        return .object(object)
    }

    // MARK: - Unfinished

    private func jobs(_ arguments: CommandArguments) async throws -> CommandOutput {
        if arguments.has("--clear") {
            let count = await server.clearUnfinished()
            let line =
                count == 0
                ? StyledLine("There is nothing to clear.", .dim)
                : StyledLine("✓ \(count == 1 ? "1 job" : "\(count) jobs") cleared", .success)
            return CommandOutput(lines: [line], json: ["cleared": JSONValue(count)])
        }
        let jobs = await server.unfinished()
        let now = server.dependencies.environment.now().timeIntervalSince1970
        var lines = jobs.map { job in
            StyledLine([
                .init(FilePath.name(job.facts.file), .bold),
                .init(" · \(job.done) of \(job.of) pieces"),
                .init(
                    job.isRunning ? " · running" : " · \(Self.age(now - job.changed))", .dim),
                .init(" · \(job.facts.model) · \(job.facts.server) · \(job.facts.file)", .dim),
            ])
        }
        if lines.isEmpty { lines = [StyledLine("No transcription is unfinished.", .dim)] }
        var output = CommandOutput(
            lines: lines,
            json: .array(
                jobs.map { job in
                    [
                        "file": .string(job.facts.file), "bytes": JSONValue(job.facts.bytes),
                        "model": .string(job.facts.model), "server": .string(job.facts.server),
                        "done": JSONValue(job.done), "pieces": JSONValue(job.of),
                        "running": .bool(job.isRunning),
                    ]
                }))
        if jobs.contains(where: { !$0.isRunning }) {
            output.notices = ["To continue, run the same command on the same file."]
        }
        return output
    }

    private static func age(_ seconds: Double) -> String {
        let minutes = Int(max(0, min(seconds, 1e9)) / 60)
        switch minutes {
        case ..<2: return "just now"
        case ..<120: return "\(minutes) minutes ago"
        case ..<2_880: return "\(minutes / 60) hours ago"
        default: return "\(minutes / 1_440) days ago"
        }
    }
}
