import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Glibc
import Library
import Outside
import Persistence
import Privacy
import TerminalKit
import Texts

/// One message from the command line or a pipe, one answer to stdout, and an exit code.
/// Never asks anything.
struct OneShot {
    let services: Services
    let options: OneShotOptions
    let stdinIsTerminal: Bool
    let variables: [String: String]
    /// The commands, to distinguish a misspelt one from a text.
    let commands: () -> [Command]

    func run() async -> ExitCode {
        let output = services.output
        let notices = StandardOutput(descriptor: 2)
        let hasPerson = isatty(2) == 1
        let style = services.style(isTerminal: hasPerson)
        let stop = TurnTask()
        let writer = AnswerWriter(
            format: options.output, output: output, notices: notices, style: style,
            isPiped: isatty(1) != 1, showsProgress: hasPerson || options.global.verbose,
            showsThinking: options.global.verbose, screen: screen(output),
            progress: ProgressScreen(services.progressLine, services.glyphs),
            silence: SilenceWatch(services.environment),
            onClosed: { _ = stop.stop() })
        let signals = StopSignals {
            // Nothing is running that would have to be saved: for example, piped input is still
            // being read.
            if !stop.stop() { _exit(ExitCode.interrupted.rawValue) }
        }
        defer { signals.end() }
        do {
            return try await answer(writer, stop: stop)
        } catch {
            return await fail(error, writer)
        }
    }

    /// Nil if a program reads the answer, or the terminal cannot display it.
    private func screen(_ output: StandardOutput) -> TurnScreen? {
        let settings = services.settings
        guard options.output == .text, isatty(1) == 1, variables.hasCursor,
            settings.markdown
        else { return nil }
        return TurnScreen(
            options: TurnScreen.Options(
                style: services.style(isTerminal: true),
                canErase: true, thinking: options.global.verbose ? .full : .off,
                wrap: settings.wrap, size: { ScreenSize.of(1) }),
            environment: services.environment, output: { await output.write($0) })
    }

    private func answer(_ writer: AnswerWriter, stop: TurnTask) async throws -> ExitCode {
        let piped = stdinIsTerminal ? [] : try InputFiles.read(0, path: "standard input")
        let hasInput = !String(decoding: piped, as: UTF8.self).allSatisfy(\.isWhitespace)
        if let error = options.unknown?.error(hasInput: hasInput, among: commands) { throw error }
        let allowed = options.allowedTools
        try services.registry.checkAllowed(
            try await services.external?.unknown(among: allowed) ?? allowed.sorted(),
            others: try await services.external?.approvedTools().map(\.tool.name) ?? [])
        // Another key or a local server may still be usable.
        if let problem = await services.keyRing.fileProblem() {
            await writer.notice(StyledLine("chat: \(problem)", .warning))
        }
        if let error = services.settings.refusal(of: .message) { throw error }
        for line in services.settings.brokenLines {
            await writer.notice(StyledLine("chat: \(line)", .warning))
        }
        let prompt = try await savedPrompt(writer)
        let (text, files, kept, isTyped) = try input(piped, prompt, try await attached())
        let session = try await Session(
            services: services,
            options: Session.Options(
                kind: .oneshot,
                flags: ProviderChoice.Selection(
                    provider: options.global.provider,
                    model: try await model(prompt)),
                preferences: try await services.preferences(options.global, system: options.system),
                usesTools: options.usesTools, usesWeb: options.usesWeb,
                policy: ApprovalPolicy(
                    allowedTools: options.allowedTools, isInteractive: false), approver: .refusing,
                mayExceedBudget: options.mayExceedBudget, usesMemory: options.usesMemory))
        try await open(session)
        for problem in services.openConfiguredFolders() {
            await writer.notice(StyledLine("chat: \(problem)", .warning))
        }
        for path in options.open { try services.open(folder: path) }
        let attachments = try await prepare(files, session, writer) + kept
        await tellOfSwitch(session, writer)
        await tellOfProfile(session, writer)
        await tellOfWeb(session, writer)
        let start = services.environment.uptime()
        await writer.begin()
        if let prompt { await session.answer(with: prompt.answerSettings) }
        let task = Task {
            try await session.send(
                PlainMessage(text), attachments: attachments, asksModel: prompt != nil,
                isTyped: isTyped
            ) { event in
                await writer.observe(event)
            }
        }
        stop.set { task.cancel() }
        let result = await task.result
        let answer = try result.get()
        stop.clear()
        let seconds = services.environment.uptime() - start
        return await report(answer, session: session, writer: writer, seconds: seconds)
    }

    /// The files or items named by `--attach`; a file takes precedence over an item.
    private func attached() async throws -> [InputFiles.Loaded] {
        var files: [InputFiles.Loaded] = []
        for path in options.attachments {
            let isFile = access(path, F_OK) == 0
            if FileMentions.isItem(path), !isFile, let id = ItemID(path) {
                let item = try await services.library.liveItem(id, named: path)
                files.append(
                    try InputFiles.loaded(try await services.disclosure.disclosed(item)))
            } else if !isFile || isFolder(path), let kind = FileSelection.Kind(path: path) {
                files += try await loaded(kind, path)
            } else {
                files.append(try InputFiles.load(path))
            }
        }
        return files
    }

    private func isFolder(_ path: String) -> Bool {
        FileSelection.Kind(path: path) == .folder
    }

    /// The files of a folder or a pattern; without a question, too many are an error.
    private func loaded(
        _ kind: FileSelection.Kind, _ path: String
    ) async throws -> [InputFiles.Loaded] {
        let selector = FileSelector(services.paths)
        let group = try await selector.select(kind, path: path, shown: path)
        if group.files.isEmpty {
            throw AttachmentFailure(path: path, reason: .noFiles(leftOut: group.skipped.text))
        }
        if FileSelection.isMuch([group]), !options.attachesAll {
            throw AttachmentFailure(
                path: path, reason: .manyFiles(count: group.files.count, bytes: group.bytes))
        }
        let style = services.style(isTerminal: isatty(2) == 1)
        let note = StyledLine(HostileText.line("chat: \(group.line)"), .dim)
        FileDescriptorText.write(style.text(note) + "\n", to: 2)
        return try await selector.load(group).files
    }

    private func savedPrompt(_ writer: AnswerWriter) async throws -> Prompt? {
        guard let saved = options.saved else { return nil }
        let prompt = try await services.prompts.required(saved.name)
        for problem in prompt.problems {
            await writer.notice(StyledLine("\(prompt.name): not understood: \(problem)", .warning))
        }
        return prompt
    }

    /// The model of the command line, of the saved prompt, or of the role, in that order.
    private func model(_ prompt: Prompt?) async throws -> String? {
        if let model = options.global.model ?? prompt?.model { return model }
        return try await services.model(for: options.global)
    }

    /// The text to send. Piped input is appended to the prompt, or is the prompt; a saved prompt
    /// without a text applies to it.
    private func input(
        _ bytes: [UInt8], _ saved: Prompt?, _ attached: [InputFiles.Loaded]
    ) throws -> (text: String, files: [InputFiles.Loaded], kept: [Attachment], isTyped: Bool) {
        var files = attached
        let piped = String(decoding: bytes, as: UTF8.self)
        let isBlank = piped.allSatisfy(\.isWhitespace)
        // Only typed text is checked: piped input is data, and may contain a key.
        let typed = [options.prompt, options.system] + (options.saved?.arguments ?? [])
        if typed.contains(where: { KeyShape.isFound(in: $0 ?? "") }) || KeyShape.isAll(of: piped) {
            throw SessionError.holdsKey
        }
        // Text in an old encoding is better read with gaps than not at all.
        let isWords = !bytes.contains(0) && ImageHeader(bytes) == nil
        func attachPiped() throws(AttachmentFailure) {
            if isBlank { return }
            files.append(
                try InputFiles.loaded(
                    isWords ? Array(piped.utf8) : bytes, path: "standard input", name: "stdin"))
        }
        if let saved, let arguments = options.saved?.arguments {
            let call = try PromptCall(arguments: arguments, for: saved)
            if call.text.isEmpty, !isBlank, isWords {
                // Inserted at its place in the prompt, and still untrusted text.
                let text = try call.message(of: saved, input: piped.trimmingSpace())
                return (text, files, [Attachment.piped(piped)] + saved.untrustedText, true)
            }
            try attachPiped()
            let text = try call.message(of: saved, input: files.isEmpty ? nil : SavedPrompt.files)
            return (text, files, saved.untrustedText, true)
        }
        if let prompt = options.prompt, !prompt.allSatisfy(\.isWhitespace) {
            try attachPiped()
            return (prompt, files, [], true)
        }
        if isBlank {
            throw UsageError("There is no text to answer.", hint: "chat -p \"TEXT\"")
        }
        return (piped.trimmingSpace(), files, [], false)
    }

    /// The files in a form the answering model supports; reported on stderr.
    private func prepare(
        _ files: [InputFiles.Loaded], _ session: Session, _ writer: AnswerWriter
    ) async throws -> [Attachment] {
        if files.isEmpty { return [] }
        for file in files where SecretFile.looksSecret(path: file.path, bytes: file.bytes) {
            await writer.notice(
                StyledLine("\(file.path) looks as if it contains a key or passwords.", .warning))
        }
        let prepared = try await session.prepare(files, options.global)
        if isatty(2) == 1 {
            for file in prepared { await writer.notice(StyledLine("+ \(file.line)", .dim)) }
        }
        return prepared.map(\.attachment)
    }

    private func open(_ session: Session) async throws {
        guard options.continues else {
            try await session.openNew()
            return
        }
        guard let latest = try await services.store().latest(kinds: [.repl, .oneshot]) else {
            throw SessionError.noConversation(query: nil)
        }
        if try await session.open(latest) == .busy { throw SessionError.busy(title: latest.title) }
    }

    /// Reports that a flag moves the whole conversation to another host.
    private func tellOfSwitch(_ session: Session, _ writer: AnswerWriter) async {
        guard let before = await session.record?.provider, before != .offline,
            let choice = await session.expectedChoice(), choice.provider != before,
            choice.provider != .offline
        else { return }
        let host = await services.connector.host(of: choice.provider)
        await writer.notice(StyledLine("The whole conversation goes to \(host).", .warning))
    }

    /// Reports that `--web` has no effect on this answer.
    private func tellOfWeb(_ session: Session, _ writer: AnswerWriter) async {
        guard options.usesWeb, let choice = await session.expectedChoice(),
            choice.provider != .offline, await session.webAccess(choice, history: []) == .off
        else { return }
        let why =
            !options.usesTools
            ? "--no-tools leaves out searches too"
            : await session.redacts
                ? "a redacted conversation searches nothing"
                : "\(choice.provider.facts.displayName) has no web search"
        await writer.notice(StyledLine("--web has no effect here: \(why).", .warning))
    }

    /// Warns if redaction is on but the profile has no name: the user would still be named.
    private func tellOfProfile(_ session: Session, _ writer: AnswerWriter) async {
        // An unreadable profile ends the request with an error.
        guard isatty(2) == 1, await session.redacts, let person = try? await services.person(),
            person.values(of: .name).isEmpty
        else { return }
        await writer.notice(
            StyledLine(
                "Your name is not known, so it is not taken out: chat profile set name", .warning))
    }

    private func report(
        _ answer: Session.Answer, session: Session, writer: AnswerWriter, seconds: Double
    ) async -> ExitCode {
        let conversation = await session.record?.id
        switch answer {
        case .local(let output, let turn):
            let outcome = TurnOutcome(status: turn.status, turn: turn, stop: .end)
            let lines = CommandGrammar.shell.lines(output.lines)
            // A question that could not be asked is not an answer.
            let isQuestion = output.outcome == .usage
            await writer.finish(
                isQuestion ? [] : lines,
                report: AnswerReport(
                    outcome: outcome, provider: .offline, model: "", conversation: conversation))
            let asides = CommandGrammar.shell.asides(output)
            for line in (isQuestion ? lines : []) + asides { await writer.notice(line) }
            return output.outcome
        case .model(let outcome, let provider, let model):
            let absence = await absence()
            let diagnostic = await (diagnostic(outcome, model: model) ?? absence)
                .map(CommandGrammar.shell.diagnostic)
            await writer.finish(
                AnswerReport(
                    outcome: outcome, provider: provider, model: model,
                    conversation: conversation,
                    cost: services.prices.cost(
                        of: outcome.turn.usage, model: model, provider: provider,
                        isOneTurn: true), isRedacted: await session.redacts,
                    diagnostic: diagnostic), seconds: seconds)
            // A reader that closes the pipe is not a failure; for others see `App`.
            if await writer.isClosed { return .ok }
            if let diagnostic {
                await tell(diagnostic, writer)
                return diagnostic.exit
            }
            return .ok
        }
    }

    /// External servers that were unavailable for the answer.
    private func absence() async -> Diagnostic? {
        guard let absent = await services.external?.absent, !absent.isEmpty else { return nil }
        return Diagnostic(
            "Answered without the tools of \(absent.joined(separator: ", ")).",
            todo: "chat mcp check shows why", exit: .degraded, namesCommands: true)
    }

    /// The shortcoming of an outcome; nil for a complete answer.
    private func diagnostic(_ outcome: TurnOutcome, model: String) async -> Diagnostic? {
        // A failed or stopped turn after a denial is reported as such.
        if !outcome.refusals.isEmpty, outcome.status != .failed, outcome.note != .cancelled {
            let unasked = outcome.refusals.filter { $0.why == .noTerminal }
            let names = Set((unasked.isEmpty ? outcome.refusals : unasked).map(\.tool)).sorted()
            if unasked.isEmpty {
                return Diagnostic(
                    "A rule of yours forbids: \(names.joined(separator: ", ")).",
                    todo: "The rules are the setting tools: chat config show tools",
                    exit: .refused)
            }
            // An allowed tool is asked about only after untrusted text.
            let isAllowed = options.allowedTools.isSuperset(of: names)
            return Diagnostic(
                "Not allowed without asking you: \(names.joined(separator: ", ")).",
                todo: isAllowed
                    ? "The message came with untrusted text; in the chat you are asked."
                    : "To allow it: --allow \(names.joined(separator: ","))", exit: .refused)
        }
        switch outcome.status {
        case .open, .done:
            return outcome.note == .emptyAnswer
                ? Diagnostic("The model's answer was empty.", exit: .degraded) : nil
        case .truncated:
            return Diagnostic(
                outcome.stop == .contextWindow
                    ? "The conversation fills the model's context."
                    : "The answer was cut off by the length limit.",
                todo: "Go on with: chat -c -p \"go on\"", exit: .degraded)
        case .refused: return Diagnostic("The model declined to answer.", exit: .degraded)
        case .interrupted:
            if case .limit(let limit) = outcome.note { return Diagnostic(limit) }
            return Diagnostic("Stopped; what arrived is saved.", exit: .interrupted)
        case .failed:
            guard case .failed(let error) = outcome.note else { return Diagnostic("It failed.") }
            return Diagnostic(
                error, facts: await services.connector.facts(about: error, model: model))
        }
    }

    private func fail(_ error: any Error, _ writer: AnswerWriter) async -> ExitCode {
        let diagnostic = services.diagnostics.describe(error, isMessage: true)
        await writer.fail(diagnostic)
        await tell(diagnostic, writer)
        return diagnostic.exit
    }

    private func tell(_ diagnostic: Diagnostic, _ writer: AnswerWriter) async {
        for line in diagnostic.shellLines { await writer.notice(line) }
    }
}
